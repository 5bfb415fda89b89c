/**
 * Compares one order with its deferred payment as last read: what follows from the order's state, the source's own totals, and
 * what persons answered. Every difference is named with both amounts. Pure.
 *
 * What was captured and refunded depends on when the order was read; what was charged, captured less refunded, does not.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { authorised, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { OrderDecided } from "./OrderDecision.ts"
import { rounding, statedBack } from "./OrderOwed.ts"
import { decidedFor, stands } from "./OrderPlan.ts"
import { isPassing } from "./OrderQuestions.ts"
import type { Standing } from "./OrderStanding.ts"
import { atLeastZero, max, min } from "./WholeUnits.ts"

export type Measure = "captured" | "voided" | "refunded"
export const MEASURES = ["captured", "voided", "refunded"] as const
const MEASURE = { capture: "captured", void: "voided", refund: "refunded" } as const

/** Amounts in major units with the currency's decimals. */
export interface Apart {
  readonly what: "authorised" | "currency" | "charged" | "held" | Measure
  /** The difference. */
  readonly amount: string
  /** What the source comes to; with `totals`, the source's own total. */
  readonly source?: string
  readonly totals?: true
  readonly service: string
  readonly why?: string
  /** A person answered it. */
  readonly accepted?: true
}

/** Minor units. */
export interface Comparison {
  /** The service's sums after all that follows from the source. */
  readonly source: Readonly<Record<Measure | "total" | "open", bigint>>
  readonly figures: Readonly<Record<"owed" | "still" | "charged" | "ahead" | "toVoid" | "short" | "rounding", bigint>>
  readonly differences: ReadonlyArray<Apart>
  /** By measure, whether the source's own total matches; absent if it states none. */
  readonly totals: Partial<Readonly<Record<Measure, boolean>>>
}

type Say = (minor: bigint) => string

/** What is still to be sent, what nobody answered yet, and why nothing is sent. */
const open = ({ asks, figures, held, steps }: OrderDecided, net: bigint, say: Say): ReadonlyArray<Apart> => [
  ...steps.map(({ from, taking, to }) => ({
    what: MEASURE[taking],
    amount: say(to - from),
    source: say(to),
    service: say(from)
  })),
  ...asks.map(({ why }) => ({ ...charged(figures.due, net, say), why })),
  ...held.map(
    ({ code, why }) => ({ ...charged(0n, net, say), what: code === "K1" ? "currency" : "held", why }) as const
  )
]

const charged = (due: bigint, net: bigint, say: Say) =>
  ({ what: "charged", amount: say(due - net), source: say(due), service: say(net) }) as const

/**
 * What the source states as given back or cancelled, with what was refunded and voided for that. It holds for orders with
 * cancellations, too. Where an order is lowered once it is paid, the shop says nothing but that it was paid with less.
 */
const back = (its: Standing, received: bigint, remote: RemoteOrder): Pair => {
  const { began, each, postings } = remote
  const rest = postings.reduce((sum, { rest = "0" }) => sum + BigInt(rest), 0n)
  const found = BigInt(remote.refunded) + BigInt(remote.voided) - rest
  const paid = each === undefined && began !== undefined ? BigInt(began) : authorised(remote)
  const stated = statedBack(its)
  return [max(stated, min(found, stated + atLeastZero(paid - received))), found]
}

const near = (one: bigint, other: bigint, its: Standing): boolean => max(one - other, other - one) <= rounding(its)

type Pair = readonly [stated: bigint, found: bigint]

/** The source's own totals, of the money that a shop counts or as a file states them, each with what it should be. */
const ownTotals = (
  order: Order,
  its: Standing,
  remote: RemoteOrder,
  { asks, figures, held, steps }: OrderDecided
): Partial<Record<Measure, Pair>> => {
  if (held.length > 0 || steps.length > 0) return {}
  const net = BigInt(remote.captured) - BigInt(remote.refunded)
  const { given, received } = its.own
  if (order.state !== undefined) {
    if (received === undefined) return {}
    const isDone = its.end === "complete" && figures.still === 0n && figures.short === 0n && !asks.some(isPassing)
    const { stays } = figures
    const [stated, found] = back(its, received, remote)
    const refunded: Pair = [stated, found - stays]
    return { refunded, ...(isDone ? { captured: [received - given, net + stays] as const } : {}) }
  }
  // Of a file or database: whether all its facts were read.
  const { returned = 0n } = its
  const sums = { captured: figures.due + returned, voided: given - returned, refunded: returned }
  const says = { captured: order.totals?.shipped, voided: order.totals?.cancelled, refunded: order.totals?.refunded }
  return Object.fromEntries(
    MEASURES.flatMap((what) => {
      const total = says[what]
      return total === undefined ? [] : [[what, [Currency.toMinor(total, order.currency), sums[what]] as const]]
    })
  )
}

/** @param asksLater the shop's next record may explain what differs: until then it counts as charged ahead or still to be voided */
export const compare = (
  facts: Pick<OrderFacts, "movements"> & Partial<Pick<OrderFacts, "deleted">>,
  order: Order,
  remote: RemoteOrder,
  orders: OrderSettings,
  asksLater = false
): Comparison => {
  const say = (minor: bigint) => Currency.format(Currency.ofMinor(minor, order.currency), order.currency)
  const its = stands(facts, order, remote, orders)
  const decided = decidedFor(facts, order, remote, orders)
  const found = asksLater ? { ...decided, asks: decided.asks.filter((one) => !isPassing(one)) } : decided
  const { figures, steps } = found
  const net = BigInt(remote.captured) - BigInt(remote.refunded)
  const sums = {
    captured: BigInt(remote.captured),
    voided: BigInt(remote.voided),
    refunded: BigInt(remote.refunded),
    open: BigInt(remote.open)
  }
  for (const { amount, taking } of steps) {
    sums[MEASURE[taking]] += amount
    if (taking !== "refund") sums.open -= amount
  }
  const stated = Object.entries(ownTotals(order, its, remote, decided)) as ReadonlyArray<[Measure, Pair]>
  const totals = Object.fromEntries(stated.map(([what, [one, other]]) => [what, near(one, other, its)]))
  const untrue = stated.flatMap(
    ([what, [one, other]]): ReadonlyArray<Apart> =>
      near(one, other, its)
        ? []
        : [{ what, amount: say(one - other), source: say(one), totals: true, service: say(other) }]
  )
  const answers = found.answered.map(
    ({ answer, why }): Apart => ({ ...charged(figures.due, net, say), why: `${why}: ${answer}`, accepted: true })
  )
  const cents = figures.short <= rounding(its) ? figures.short : 0n
  return {
    source: { ...sums, total: its.total > 0n ? its.total : authorised(remote) },
    figures: {
      owed: figures.owe,
      still: figures.still,
      charged: net,
      ahead: figures.ahead,
      toVoid: figures.toVoid,
      short: figures.short - cents,
      rounding: cents
    },
    differences: [...open(found, net, say), ...untrue, ...answers],
    totals
  }
}
