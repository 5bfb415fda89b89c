/**
 * Adds up an order's facts: how much left, was cancelled and came back, each at the order's prices. This side of the statement
 * never looks at what was sent, so that it reveals whatever the plan forgot.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { OrderPosting, SharingTerms } from "../model/DeferredPayment.ts"
import { Lines } from "./OrderAllocation.ts"
import { meanings, sorted, type Movement } from "./OrderMeaning.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { totalWorth } from "./FactWorth.ts"
import { POSTING_KIND } from "./PostingKinds.ts"
import { entryOf } from "../../core/Entry.ts"

/** Minor units. */
export interface SourceTotals {
  readonly total: bigint
  readonly captured: bigint
  readonly voided: bigint
  readonly refunded: bigint
  /** Facts whose amount could not be worked out, in words, and the total that they would have added to. */
  readonly unpriced: ReadonlyArray<{ readonly what: Measure; readonly why: string }>
}

export type Measure = "captured" | "voided" | "refunded"

export const MEASURE = { capture: "captured", void: "voided", refund: "refunded" } as const

/** What was sent for a fact that has since changed or disappeared, and that a person accepted. */
type AcceptedPosting = Pick<OrderPosting, "amount" | "fact" | "lines" | "stated" | "taking">

/**
 * @param terms how shipping, fees and discounts are shared out
 * @param settings whether the rest of a closed order is voided
 * @param accepted replaces what the facts say
 */
export const sourceTotals = (
  order: Order,
  facts: OrderFacts["movements"],
  terms: SharingTerms,
  { void_remainder }: Pick<OrderSettings, "void_remainder">,
  accepted: ReadonlyArray<AcceptedPosting> = []
): SourceTotals => {
  const lines = new Lines(order, terms)
  const goods = meanings(order, facts satisfies ReadonlyArray<Movement>)
  const sums = { captured: 0n, voided: 0n, refunded: 0n }
  const unpriced: Array<SourceTotals["unpriced"][number]> = []
  for (const posting of accepted) {
    lines.book(posting)
    sums[MEASURE[posting.taking]] += BigInt(posting.amount)
  }
  const stands = new Set(accepted.map(({ fact }) => fact))
  for (const { document, key } of sorted(facts.filter((one) => !stands.has(one.key)))) {
    const taking = POSTING_KIND[document.kind]
    const what = MEASURE[taking]
    const foreign = document.currency !== undefined && document.currency !== order.currency
    const parts = foreign
      ? `an amount in ${document.currency}, and the order is in ${order.currency}`
      : lines.parts(document, entryOf(goods, key), taking)
    if (typeof parts === "string") {
      unpriced.push({ what, why: `its ${document.kind} of ${document.date} says ${parts}` })
      continue
    }
    const stated = document.kind !== "fulfilment" && document.amount !== undefined
    lines.book({ lines: parts, taking, ...(stated ? { stated: true as const } : {}) })
    sums[what] += totalWorth(parts)
  }
  const rest = lines.total - sums.captured - sums.voided
  if (order.status !== "open" && void_remainder !== false && rest > 0n) sums.voided += rest
  return { total: lines.total, ...sums, unpriced }
}

/** The totals that the source itself states, in minor units. */
export const statedTotals = ({ currency, totals = {} }: Order): Partial<Readonly<Record<Measure, bigint>>> => {
  const minor = (name: Measure, amount: bigint | undefined) =>
    amount === undefined ? {} : { [name]: Currency.toMinor(amount, currency) }
  return {
    ...minor("captured", totals.shipped),
    ...minor("voided", totals.cancelled),
    ...minor("refunded", totals.refunded)
  }
}
