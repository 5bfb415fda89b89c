/**
 * A GoCardless payment, with its events and its refunds, as facts. Pure.
 *
 * Money counts once a payment is confirmed. A debit that fails afterwards (also after it was paid out) is a reversal, a
 * chargeback is one, a chargeback that is cancelled is money again. `late_failure_settled` and `chargeback_settled` only
 * say when GoCardless took its own money back: the failure and the chargeback were facts before.
 */
import type { Decoded, Fields, Members } from "../Json.ts"
import * as Json from "../Json.ts"
import type { Document, ReversalType } from "../Document.ts"

/** A payment with all that happened to it, as it is stored beside its documents. */
export interface History extends Members {
  readonly id: unknown
  readonly payment: unknown
  /** The oldest first. */
  readonly events: ReadonlyArray<unknown>
  readonly refunds: ReadonlyArray<unknown>
}

const CONFIRMED = ["confirmed", "paid_out"]
const STATUSES = [
  ...CONFIRMED,
  "pending_customer_approval",
  "customer_approval_denied",
  "pending_submission",
  "submitted",
  "cancelled",
  "failed",
  "charged_back"
]
const TAKEN_BACK: Readonly<Record<string, ReversalType>> = { failed: "error", charged_back: "chargeback" }

/** Refunds that never left, and such that came back. */
const NEVER = ["cancelled"]
const RETURNED = ["bounced", "funds_returned", "failed"]

/**
 * @param member where a payment names its invoice: `metadata.invoice`, `reference`, `description`
 */
export const payment =
  (member: string) =>
  (history: Fields): Decoded => {
    const payment = history.get("payment")
    if (!Json.isObject(payment)) throw new Json.Unfit("", "it is not a JSON object")
    const one = new Json.Fields(payment)
    const id = one.text("id")
    const currency = one.currency("currency")
    const amount = one.minor("amount", currency)
    const status = one.text("status")
    if (!STATUSES.includes(status))
      throw new Json.Unfit("status", `${JSON.stringify(status)} is a status that is not known`)
    const events = history.list("events")
    const refunds = history.list("refunds")
    const confirmed = CONFIRMED.includes(status) || events.some((event) => CONFIRMED.includes(event.text("action")))
    if (!confirmed) return { documents: [] }
    const invoice = one.maybe(member)
    if (invoice === undefined) {
      const how = member.startsWith("metadata.")
        ? "write the invoice's id there when the payment is made, or name another member as invoice in the settings"
        : "name the member that holds the invoice's id as invoice in the settings, like metadata.invoice"
      throw new Json.Unfit(member, `names no invoice; ${how}`)
    }
    const shares = [{ invoice, amount }]
    const received = { kind: "payment", currency, shares, method: "bank" } as const
    const documents: Array<Document> = [{ ...received, id, date: one.day("charge_date") }]
    /** The document that holds the money now, if it is held. */
    let held: string | undefined
    const expected = !events.some((event) => CONFIRMED.includes(event.text("action")))
    if (expected) held = id
    for (const event of events) {
      const action = event.text("action")
      const its = event.text("id")
      if (CONFIRMED.includes(action)) held ??= id
      const type = Object.hasOwn(TAKEN_BACK, action) ? TAKEN_BACK[action] : undefined
      if (type !== undefined && held !== undefined) {
        const code = event.maybe("details.reason_code")
        const details = event.maybe("details.description")
        documents.push({
          kind: "reversal",
          id: its,
          payment: held,
          date: event.instantDay("created_at"),
          currency,
          shares,
          type,
          ...(code === undefined ? {} : { providerCode: code }),
          ...(details === undefined ? {} : { details })
        })
        held = undefined
      }
      if (action === "chargeback_cancelled" && held === undefined) {
        documents.push({ ...received, id: its, date: event.instantDay("created_at") })
        held = its
      }
    }
    for (const refund of refunds) {
      const state = refund.maybe("status") ?? "paid"
      if (NEVER.includes(state)) continue
      const its = refund.text("id")
      const date = refund.instantDay("created_at")
      const share = [{ invoice, amount: refund.minor("amount", refund.currency("currency")) }]
      documents.push({ kind: "reversal", id: its, payment: id, date, currency, shares: share, type: "refund" })
      if (RETURNED.includes(state)) documents.push({ ...received, id: `${its}/returned`, date, shares: share })
    }
    return { documents }
  }
