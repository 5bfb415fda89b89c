/**
 * Maps a GoCardless payment, with its events and refunds, to documents. Pure.
 *
 * Money counts as received once a payment is confirmed. Before, and if it fails before, it is told as one that was tried,
 * since books may have it from its charge day on. One that fails afterwards (even after it was paid out) and a chargeback are
 * reversals. A cancelled chargeback, and a failed debit that is retried and confirmed, are payments again.
 * `late_failure_settled` and `chargeback_settled` only say when GoCardless took its own money back: the failure and the
 * chargeback were facts before.
 */
import type { Named } from "../Connector.ts"
import type { Decoded, Fields, Members } from "../Json.ts"
import * as Json from "../Json.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Document, Payer, Payment, Reversal, ReversalType } from "../Document.ts"

/** The payer. */
export interface Customer extends Members {
  readonly id: string
  readonly company_name: unknown
  readonly given_name: unknown
  readonly family_name: unknown
}

/** A payment with everything that happened to it, as it is stored with its documents. */
export interface History extends Members {
  readonly id: unknown
  readonly payment: unknown
  /** Oldest first. */
  readonly events: ReadonlyArray<unknown>
  readonly refunds: ReadonlyArray<unknown>
  /** Events of refunds that were returned. */
  readonly refund_events?: ReadonlyArray<unknown>
  readonly customer?: Customer
}

const CONFIRMED = ["confirmed", "paid_out"]
/** Statuses that a payment can have only after it was confirmed. */
const WAS_CONFIRMED = [...CONFIRMED, "charged_back"]
const STATUSES = [
  ...WAS_CONFIRMED,
  "pending_customer_approval",
  "customer_approval_denied",
  "pending_submission",
  "submitted",
  "cancelled",
  "failed"
]
/** Nothing was received in these. */
const TRIED: Readonly<Record<string, "pending" | "failed">> = {
  pending_submission: "pending",
  submitted: "pending",
  failed: "failed"
}
const TAKEN_BACK: Readonly<Record<string, ReversalType>> = { failed: "error", charged_back: "chargeback" }

/** Events that a payment without trouble does not have. */
export const TROUBLES = ["failed", "charged_back", "chargeback_cancelled", "resubmission_requested"]

/** Refund statuses: never paid out, and returned. */
const NEVER = ["cancelled"]
export const RETURNED = ["bounced", "funds_returned", "failed"]

const REFUNDS = [...NEVER, ...RETURNED, "created", "pending_submission", "submitted", "paid"]

/** Events of returned refunds. */
const RETURNS = ["bounced", "funds_returned", "failed"]

/** The payer's name as on invoices: the company, or else the person; the mandate's id if nothing more is known. */
const payerOf = (history: Fields, mandate: string | undefined): Payer | undefined => {
  const id = history.maybe("customer.id")
  if (id === undefined) return mandate === undefined ? undefined : { id: mandate }
  const person = ["given_name", "family_name"].flatMap((part) => history.maybe(`customer.${part}`) ?? []).join(" ")
  const name = history.maybe("customer.company_name") ?? (person === "" ? undefined : person)
  return name === undefined ? { id } : { id, name }
}

/** What a payment's documents have in common, and those made so far. */
interface Found {
  readonly payment: Fields
  readonly id: string
  readonly currency: string
  readonly received: Omit<Payment, "id" | "date">
  /** Allocates an amount: to the invoice if the payment names one, otherwise it is unallocated. */
  readonly given: (amount: Decimal) => Pick<Payment, "shares" | "unallocated">
  readonly whole: ReturnType<Found["given"]>
  readonly documents: Array<Document>
  readonly deleted: Array<Named>
}

/** Collects what the documents of a payment have in common. */
const foundOf = (history: Fields, member: string): Found => {
  const payment = history.get("payment")
  if (!Json.isObject(payment)) throw new Json.Unfit("", "it is not a JSON object")
  const one = new Json.Fields(payment)
  const id = one.text("id")
  const currency = one.currency("currency")
  const amount = one.minor("amount", currency)
  const invoice = one.maybe(member)
  const given = (amount: Decimal) =>
    invoice === undefined ? { shares: [], unallocated: amount } : { shares: [{ invoice, amount }] }
  const said = ["reference", "description"].filter((name) => name !== member).flatMap((name) => one.maybe(name) ?? [])
  const received = {
    kind: "payment",
    currency,
    ...given(amount),
    ...Json.present({ reference: said.join("; ") || undefined, party: payerOf(history, one.maybe("links.mandate")) }),
    method: "bank"
  } as const
  return { payment: one, id, currency, received, given, whole: given(amount), documents: [], deleted: [] }
}

/**
 * @param member the member of a payment that names its invoice: `metadata.invoice`, `reference`, `description`
 */
export const payment =
  (member: string) =>
  (history: Fields): Decoded => {
    const found = foundOf(history, member)
    const status = found.payment.oneOf("status", STATUSES)
    const events = history.list("events")
    const isMoney = WAS_CONFIRMED.includes(status) || confirmationsOf(events).length > 0
    const state = isMoney || found.payment.maybe("charge_date") === undefined ? undefined : TRIED[status]
    if (state !== "failed" && events.some((event) => event.text("action") === "failed"))
      found.deleted.push(reversalOf(found))
    if (state !== undefined) tried(events, found, state)
    if (!isMoney && state === undefined) found.deleted.push({ kind: "payment", id: found.id })
    if (!isMoney) return { documents: found.documents, deleted: found.deleted }
    follow(events, found)
    for (const refund of history.list("refunds")) refunded(refund, history.list("refund_events"), found)
    return { documents: found.documents, deleted: found.deleted }
  }

/** What takes back a payment that was never received. */
const reversalOf = ({ id }: Pick<Found, "id">): Named => ({ kind: "reversal", id: `${id}/failed` })

/** A debit of which nothing was received: not yet, or it failed. */
const tried = (events: ReadonlyArray<Fields>, found: Found, tried: "pending" | "failed"): void => {
  const { currency, documents, payment, received, whole } = found
  const charged = payment.day("charge_date")
  documents.push({ ...received, id: found.id, date: charged, tried })
  if (tried === "pending") return
  const last = events.findLast((event) => event.text("action") === "failed")
  documents.push({
    ...{ kind: "reversal", id: reversalOf(found).id, payment: found.id, currency, ...whole, type: "error" },
    date: last?.instantDay("created_at") ?? charged,
    ...(last === undefined ? {} : reasonOf(last))
  })
}

/** Maps a payment's refunds alone. */
export const refund =
  (member: string) =>
  (history: Fields): Decoded => {
    const found = foundOf(history, member)
    for (const refund of history.list("refunds")) refunded(refund, history.list("refund_events"), found)
    return { documents: found.documents, deleted: found.deleted }
  }

/** Whether money was received, or was to be: only then is the payer needed. */
export const isMoney = ({ events, payment }: History): boolean =>
  [...WAS_CONFIRMED, ...Object.keys(TRIED)].includes(nameIn(payment, "status")) ||
  events.some((event) => CONFIRMED.includes(nameIn(event, "action")))

const nameIn = (record: unknown, member: string): string =>
  (Json.isObject(record) ? Json.nameOf(record[member]) : undefined) ?? ""

const confirmationsOf = (events: ReadonlyArray<Fields>) =>
  events.filter((event) => CONFIRMED.includes(event.text("action")))

/** Follows the money through the events: received, taken back, and received again. */
const follow = (events: ReadonlyArray<Fields>, found: Found): void => {
  const { currency, documents, id, payment, received, whole } = found
  const confirmations = confirmationsOf(events)
  documents.push({ ...received, id, date: payment.day("charge_date") })
  /** The id of the payment document that currently holds the money, if it was received. */
  let held: string | undefined = confirmations.length === 0 ? id : undefined
  /** Whether it was taken back and is being collected again. */
  let again = false
  for (const event of events) {
    const action = event.text("action")
    const its = event.text("id")
    if (action === "resubmission_requested") again = documents.length > 1
    if (CONFIRMED.includes(action) && held === undefined) {
      if (!again) held = id
      else {
        // `charge_date` is that of the last attempt; for the first attempt only the confirmation's date is known.
        const date = confirmations[0]?.instantDay("created_at") ?? payment.day("charge_date")
        documents[0] = { ...received, id, date }
        documents.push({ ...received, id: its, date: payment.day("charge_date") })
        held = its
        again = false
      }
    }
    const type = Object.hasOwn(TAKEN_BACK, action) ? TAKEN_BACK[action] : undefined
    if (type !== undefined && held !== undefined) {
      documents.push({
        kind: "reversal",
        id: its,
        payment: held,
        date: event.instantDay("created_at"),
        currency,
        ...whole,
        type,
        ...reasonOf(event)
      })
      held = undefined
    }
    if (action === "chargeback_cancelled" && held === undefined) {
      documents.push({ ...received, id: its, date: event.instantDay("created_at") })
      held = its
    }
  }
}

const reasonOf = (event: Fields): Pick<Reversal, "providerCode" | "details"> =>
  Json.present({ providerCode: event.maybe("details.reason_code"), details: event.maybe("details.description") })

const refunded = (refund: Fields, returns: ReadonlyArray<Fields>, found: Found): void => {
  const { currency, documents, given, deleted, id, received } = found
  const state = refund.get("status") === undefined ? "paid" : refund.oneOf("status", REFUNDS)
  const its = refund.text("id")
  if (!RETURNED.includes(state)) deleted.push({ kind: "payment", id: `${its}/returned` })
  if (NEVER.includes(state)) return void deleted.push({ kind: "reversal", id: its })
  const date = refund.instantDay("created_at")
  if (refund.currency("currency") !== currency)
    throw new Json.Unfit(
      "currency",
      `of refund ${refund.text("id")} is ${refund.text("currency")}; the payment's is ${currency}`
    )
  const back = given(refund.minor("amount", currency))
  documents.push({ kind: "reversal", id: its, payment: id, date, currency, ...back, type: "refund" })
  if (!RETURNED.includes(state)) return
  const came = returns.find((event) => event.get("links.refund") === its && RETURNS.includes(event.text("action")))
  const day = came === undefined ? date : came.instantDay("created_at")
  documents.push({ ...received, id: `${its}/returned`, date: day, ...back })
}
