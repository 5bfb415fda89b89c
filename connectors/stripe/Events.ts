/** Finds which invoice or payout a Stripe event is about, for listed events and for webhooks. Nothing else in an event is used. */
import type { Delivery, WebhookEvent } from "../Connector.ts"
import * as Json from "../Json.ts"
import * as Signature from "../Signature.ts"
import * as Mapping from "./Mapping.ts"

const TYPES = [
  "invoice.*",
  "invoice_payment.*",
  "charge.refunded",
  "charge.refund.updated",
  "refund.*",
  "charge.dispute.*",
  "credit_note.*",
  "payout.*"
]
/** Whether an event may be about a document. */
const concerns = (type: string) =>
  TYPES.some((one) => (one.endsWith("*") ? type.startsWith(one.slice(0, -1)) : type === one))

/** What events say must be read again: ids of invoices and credit notes, and of payment intents with refunds. */
export class Touched {
  readonly invoices = new Set<string>()
  /** Invoices to read with everything that belongs to them: a payment without a payment intent leads nowhere by itself. */
  readonly wholes = new Set<string>()
  readonly notes = new Set<string>()
  readonly refunds = new Set<string>()
  readonly disputes = new Set<string>()
  readonly payouts = new Set<string>()
  /** Payments that were detached from their invoice, whose list no longer shows them. */
  readonly detached = new Set<string>()
}

/** Adds what an event of this type about this object touches. */
export const touch = (touched: Touched, type: string, object: Json.Fields): void => {
  if (!concerns(type)) return
  const id = Mapping.idOf(object.get("id"))
  const invoice = Mapping.idOf(object.get("invoice"))
  const intent = Mapping.idOf(object.get("payment_intent")) ?? Mapping.idOf(object.get("payment.payment_intent"))
  if (type.startsWith("payout.")) {
    if (id !== undefined) touched.payouts.add(id)
  } else if (type.startsWith("invoice.")) {
    if (id !== undefined) touched.invoices.add(id)
  } else if (type.startsWith("invoice_payment.")) {
    if (invoice !== undefined) touched.invoices.add(invoice)
    if (type.endsWith(".detached") && id !== undefined) touched.detached.add(id)
    // If the payment was made before it was attached to this invoice, refunds may be older than that too.
    if (type.endsWith(".paid") && intent !== undefined) {
      touched.refunds.add(intent)
      touched.disputes.add(intent)
    }
  } else if (type.startsWith("credit_note.")) {
    if (id !== undefined) touched.notes.add(id)
  } else if (intent === undefined) {
    if (invoice !== undefined) touched.wholes.add(invoice)
  } else (type.startsWith("charge.dispute.") ? touched.disputes : touched.refunds).add(intent)
}

/** What an event is about: `invoice:in_1`, `payout:po_1`, or, if it names no invoice, the payment that leads to it. */
const aboutOf = (object: Json.Fields): string | undefined => {
  const id = Mapping.idOf(object.get("id"))
  if (object.get("object") === "payout") return id === undefined ? undefined : `payout:${id}`
  const own = object.get("object") === "invoice" ? id : Mapping.idOf(object.get("invoice"))
  if (own !== undefined) return `invoice:${own}`
  const intent = Mapping.idOf(object.get("payment_intent"))
  return intent === undefined ? undefined : `payment_intent:${intent}`
}

/** The maximum age of a signature, in seconds. */
const FRESH_SECONDS = 300

export const verify = ({ body, headers }: Delivery, secret: string, now: number): boolean => {
  const parts = (headers["stripe-signature"] ?? "").split(",").map((part) => part.trim().split("=") as [string, string])
  const time = parts.find(([name]) => name === "t")?.[1] ?? ""
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > FRESH_SECONDS) return false
  const wanted = Signature.hmac(secret, "hex", `${time}.`, body)
  return parts.some(([name, value]) => name === "v1" && Signature.isSame(value, wanted))
}

/** @param account the connected account that is read; undefined for the key's own account */
export const pointed = (delivery: Delivery, account: string | undefined): ReadonlyArray<WebhookEvent> | undefined => {
  const event = Signature.fields(delivery)
  const id = event?.maybe("id")
  const object = event?.get("data.object")
  if (event === undefined || id === undefined || !Json.isObject(object)) return undefined
  if (!concerns(Json.nameOf(event.get("type")) ?? "")) return []
  const other = event.maybe("account")
  if (account !== undefined && other !== undefined && other !== account) return []
  const about = aboutOf(new Json.Fields(object))
  return about === undefined ? [] : [{ about, event: id }]
}
