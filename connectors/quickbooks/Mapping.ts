/**
 * Maps QuickBooks Online's invoices, payments and refund receipts to documents. Pure.
 *
 * A payment's lines say which invoices it pays, and which credit memos it uses: the part paid by credit memos is not money
 * but lowers the invoices, even if the payment's own total is 0. A voided record is kept with a total of 0 and a note; of a
 * deleted record, only the id and the status are left.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Country from "../../core/wire/Country.ts"
import type { Named } from "../Connector.ts"
import type { Document, Party, PayMethod, Share } from "../Document.ts"
import type { Decoded, Fields } from "../Json.ts"
import * as Json from "../Json.ts"

/** Maps a record to documents; `home` is the currency of records that name none. */
export type Mapping = (home: string | undefined) => (fields: Fields) => Decoded

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

export const invoice: Mapping = (home) => (fields) => {
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
  if (paid <= 0n) return { documents, deleted: [deposit], notices }
  documents.push({ ...deposit, date: issued, currency, shares: [{ invoice: id, amount: paid }] })
  return { documents, notices }
}

/** The invoices and credit memos in the lines of a payment or refund. */
const lines = (fields: Fields, currency: string) => {
  const invoices = new Map<string, Decimal.Decimal>()
  let credit: Decimal.Decimal = 0n
  for (const line of fields.list("Line")) {
    const links = line.list("LinkedTxn")
    const named = links.filter((link) => link.get("TxnType") === "Invoice").map((link) => link.text("TxnId"))
    if (named.length > 1) {
      throw new Json.Unfit("Line", `names the invoices ${named.join(", ")} together, but not how much is for each`)
    }
    if (links.length === 0) continue
    const amount = Decimal.abs(amountOf(line, "Amount", currency))
    const [its] = named
    if (its !== undefined) invoices.set(its, (invoices.get(its) ?? 0n) + amount)
    else if (links.some((link) => link.get("TxnType") === "CreditMemo")) credit += amount
  }
  return { invoices, credit }
}

const positive = (shares: ReadonlyArray<Share>) => shares.filter(({ amount }) => amount > 0n)

const UNSURE = "a payment draws on credit for several invoices; the credit is taken first, in the order of its lines"

export const payment: Mapping = (home) => (fields) => {
  const id = fields.text("Id")
  const received = { kind: "payment", id } as const
  const lowered = { kind: "credit_note", id: `${id}/credit` } as const
  if (isDeleted(fields)) return { documents: [], deleted: [received, lowered] }
  const currency = currencyOf(fields, home)
  const total = fields.major("TotalAmt", currency)
  const { credit: memos, invoices } = lines(fields, currency)
  const all = Decimal.sum(invoices.values())
  // What is neither money nor a credit memo is another kind of credit, such as a journal entry.
  const money = total - amountOf(fields, "UnappliedAmt", currency)
  const other = all - money
  const credit = Decimal.min(all, memos > other ? memos : other)
  const date = fields.day("TxnDate")
  const paid: Array<Share> = []
  const credited: Array<Share> = []
  let left = credit > 0n ? credit : 0n
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

export const refund: Mapping = (home) => (fields) => {
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
