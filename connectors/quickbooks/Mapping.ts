/**
 * Maps QuickBooks Online's invoices, payments and refund receipts to documents. Pure.
 *
 * A payment's lines say which invoices it pays, and what it uses beside its own total, which may be 0. Credit memos are not
 * money, and lower the invoices; deposits are money that was entered as a bank deposit (Intuit's help, "Link a bank deposit to an
 * invoice", L2uXUxi6t). A journal entry may be either, so a setting says which, and without it the payment is quarantined. A voided record is kept with a total of 0 and a note; of a
 * deleted record, only the id and the status are left.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Country from "../../core/wire/Country.ts"
import type { Named } from "../Connector.ts"
import type { Document, Party, PayMethod, Share } from "../Document.ts"
import type { Decoded, Fields } from "../Json.ts"
import * as Json from "../Json.ts"
import type { Sum } from "../Contradictions.ts"
import { money } from "../Shop.ts"

/** What a company enters as journal entries and applies to invoices. */
export const JOURNALS = ["payment", "credit_note"] as const

export interface How {
  /** The currency of records that name none. */
  readonly currency?: string
  readonly journal_entries?: (typeof JOURNALS)[number]
}

/** Maps a record to documents. */
export type Mapping = (how: How) => (fields: Fields) => Decoded

const isDeleted = (fields: Fields): boolean => fields.get("status") === "Deleted"

/** Whether a record is void. QuickBooks has no status for this: it zeroes the amounts and starts the note with the word. */
const saysVoid = (fields: Fields): boolean => /^\W*void/i.test(fields.maybe("PrivateNote") ?? "")

const HALF_VOID = "a note begins with Voided, but its amounts are not zero; read as not void"
const NAMELESS = "a customer has no name; its id is used instead"

/** Oddities of a record that was read nevertheless. */
const noticesOf = (fields: Fields, total: Decimal.Decimal): ReadonlyArray<string> =>
  total !== 0n && saysVoid(fields) ? [HALF_VOID] : []

const currencyOf = (fields: Fields, home: string | undefined): string => {
  if (fields.get("CurrencyRef.value") !== undefined) return fields.currency("CurrencyRef.value")
  if (home !== undefined) return home
  throw new Json.Unfit("CurrencyRef", "has no currency; set currency to the company's own")
}

const amountOf = (fields: Fields, path: string, currency: string): Decimal.Decimal =>
  fields.get(path) === undefined ? 0n : fields.major(path, currency)

const nameOf = (fields: Fields): string | undefined =>
  fields.maybe("CustomerRef.name") ?? fields.maybe("BillAddr.Line1")

const party = (fields: Fields): Party => {
  const id = fields.maybe("CustomerRef.value")
  const name = nameOf(fields) ?? id
  if (name === undefined) throw new Json.Unfit("CustomerRef", "has no customer; give the invoice a customer")
  const country = Country.parse(fields.maybe("BillAddr.Country") ?? "")
  const address = ["Line1", "Line2", "Line3", "Line4", "Line5", "PostalCode", "City"]
    .flatMap((part) => fields.maybe(`BillAddr.${part}`) ?? [])
    .join(", ")
  return {
    ...Json.present({ id }),
    name,
    ...Json.present({ country, address: address || undefined })
  }
}

const METHODS: ReadonlyArray<readonly [RegExp, PayMethod]> = [
  [/cash/i, "cash"],
  [/card|visa|amex|american express|discover|diners/i, "card"],
  [/che(ck|que)|ach|bank|transfer|debit|wire/i, "bank"]
]

const methodOf = (fields: Fields): PayMethod | undefined => {
  const said = fields.maybe("PaymentMethodRef.name") ?? ""
  return METHODS.find(([words]) => words.test(said))?.[1]
}

/** Lines that only show something: a text, or the sum of the lines above. */
const SHOWN = ["DescriptionOnly", "SubTotalLineDetail"]
const LINES = ["SalesItemLineDetail", "DiscountLineDetail", ...SHOWN]

/**
 * Its lines, less its discounts, and the tax come to the total: Intuit's sample invoice 130 comes to 362.07 so. Nothing is said of
 * lines that have the tax in them, and of groups of lines, of which Intuit's pages do not say how they are added up.
 */
const sumsOf = (fields: Fields, currency: string): ReadonlyArray<Sum> => {
  const lines = fields.list("Line").filter((line) => !SHOWN.includes(line.maybe("DetailType") ?? ""))
  const isKnown = lines.every((line) => LINES.includes(line.maybe("DetailType") ?? ""))
  if (!isKnown || lines.length === 0 || fields.maybe("GlobalTaxCalculation") === "TaxInclusive") return []
  const parts = lines.map((line) => {
    const amount = money(line, "Amount", currency)
    return line.maybe("DetailType") === "DiscountLineDetail" ? -amount : amount
  })
  const [tax, total] = ["TxnTaxDetail.TotalTax", "TotalAmt"].map((path) => money(fields, path, currency))
  return [
    { currency, field: "TotalAmt", total: total ?? 0n, of: "its lines and its tax", parts: [...parts, tax ?? 0n] }
  ]
}

export const invoice: Mapping =
  ({ currency: home }) =>
  (fields) => {
    const id = fields.text("Id")
    const deposit = { kind: "payment", id: `${id}/deposit` } as const
    if (isDeleted(fields)) return { documents: [], deleted: [{ kind: "invoice", id }, deposit] }
    const currency = currencyOf(fields, home)
    const gross = fields.major("TotalAmt", currency)
    const issued = fields.day("TxnDate")
    const balance = fields.maybeMajor("Balance", currency)
    const taxed = fields.get("TxnTaxDetail.TotalTax") !== undefined
    const documents: Array<Document> = [
      {
        kind: "invoice",
        id,
        number: fields.maybe("DocNumber") ?? id,
        status: gross === 0n && saysVoid(fields) ? "void" : balance === 0n ? "paid" : "open",
        party: party(fields),
        currency,
        issued,
        due: fields.maybe("DueDate") === undefined ? issued : fields.day("DueDate"),
        ...(taxed ? { net: gross - fields.major("TxnTaxDetail.TotalTax", currency) } : {}),
        gross,
        // Only the balance is stated: the rest was paid or credited. A refund receipt does not change the balance.
        ...(balance === undefined ? {} : { stated: { open: balance, paid: gross - balance, beforeReversals: true } })
      }
    ]
    // A deposit was paid with the order: it lowers the balance, but there is no payment record for it.
    const paid = amountOf(fields, "Deposit", currency)
    const notices = [...noticesOf(fields, gross), ...(nameOf(fields) === undefined ? [NAMELESS] : [])]
    const sums = sumsOf(fields, currency)
    if (paid < 0n) throw new Json.Unfit("Deposit", "is below 0, and a deposit is money that came")
    if (paid === 0n) return { documents, deleted: [deposit], notices, sums }
    documents.push({ ...deposit, date: issued, currency, shares: [{ invoice: id, amount: paid }] })
    return { documents, notices, sums }
  }

/** The invoices in the lines of a payment or refund, and how much of each other type of transaction it uses. */
const lines = (fields: Fields, currency: string) => {
  const invoices = new Map<string, Decimal.Decimal>()
  const others = new Map<string, Decimal.Decimal>()
  const add = (to: Map<string, Decimal.Decimal>, name: string, amount: Decimal.Decimal) =>
    to.set(name, (to.get(name) ?? 0n) + amount)
  for (const line of fields.list("Line")) {
    const links = line.list("LinkedTxn")
    const named = links.filter((link) => link.get("TxnType") === "Invoice").map((link) => link.text("TxnId"))
    if (named.length > 1) {
      throw new Json.Unfit("Line", `names the invoices ${named.join(", ")} together, but not how much is for each`)
    }
    const [first] = links
    if (first === undefined) continue
    const amount = line.major("Amount", currency)
    const [its] = named
    if (its === undefined) add(others, first.text("TxnType"), Decimal.abs(amount))
    else if (amount < 0n) throw new Json.Unfit("Line", `pays invoice ${its} with an amount below 0`)
    else add(invoices, its, amount)
  }
  return { invoices, others }
}

/**
 * How much of the invoices is lowered by credit rather than paid. What neither the payment's own total nor a deposit nor a credit
 * memo covers is a journal entry's.
 */
const creditOf = (
  all: Decimal.Decimal,
  money: Decimal.Decimal,
  others: ReadonlyMap<string, Decimal.Decimal>,
  how: How
) => {
  const [memos = 0n, deposits = 0n] = ["CreditMemo", "Deposit"].map((type) => others.get(type))
  const rest = all - money - memos - deposits
  if (rest <= 0n) return Decimal.min(all, memos)
  const from = [...others.keys()].filter((type) => type !== "CreditMemo" && type !== "Deposit")
  const amount = Decimal.format(rest)
  if (!from.includes("JournalEntry"))
    throw new Json.Unfit(
      "Line",
      `${amount} of its invoices is covered by neither money nor a credit memo, but by ${from.join(", ") || "nothing"}`
    )
  if (how.journal_entries === undefined)
    throw new Json.Unfit(
      "Line",
      `applies ${amount} of a journal entry to invoices, which may be money or a write-off: set journal_entries to payment or to credit_note`
    )
  return Decimal.min(all, how.journal_entries === "payment" ? memos : memos + rest)
}

const positive = (shares: ReadonlyArray<Share>) => shares.filter(({ amount }) => amount > 0n)

const UNSURE = "a payment draws on credit for several invoices; the credit is taken first, in the order of its lines"

export const payment: Mapping = (how) => (fields) => {
  const id = fields.text("Id")
  const received = { kind: "payment", id } as const
  const lowered = { kind: "credit_note", id: `${id}/credit` } as const
  if (isDeleted(fields)) return { documents: [], deleted: [received, lowered] }
  const currency = currencyOf(fields, how.currency)
  const total = fields.major("TotalAmt", currency)
  const { invoices, others } = lines(fields, currency)
  const all = Decimal.sum(invoices.values())
  const credit = creditOf(all, total - amountOf(fields, "UnappliedAmt", currency), others, how)
  const date = fields.day("TxnDate")
  const paid: Array<Share> = []
  const credited: Array<Share> = []
  let left = credit
  for (const [invoice, amount] of invoices) {
    const part = Decimal.min(left, amount)
    left -= part
    credited.push({ invoice, amount: part })
    paid.push({ invoice, amount: amount - part })
  }
  const documents: Array<Document> = []
  const deleted: Array<Named> = []
  const [ofMoney, ofCredit] = [positive(paid), positive(credited)]
  if (ofMoney.length === 0) deleted.push(received)
  else documents.push({ ...received, date, currency, shares: ofMoney, ...Json.present({ method: methodOf(fields) }) })
  if (ofCredit.length === 0) deleted.push(lowered)
  else documents.push({ ...lowered, date, currency, shares: ofCredit })
  const unsure = ofMoney.length > 0 && ofCredit.length > 0 && invoices.size > 1
  return { documents, deleted, notices: [...noticesOf(fields, total), ...(unsure ? [UNSURE] : [])] }
}

export const refund: Mapping =
  ({ currency: home }) =>
  (fields) => {
    const id = fields.text("Id")
    const back = { kind: "reversal", id } as const
    if (isDeleted(fields)) return { documents: [], deleted: [back] }
    const currency = currencyOf(fields, home)
    const amount = fields.major("TotalAmt", currency)
    if (amount === 0n) return { documents: [], deleted: [back] }
    const links = fields.list("LinkedTxn")
    const named = links.filter((link) => link.get("TxnType") === "Invoice").map((link) => link.text("TxnId"))
    const { invoices } = lines(fields, currency)
    if (invoices.size === 0 && named.length > 1) {
      throw new Json.Unfit("LinkedTxn", `names the invoices ${named.join(", ")}, but not how much is for each`)
    }
    const shares =
      invoices.size > 0
        ? positive([...invoices].map(([invoice, amount]) => ({ invoice, amount })))
        : named.map((invoice) => ({ invoice, amount }))
    if (shares.length === 0) {
      return { documents: [], deleted: [back], notices: ["a refund receipt names no invoice; ignored"] }
    }
    const payment = links.find((link) => link.get("TxnType") === "Payment")?.maybe("TxnId")
    const date = fields.day("TxnDate")
    return {
      documents: [{ ...back, ...(payment === undefined ? {} : { payment }), date, currency, shares, type: "refund" }],
      notices: noticesOf(fields, amount)
    }
  }
