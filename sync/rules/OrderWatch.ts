/**
 * O7: what is wrong with an order whose shop, or a plugin of it, captures and refunds by itself (`"captures": "shop"`). The sums are
 * worked out as for an order of which this connection sends everything, and are compared: nothing is sent. Pure.
 */
import type { Order } from "../../connectors/Document.ts"
import type { Attention } from "../model/Call.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { OrderPostingKind } from "../model/DeferredPayment.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { isPaid, isReady, type RemoteOrder } from "../model/RemoteOrder.ts"
import { orderAttention } from "./OrderAttention.ts"
import { holds, isUnread } from "./OrderHolds.ts"
import { contradictions, rounding, statedBack } from "./OrderOwed.ts"
import { decidedFor, stands } from "./OrderPlan.ts"
import type { Standing } from "./OrderStanding.ts"
import { say } from "./PostingKinds.ts"
import { atLeastZero, max, min, round } from "./WholeUnits.ts"

export const WATCHED_KINDS = [
  "never captured",
  "captured too much",
  "a cent off",
  "not refunded",
  "refunded too much",
  "not voided",
  "shipped though cancelled",
  "not authorised",
  "contradiction"
] as const

export type WatchedKind = (typeof WATCHED_KINDS)[number]

export interface Watched {
  readonly kind: WatchedKind
  /** Minor units. */
  readonly amount: bigint
  readonly why: string
}

/** The price of goods that left and did not come back. */
const worthGone = ({ lines }: Standing): bigint =>
  lines.reduce(
    (sum, { back, gross, left = 0n, ordered }) => (ordered > 0n ? sum + round(gross * (left - back), ordered) : sum),
    0n
  )

/** What is owed for goods that left and is not charged: given back without a word of the shop, never captured, or not authorised. */
const missing = (its: Standing, remote: RemoteOrder, due: bigint): ReadonlyArray<Watched> => {
  const [captured, refunded] = [BigInt(remote.captured), BigInt(remote.refunded)]
  const lacks = due - (captured - refunded)
  const cents = rounding(its)
  if (lacks <= cents) return []
  const back = refunded === 0n ? "" : `, and ${say(refunded, its)} refunded`
  const done = captured === 0n ? "nothing was captured" : `${say(captured, its)} was captured${back}`
  const why = `${say(due, its)} is owed for what left; ${done}`
  const unstated = min(lacks, atLeastZero(refunded - statedBack(its)))
  const given = unstated > cents ? unstated : 0n
  const capturable = isReady(remote) ? min(lacks - given, BigInt(remote.open)) : 0n
  return [
    {
      kind: "refunded too much",
      amount: given,
      why: `${why}; the shop states ${say(statedBack(its), its)} as given back`
    },
    { kind: "never captured", amount: capturable, why },
    { kind: "not authorised", amount: lacks - given - capturable, why: `${why}; no more is authorised` }
  ]
}

/** What is wrong with one order, by the service's sums as just read. */
export const watched = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  orders: OrderSettings
): ReadonlyArray<Watched> => {
  const its = stands(facts, order, remote, orders)
  const contradicts = (all: ReadonlyArray<{ readonly why: string }>) =>
    all.map(({ why }): Watched => ({ kind: "contradiction", amount: 0n, why }))
  const unclear = [...holds(facts, order), ...contradictions(its, remote)]
  if (unclear.length > 0) return contradicts(unclear)
  if (isUnread(facts, order) || facts.deleted) return []
  const { figures, held, steps } = decidedFor(facts, order, remote, orders)
  if (held.length > 0) return contradicts(held)
  const { due, owe } = figures
  const net = BigInt(remote.captured) - BigInt(remote.refunded)
  const cents = rounding(its)
  const stepOf = (kind: OrderPostingKind) => steps.find(({ taking }) => taking === kind)?.amount ?? 0n
  // Of files, what was cancelled is stated too, and was never to be charged.
  const stated = min(stepOf("refund"), atLeastZero((its.returned ?? its.own.given) - BigInt(remote.refunded)))
  const beyond = net - owe - stated
  const apart = max(net - due, due - net)
  const isEnded = its.end === "complete" || its.end === "cancelled"
  const gone = order.status === "cancelled" ? worthGone(its) : 0n
  const [charged, rest] = [`${say(net, its)} was charged`, stepOf("void")]
  const all: ReadonlyArray<Watched> = [
    ...missing(its, remote, due),
    {
      kind: "not refunded",
      amount: stated > cents ? stated : 0n,
      why: `the shop gave ${say(stated, its)} back, and ${charged}`
    },
    {
      kind: "captured too much",
      amount: beyond > cents ? beyond : 0n,
      why: `${say(owe, its)} is owed in all, and ${charged}`
    },
    {
      kind: "a cent off",
      amount: isEnded && apart <= cents ? apart : 0n,
      why: `${say(due, its)} is owed, and ${charged}`
    },
    { kind: "not voided", amount: rest, why: `${say(rest, its)} is still authorised, and will not be owed` },
    {
      kind: "shipped though cancelled",
      amount: gone,
      why: `the order was cancelled, and goods of ${say(gone, its)} left`
    }
  ]
  return all.filter(({ amount }) => amount > 0n)
}

const ADVICE: Readonly<Record<WatchedKind, string>> = {
  "never captured": "capture it where the shop captures; Daybook only watches this connection",
  "captured too much": "find out whether the shop and somebody else captured it, and refund what is too much",
  "a cent off": "it is rounding: nothing needs to be done, or settle it with the service's operator",
  "not refunded": "refund it where the shop refunds; Daybook only watches this connection",
  "refunded too much": "settle it with the service's operator: a refund cannot be taken back",
  "not voided": "void it where the shop voids: until then it uses up the buyer's limit",
  "shipped though cancelled": "find out whether the goods left; if so, the order is not cancelled",
  "not authorised": "get the money another way, or have the service's operator authorise it",
  contradiction: "correct the order in the shop: it contradicts itself, and is not compared"
}

/** O7 as attention items. */
export const watchedItems = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  orders: OrderSettings
): ReadonlyArray<Attention> =>
  isPaid(remote)
    ? watched(facts, order, remote, orders).map(({ kind, why }) =>
        orderAttention(facts, "O7", `${kind}: ${why}`, ADVICE[kind])
      )
    : []
