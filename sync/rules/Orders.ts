/**
 * One order of the books against its deferred payment, giving the captures, voids and refunds that close the gap:
 * rules O1 to O6 (DP 2.6, 2.9, 4).
 *
 * Pure and total, with the promises of `Reconcile.ts`. Facts are told in the order of their days; returns last, because
 * only what was captured can be given back. Each is told once and never changed: what a fact took is in the ledger, and
 * what is left of the order follows from it, so that captured + voided + open is the authorised amount at all times.
 * The key of a call follows from its fact, so whoever sends it twice has it done once.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import { advance, type Attention, type Call } from "../model/Call.ts"
import { awaiting, creation } from "./OrderCreation.ts"
import type { Planning } from "../model/Connection.ts"
import { look, rename, taking } from "./OrderCalls.ts"
import { isPaid, openInBooks, type OrderTold } from "../model/RemoteOrder.ts"
import { isLinked, outOfScope, toBeCreated } from "./OrderScope.ts"
import type { OrderSubject } from "../model/OrderFacts.ts"
import type { Verdict } from "./Invoices.ts"
import { attention, disagreements, openings, RULE, say, TAKING } from "./OrderPostings.ts"

export interface OrderVerdict extends Verdict {
  readonly waits: boolean
}

/** Statuses in which something can be done (assumption: DP 3 shows none); other ones are waited for. */
const READY = ["accepted", "part_fulfilled", "captured", "fulfilled", "voided"]

/** Statuses out of which nothing comes any more. */
const OVER = ["rejected", "cancelled", "expired"]

const nothing = { calls: [], attention: [], open: 0n, waits: false }

/** What of the moment a plan depends on. */
export interface Circumstances {
  /** The service was read just now, so that there is no point in reading it again. */
  readonly looked?: boolean
  /** The order's buyer is on the service, or will be before the order is. */
  readonly buyer?: boolean
}

export const reconcileOrder = (
  subject: OrderSubject,
  told: OrderTold | undefined,
  planning: Planning,
  { buyer = false, looked = false }: Circumstances = {}
): OrderVerdict => {
  const { order } = subject
  if (told === undefined) {
    if (order === undefined)
      return { ...nothing, attention: strays(subject), reason: "the source has not stated this order" }
    const reason = untold(subject, order, planning)
    if (reason !== undefined) return { ...nothing, reason }
    if (toBeCreated(order, planning)) return { ...nothing, ...creation(subject, order, planning, buyer) }
    if (looked) return { ...nothing, reason: "O5: the service has no deferred payment for it yet", waits: true }
    // What follows if the payment is there and accepted; it is planned again once the service has answered.
    const first = look(subject, order)
    const rest = maintain(subject, order, advance(undefined, first) as OrderTold, planning, looked)
    return { ...rest, calls: [first, ...rest.calls] }
  }
  if (!isPaid(told)) return { ...nothing, ...awaiting(subject, told, planning, looked) }
  if (order === undefined || subject.gone) {
    const open = BigInt(told.open)
    return {
      ...nothing,
      calls: told.stale && !looked ? [look(subject, order, told)] : [],
      attention:
        open === 0n
          ? []
          : [
              attention(
                subject,
                "O2",
                `the source no longer has this order, and ${say(open, told)} of it is authorised`,
                "restore it in the source, or close it there so that the rest is voided"
              )
            ]
    }
  }
  return maintain(subject, order, told, planning, looked)
}

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
  looked: boolean
): OrderVerdict => {
  const calls: Array<Call> = []
  let told = before
  const plan = (next: Call) => {
    calls.push(next)
    told = advance(told, next) as OrderTold
  }
  if (order.number !== told.number && told.order !== undefined) plan(rename(subject, order, told))

  const open = openings(subject, order, told, planning)
  const idle = open.takes.length === 0
  if (!idle && !READY.includes(told.status)) {
    const over = OVER.includes(told.status)
    return {
      calls: looked || over ? calls : [...calls, look(subject, order, told)],
      attention: over
        ? [
            attention(
              subject,
              "O5",
              `goods are told, but the deferred payment is ${told.status}`,
              "get the goods or the money back by other means; nothing can be captured"
            )
          ]
        : [],
      reason: `O5: it waits, the deferred payment is ${told.status}`,
      open: major(openInBooks(told), told.currency),
      waits: !over
    }
  }
  for (const take of open.takes) plan(taking(subject, told, take))
  if (told.stale) plan(look(subject, order, told))
  return {
    calls,
    attention: [...open.attention, ...disagreements(subject, before).map(({ attention }) => attention)],
    ...(open.held ? { reason: "O2: what is left is voided once everything of the source could be read" } : {}),
    open: major(openInBooks(told), told.currency),
    waits: open.held
  }
}

const major = (minor: bigint, currency: string): bigint => minor * 10n ** BigInt(8 - Currency.decimals(currency))
