/**
 * Maps Stripe's invoices, their payments, refunds, disputes and credit notes to documents. Pure.
 *
 * An invoice is read with everything that belongs to it, because refunds and disputes only name their payment. Documents
 * that may have existed before and no longer do (of a refund that failed, a note that was voided) are reported as deleted.
 * Times are instants; their days are those of the account's time zone, as on its invoices.
 */
import { allocate } from "../../core/money/Allocation.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Named } from "../Connector.ts"
import type { Document, Invoice, Kind, Party, Stated } from "../Document.ts"
import type { Decoded, Fields, Members } from "../Json.ts"
import * as Json from "../Json.ts"
import { minorUnits, sumsOf } from "./Amounts.ts"
import { daysBy } from "./Days.ts"

/** An invoice with everything that belongs to it, as it is stored with its documents. */
export interface Whole extends Members {
  readonly id: unknown
  readonly invoice: unknown
  readonly payments: ReadonlyArray<unknown>
  readonly refunds: ReadonlyArray<unknown>
  readonly disputes: ReadonlyArray<unknown>
  readonly credit_notes: ReadonlyArray<unknown>
  /** The invoices, this one and others, that refunded or disputed payments pay. */
  readonly shared?: ReadonlyArray<unknown>
}

const STATUSES = { draft: "draft", open: "open", uncollectible: "open", paid: "paid", void: "void" } as const

const PAYMENT_STATUSES = ["open", "paid", "canceled"]

/** An id, from the id itself or from an expanded object. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : Json.isObject(value) ? idOf(value["id"]) : undefined

/** An amount of a record that belongs to an invoice. If the record states a currency, it must be the invoice's. */
const money = (fields: Fields, path: string, currency: string) => {
  const its = fields.get("currency") === undefined ? currency : fields.currency("currency")
  if (its !== currency) throw new Json.Unfit(path, `is in ${its}, and its invoice in ${currency}`)
  return minorUnits(fields, path, currency)
}

/** Statuses of disputes that took no money: inquiries, and those closed before they became disputes. */
const NO_CHARGEBACK = /^(warning_.*|prevented|charge_refunded)$/
const DISPUTES = /^(warning_.*|prevented|charge_refunded|needs_response|under_review|won|lost)$/
const NO_REFUND = ["failed", "canceled", "requires_action"]
const NOTES = ["pre_payment", "post_payment", "mixed"]
const REFUNDS = [...NO_REFUND, "pending", "succeeded"]

const partyOf = (one: Fields): Party => {
  const id = idOf(one.get("customer"))
  const name = one.maybe("customer_name") ?? one.maybe("customer_email") ?? id
  if (name === undefined) throw new Json.Unfit("customer", "has no customer; give the invoice a customer with a name")
  const country = one.maybe("customer_address.country")
  const address = ["line1", "line2", "postal_code", "city"]
    .flatMap((part) => one.maybe(`customer_address.${part}`) ?? [])
    .join(", ")
  const vat = Json.objects(one.get("customer_tax_ids")).map((tax) => new Json.Fields(tax).maybe("value"))[0]
  return {
    ...Json.present({ id }),
    name,
    ...Json.present({ country, vat, address: address || undefined })
  }
}

/** The ways in which a refund or dispute can name its payment. */
const meant = (fields: Fields): ReadonlyArray<string> =>
  ["payment_intent", "charge", "payment.payment_intent", "payment.charge"].flatMap(
    (path) => idOf(fields.get(path)) ?? []
  )

const NAMELESS = "a customer has neither a name nor an email address; its id is used instead"

/** The documents made from an invoice's record so far, and those to delete. */
interface Found {
  /** The invoice's id. */
  readonly id: string
  readonly currency: string
  readonly whole: Fields
  readonly dayOf: Json.DayOf
  readonly documents: Array<Document>
  readonly deleted: Array<Named>
}

const none = ({ deleted }: Found, kind: Kind, id: string): void => void deleted.push({ kind, id })

const paid = (whole: Fields, list: string): ReadonlyArray<Fields> =>
  whole.list(list).filter((payment) => payment.oneOf("status", PAYMENT_STATUSES) === "paid")

/** @param zoned the account's days, if its time zone is known */
export const invoice = (whole: Fields, zoned?: Json.DayOf): Decoded => {
  const its = whole.get("invoice")
  if (!Json.isObject(its)) throw new Json.Unfit("", "it is not a JSON object")
  const one = new Json.Fields(its)
  const [id, currency] = [one.text("id"), one.currency("currency")]
  const dayOf = zoned ?? daysBy(one.maybe("due_date") ?? "") ?? Day.fromEpochMillis
  const found: Found = { id, currency, whole, dayOf, documents: [], deleted: [] }
  const status = head(one, found)
  payments(one, status, found)
  for (const refund of whole.list("refunds")) refunded(refund, found)
  for (const dispute of whole.list("disputes")) disputed(dispute, found)
  for (const note of whole.list("credit_notes")) credited(note, found)
  balance(one, status, found)
  const isNamed = ["customer_name", "customer_email"].some((member) => one.maybe(member) !== undefined)
  const { deleted, documents } = found
  return { documents, deleted, sums: sumsOf(one, currency), ...(isNamed ? {} : { notices: [NAMELESS] }) }
}

/**
 * Maps the invoice itself; returns its status. What the customer owed from before (an amount below Stripe's minimum is carried
 * to the next invoice) is due with this invoice, beside its own total: docs.stripe.com/billing/customer/balance.
 */
const head = (one: Fields, { currency, dayOf, documents, id }: Found): Invoice["status"] => {
  const said = one.maybe("status") ?? "draft"
  const status = Object.hasOwn(STATUSES, said) ? STATUSES[said as keyof typeof STATUSES] : undefined
  if (status === undefined) throw new Json.Unfit("status", `${JSON.stringify(said)} is not a known status`)
  const paidOn = status === "paid" && one.get("status_transitions.paid_at") !== undefined
  const carried = -Decimal.min(0n, balanceOf(one, status, currency))
  const isNet = one.get("total_excluding_tax") !== undefined && carried === 0n
  const issued = issuedOn(one, dayOf)
  documents.push({
    kind: "invoice",
    id,
    number: one.maybe("number") ?? id,
    status,
    party: partyOf(one),
    currency,
    issued,
    due: one.get("due_date") === undefined ? issued : one.unixDay("due_date", dayOf),
    ...(isNet ? { net: money(one, "total_excluding_tax", currency) } : {}),
    gross: money(one, "total", currency) + carried,
    ...stated(one, currency),
    ...(paidOn ? { paidOn: one.unixDay("status_transitions.paid_at", dayOf) } : {})
  })
  return status
}

/** Stripe's own figures. */
const stated = (one: Fields, currency: string): { readonly stated?: Stated } => {
  if (one.get("amount_remaining") === undefined) return {}
  const paid = one.get("amount_paid") === undefined ? {} : { paid: money(one, "amount_paid", currency) }
  return { stated: { open: money(one, "amount_remaining", currency), ...paid, beforeReversals: true } }
}

const issuedOn = (one: Fields, dayOf: Json.DayOf) =>
  one.unixDay(one.get("effective_at") === undefined ? "created" : "effective_at", dayOf)

const payments = (one: Fields, status: Invoice["status"], found: Found): void => {
  const { currency, dayOf, documents, id, whole } = found
  const { id: buyer, name } = partyOf(one)
  // If the books have their own id for the invoice, it is in one of these.
  const words = ["metadata.invoice", "metadata.invoice_number", "description"]
    .flatMap((path) => one.maybe(path) ?? [])
    .join("; ")
  const about = { ...(words === "" ? {} : { reference: words }), party: { ...Json.present({ id: buyer }), name } }
  let listed: Decimal.Decimal = 0n
  for (const payment of paid(whole, "payments")) {
    const amount = money(payment, "amount_paid", currency)
    if (amount === 0n) {
      none(found, "payment", payment.text("id"))
      continue
    }
    listed += amount
    const date = payment.unixDay(paidAtOf(payment), dayOf)
    documents.push({
      kind: "payment",
      id: payment.text("id"),
      date,
      currency,
      shares: [{ invoice: id, amount }],
      ...about
    })
  }
  // An invoice that the seller marks as paid has no payment in Stripe, and `amount_paid` counts it: since 2025-03-31.basil, which
  // removed `paid_out_of_band` (docs.stripe.com/changelog/basil/2025-03-31, several payments of an invoice).
  const all = status === "paid" && one.get("amount_paid") !== undefined ? money(one, "amount_paid", currency) : listed
  const outside = { kind: "payment", id: `${id}/outside` } as const
  if (all <= listed) return none(found, outside.kind, outside.id)
  const date = one.unixDay(paidAtOf(one), dayOf)
  documents.push({ ...outside, date, currency, shares: [{ invoice: id, amount: all - listed }], ...about })
}

const paidAtOf = (one: Fields): string =>
  one.get("status_transitions.paid_at") === undefined ? "created" : "status_transitions.paid_at"

/** The payment of this invoice that a refund or dispute is about, as a member of a reversal. */
const ofPayment = (about: Fields, { whole }: Found): { readonly payment?: string } => {
  const ways = meant(about)
  const payment = paid(whole, "payments").find((one) => meant(one).some((way) => ways.includes(way)))
  return Json.present({ payment: payment?.maybe("id") })
}

/** This invoice's part of a refund of a payment for several, in proportion to what was paid; and the part's id. */
const portion = (about: Fields, { currency, id, whole }: Found) => {
  const its = about.text("id")
  const all = money(about, "amount", currency)
  const ways = meant(about)
  const several = paid(whole, "shared")
    .filter((payment) => meant(payment).some((way) => ways.includes(way)))
    .sort((a, b) => (a.text("id") < b.text("id") ? -1 : 1))
  const invoices = several.map((payment) => idOf(payment.get("invoice")))
  if (invoices.every((one) => one === id)) return { id: its, amount: all, not: `${its}/${id}` }
  const weights = several.map((payment) => money(payment, "amount_paid", currency))
  const parts = allocate(Currency.toMinor(all, currency), weights).filter((_, n) => invoices[n] === id)
  const mine = Decimal.fromInteger(parts.reduce((sum, part) => sum + part, 0n))
  return { id: `${its}/${id}`, amount: Currency.fromMinor(mine, currency), not: its }
}

const refunded = (refund: Fields, found: Found): void => {
  const { amount, id: its, not } = portion(refund, found)
  none(found, "reversal", not)
  if (refund.get("status") !== undefined && NO_REFUND.includes(refund.oneOf("status", REFUNDS)))
    return none(found, "reversal", its)
  const { currency, dayOf, id } = found
  const date = refund.unixDay("created", dayOf)
  const shares = [{ invoice: id, amount }]
  found.documents.push({
    kind: "reversal",
    id: its,
    ...ofPayment(refund, found),
    date,
    currency,
    shares,
    type: "refund"
  })
}

const disputed = (dispute: Fields, found: Found): void => {
  const state = dispute.text("status")
  if (!DISPUTES.test(state)) throw new Json.Unfit("status", `${JSON.stringify(state)} is not a known dispute status`)
  const { amount, id: its, not } = portion(dispute, found)
  none(found, "reversal", not)
  none(found, "payment", `${not}/won`)
  if (state !== "won") none(found, "payment", `${its}/won`)
  if (NO_CHARGEBACK.test(state)) return none(found, "reversal", its)
  const { currency, dayOf, documents, id } = found
  const date = dispute.unixDay("created", dayOf)
  const shares = [{ invoice: id, amount }]
  documents.push({
    kind: "reversal",
    id: its,
    ...ofPayment(dispute, found),
    date,
    currency,
    shares,
    type: "chargeback",
    ...Json.present({
      providerCode: dispute.maybe("payment_method_details.card.network_reason_code"),
      details: dispute.maybe("reason")
    })
  })
  if (state !== "won") return
  // The money's return has no date of its own, so the balance transaction's date is used.
  const last = dispute.list("balance_transactions").find((each) => !each.text("amount").startsWith("-"))
  documents.push({ kind: "payment", id: `${its}/won`, date: last?.unixDay("created", dayOf) ?? date, currency, shares })
}

/** The part of a payment's refunds and disputes that concerns one invoice, with the invoices that the payment pays. */
export interface GoneBack extends Members {
  /** The id of the refund or dispute. */
  readonly id: unknown
  readonly invoice: string
  readonly payments: ReadonlyArray<unknown>
  readonly refunds: ReadonlyArray<unknown>
  readonly disputes: ReadonlyArray<unknown>
  readonly shared: ReadonlyArray<unknown>
}

const foundOf = (one: Fields, invoice: string, whole: Fields, dayOf: Json.DayOf): Found => ({
  id: invoice,
  currency: one.currency("currency"),
  whole,
  dayOf,
  documents: [],
  deleted: []
})

/** Makes the same documents as reading the refund or dispute with its invoice would. */
export const wentBack = (whole: Fields, dayOf: Json.DayOf = Day.fromEpochMillis): Decoded => {
  const about = [...whole.list("refunds"), ...whole.list("disputes")][0]
  // A payment has its invoice's currency.
  const paid = whole.list("payments").find((payment) => payment.get("currency") !== undefined) ?? about
  if (paid === undefined) return { documents: [] }
  const found = foundOf(paid, whole.text("invoice"), whole, dayOf)
  for (const refund of whole.list("refunds")) refunded(refund, found)
  for (const dispute of whole.list("disputes")) disputed(dispute, found)
  return { documents: found.documents, deleted: found.deleted }
}

/** Maps a credit note alone. */
export const creditNote = (note: Fields, dayOf: Json.DayOf = Day.fromEpochMillis): Decoded => {
  const invoice = idOf(note.get("invoice"))
  if (invoice === undefined) throw new Json.Unfit("invoice", "names no invoice that the note is of")
  const found = foundOf(note, invoice, note, dayOf)
  credited(note, found)
  return { documents: found.documents, deleted: found.deleted }
}

/**
 * What was credited before the invoice was paid lowers it; so does what was paid back afterwards, as there is a refund of that. The
 * rest is credited for later invoices.
 */
const credited = (note: Fields, found: Found): void => {
  const { currency, dayOf, documents, id } = found
  const its = note.text("id")
  const date = note.unixDay("created", dayOf)
  const stands = note.get("status") === undefined || note.oneOf("status", ["issued", "void"]) !== "void"
  const of = (member: string) => (stands && note.get(member) !== undefined ? money(note, member, currency) : 0n)
  const type = note.get("type") === undefined ? "mixed" : note.oneOf("type", NOTES, "type")
  const part = note.get("pre_payment_amount") === undefined ? "total" : "pre_payment_amount"
  const before = type === "post_payment" || !stands ? 0n : money(note, part, currency)
  if (before === 0n) none(found, "credit_note", its)
  else documents.push({ kind: "credit_note", id: its, date, currency, shares: [{ invoice: id, amount: before }] })
  // Money refunded outside Stripe has no refund object.
  const outside = of("out_of_band_amount")
  const back = { kind: "reversal", id: `${its}/out_of_band` } as const
  if (outside === 0n) none(found, back.kind, back.id)
  else documents.push({ ...back, date, currency, shares: [{ invoice: id, amount: outside }], type: "refund" })
  const refunds = note.list("refunds").map((one) => money(one, "amount_refunded", currency))
  const repaid = note.get("customer_balance_transaction") === undefined ? of("post_payment_amount") : 0n
  const after = stands && repaid === 0n ? outside + Decimal.sum(refunds) : repaid
  const refunded = { kind: "credit_note", id: `${its}/refunded` } as const
  if (after === 0n) return none(found, refunded.kind, refunded.id)
  documents.push({ ...refunded, date, currency, shares: [{ invoice: id, amount: after }], refunded: true })
}

/** What was applied of the customer's balance when the invoice was finalised: negative if it was a debt. */
const balanceOf = (one: Fields, status: Invoice["status"], currency: string): Decimal.Decimal => {
  const isKnown = ["starting_balance", "ending_balance"].every((member) => one.get(member) !== undefined)
  return isKnown && (status === "open" || status === "paid")
    ? money(one, "ending_balance", currency) - money(one, "starting_balance", currency)
    : 0n
}

/** Maps the customer's credit balance, which was applied to the invoice. */
const balance = (one: Fields, status: Invoice["status"], found: Found): void => {
  const { currency, dayOf, documents, id } = found
  const applied = balanceOf(one, status, currency)
  const credit = { kind: "credit_note", id: `${id}/balance` } as const
  if (applied <= 0n) return none(found, credit.kind, credit.id)
  documents.push({ ...credit, date: issuedOn(one, dayOf), currency, shares: [{ invoice: id, amount: applied }] })
}
