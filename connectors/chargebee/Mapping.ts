/**
 * Maps Chargebee's records to documents. Pure.
 *
 * Neither a refund nor a chargeback changes the status and the open amount that Chargebee states for an invoice.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Named } from "../Connector.ts"
import type { Sum } from "../Contradictions.ts"
import type { Document, Invoice, Kind, PayMethod, Share } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Dates from "../tabular/Dates.ts"

const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  ...{ pending: "draft", posted: "open", payment_due: "open", not_paid: "open", paid: "paid", voided: "void" }
}
const BANK = ["check", "bank_transfer", "direct_debit", "ach_credit", "sepa_credit"]
/** Transactions that took no money, or not yet. */
const WITHOUT = ["in_progress", "voided", "failure", "timeout", "needs_attention"]

/** Currencies without decimals, by Chargebee's documentation. All others have two, even those that have three elsewhere. */
const WHOLE = ["JPY", "KRW", "XAF", "XOF"]

const currencyOf = (one: Json.Fields): string => {
  const currency = one.currency("currency_code")
  if (Currency.decimals(currency) > 0 || WHOLE.includes(currency)) return currency
  throw new Json.Unfit("currency_code", `Chargebee does not say how many decimals its amounts in ${currency} have`)
}

const money = (one: Json.Fields, path: string, currency: string): Decimal.Decimal =>
  one.minor(path, currency, WHOLE.includes(currency) ? 0 : 2)

/** The day in the site's time zone, which invoices and credit notes state; otherwise in UTC. */
const dayOf = (one: Json.Fields, path: string): Day => {
  const [zone, day] = [one.maybe("site_details_at_creation.timezone"), one.unixDay(path)]
  return zone === undefined ? day : Dates.dayIn(zone)(Number(one.text(path)) * 1000)
}

/** Adds up what is allocated to each invoice. */
const sharesOf = (links: ReadonlyArray<Json.Fields>, name: string, amount: string, currency: string): Array<Share> => {
  const shares = new Map<string, bigint>()
  for (const link of links) {
    const [invoice, value] = [link.maybe(name), money(link, amount, currency)]
    if (invoice !== undefined && value !== 0n) shares.set(invoice, (shares.get(invoice) ?? 0n) + value)
  }
  return [...shares].map(([invoice, amount]) => ({ invoice, amount }))
}

/** Records come as a member of this name. What one became before, and does no more, is deleted. */
const record =
  (
    name: string,
    all: (id: string) => ReadonlyArray<Named>,
    decode: (one: Json.Fields, id: string, currency: string, days: Json.DayOf | undefined) => ReadonlyArray<Document>,
    sums: (one: Json.Fields, currency: string) => ReadonlyArray<Sum> = () => []
  ) =>
  (days?: Json.DayOf) =>
  (fields: Json.Fields): Json.Decoded => {
    const one = Json.fieldsOf(fields.get(name))
    const id = one.text("id")
    const documents = one.get("deleted") === true ? [] : decode(one, id, currencyOf(one), days)
    const its = documents.length === 0 ? [] : sums(one, currencyOf(one))
    const isThere = (its: Named) => documents.some((one) => one.kind === its.kind && one.id === its.id)
    return { documents, deleted: all(id).filter((one) => !isThere(one)), sums: its }
  }

/** Documents of these kinds, with the record's own id. */
const of =
  (...kinds: ReadonlyArray<Kind>) =>
  (id: string): ReadonlyArray<Named> =>
    kinds.map((kind) => ({ kind, id }))

const partyOf = (one: Json.Fields): Invoice["party"] => {
  const at = (part: string) => one.maybe(`billing_address.${part}`)
  const [id, person] = [one.text("customer_id"), [at("first_name") ?? "", at("last_name") ?? ""].join(" ").trim()]
  // XI is Northern Ireland, in numbers for value added tax.
  const country = at("country") === "XI" ? "GB" : at("country")
  const name = at("company") ?? (person === "" ? id : person)
  return { id, name, ...Json.present({ country, vat: one.maybe("vat_number") }) }
}

/** All discounts; those of lines are among them. */
const discountsOf = (one: Json.Fields, currency: string): Decimal.Decimal => {
  const [all, lines] = [one.list("discounts"), one.list("line_item_discounts")]
  const amounts = all.map((its) => money(its, "amount", currency))
  return Decimal.sum(all.length > 0 ? amounts : lines.map((its) => money(its, "discount_amount", currency)))
}

/**
 * Where the tax comes on top, the subtotal, the tax and what it was rounded by come to the total: `round_off_amount` and
 * `price_type` of an invoice in chargebee/openapi. No page says which discounts the subtotal already has: all of them or none, the
 * total is at most that sum, and at least the sum without them.
 */
const sumsOf = (one: Json.Fields, currency: string): ReadonlyArray<Sum> => {
  if (one.maybe("price_type") !== "tax_exclusive" || one.get("sub_total") === undefined) return []
  const parts = ["sub_total", "tax", "round_off_amount"].map((path) =>
    one.get(path) === undefined ? 0n : money(one, path, currency)
  )
  const [total, most, off] = [money(one, "total", currency), Decimal.sum(parts), discountsOf(one, currency)]
  const its = { currency, field: "invoice.total", total }
  if (off === 0n) return [{ ...its, of: "its subtotal, its tax and its rounding", parts }]
  const least = "its subtotal, its tax and its rounding, less its discounts,"
  if (total < most - off) return [{ ...its, of: least, parts: [...parts, -off] }]
  return total > most ? [{ ...its, of: "its subtotal, its tax and its rounding, before its discounts,", parts }] : []
}

const invoiceOf: Parameters<typeof record>[2] = (one, id, currency) => {
  const issued = dayOf(one, "date")
  const due = one.get("due_date") === undefined ? issued : dayOf(one, "due_date")
  const said = one.meaning("status", STATUSES)
  // Chargebee calls it paid, but the buyer still owes what the seller has written off.
  const isWrittenOff = /[1-9]/.test(one.maybe("write_off_amount") ?? "")
  const status = said === "paid" && isWrittenOff ? "open" : said
  // The buyer pays a withheld tax to the tax office.
  const isWhole = !isWrittenOff && one.list("linked_taxes_withheld").length === 0
  // A payment that failed late is a payment and its reversal.
  const late = one.list("linked_payments").filter((link) => link.maybe("txn_status") === "late_failure")
  const failed = Decimal.sum(late.map((link) => money(link, "applied_amount", currency)))
  const isStated = isWhole && (status === "open" || status === "paid")
  const stated = { open: isStated ? money(one, "amount_due", currency) - failed : 0n, beforeReversals: true } as const
  const [party, gross] = [partyOf(one), money(one, "total", currency)]
  const its: Invoice = { kind: "invoice", id, number: id, status, party, currency, issued, due, gross }
  return [isStated ? { ...its, stated } : its]
}

export const invoice = record("invoice", of("invoice"), invoiceOf, sumsOf)

const payment = (
  one: Json.Fields,
  id: string,
  currency: string,
  status: string,
  days?: Json.DayOf
): ReadonlyArray<Document> => {
  const shares = sharesOf(one.list("linked_invoices"), "invoice_id", "applied_amount", currency)
  if (WITHOUT.includes(status) || shares.length === 0) return []
  const reference = one.maybe("reference_number") ?? one.maybe("id_at_gateway")
  const said = one.maybe("payment_method") ?? ""
  const method: PayMethod = said === "card" || said === "cash" ? said : BANK.includes(said) ? "bank" : "unknown"
  const its = { id, date: one.unixDay("date", days), currency, shares }
  const paid: Document = { kind: "payment", ...its, ...Json.present({ reference }), method }
  if (status === "success" && one.get("reversal_transaction_id") === undefined) return [paid]
  const date = one.unixDay(one.get("settled_at") === undefined ? "date" : "settled_at", days)
  const details = Json.present({ details: one.maybe("error_text") })
  return [paid, { kind: "reversal", ...its, payment: id, date, type: "error", ...details }]
}

/** Refunds of money that was for no invoice change none. */
const refund = (
  one: Json.Fields,
  id: string,
  currency: string,
  status: string,
  days?: Json.DayOf
): ReadonlyArray<Document> => {
  const notes = one.list("linked_credit_notes")
  const shares = sharesOf(notes, "cn_reference_invoice_id", "applied_amount", currency)
  if (status !== "success" || shares.length === 0) return []
  const payment = Json.present({ payment: one.maybe("refunded_txn_id") ?? one.maybe("reference_transaction_id") })
  const details = Json.present({ details: notes[0]?.maybe("cn_create_reason_code") })
  const type = one.maybe("payment_method") === "chargeback" ? "chargeback" : "refund"
  return [{ kind: "reversal", id, ...payment, date: one.unixDay("date", days), currency, shares, type, ...details }]
}

export const transaction = record("transaction", of("payment", "reversal"), (one, id, currency, days) => {
  const type = one.oneOf("type", ["payment", "refund", "payment_reversal", "authorization"], "type")
  // A payment names its reversal, and has the invoices; an authorization takes no money.
  if (type !== "payment" && type !== "refund") return []
  const status = one.oneOf("status", [...WITHOUT, "success", "late_failure"])
  return type === "payment" ? payment(one, id, currency, status, days) : refund(one, id, currency, status, days)
})

/**
 * What was paid back of a credit note lowers the invoice that it is of, as there is a refund of that. The credit note of a
 * chargeback forgives nothing.
 */
const repaid = (
  one: Json.Fields,
  id: string,
  currency: string,
  days: Json.DayOf | undefined
): ReadonlyArray<Document> => {
  const isChargeback = [one.maybe("reason_code"), one.maybe("create_reason_code")].some((why) =>
    /^chargeback$/i.test(why ?? "")
  )
  const invoice = one.maybe("reference_invoice_id")
  const refunds = one
    .list("linked_refunds")
    .filter((link) => link.oneOf("txn_status", [...WITHOUT, "success", "late_failure"]) === "success")
  const amount = Decimal.sum(refunds.map((link) => money(link, "applied_amount", currency)))
  if (isChargeback || invoice === undefined || amount === 0n) return []
  const dates = refunds.map((link) =>
    link.unixDay(link.get("txn_date") === undefined ? "applied_at" : "txn_date", days)
  )
  const date = dates.sort()[0] as Day
  return [{ kind: "credit_note", id: `${id}/refunded`, date, currency, shares: [{ invoice, amount }], refunded: true }]
}

const notes = (id: string): ReadonlyArray<Named> => [id, `${id}/refunded`].map((id) => ({ kind: "credit_note", id }))

export const creditNote = record("credit_note", notes, (one, id, currency, days) => {
  const links = one.list("allocations")
  const isAdjustment = one.oneOf("type", ["adjustment", "refundable", "store"], "type") === "adjustment"
  const isVoid = one.oneOf("status", ["adjusted", "refunded", "refund_due", "voided"]) === "voided"
  const isWriteOff = one.maybe("reason_code") === "write_off" || one.maybe("create_reason_code") === "Write Off"
  const shares = isAdjustment
    ? sharesOf([one], "reference_invoice_id", "total", currency)
    : sharesOf(links, "invoice_id", "allocated_amount", currency)
  if (isVoid || isWriteOff) return []
  const refunded = repaid(one, id, currency, days)
  if (shares.length === 0) return refunded
  // The day of the first allocation: a later one does not change it.
  const allocated = isAdjustment ? [] : links.map((link) => link.unixDay("allocated_at", days)).sort()
  return [{ kind: "credit_note", id, date: allocated[0] ?? dayOf(one, "date"), currency, shares }, ...refunded]
})
