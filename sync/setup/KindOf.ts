/** Tells from a table's headings and contents what its rows are: invoices, payments, credit notes, orders, or movements of an account. */
import type { TableKind } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import type { Sense } from "./Fields.ts"
import { amountsIn } from "./Figures.ts"
import { areOrders } from "./OrderColumns.ts"
import { hasPayer } from "./Parties.ts"
import { filledOf, type FoundTable } from "./Tables.ts"
import { isNothing, isOwnAccount, rowTypeOf, squash, titleOf } from "./Vocabulary.ts"

/** What the names of the file and sheet, and the titles, suggest. */
export const titled = ({ above, glance, path }: FoundTable): ReturnType<typeof titleOf> =>
  [path.replace(/^.*[\\/]|\.[^.]*$/g, ""), glance.sheet ?? "", ...above.map(({ cells }) => cells.join(" "))]
    .map(titleOf)
    .find((kind) => kind !== undefined)

const PROCESSOR = new Set(
  "fee|net|payout|payout id|charge id|captured|card id|customer_id|customer_email|balance_transaction|balance transaction|transaction id|transfer|amount refunded|amount_refunded|converted_amount|settlement amount|settlement currency|settlement reference|payment method|consumer name|receipt id|from email address|to email address|seller_message|statement_descriptor|merchant account|psp reference|gateway|mode|product|state|completed date|started date|exchange to|auto fx"
    .split("|")
    .map(squash)
)

/** How many headings are those of a processor of payments. */
export const processorHeadings = ({ header }: FoundTable): number =>
  header.filter((one) => PROCESSOR.has(squash(one))).length

/** A sale is an invoice in a list of sales, and a payment in one of a processor. */
const SALES = new Set("sale|sales|Verkauf|vente|verkoop|venta|vendita".split("|").map(squash))

/** Headings that a processor has and a program for invoices does not. */
export const MANY = 4

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9 ]{8,}$/

/** Whether rows are movements of an account: amounts of both signs beside a balance, an account or a payer. */
const areMovements = (table: FoundTable, columns: AssignedColumns): boolean => {
  const { at } = columns
  if ((at.due ?? at.terms ?? at.issued) !== undefined) return false
  if (hasPayer(table) || processorHeadings(table) >= MANY) return true
  const amounts = amountsIn(table.rows, at.amount ?? at.gross)
  const isSigned = amounts.some((one) => one !== undefined && one < 0n)
  const hasAccount = table.header.some((heading, n) => isOwnAccount(heading) && filledOf(table.rows, n).length > 0)
  const hasIban = table.header.some((_, n) => {
    const values = filledOf(table.rows, n)
    return values.length > 0 && values.every((text) => IBAN.test(text))
  })
  const hasText = at.text !== undefined && at.invoice === undefined && at.original === undefined
  // What a processor took of it, in a list without buyers' days.
  return isSigned && (hasIban || hasAccount || hasText || at.fee !== undefined)
}

/** Whether some of the rows have not the day on which something was paid. */
const isOpen = ({ rows }: FoundTable, at: number | undefined): boolean =>
  at !== undefined && rows.some(({ cells }) => (cells[at] ?? "").trim() === "" || isNothing(cells[at] ?? ""))

/** Undefined if nothing indicates it. */
export const kindOf = (
  table: FoundTable,
  columns: AssignedColumns,
  { numbers = new Set() }: Sense
): TableKind | undefined => {
  const { at } = columns
  if (areOrders(columns)) return "orders"
  const has = (...roles: ReadonlyArray<keyof typeof at>) => roles.some((role) => at[role] !== undefined)
  const isReceived = has("paid_in") && !has("paid_out")
  const money = isReceived || has("net", "gross", "amount", "paid", "applied", "foreign", "home")
  const title = titled(table)
  const types = at.type === undefined ? [] : [...new Set(filledOf(table.rows, at.type))]
  // Rows about documents of another file, without a due date, are what was paid of them.
  const about = at.invoice ?? at.document ?? at.original
  const named = about === undefined ? [] : filledOf(table.rows, about)
  const areOfOthers = named.length > 0 && named.filter((text) => numbers.has(text)).length * 2 > named.length
  const invoiced = types.filter((text) => rowTypeOf(text, columns.language) === "invoice")
  const arePaid = areOfOthers || processorHeadings(table) >= MANY
  const listsInvoices = invoiced.length > 0 && !(arePaid && invoiced.every((text) => SALES.has(squash(text))))
  if (has("paid_in") && has("paid_out") && has("date") && !has("due", "net", "gross") && !listsInvoices)
    return "statement"
  if (has("credit") || (title === "credit_notes" && has("invoice", "original", "document"))) return "credit_notes"
  if (money && has("date", "issued", "paid_on") && !listsInvoices && areMovements(table, columns))
    return has("invoice") && has("payment", "paid_on") && !has("balance") ? "payments" : "statement"
  if (money && areOfOthers && !has("due", "terms", "balance", "net", "tax") && !listsInvoices) return "payments"
  if (has("applied") && money) return "payments"
  const hasBuyer = has("party", "party_id") || table.groups !== undefined
  if ((money || has("balance")) && has("due", "terms", "issued") && hasBuyer)
    return title === "payments" && !has("due") && has("paid_on") ? "payments" : "invoices"
  if (title === "payments" && money && has("invoice", "original")) return "payments"
  // A payment has a day, and no tax: where days are missing or tax is stated, these are invoices with the day they were paid.
  const isInvoiced = has("date", "issued") && has("invoice", "document") && !has("payment")
  if (money && isInvoiced && has("paid_on") && (has("tax") || isOpen(table, at.paid_on))) return "invoices"
  if (money && has("payment", "paid_on") && has("invoice", "original", "document")) return "payments"
  // With a day on which it is due, it is an invoice, whatever the column of its buyer is called.
  if ((money || has("balance")) && has("due") && has("date", "issued")) return "invoices"
  if (money && has("balance") && has("text") && has("date") && !has("invoice")) return "statement"
  const isOwed = money || (has("balance") && !has("paid_in", "paid_out"))
  const hasNumber = has("invoice", "document") || (title === "invoices" && has("key"))
  if (isOwed && has("party", "party_id") && hasNumber && has("date")) return "invoices"
  if (money && has("date") && listsInvoices) return "invoices"
  // A day, an amount and an invoice's number stand in a list of invoices as well.
  if (money && has("date") && has("invoice"))
    return title === "payments" || has("payment", "method", "code", "reason", "status", "type", "fee")
      ? "payments"
      : undefined
  if (money && has("date") && has("text")) return "statement"
  if (money && has("paid_on") && has("text", "party") && !has("due", "issued", "tax", "balance")) return "payments"
  // Money of both ways, of or to somebody, and no document that it would be.
  const amounts = amountsIn(table.rows, at.amount ?? at.gross)
  if (about === undefined && has("date") && has("party") && amounts.some((one) => one !== undefined && one < 0n))
    return "statement"
  return undefined
}
