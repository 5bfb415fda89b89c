/**
 * Decides about one order in the books: makes its state and the ledger's memory, has `OrderDecision.ts` decide, and turns the
 * steps into postings and the questions into attention. Pure.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Attention } from "../model/Call.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { OrderPostingKind, PlannedPosting } from "../model/DeferredPayment.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { isPaid, isReady, openInBooks, type RemoteOrder, sumSent, termsOf } from "../model/RemoteOrder.ts"
import { orderAttention, questionItem, uuid } from "./OrderAttention.ts"
import { decide, type Memory, type OrderDecided, type OrderStep, type Seen } from "./OrderDecision.ts"
import { holds, isUnread, waiting } from "./OrderHolds.ts"
import { givenBack } from "./OrderOwed.ts"
import { asShipped } from "./OrderParcels.ts"
import { isPassing } from "./OrderQuestions.ts"
import { type Standing, standingOf } from "./OrderStanding.ts"
import { max, min } from "./WholeUnits.ts"

const seenOf = ({ captured, currency, expired, open, refunded, voided }: RemoteOrder): Seen => ({
  currency,
  open: BigInt(open),
  captured: BigInt(captured),
  voided: BigInt(voided),
  refunded: BigInt(refunded),
  expired: BigInt(expired)
})

/** Where the shop captures, all of it was sent by the shop. */
const memoryOf = (
  { answers = {}, began, each, left = {}, postings }: RemoteOrder,
  { captures }: OrderSettings
): Memory => ({
  // What several payments authorise is for this order: its source names each of them.
  ...(began === undefined || each !== undefined ? {} : { began: BigInt(began) }),
  rest: postings.reduce((sum, { rest = "0" }) => sum + BigInt(rest), 0n),
  given: postings.reduce(
    (most, { picture, taking }) => (taking === "refund" ? max(most, BigInt(picture?.given ?? "0")) : most),
    0n
  ),
  left: Object.fromEntries(Object.entries(left).map(([line, quantity]) => [line, Decimal.of(quantity)])),
  ...(captures === "shop"
    ? {}
    : {
        sent: {
          captured: sumSent(postings, "capture"),
          voided: sumSent(postings, "void"),
          refunded: sumSent(postings, "refund")
        }
      }),
  answers
})

type Books = Pick<OrderFacts, "movements"> & Partial<Pick<OrderFacts, "deleted">>

/** How the order stands, by the terms that it began with. An order that is no longer exported may have lost its parcels. */
export const stands = (
  { deleted = false, movements }: Books,
  order: Order,
  remote: Pick<RemoteOrder, "terms" | "left">,
  orders: OrderSettings
): Standing => {
  const documents = movements.map(({ document }) => document)
  const shipped = orders.ships === undefined ? order : asShipped(order, documents)
  const its = standingOf(shipped, documents, termsOf(remote, orders))
  if (!deleted) return its
  const most = (id: string, left = 0n) => max(left, Decimal.of(remote.left?.[id] ?? "0"))
  return { ...its, lines: its.lines.map((line) => ({ ...line, left: most(line.id, line.left) })) }
}

export const decidedFor = (facts: Books, order: Order, remote: RemoteOrder, orders: OrderSettings): OrderDecided =>
  decide(stands(facts, order, remote, orders), seenOf(remote), memoryOf(remote, orders), {
    archivedIsOver: orders.archived === "void",
    keepsRest: orders.void_remainder === false
  })

/** What the order comes to by this method when it is placed, in minor units. */
export const beganAt = (order: Order): bigint => {
  const { others, placed } = order.state ?? {}
  const all = placed ?? order.lines.reduce((sum, { gross }) => sum + gross, 0n)
  const otherwise = others?.received ?? order.totals?.otherwise ?? 0n
  const minor = Currency.inMinor(all - otherwise, order.currency)
  return minor < 0n ? 0n : minor / Decimal.one
}

/** What the shop has received by this method: its payment is for as much, whatever the order comes to by now. */
export const receivedBy = ({ currency, state }: Order): bigint =>
  Currency.inMinor(state?.own.received ?? 0n, currency) / Decimal.one

/** The ledger with the units of each line that ever left: of a shop the most, of files and databases what they last said. */
export const remembering = (facts: OrderFacts, remote: RemoteOrder, orders: OrderSettings): RemoteOrder => {
  const { order } = facts
  if (order === undefined || facts.deleted || !isPaid(remote)) return remote
  const left: Record<string, string> = { ...remote.left }
  for (const { id, left: units } of stands(facts, order, remote, orders).lines) {
    const before = Decimal.of(left[id] ?? "0")
    const now = order.state === undefined ? units : max(units ?? 0n, before)
    if (now !== undefined && now !== before) left[id] = Decimal.format(now)
  }
  return Object.keys(left).length === 0 ? remote : { ...remote, left }
}

export interface PendingPostings {
  readonly postings: ReadonlyArray<PlannedPosting & { readonly reason: string; readonly payment?: string }>
  readonly attention: ReadonlyArray<Attention>
  /** The books may not have everything about the order yet: what is to be sent waits for that. */
  readonly held: boolean
  /** The order comes to more than is authorised, as last read. */
  readonly isShort: boolean
  /** A person is asked unless the source says more about the order soon. */
  readonly asksLater: boolean
}

const NOTHING = { postings: [], attention: [], held: false, isShort: false, asksLater: false }

/**
 * What is still to be captured, refunded and voided, in order, and what a person has to decide.
 *
 * @param isNews the order's latest record was read so lately that the next one may answer what it leaves open
 */
export const pendingPostings = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  orders: OrderSettings = {},
  isNews = false
): PendingPostings => {
  const stopped = holds(facts, order)
  if (stopped.length > 0)
    return { ...NOTHING, attention: stopped.map(({ todo, why }) => orderAttention(facts, "O6", why, todo)) }
  const found = decidedFor(facts, order, remote, orders)
  const asks = facts.deleted ? [] : found.asks.filter((one) => !(isNews && isPassing(one)))
  const asked = asks.map((one) => questionItem(facts, one))
  if (found.held.length > 0) {
    const items = found.held.flatMap(({ code, todo, why }) =>
      code === "K6" ? [] : [orderAttention(facts, "O6", why, todo)]
    )
    return { ...NOTHING, attention: [...items, ...asked] }
  }
  const isShort = !facts.deleted && found.asks.some(({ kind }) => kind === "short")
  const unread = isUnread(facts, order)
  const waits = waiting(facts, order)
  const first = found.steps.find(({ taking }) => unread || waits.includes(taking))
  // What comes after a step that waits was worked out with it.
  const all = first === undefined ? found.steps : found.steps.slice(0, found.steps.indexOf(first))
  // What comes back of an order that is no longer exported is refunded; nothing else is sent for it.
  const steps = facts.deleted ? all.filter(({ taking }) => taking === "refund") : all
  return {
    postings: postingsOf(facts, { found: { ...found, steps }, order, remote, orders }),
    attention: first === undefined || unread ? asked : [...asked, unreadItem(facts, first)],
    held: first !== undefined,
    isShort,
    asksLater: !facts.deleted && asks.length < found.asks.length
  }
}

const unreadItem = (facts: OrderFacts, { taking }: OrderStep): Attention =>
  orderAttention(
    facts,
    "O6",
    `its ${taking} waits: a ${(facts.unreadable ?? []).join(" and a ")} of the source cannot be read, and may be for some of this order`,
    "correct that record in the source (`daybook status` names it); the rest is sent as soon as it can be read"
  )

interface Deciding {
  readonly found: OrderDecided
  readonly order: Order
  readonly remote: RemoteOrder
  readonly orders: OrderSettings
}

const postingsOf = (facts: OrderFacts, { found, order, orders, remote }: Deciding): PendingPostings["postings"] => {
  const terms = termsOf(remote, orders)
  const { due, owe, still } = found.figures
  const its = stands(facts, order, remote, orders)
  const left = Object.fromEntries(its.lines.map(({ id, left: units = 0n }) => [id, Decimal.format(units)]))
  const sent = new Map<OrderPostingKind, bigint>()
  return byPayment(found.steps, remote).map(({ amount, from, payment, rest, taking, to, why }) => {
    const before = sent.get(taking) ?? sumSent(remote.postings, taking)
    sent.set(taking, before + amount)
    return {
      taking,
      amount: `${amount}`,
      ...(payment === undefined ? {} : { payment }),
      // T0: a step from one sum to another, here and on the service, exists once.
      key: uuid([facts.connection, facts.key, payment ?? remote.id, taking, `${before} ${from}>${to}`].join("\n")),
      ...(rest === undefined || rest === 0n ? {} : { rest: `${rest}` }),
      picture: { owe: `${owe}`, still: `${still}`, due: `${due}`, given: `${givenBack(its)}`, left },
      terms,
      reason: why
    }
  })
}

/** Of an order with several payments: the first authorised is captured first, the last is refunded and voided first. */
const byPayment = (
  steps: ReadonlyArray<OrderStep>,
  { each }: RemoteOrder
): ReadonlyArray<OrderStep & { readonly payment?: string }> => {
  if (each === undefined) return steps
  const rooms = each.map((one) => ({
    id: one.id,
    open: isReady(one) ? BigInt(one.open) : 0n,
    net: BigInt(one.captured) - BigInt(one.refunded)
  }))
  return steps.flatMap(({ rest = 0n, ...step }) => {
    const { amount, from, taking } = step
    let [left, ofRest] = [amount, rest]
    return (taking === "capture" ? rooms : rooms.toReversed()).flatMap((one) => {
      const part = min(left, taking === "refund" ? one.net : one.open)
      if (part <= 0n) return []
      const at = from + amount - left
      const its = { ...step, payment: one.id, amount: part, from: at, to: at + part, rest: min(ofRest, part) }
      left -= part
      ofRest -= its.rest
      if (taking === "refund") one.net -= part
      else one.open -= part
      if (taking === "capture") one.net += part
      return [its]
    })
  })
}

/** The open amount in the books, in minor units; for an order that is no longer exported, from what this connection sent. */
export const openByFacts = (facts: OrderFacts, remote: RemoteOrder, orders: OrderSettings = {}): bigint => {
  if (facts.order === undefined || facts.deleted) return openInBooks(remote)
  const { steps } = decidedFor(facts, facts.order, remote, orders)
  return steps.reduce((open, { amount, taking }) => (taking === "refund" ? open : open - amount), BigInt(remote.open))
}
