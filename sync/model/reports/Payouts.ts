/** Answers about payouts of processors. */
import { Schema } from "effect"
import { PAYOUT_PARTS } from "../../../connectors/Document.ts"
import { Day } from "../../../core/wire/Day.ts"
import { amount, integer, currency, key, list, record, next, orNull, string } from "./Fields.ts"

/**
 * `arrived`: the bank has it, perhaps not to the cent; `in transit`: the bank was not read far enough, or its days are not over;
 * `missing`: they are; `taken`: the processor takes it from the bank account; `failed`: back in the processor's balance; `no
 * bank`: no list of a bank in its currency is read.
 */
export const STANDINGS = ["arrived", "in transit", "missing", "taken", "failed", "no bank"] as const

const parts = Object.fromEntries([...PAYOUT_PARTS, "notItemised" as const].map((name) => [name, amount])) as Readonly<
  Record<(typeof PAYOUT_PARTS)[number] | "notItemised", typeof amount>
>
const standings = Object.fromEntries(STANDINGS.map((name) => [name, amount])) as Readonly<
  Record<(typeof STANDINGS)[number], typeof amount>
>

/** One balance at a processor: the parts add up to `paidOut`, and so do the standings. */
const PayoutAccount = record("PayoutAccount", {
  connection: string,
  account: orNull(string),
  currency,
  payouts: integer,
  parts: Schema.Struct(parts),
  paidOut: amount.annotate({ description: "The sum of the parts, and of the standings" }),
  standings: Schema.Struct(standings),
  apart: list(Schema.Struct({ currency, amount })).annotate({
    description: "What the bank's lines have more than the payouts that arrived, by the bank's currency"
  })
})
export type PayoutAccount = typeof PayoutAccount.Type

const PayoutRow = record("PayoutAtBank", {
  payout: key,
  connection: string,
  account: orNull(string),
  date: Day.annotate({ description: "The day on which it arrives" }),
  currency,
  amount,
  settled: orNull(Schema.Struct({ currency, amount })).annotate({
    description: "What arrives at the bank, where the processor converts it"
  }),
  standing: Schema.Literals(STANDINGS),
  lines: list(Schema.Struct({ line: key, date: Day, amount })),
  apart: amount.annotate({
    description:
      "What the bank has more than the payout; negative: less. Of several payouts in one line, with the first"
  }),
  items: list(Schema.Struct({ part: Schema.Literals(PAYOUT_PARTS), name: string, count: integer, amount })),
  notItemised: amount,
  why: orNull(string).annotate({ description: "In words, where it is not simply there" })
})
export type PayoutRow = typeof PayoutRow.Type

const StrangeLine = Schema.Struct({ line: key, date: Day, currency, amount })
export type StrangeLine = typeof StrangeLine.Type

const report = {
  accounts: list(PayoutAccount),
  payouts: list(PayoutRow).annotate({ description: "The latest first" }),
  lines: list(StrangeLine).annotate({
    description: "Lines of the bank that a processor paid, and no payout explains"
  })
}
export const PayoutReport = Schema.Struct(report)
export type PayoutReport = typeof PayoutReport.Type
export const PayoutPage = Schema.Struct({ ...report, total: integer, next })
