/**
 * Compares one order of the books with its deferred payment, and plans the captures, voids and refunds that close the gap:
 * rules O1 to O6 (DP 2.6, 2.9, 4).
 *
 * Pure and total. Guarantees, each a property in `test/sync/rules/Orders.test.ts`:
 *
 *   settled      nothing is left to plan after a plan was carried out
 *   ordered      the order in which facts are listed does not change the plan
 *   resumable    after any prefix of a plan, the new plan is the rest of it
 *
 * Facts are sent in the order of their days; returns last, because only what was captured can be refunded. Each is sent once and
 * never changed: the ledger has what each fact was sent with, and what is left of the order follows from it, so that captured +
 * voided + open is always the authorised amount. A call's idempotency key is derived from its fact, so that sending it twice has
 * one effect.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Attention, OrderCall } from "../model/Call.ts"
import { awaiting, creation } from "./OrderCreation.ts"
import type { Planning } from "../model/Connection.ts"
import { look, rename, taking } from "./OrderCalls.ts"
import {
  isOver,
  isPaid,
  isReady,
  openInBooks,
  type RemoteOrder,
  advanceOrder,
  asPredicted
} from "../model/RemoteOrder.ts"
import { contested, elsewhere, isTriedAgain } from "./OrderIdentity.ts"
import { isLinked, outOfScope, toBeCreated } from "./OrderScope.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import type { Decision } from "../model/Decision.ts"
import { orderAttention } from "./OrderAttention.ts"
import { holds } from "./OrderHolds.ts"
import { watchedItems } from "./OrderWatch.ts"
import { openByFacts, pendingPostings } from "./OrderPlan.ts"
import { say } from "./PostingKinds.ts"

export interface OrderDecision extends Decision<OrderCall> {
  readonly waits: boolean
}

const nothing = { calls: [], attention: [], open: 0n, waits: false }

/** The circumstances that a plan depends on. */
export interface Circumstances {
  /** The service has just been read, so there is no need to read it again. */
  readonly looked?: boolean
  /** The order's buyer is on the service, or will be before the order. */
  readonly buyer?: boolean
  /** Other orders that claim its deferred payment or hold it, see `PaymentHolders.ts`. */
  readonly rivals?: ReadonlyArray<string>
  /** The order's latest record was read so lately that the next one may answer what it leaves open: until when. */
  readonly newsUntil?: number | undefined
}

export const reconcileOrder = (
  facts: OrderFacts,
  remote: RemoteOrder | undefined,
  planning: Planning,
  circumstances: Circumstances = {}
): OrderDecision => {
  const { buyer = false, looked = false, newsUntil, rivals = [] } = circumstances
  const { order } = facts
  if (remote === undefined) {
    if (order === undefined) return { ...nothing, attention: strays(facts), reason: "not found in the source" }
    if (facts.head !== undefined)
      return { ...nothing, reason: `it has its deferred payment together with ${facts.head}, and is decided with it` }
    const reason = whyNotSent(facts, order, planning)
    if (reason !== undefined) return { ...nothing, reason }
    const [old] = toBeCreated(order, planning) ? holds(facts, order) : []
    if (old !== undefined) return { ...nothing, ...stopped(orderAttention(facts, "O6", old.why, old.todo)) }
    if (toBeCreated(order, planning)) return { ...nothing, ...creation(facts, order, planning, buyer) }
    if (rivals.length > 0) return { ...nothing, ...stopped(contested(facts, remote, rivals)) }
    if (looked) return { ...nothing, reason: "O5: the service has no deferred payment for it yet", waits: true }
    // Plans on the assumption that the payment exists and is accepted; planned again once the service has answered.
    const first = look(facts, order)
    if (isWatched(planning)) return { ...nothing, calls: [first], reason: "O7: it is looked up", waits: true }
    const rest = maintain(facts, order, asPredicted(first), planning, { looked: true })
    return { ...rest, calls: [first, ...rest.calls] }
  }
  if (!isPaid(remote) && !isWatched(planning)) return { ...nothing, ...awaiting(facts, remote, planning, looked) }
  if (isWatched(planning)) return watch(facts, remote, planning, looked)
  const moved = order === undefined || facts.deleted ? undefined : elsewhere(facts, order, remote, looked)
  if (moved !== undefined) {
    const open = Currency.ofMinor(openInBooks(remote), remote.currency)
    return { ...nothing, ...(rivals.length > 0 ? stopped(contested(facts, undefined, rivals)) : moved), open }
  }
  const rest = deletedWhileOpen(facts, remote)
  if (order === undefined) return { ...nothing, attention: rest }
  const decision = maintain(facts, order, remote, planning, { looked, newsUntil, rivals })
  return { ...decision, attention: [...rest, ...decision.attention] }
}

/** O7: nothing is sent. It is read again in each run while the service holds something open, or something is wrong. */
const watch = (facts: OrderFacts, remote: RemoteOrder, planning: Planning, looked: boolean): OrderDecision => {
  const { order } = facts
  if (order === undefined) return nothing
  const attention = watchedItems(facts, order, remote, planning.orders ?? {})
  return {
    ...nothing,
    attention,
    calls: looked ? [] : [look(facts, order, remote)],
    open: Currency.ofMinor(BigInt(remote.open), remote.currency),
    waits: attention.length > 0 || remote.open !== "0"
  }
}

const isWatched = ({ orders }: Planning): boolean => orders?.captures === "shop"

/** Attention for an authorised order that is no longer exported. Its returns are still refunded. */
const deletedWhileOpen = (facts: OrderFacts, remote: RemoteOrder): ReadonlyArray<Attention> => {
  const open = BigInt(remote.open)
  if (open === 0n || (facts.order !== undefined && !facts.deleted)) return []
  const why = `this order was deleted in the source, and ${say(open, remote)} of it is authorised`
  return [orderAttention(facts, "O2", why, "restore it in the source, or close it there so that the rest is voided")]
}

/** Sends nothing, and plans again in the next run: the cause may be corrected elsewhere. */
const stopped = (item: Attention) => ({ attention: [item], reason: `${item.rule}: ${item.why}`, waits: true })

const whyNotSent = ({ deleted }: OrderFacts, order: Order, planning: Planning): string | undefined => {
  if (deleted) return "it was deleted in the source"
  const outside = outOfScope(order, planning)
  if (outside !== undefined) return outside
  const { create, link } = planning.orders ?? {}
  if (isLinked(order) || link === "unique_id" || toBeCreated(order, planning)) return undefined
  return create === undefined
    ? "T1: it carries no deferred payment and no order of the service"
    : `T1: it was ${order.status} before it was sent`
}

const strays = (facts: OrderFacts): ReadonlyArray<Attention> =>
  facts.movements.map(({ document, key }) => ({
    subject: facts.key,
    fact: key,
    rule: "O6",
    why: `a ${document.kind} of an order that was not found in the source`,
    todo: "check the order's id in the source; it is sent as soon as the order is there"
  }))

const maintain = (
  facts: OrderFacts,
  order: Order,
  before: RemoteOrder,
  planning: Planning,
  { looked = false, newsUntil, rivals = [] }: Circumstances
): OrderDecision => {
  const calls: Array<OrderCall> = []
  let remote = before
  const plan = (next: OrderCall) => {
    calls.push(next)
    remote = advanceOrder(remote, next) ?? remote
  }
  if (order.number !== remote.number && remote.order !== undefined && !facts.deleted)
    plan(rename(facts, order, remote, remote.order))

  const open = pendingPostings(facts, order, remote, planning.orders, newsUntil !== undefined)
  // Another payment of the order is not accepted yet.
  const isAwaited = before.each?.some((one) => !isReady(one) && !isOver(one)) === true
  const idle = open.postings.length === 0 && !open.isShort && !isAwaited
  const left = Currency.ofMinor(openByFacts(facts, before, planning.orders), before.currency)
  const decision = () => ({ attention: [], calls, open: left })
  if (!idle && rivals.length > 0) return { ...decision(), ...stopped(contested(facts, remote, rivals)) }
  const again = isTriedAgain(facts, order, remote)
  if ((!idle || again) && !isReady(remote)) {
    const over = isOver(remote)
    const lost = over && (open.attention.length > 0 || open.postings.some(({ taking }) => taking !== "void"))
    return {
      ...decision(),
      calls: looked ? calls : [...calls, look(facts, order, remote, again)],
      attention: lost ? [deleted(facts, remote)] : [],
      reason: `O5: waiting, the deferred payment is ${remote.status}`,
      waits: !over || again
    }
  }
  // Somebody else may have posted meanwhile. The rest is planned again once the service has answered.
  if (!idle && !looked) plan(look(facts, order, remote))
  for (const take of open.postings) plan(taking(facts, remote, take))
  return {
    ...decision(),
    attention: open.attention,
    ...(open.held ? { reason: HELD } : {}),
    ...(open.asksLater && newsUntil !== undefined ? { wakeAt: newsUntil } : {}),
    // Sent once the record can be read again, even if it says nothing new.
    waits: open.held || isAwaited || facts.outdated !== undefined
  }
}

const HELD = "O6: it waits until every shipment, cancellation and return of the source can be read"

const deleted = (facts: OrderFacts, { status }: RemoteOrder): Attention =>
  orderAttention(
    facts,
    "O5",
    `goods left, but the deferred payment is ${status}`,
    "get the goods or the money back another way; nothing can be captured"
  )
