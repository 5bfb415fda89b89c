/**
 * What the service posts to a platform's webhook (II 6): the transaction, its policy and quote expanded.
 *
 * Which events are sent and how a delivery is verified is not shown. Assumptions, each on what is seen: a 2xx answer
 * ends a delivery and anything else is retried; the header `Authorization` carries a text agreed beforehand, where
 * one was; the quote's client arrives as a whole company and its percentages as numbers. Nothing here relies on more
 * than the transaction's id: read the transaction again before anything depends on what a webhook says.
 */
import { Schema } from "effect"
import { nullable } from "../wire/Open.ts"
import { ExpandedPolicy } from "./Policies.ts"
import { ExpandedQuote } from "./Quotes.ts"
import { Transaction } from "./Transactions.ts"

/** The body of a delivery. */
export const Webhook = Schema.StructWithRest(
  Schema.Struct({ ...Transaction.schema.fields, policy: nullable(ExpandedPolicy), quote: nullable(ExpandedQuote) }),
  Transaction.records
)
export type Webhook = typeof Webhook.Type

/** Reads the body of a delivery, which is text until then. */
export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Webhook))

/** Whether a policy in a delivery insures the invoice: it is there, and its quote was accepted (II 6). */
export const isInsured = ({ policy, quote }: Webhook): boolean =>
  policy !== undefined && policy !== null && quote?.status === "accepted"
