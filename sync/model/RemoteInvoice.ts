/**
 * Defines what was sent about one invoice and confirmed by the service.
 *
 * `fields` are the transaction's fields as sent on the wire, so a difference is a difference of texts. `postings` are the
 * payments reported on it, in order; none is ever removed.
 */
import { Schema } from "effect"
import type { Decimal } from "../../core/money/Decimal.ts"
import * as Money from "../../core/money/Decimal.ts"
import { Day } from "../../core/wire/Day.ts"
import type { Cover } from "./Cover.ts"

/** A field's value as JSON. */
export type Json = Schema.Json

export const Fields = Schema.Record(Schema.String, Schema.Json)
export type Fields = typeof Fields.Type

/** A payment that is to be reported on a transaction (II 2.6). */
export const PlannedPayment = Schema.Struct({
  /** Sent in `details`, by which the payment is found again: the fact's key, followed by `#2` and so on if reported again. */
  key: Schema.String,
  /** The payment or reversal that it reports. */
  fact: Schema.String,
  /** Reverses the previous posting for the same fact. */
  undo: Schema.Boolean,
  date: Day,
  /** Positive: money received. Negative: money that went back. Stored as an integer of 10^-8. */
  amount: Schema.BigIntFromString
})
export type PlannedPayment = typeof PlannedPayment.Type

/** One payment reported on a transaction. */
export interface ReportedPayment extends PlannedPayment {
  /** The id of the payment on the service. */
  readonly id: string
}

/** A payment on a transaction without a key of these books, as the service last stated it: somebody else reported it. */
export interface OtherPayment {
  readonly id: string
  readonly date: string | null
  /** An exact decimal. */
  readonly amount: string
}

export interface RemoteInvoice {
  readonly kind: "invoice"
  /** The id of the transaction on the service. */
  readonly id: string
  /** As the service last stated it (II 3.1). */
  readonly status: string
  readonly insured: boolean
  readonly fields: Fields
  readonly postings: ReadonlyArray<ReportedPayment>
  /** Absent if nobody else reported anything when the service was last read. */
  readonly others?: ReadonlyArray<OtherPayment>
  readonly paidDate?: Day
  /** Amounts as last stated by the service, if they differ from what was sent. */
  readonly stated?: Fields
  /** Its quote, policy and collection; absent if there was never one. */
  readonly cover?: Cover
}

/** The amount that others reported, less what they reported as gone back. */
export const othersOn = ({ others = [] }: RemoteInvoice): Decimal =>
  Money.sum(others.map(({ amount }) => Money.of(amount)))

/** The amount that was reported as received, less what went back. */
export const receivedOn = (remote: RemoteInvoice): Decimal =>
  Money.sum(remote.postings.map((posting) => posting.amount))

/** The amount due on the service: gross, or net if there is no gross amount. */
export const dueOn = (remote: RemoteInvoice): Decimal => {
  const text = remote.stated?.["gross_amount"] ?? remote.fields["gross_amount"] ?? remote.fields["net_amount"]
  return typeof text === "string" ? Money.of(text) : 0n
}

/** The open amount on the service, in major units. Zero for a draft, and once it is paid, whatever was reported. */
export const openOn = (remote: RemoteInvoice | undefined): Decimal => {
  if (remote === undefined || remote.status === "draft" || remote.status === "paid") return 0n
  const left = dueOn(remote) - receivedOn(remote) - othersOn(remote)
  return left < 0n ? 0n : left
}

/** Its currency on the service; empty if none was sent. */
export const currencyOn = ({ fields }: RemoteInvoice): string => String(fields["currency"] ?? "")

/** How the open amounts on the service change, by currency, when one remote replaces the other. */
export const openChange = (
  before: RemoteInvoice | undefined,
  after: RemoteInvoice | undefined
): ReadonlyMap<string, Decimal> => {
  const sums = new Map<string, Decimal>()
  if (before !== undefined) sums.set(currencyOn(before), -openOn(before))
  if (after !== undefined) sums.set(currencyOn(after), (sums.get(currencyOn(after)) ?? 0n) + openOn(after))
  return sums
}
