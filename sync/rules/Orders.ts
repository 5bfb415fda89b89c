/**
 * One order of the books against its deferred payment, giving the captures, voids and refunds that close the gap:
 * rules O1 to O6 (DP 2.6, 2.9, 4).
 *
 * Pure and total. Promises, each a property in `test/sync/Orders.test.ts`:
 *
 *   settled      carrying out a plan leaves nothing to plan
 *   ordered      the order in which facts are listed does not change the plan
 *   resumable    after any prefix of a plan, the new plan is the rest of it
 *
 * Facts are sent in the order of their days; returns last, because only what was captured can be given back. Each is sent
 * once and never changed: what a fact took is in the ledger, and what is left of the order follows from it, so that
 * captured + voided + open is the authorised amount at all times. The key of a call follows from its fact: sent twice, it
 * is carried out once.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Attention, Call } from "../model/Call.ts"
import { advance } from "../model/Advance.ts"
import { awaiting, creation } from "./OrderCreation.ts"
import type { Planning } from "../model/Connection.ts"
import { look, rename, taking } from "./OrderCalls.ts"
import { isOver, isPaid, isReady, openInBooks, type OrderTold } from "../model/RemoteOrder.ts"
import { outdated } from "./OrderContradictions.ts"
import { contested, elsewhere, isTriedAgain } from "./OrderIdentity.ts"
import { isLinked, outOfScope, toBeCreated } from "./OrderScope.ts"
import type { OrderSubject } from "../model/OrderFacts.ts"
import type { Decision } from "../model/Decision.ts"
import { attention, disagreements, openings } from "./OrderPostings.ts"
import { RULE, say, TAKING } from "./PostingKinds.ts"

export interface OrderVerdict extends Decision {
  readonly waits: boolean
}

const nothing = { calls: [], attention: [], open: 0n, waits: false }

/** What of the moment a plan depends on. */
export interface Circumstances {
  /** The service was read just now, so that there is no point in reading it again. */
  readonly looked?: boolean
  /** The order's buyer is on the service, or will be before the order is. */
  readonly buyer?: boolean
  /** Other orders that claim its deferred payment or hold it, see `PaymentHolders.ts`. */
  readonly rivals?: ReadonlyArray<string>
}

export const reconcileOrder = (
  subject: OrderSubject,
  told: OrderTold | undefined,
  planning: Planning,
  circumstances: Circumstances = {}
): OrderVerdict => {
  const { buyer = false, looked = false, rivals = [] } = circumstances
  const { order } = subject
  if (told === undefined) {
    if (order === undefined)
      return { ...nothing, attention: strays(subject), reason: "the source has not stated this order" }
    const reason = untold(subject, order, planning)
    if (reason !== undefined) return { ...nothing, reason }
    const [old] = toBeCreated(order, planning) ? outdated(subject).values() : []
    if (old !== undefined) return { ...nothing, ...stopped(attention(subject, "O6", old.why, old.todo)) }
    if (toBeCreated(order, planning)) return { ...nothing, ...creation(subject, order, planning, buyer) }
    if (rivals.length > 0) return { ...nothing, ...stopped(contested(subject, told, rivals)) }
    if (looked) return { ...nothing, reason: "O5: the service has no deferred payment for it yet", waits: true }
    // What follows if the payment is there and accepted; it is planned again once the service has answered.
    const first = look(subject, order)
    const rest = maintain(subject, order, advance(undefined, first) as OrderTold, planning, { looked: true })
    return { ...rest, calls: [first, ...rest.calls] }
  }
  if (!isPaid(told)) return { ...nothing, ...awaiting(subject, told, planning, looked) }
  const moved = order === undefined || subject.gone ? undefined : elsewhere(subject, order, told, looked)
  if (moved !== undefined) {
    const open = Currency.ofMinor(openInBooks(told), told.currency)
    return { ...nothing, ...(rivals.length > 0 ? stopped(contested(subject, undefined, rivals)) : moved), open }
  }
  const rest = vanished(subject, told)
  if (order === undefined) return { ...nothing, attention: rest }
  const verdict = maintain(subject, order, told, planning, { looked, rivals })
  return { ...verdict, attention: [...rest, ...verdict.attention] }
}

/** What is authorised of an order that is no longer exported. What comes back of it is refunded all the same. */
const vanished = (subject: OrderSubject, told: OrderTold): ReadonlyArray<Attention> => {
  const open = BigInt(told.open)
  if (open === 0n || (subject.order !== undefined && !subject.gone)) return []
  const why = `the source no longer has this order, and ${say(open, told)} of it is authorised`
  return [attention(subject, "O2", why, "restore it in the source, or close it there so that the rest is voided")]
}

/** Nothing is sent, and it is looked at again in the next run: what stops it may be put right elsewhere. */
const stopped = (matter: Attention) => ({ attention: [matter], reason: `${matter.rule}: ${matter.why}`, waits: true })

const untold = ({ gone }: OrderSubject, order: Order, planning: Planning): string | undefined => {
  if (gone) return "the source no longer has it"
  const outside = outOfScope(order, planning)
  if (outside !== undefined) return outside
  const { create, link } = planning.orders ?? {}
  if (isLinked(order) || link === "unique_id" || toBeCreated(order, planning)) return undefined
  return create === undefined
    ? "T1: it carries no deferred payment and no order of the service"
    : `T1: it was ${order.status} before it was told`
}

const strays = (subject: OrderSubject): ReadonlyArray<Attention> =>
  subject.facts.map(({ document, key }) => ({
    subject: subject.key,
    fact: key,
    rule: RULE[TAKING[document.kind]],
    why: `a ${document.kind} of an order that the source has not stated`,
    todo: "check the order's id in the source; it is told as soon as the order is there"
  }))

const maintain = (
  subject: OrderSubject,
  order: Order,
  before: OrderTold,
  planning: Planning,
  { looked = false, rivals = [] }: Circumstances
): OrderVerdict => {
  const calls: Array<Call> = []
  let told = before
  const plan = (next: Call) => {
    calls.push(next)
    told = advance(told, next) as OrderTold
  }
  if (order.number !== told.number && told.order !== undefined && !subject.gone) plan(rename(subject, order, told))

  const open = openings(subject, order, told, planning)
  const idle = open.takes.length === 0 && !open.short
  const verdict = () => ({ attention: [], calls, open: Currency.ofMinor(openInBooks(told), told.currency) })
  if (!idle && rivals.length > 0) return { ...verdict(), ...stopped(contested(subject, told, rivals)) }
  const again = isTriedAgain(subject, order, told)
  if ((!idle || again) && !isReady(told)) {
    const over = isOver(told)
    const lost = over && (open.attention.length > 0 || open.takes.some(({ taking }) => taking !== "void"))
    return {
      ...verdict(),
      calls: looked ? calls : [...calls, look(subject, order, told, again)],
      attention: lost ? [gone(subject, told)] : [],
      reason: `O5: it waits, the deferred payment is ${told.status}`,
      waits: !over || again
    }
  }
  // Somebody else may have taken meanwhile. What follows is planned again once the service has answered.
  if (!idle && !looked) plan(look(subject, order, told))
  for (const take of open.takes) plan(taking(subject, told, take))
  return {
    ...verdict(),
    attention: [...open.attention, ...disagreements(subject, before).map(({ attention }) => attention)],
    ...(open.held ? { reason: "O2: what is left is voided once everything of the source could be read" } : {}),
    // It is sent once its record can be read again, also where that says what is known already.
    waits: open.held || subject.outdated !== undefined
  }
}

const gone = (subject: OrderSubject, { status }: OrderTold): Attention =>
  attention(
    subject,
    "O5",
    `goods are told, but the deferred payment is ${status}`,
    "get the goods or the money back by other means; nothing can be captured"
  )
