/** Answers about payouts of processors. */
import { Schema } from "effect"
import { PAYOUT_PARTS } from "../../../connectors/Document.ts"
import { STANDINGS } from "../../../sync/reports/Payouts.ts"
import { amount, count, currency, day, key, list, record, next, orNull, string } from "./Basics.ts"

const parts = Object.fromEntries([...PAYOUT_PARTS, "notItemised" as const].map((name) => [name, amount])) as Readonly<
  Record<(typeof PAYOUT_PARTS)[number] | "notItemised", typeof amount>
>
const standings = Object.fromEntries(STANDINGS.map((name) => [name, amount])) as Readonly<
  Record<(typeof STANDINGS)[number], typeof amount>
>

const Account = record("PayoutAccount", {
  connection: string,
  account: orNull(string),
  currency,
  payouts: count,
  parts: Schema.Struct(parts),
  paidOut: amount.annotate({ description: "The sum of the parts, and of the standings" }),
  standings: Schema.Struct(standings),
  apart: list(Schema.Struct({ currency, amount }))
})

const Payout = record("PayoutAtBank", {
  payout: key,
  connection: string,
  account: orNull(string),
  date: day,
  currency,
  amount,
  settled: orNull(Schema.Struct({ currency, amount })),
  standing: Schema.Literals(STANDINGS),
  lines: list(Schema.Struct({ line: key, date: day, amount })),
  apart: amount.annotate({ description: "What the bank has more than the payout; negative: less" }),
  items: list(Schema.Struct({ part: Schema.Literals(PAYOUT_PARTS), name: string, count, amount })),
  notItemised: amount,
  why: orNull(string)
})

export const PayoutPage = Schema.Struct({
  accounts: list(Account),
  payouts: list(Payout),
  lines: list(Schema.Struct({ line: key, date: day, currency, amount })).annotate({
    description: "Lines of the bank that a processor paid, and no payout explains"
  }),
  total: count,
  next
})
