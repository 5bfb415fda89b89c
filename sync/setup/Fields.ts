/** Maps the columns of a table to the fields of invoices, payments and credit notes. */
import type { Stream } from "../../connectors/tabular/Streams.ts"
import { appliedIn, plainAmount, wholeOf } from "./Applied.ts"
import { askedColumn } from "./AskedReferences.ts"
import type { AssignedColumns } from "./Columns.ts"
import type { Direction } from "./Directions.ts"
import { areBelowZero, areDebits } from "./Doubts.ts"
import { amountsIn } from "./Figures.ts"
import { orderFields } from "./OrderColumns.ts"
import { billedTo, isOfAll, payerColumns, statementAccountOf } from "./Parties.ts"
import { stateColumns } from "./StateColumns.ts"
import { provenTax } from "./Tax.ts"
import { areWords, cellsOf, filledOf, type FoundTable, headingAt } from "./Tables.ts"
import { paymentStateOf, type Role, rolesOf, rowTypeOf, squash } from "./Vocabulary.ts"

/** What is known beside the columns' roles. */
export interface Sense {
  /** The tax column holds rates. */
  readonly isRate?: boolean
  /** Its rates are shares, as 0.19. */
  readonly isShare?: boolean
  readonly isStatement?: boolean
  readonly direction?: Direction
  /** Numbers and ids of invoices in the other tables. */
  readonly numbers?: ReadonlySet<string>
}

/** Whether every one of these rows has a unique value in this column. */
const isKey = ({ rows }: FoundTable, at: number | undefined, per?: number): boolean => {
  if (at === undefined) return false
  const values = cellsOf(rows, at)
  if (values.some((one) => one === "")) return false
  if (per === undefined) return new Set(values).size === values.length
  const pairs = new Set(values.map((one, n) => `${one}\n${rows[n]?.cells[per]}`))
  return pairs.size === new Set(values).size
}

export type FieldColumns = Readonly<Record<string, unknown>>

const without = (fields: FieldColumns): FieldColumns =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const groupColumn = ({ groups, header }: FoundTable): string | undefined =>
  groups === undefined ? undefined : headingAt(header, groups)

/** The other way round where it is a debit, or where a person said that a list of amounts below zero is one of invoices. */
const owed = ({ header, rows }: FoundTable, heading: string | undefined): unknown => {
  const at = header.findIndex((_, n) => headingAt(header, n) === heading)
  return heading !== undefined && (areDebits(rows, at) || areBelowZero(rows, at))
    ? { plus: heading, negative: { [heading]: { empty: false } } }
    : heading
}

/** In some rows only the net amount stands, and no tax that could be held against it: it is not what is owed. */
const hasBlank = (table: FoundTable, columns: AssignedColumns): boolean => {
  const { gross, net } = columns.at
  const isEmpty = (cells: ReadonlyArray<string>, n: number) => (cells[n] ?? "").trim() === ""
  return (
    gross !== undefined &&
    net !== undefined &&
    provenTax(table, columns) === undefined &&
    table.rows.some(({ cells }) => isEmpty(cells, gross) && !isEmpty(cells, net))
  )
}

/** A column whose heading is known says nothing yet, and is read once it does. */
const emptyColumn = ({ header, rows }: FoundTable, { at }: AssignedColumns, role: Role): string | undefined => {
  const taken = Object.values(at)
  const found = header.findIndex(
    (title, n) => !taken.includes(n) && rolesOf(title)[0]?.role === role && filledOf(rows, n).length === 0
  )
  return found < 0 ? undefined : headingAt(header, found)
}

const invoiceFields = (
  table: FoundTable,
  columns: AssignedColumns,
  { isRate = false, isShare = false }: Sense
): FieldColumns => {
  const { at, heading } = columns
  const number = heading("invoice") ?? heading("document")
  const numberAt = at.invoice ?? at.document
  const keyed = at.key !== undefined && number !== undefined && isKey(table, at.key, numberAt)
  const gross = heading("gross") ?? heading("amount")
  const [net, tax] = [heading("net"), heading("tax")]
  const states = stateColumns(table, columns)
  const isState = (one: string | undefined) => one !== undefined && states.includes(one)
  const [calculatedNet, calculatedGross] = isRate
    ? [
        isShare ? undefined : { plus: gross, without_percent: tax },
        isShare ? { plus: net, add_share: tax } : { plus: net, add_percent: tax }
      ]
    : [{ plus: gross, minus: tax }, [net, tax]]
  return without({
    id: keyed ? heading("key") : (number ?? heading("key")),
    number: keyed ? number : undefined,
    reference: askedColumn(table, columns, [keyed ? at.key : undefined, numberAt]),
    customer: billedTo(table, columns) ?? groupColumn(table),
    customer_id: isOfAll(table, columns) ? undefined : heading("party_id"),
    customer_country: heading("country"),
    customer_regnum: heading("regnum"),
    customer_vat: heading("vat"),
    issued: heading("issued") ?? heading("date"),
    due: heading("due") ?? emptyColumn(table, columns, "due"),
    terms: heading("terms"),
    net: hasBlank(table, columns)
      ? undefined
      : (owed(table, net) ?? (gross !== undefined && tax !== undefined ? calculatedNet : undefined)),
    gross: owed(table, gross) ?? (net !== undefined && tax !== undefined ? calculatedGross : undefined),
    tax_amount: provenTax(table, columns),
    currency: heading("currency"),
    status: states.length > 1 ? states : (states[0] ?? emptyColumn(table, columns, "status")),
    settled: isState(heading("paid_on")) ? undefined : (heading("paid_on") ?? emptyColumn(table, columns, "paid_on")),
    // A day of payment counts where no balance says more.
    balance:
      owed(table, heading("balance")) ??
      (at.paid_on === undefined ? emptyColumn(table, columns, "balance") : undefined),
    paid: isState(heading("paid")) ? undefined : (heading("paid") ?? emptyColumn(table, columns, "paid")),
    credits: heading("original")
  })
}

/** An id column, or the columns that together identify a row. */
const idOf = (
  table: FoundTable,
  { at, heading }: AssignedColumns,
  content: ReadonlyArray<string | undefined>,
  isStatement: boolean
): unknown => {
  // In a statement, a number is the payer's text, also where it is another one in each row.
  const roles = isStatement ? (["payment", "key"] as const) : (["payment", "key", "document"] as const)
  for (const role of roles) if (isKey(table, at[role])) return heading(role)
  // One payment over several invoices, in a row for each.
  const invoices = cellsOf(table.rows, at.invoice ?? -1)
  const numbers = cellsOf(table.rows, at.payment ?? -1)
  const pairs = new Set(numbers.map((one, n) => `${one}\n${invoices[n]}`))
  if (
    at.payment !== undefined &&
    at.invoice !== undefined &&
    numbers.every((one) => one !== "") &&
    pairs.size === numbers.length
  )
    return heading("payment")
  return { content: content.filter((one) => one !== undefined) }
}

/** Whether a column holds nothing but numbers of invoices, so that it names them; otherwise it is a text to be searched. */
const namesInvoices = (
  table: FoundTable,
  at: number | undefined,
  numbers: ReadonlySet<string> = new Set()
): boolean => {
  const values = at === undefined ? [] : filledOf(table.rows, at)
  if (values.length === 0 || values.some((text) => /\s/.test(text) || !/\d/.test(text))) return false
  return numbers.size === 0 || values.filter((text) => numbers.has(text)).length * 2 >= values.length
}

const paymentFields = (table: FoundTable, columns: AssignedColumns, sense: Sense): FieldColumns => {
  const { at, heading } = columns
  const { direction, isStatement = false, numbers } = sense
  const named = heading("invoice") ?? heading("original")
  const isNamed =
    named === undefined && at.payment !== undefined && !isStatement && namesInvoices(table, at.document, numbers)
  const invoice = named ?? (isNamed ? heading("document") : undefined)
  const date = heading("paid_on") ?? heading("date") ?? heading("issued")
  const texts = [...textColumns(table, columns, sense), isNamed ? undefined : heading("document")]
    .filter((one) => one !== undefined)
    .filter((one) => at.invoice === undefined || isStatement || mayName(table, at.invoice, one, numbers))
  const payer = payerColumns(table, columns)
  const content = [date, invoice, payer.customer, ...texts, ...amountHeadings(columns)]
  // Elsewhere, a balance is what is left of the document.
  const hasBalance = isStatement && invoice === undefined && at.balance !== undefined
  // Refunds with rows of their own are not counted once more.
  const hasNegative = (n: number | undefined) => amountsIn(table.rows, n).some((one) => one !== undefined && one < 0n)
  const isNegative = hasNegative(at.amount ?? at.gross)
  const id = idOf(table, columns, content, isStatement)
  return without({
    id,
    invoice,
    date,
    amount: amountOf(columns, direction, hasNegative(at.fee)),
    currency: heading("currency"),
    ...reversalTypes(table, columns),
    status:
      heading("status") ??
      (isStatement ? pendingColumn(table, columns) : undefined) ??
      emptyColumn(table, columns, "status"),
    unallocated: heading("applied") === undefined ? heading("unallocated") : undefined,
    total: wholeOf(table, columns, id)?.total,
    refunded: isNegative ? undefined : (heading("refunded") ?? emptyColumn(table, columns, "refunded")),
    provider_code: heading("code"),
    reference:
      texts.filter((one) => one !== id).length > 1
        ? texts.filter((one) => one !== id)
        : texts.find((one) => one !== id),
    ...payer,
    customer: payer.customer ?? (at.party === undefined ? groupColumn(table) : undefined),
    balance: hasBalance ? heading("balance") : undefined,
    account: hasBalance ? statementAccountOf(table) : undefined,
    fee: hasBalance ? heading("fee") : undefined
  })
}

/** The columns with the payer's texts. A statement may have several, and an invoice is named in any of them. */
const textColumns = (
  table: FoundTable,
  { at, heading }: AssignedColumns,
  { isStatement = false, numbers = new Set() }: Sense
): ReadonlyArray<string | undefined> => {
  const first = heading("text")
  if (!isStatement) return [first]
  const taken = Object.values(at)
  const others = table.header.flatMap((one, n) => {
    const texts = taken.includes(n) || table.header.indexOf(one) !== n ? [] : filledOf(table.rows, n)
    const isText = texts.length > 0 && rolesOf(one).some(({ role }) => role === "text")
    return isText || texts.some((text) => namesOne(text, numbers)) ? [headingAt(table.header, n)] : []
  })
  return [first, ...others]
}

/**
 * Beside a column of invoices, another one is looked at where that is empty: it is of no use if it never names one of them, and its
 * transaction numbers would be taken for invoices.
 */
const mayName = (
  table: FoundTable,
  invoiceAt: number,
  heading: string,
  numbers: ReadonlySet<string> = new Set()
): boolean => {
  const n = table.header.findIndex((_, at) => headingAt(table.header, at) === heading)
  const texts = table.rows.flatMap(({ cells }) =>
    (cells[invoiceAt] ?? "").trim() === "" ? [(cells[n] ?? "").trim()] : []
  )
  return numbers.size === 0 || texts.every((text) => text === "") || texts.some((text) => numbers.has(text))
}

/** Invoice numbers shorter than this are found in any text. */
const SHORTEST_NUMBER = 4

/** Whether a text has the number of an invoice of another table, whatever its column is called. */
const namesOne = (text: string, numbers: ReadonlySet<string>): boolean =>
  text.split(/[\s,;:]+/).some((word) => word.length >= SHORTEST_NUMBER && numbers.has(word))

/** A column that says of some rows that their money has not come, whatever its heading is: "Umsatz vorgemerkt" under "Info". */
const pendingColumn = (table: FoundTable, { at }: AssignedColumns): string | undefined => {
  const taken = Object.values(at)
  const found = table.header.findIndex((_, n) => {
    const texts = taken.includes(n) ? [] : [...new Set(filledOf(table.rows, n))]
    const states = texts.map(paymentStateOf).filter((state) => state !== undefined)
    const isPending = states.includes("pending") || states.includes("failed")
    return areWords(texts) && isPending && states.length * 2 >= texts.length
  })
  return found < 0 ? undefined : headingAt(table.header, found)
}

const amountOf = (columns: AssignedColumns, direction: Direction | undefined, isFeeNegative: boolean): unknown => {
  const { heading } = columns
  if (heading("paid_in") !== undefined && heading("paid_out") !== undefined)
    return { credit: heading("paid_in"), debit: heading("paid_out") }
  const plain = plainAmount(columns)
  const [net, fee] = [heading("net"), heading("fee")]
  // What was paid is what arrived and the fee.
  if (plain !== undefined && plain === net && fee !== undefined && (direction?.out.length ?? 0) === 0)
    return isFeeNegative ? { plus: net, minus: fee } : [net, fee]
  const applied = appliedIn(columns)
  // The part that pays this invoice; a payment that is applied to none has only the whole.
  if (applied !== undefined) return plain === undefined ? applied : { first: [applied, plain] }
  if (direction?.isTurned === true && plain !== undefined)
    return { plus: plain, negative: { [plain]: { sign: "negative" } } }
  return direction?.heading === undefined || direction.out.length === 0 || plain === undefined
    ? plain
    : { plus: plain, negative: { [direction.heading]: direction.out.length === 1 ? direction.out[0] : direction.out } }
}

const REVERSALS: ReadonlyArray<readonly [RegExp, string]> = [
  [/chargeback|dispute|ruckbuch|contracargo/, "chargeback"],
  [/refund|erstatt|ruckzahl|rembours|terugbet|restitut|devoluc|reembols|rimborso|zahlungsausgang|paidback/, "refund"],
  [/fail|error|return|unpaid|rucklast|rejet|impaye|storno|insoluto|reject|bounce/, "error"],
  [/^(other|unknown)$/, "other"],
  [/revers/, "unknown"]
]

/** A column with the type of reversals. */
const reversalTypes = (table: FoundTable, { at, heading, language }: AssignedColumns): FieldColumns => {
  const role = at.reason === undefined ? "type" : "reason"
  const [index, name] = [at[role], heading(role)]
  if (index === undefined || name === undefined) return {}
  const said = [...new Set(cellsOf(table.rows, index))].filter((value) => value !== "")
  const types = said.map((value) => [
    value,
    rowTypeOf(value, language) === "payment"
      ? "settlement"
      : REVERSALS.find(([pattern]) => pattern.test(squash(value)))?.[1]
  ])
  return types.every(([, type]) => type !== undefined) ? { type: name, types: Object.fromEntries(types) } : {}
}

const amountHeadings = (columns: AssignedColumns): ReadonlyArray<string | undefined> =>
  columns.heading("paid_in") !== undefined && columns.heading("paid_out") !== undefined
    ? [columns.heading("paid_in"), columns.heading("paid_out")]
    : [plainAmount(columns)]

const creditFields = (table: FoundTable, columns: AssignedColumns): FieldColumns => {
  const { at, heading } = columns
  const own =
    heading("credit") ?? (at.invoice !== undefined || at.original !== undefined ? heading("document") : undefined)
  const [gross, net, tax] = [heading("gross") ?? heading("amount"), heading("net"), heading("tax")]
  return without({
    id: own ?? (at.original === undefined ? heading("key") : (heading("invoice") ?? heading("key"))),
    invoice: heading("original") ?? heading("invoice") ?? heading("document"),
    date: heading("date") ?? heading("issued"),
    gross: gross ?? (net !== undefined && tax !== undefined ? [net, tax] : net),
    net: gross === undefined ? undefined : net,
    tax_amount: provenTax(table, columns),
    currency: heading("currency")
  })
}

/** The settings of a stream: `types` is next to its columns. */
export const streamOf = ({
  types,
  ...columns
}: FieldColumns): { readonly columns: FieldColumns; readonly types?: unknown } => ({
  columns,
  ...(types === undefined || Object.entries(types as object).every(([text, type]) => text === type) ? {} : { types })
})

export const fieldsOf = (stream: Stream, table: FoundTable, columns: AssignedColumns, sense: Sense): FieldColumns =>
  stream === "orders"
    ? orderFields(table, columns)
    : stream === "invoices"
      ? invoiceFields(table, columns, sense)
      : stream === "credit_notes"
        ? creditFields(table, columns)
        : paymentFields(table, columns, sense)
