/**
 * A deferred payment as the service states it, the offer that leads to it, and what captures, voids and refunds are made
 * of (DP 2.7, 2.9). Amounts are whole minor units and quantities exact decimals, both as text.
 */
import { Schema, Struct } from "effect"
import { OrderSettings } from "./Connection.ts"

const maybe = Schema.optionalKey

const OrderPostingKind = Schema.Literals(["capture", "void", "refund"])
export type OrderPostingKind = typeof OrderPostingKind.Type

/** What was taken of one line. The empty line is what goes along with the first parcel. */
const PostingLine = Schema.Struct({ line: Schema.String, quantity: Schema.String, amount: Schema.String })
export type PostingLine = typeof PostingLine.Type

/** What one fact took. It has no lines where its goods cost nothing: nothing is sent then. */
const OrderPosting = Schema.Struct({
  fact: Schema.String,
  taking: OrderPostingKind,
  amount: Schema.String,
  lines: Schema.Array(PostingLine),
  /** The `Idempotency-Key` that it was sent with; empty when it was not sent. */
  key: Schema.String,
  /** Its amount is the source's, not what its goods come to. */
  stated: maybe(Schema.Literal(true)),
  /** What the fact says by now, where a person accepted that it was sent otherwise; `ACCEPTED_DELETED` for nothing. */
  accepted: maybe(Schema.String),
  /** The source contradicted it when it last had the order: it still does once the order is not exported any more. */
  contradicted: maybe(Schema.Literal(true))
})
export type OrderPosting = typeof OrderPosting.Type

/** How shipping, fees and discounts are shared out. */
const SharingTerms = Schema.Struct(Struct.pick(OrderSettings.fields, ["shipping", "fees", "discounts"]))
export type SharingTerms = typeof SharingTerms.Type

/** What a capture, void or refund adds to the ledger. */
export const PlannedPosting = Schema.Struct({
  ...OrderPosting.fields,
  /** Facts before it that took nothing. */
  passed: Schema.Array(OrderPosting),
  /** What its amounts were worked out with. */
  terms: maybe(SharingTerms)
})
export type PlannedPosting = typeof PlannedPosting.Type

/** A deferred payment as the service states it. */
export interface DeferredPayment {
  /** Its identifier. */
  readonly id: string
  readonly order?: string
  readonly reference?: string
  /** The plan that its buyer took. */
  readonly plan?: string
  readonly status: string
  readonly currency: string
  readonly open: string
  readonly captured: string
  readonly refunded: string
  readonly voided: string
  readonly expired: string
}

/** What the service offers for an order that was created here (DP 2.7): its plans as they were answered. */
export interface Offer {
  /** Its identifier. */
  readonly id: string
  readonly plans: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
    /** Why it is declined, in the service's words. */
    readonly why?: string
  }>
  /** When the last of its plans ends, in milliseconds since the epoch; nobody takes it afterwards. */
  readonly until?: number
}

/** What a reading is for, and what it is taken to find until the service has answered. */
export const PaymentLookup = Schema.Struct({
  number: Schema.String,
  currency: Schema.String,
  total: Schema.String,
  /** When the offer that is waited for ends, in milliseconds since the epoch. */
  until: maybe(Schema.Number),
  /** The order has ended, so an offer that the shop itself asked for is waited for no longer than it can be taken. */
  ends: maybe(Schema.Literal(true))
})
export type PaymentLookup = typeof PaymentLookup.Type
