/**
 * The body that the service posts to a platform's webhook (II 6): the transaction with its policy and quote expanded.
 *
 * The specification does not show which events are sent or how a delivery is verified. Assumptions, from observation: a 2xx
 * answer ends a delivery, and anything else is retried; the header `Authorization` carries the agreed text, if one was agreed;
 * the quote's client is a whole company, and its percentages are numbers. Only the transaction's id is relied on: read the
 * transaction again before anything depends on a webhook.
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

/** Decodes the text of a delivery. Fails with a `SchemaError`. */
export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Webhook))

/** Whether the invoice is insured according to a delivery: it has a policy, and the quote was accepted (II 6). */
export const isInsured = ({ policy, quote }: Webhook): boolean =>
  policy !== undefined && policy !== null && quote?.status === "accepted"
