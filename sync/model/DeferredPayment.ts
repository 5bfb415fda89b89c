/**
 * Defines a deferred payment as the service states it, the offer that leads to it, and the contents of captures, voids and
 * refunds (DP 2.7, 2.9). Amounts are whole minor units and quantities exact decimals, both as text.
 */
import { Schema, Struct } from "effect"
import { OrderSettings } from "./Connection.ts"

const maybe = Schema.optionalKey

const OrderPostingKind = Schema.Literals(["capture", "void", "refund"])
export type OrderPostingKind = typeof OrderPostingKind.Type

/** What a posting was decided from: minor units as text, what was stated as given back, and the units of each line that had ever left. */
const OrderPicture = Schema.Struct({
  owe: Schema.String,
  still: Schema.String,
  due: Schema.String,
  given: maybe(Schema.String),
  left: Schema.Record(Schema.String, Schema.String)
})

/** One capture, void or refund as it was sent. */
const OrderPosting = Schema.Struct({
  taking: OrderPostingKind,
  amount: Schema.String,
  /** The `Idempotency-Key` that it was sent with; empty if it was not sent by this connection. */
  key: Schema.String,
  /** Of a void: the part that nobody stated, because the order had ended. */
  rest: maybe(Schema.String),
  picture: maybe(OrderPicture)
})
export type OrderPosting = typeof OrderPosting.Type

/** The documents of an order that the service takes. */
export type OrderPaperType = "invoice" | "credit_note"

/** A document that was attached to the order on the service, and the document of the books that it is the file of. */
export interface AttachedPaper {
  readonly fact: string
  readonly type: string
  readonly digest: string
  /** Minor units. */
  readonly amount: string
}

/** How shipping, fees and discounts are shared out. */
const SharingTerms = Schema.Struct(Struct.pick(OrderSettings.fields, ["shipping", "fees", "discounts"]))
export type SharingTerms = typeof SharingTerms.Type

/** What a capture, void or refund adds to the ledger. */
export const PlannedPosting = Schema.Struct({
  ...OrderPosting.fields,
  /** The terms that its amount was calculated with. */
  terms: maybe(SharingTerms)
})
export type PlannedPosting = typeof PlannedPosting.Type

/** A deferred payment as the service states it. */
export interface DeferredPayment {
  /** Its identifier. */
  readonly id: string
  readonly order?: string
  readonly reference?: string
  /** The plan that the buyer chose. */
  readonly plan?: string
  readonly status: string
  readonly currency: string
  readonly open: string
  readonly captured: string
  readonly refunded: string
  readonly voided: string
  readonly expired: string
  /** Where an order has several of them, each by itself, the first authorised first: the sums are then of all that can be used. */
  readonly each?: ReadonlyArray<DeferredPayment>
}

/** The service's offer for an order that was created here (DP 2.7), with the plans as received. */
export interface Offer {
  /** Its identifier. */
  readonly id: string
  readonly plans: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
    /** Why it was declined, in the service's words. */
    readonly why?: string
  }>
  /** When the last of its plans ends, in milliseconds since the epoch; after that nobody can accept it. */
  readonly until?: number
}

/** What a reading is for, and what it is assumed to find until the service has answered. */
export const PaymentLookup = Schema.Struct({
  number: Schema.String,
  currency: Schema.String,
  total: Schema.String,
  /** What the order comes to by this payment's method, if it is known. */
  began: maybe(Schema.String),
  /** The deferred payment's public number, by which it is found in place of the order's reference. */
  carried: maybe(Schema.String),
  /** The order's other deferred payments. */
  also: maybe(Schema.Array(Schema.String)),
  /** When the awaited offer ends, in milliseconds since the epoch. */
  until: maybe(Schema.Number),
  /** The order has ended: an offer that the shop itself requested is awaited only as long as it can be accepted. */
  ends: maybe(Schema.Literal(true))
})
export type PaymentLookup = typeof PaymentLookup.Type
