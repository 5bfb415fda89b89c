/**
 * What was sent to the service about one invoice and confirmed by it.
 *
 * `fields` are the members of the transaction as they were sent, in the shape of the wire, so that "differs" is a
 * comparison of texts. `postings` are the payments reported on it, in order; nothing is ever taken out of them.
 */
import { Schema } from "effect"
import type { Decimal } from "../../core/money/Decimal.ts"
import * as Money from "../../core/money/Decimal.ts"
import { Day } from "../../core/wire/Day.ts"
import type { Cover } from "./Cover.ts"

/** A member's value as JSON writes it. */
export type Json = Schema.Json

export const Fields = Schema.Record(Schema.String, Schema.Json)
export type Fields = typeof Fields.Type

/** A payment that is to be reported on a transaction (II 2.6). */
export const PlannedPayment = Schema.Struct({
  /** In `details` on the service, by which it is found again: the fact's key, `#2` and so on when reported again. */
  key: Schema.String,
  /** The document that it states. */
  fact: Schema.String,
  /** Takes back the posting before it of the same fact. */
  undo: Schema.Boolean,
  date: Day,
  /** Positive: money received. Negative: money that went back. A count of 10^-8 where it is stored. */
  amount: Schema.BigIntFromString
})
export type PlannedPayment = typeof PlannedPayment.Type

/** One payment reported on a transaction. */
export interface ReportedPayment extends PlannedPayment {
  /** The id of the payment on the service. */
  readonly id: string
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
  readonly paidDate?: Day
  /** Amounts as the service last stated them, where they are not what was sent. */
  readonly stated?: Fields
  /** Its quote, policy and collection; absent as long as there was none. */
  readonly cover?: Cover
}

/** What was received on it, less what went back. */
export const receivedOn = (remote: RemoteInvoice): Decimal =>
  Money.sum(remote.postings.map((posting) => posting.amount))

/** What the service holds as due: gross, or net where there is no gross. */
export const dueOn = (remote: RemoteInvoice): Decimal => {
  const text = remote.stated?.["gross_amount"] ?? remote.fields["gross_amount"] ?? remote.fields["net_amount"]
  return typeof text === "string" ? Money.of(text) : 0n
}

/** What is open on the service, in major units. Nothing on a draft, nor once it is paid, whatever was reported. */
export const openOn = (remote: RemoteInvoice | undefined): Decimal => {
  if (remote === undefined || remote.status === "draft" || remote.status === "paid") return 0n
  const left = dueOn(remote) - receivedOn(remote)
  return left < 0n ? 0n : left
}

/** The currency in which the service has it; empty where none was sent. */
export const currencyOn = ({ fields }: RemoteInvoice): string => String(fields["currency"] ?? "")

/** What becomes of open amounts on the service, by currency, when one remote takes the place of the other. */
export const openChange = (
  before: RemoteInvoice | undefined,
  after: RemoteInvoice | undefined
): ReadonlyMap<string, Decimal> => {
  const sums = new Map<string, Decimal>()
  if (before !== undefined) sums.set(currencyOn(before), -openOn(before))
  if (after !== undefined) sums.set(currencyOn(after), (sums.get(currencyOn(after)) ?? 0n) + openOn(after))
  return sums
}
