/**
 * Defines a deferred payment as the service states it, the offer that leads to it, and the contents of captures, voids and
 * refunds (DP 2.7, 2.9). Amounts are whole minor units and quantities exact decimals, both as text.
 */
import { Schema, Struct } from "effect"
import { OrderSettings } from "./Connection.ts"

const maybe = Schema.optionalKey

const OrderPostingKind = Schema.Literals(["capture", "void", "refund"])
export type OrderPostingKind = typeof OrderPostingKind.Type

/** What was captured, voided or refunded for one line. The empty line is what goes with the first parcel. */
const PostingLine = Schema.Struct({ line: Schema.String, quantity: Schema.String, amount: Schema.String })
export type PostingLine = typeof PostingLine.Type

/** What was captured, voided or refunded for one fact. No lines: its goods cost nothing, so nothing was sent. */
const OrderPosting = Schema.Struct({
  fact: Schema.String,
  taking: OrderPostingKind,
  amount: Schema.String,
  lines: Schema.Array(PostingLine),
  /** The `Idempotency-Key` that it was sent with; empty if it was not sent. */
  key: Schema.String,
  /** The amount is the source's own, not the price of the goods. */
  stated: maybe(Schema.Literal(true)),
  /** What the fact says now, if a person accepted that something else was sent; `ACCEPTED_DELETED` for nothing. */
  accepted: maybe(Schema.String),
  /** The source contradicted it when it last had the order. This still holds once the order is no longer exported. */
  contradicted: maybe(Schema.Literal(true))
})
export type OrderPosting = typeof OrderPosting.Type

/** How shipping, fees and discounts are shared out. */
const SharingTerms = Schema.Struct(Struct.pick(OrderSettings.fields, ["shipping", "fees", "discounts"]))
export type SharingTerms = typeof SharingTerms.Type

/** What a capture, void or refund adds to the ledger. */
export const PlannedPosting = Schema.Struct({
  ...OrderPosting.fields,
  /** Earlier facts for which nothing was sent. */
  passed: Schema.Array(OrderPosting),
  /** The terms that its amounts were calculated with. */
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
  /** When the awaited offer ends, in milliseconds since the epoch. */
  until: maybe(Schema.Number),
  /** The order has ended: an offer that the shop itself requested is awaited only as long as it can be accepted. */
  ends: maybe(Schema.Literal(true))
})
export type PaymentLookup = typeof PaymentLookup.Type
