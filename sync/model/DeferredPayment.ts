/**
 * A deferred payment as the service states it, the offer that leads to it, and what captures, voids and refunds are made
 * of (DP 2.7, 2.9). Amounts are whole minor units and quantities exact decimals, both as text.
 */
import type { OrderSettings } from "./Connection.ts"

export type OrderPostingKind = "capture" | "void" | "refund"

/** What was taken of one line. The empty line is what goes along with the first parcel. */
export interface PostingLine {
  readonly line: string
  readonly quantity: string
  readonly amount: string
}

/** What one fact took. Of nothing where its goods cost nothing: the service is told nothing then. */
export interface OrderPosting {
  readonly fact: string
  readonly taking: OrderPostingKind
  readonly amount: string
  readonly lines: ReadonlyArray<PostingLine>
  /** The `Idempotency-Key` that it was sent with; empty when it was not sent. */
  readonly key: string
  /** Its amount is the source's, not what its goods come to. */
  readonly stated?: true
  /** What the fact says by now, where a person accepted that it was sent otherwise; `ACCEPTED_DELETED` for nothing. */
  readonly accepted?: string
  /** The source contradicted it when it last had the order: it still does once the order is not exported any more. */
  readonly contradicted?: true
}

/** How shipping, fees and discounts are shared out. */
export type SharingTerms = Pick<OrderSettings, "shipping" | "fees" | "discounts">

/** What a capture, void or refund adds to the ledger. */
export interface PlannedPosting extends OrderPosting {
  /** Facts before it that took nothing. */
  readonly passed: ReadonlyArray<OrderPosting>
  /** What its amounts were worked out with. */
  readonly terms?: SharingTerms
}

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

/** What a look is for, and what it is taken to find until the service has answered. */
export interface PaymentLookup {
  readonly number: string
  readonly currency: string
  readonly total: string
  /** When the offer that is waited for ends, in milliseconds since the epoch. */
  readonly until?: number
  /** The order has ended, so an offer that the shop itself asked for is waited for no longer than it can be taken. */
  readonly ends?: true
}
