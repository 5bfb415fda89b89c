/**
 * One order of the books against its deferred payment, giving the captures, voids and refunds that close the gap:
 * rules O1 to O6 (DP 2.6, 2.9, 4).
 *
 * Pure and total, with the promises of `Reconcile.ts`. Facts are told in the order of their days; returns last, because
 * only what was captured can be given back. Each is told once and never changed: what a fact took is in the ledger, and
 * what is left of the order follows from it, so that captured + voided + open is the authorised amount at all times.
 * The key of a call follows from its fact, so whoever sends it twice has it done once.
 */
import type { Order } from "../connectors/Document.ts"
import * as Currency from "../core/money/Currency.ts"
import { advance, type Attention, type Call } from "./Call.ts"
import type { Planning } from "./Connection.ts"
import { authorised, type OrderTold, type Take } from "./OrderLedger.ts"
import { Lines } from "./OrderLines.ts"
import type { OrderSubject } from "./OrderSubject.ts"
import type { Verdict } from "./Reconcile.ts"
import { attention, disagreements, openings, RULE, say, TAKING } from "./Takings.ts"

export interface OrderVerdict extends Verdict {
  readonly waits: boolean
}

/** Statuses in which something can be done (assumption: DP 3 shows none); other ones are waited for. */
const READY = ["accepted", "part_fulfilled", "captured", "fulfilled", "voided"]

/** Statuses out of which nothing comes any more. */
const OVER = ["rejected", "cancelled", "expired"]

const nothing = { calls: [], attention: [], open: 0n, waits: false }

/** @param looked the service was read just now, so that there is no point in reading it again */
export const reconcileOrder = (
  subject: OrderSubject,
  told: OrderTold | undefined,
  planning: Planning,
  looked = false
): OrderVerdict => {
  const { order } = subject
  if (told === undefined) {
    const reason = untold(subject, planning)
    if (reason !== undefined || order === undefined) {
      return {
        ...nothing,
        attention: order === undefined ? strays(subject) : [],
        ...(reason === undefined ? {} : { reason })
      }
    }
    if (looked) return { ...nothing, reason: "O5: the service has no deferred payment for it yet", waits: true }
    // What follows if the payment is there and accepted; it is planned again once the service has answered.
    const first = look(subject, order)
    const rest = maintain(subject, order, advance(undefined, first) as OrderTold, planning, looked)
    return { ...rest, calls: [first, ...rest.calls] }
  }
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

const untold = ({ gone, order }: OrderSubject, { orders = {}, scope = {} }: Planning): string | undefined => {
  if (order === undefined) return "the source has not stated this order"
  if (gone) return "the source no longer has it"
  if (scope.issued_after !== undefined && order.placed < scope.issued_after) {
    return `T1: placed ${order.placed}, before the scope begins (${scope.issued_after})`
  }
  if (scope.issued_before !== undefined && order.placed > scope.issued_before) {
    return `T1: placed ${order.placed}, after the scope ends (${scope.issued_before})`
  }
  if (scope.currencies !== undefined && !scope.currencies.includes(order.currency)) {
    return `T1: its currency ${order.currency} is not in the scope (${scope.currencies.join(", ")})`
  }
  if (order.deferredPayment === undefined && order.serviceOrder === undefined && orders.link !== "unique_id") {
    return "T1: it carries no deferred payment and no order of the service"
  }
  return undefined
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
      open: major(BigInt(told.open), told.currency),
      waits: !over
    }
  }
  for (const take of open.takes) plan(taking(subject, told, take))
  if (told.stale) plan(look(subject, order, told))
  return {
    calls,
    attention: [...open.attention, ...disagreements(subject, before)],
    ...(open.held ? { reason: "O2: what is left is voided once everything of the source could be read" } : {}),
    open: major(BigInt(told.open), told.currency),
    waits: open.held
  }
}

const major = (minor: bigint, currency: string): bigint => minor * 10n ** BigInt(8 - Currency.decimals(currency))

const taking = (
  subject: OrderSubject,
  told: OrderTold,
  { because, ...take }: Take & { readonly because: string }
): Call => ({
  subject: subject.key,
  fact: take.fact,
  rule: RULE[take.taking],
  operation: `deferredPayments.${take.taking}`,
  params: { deferred_payment_id: told.remote },
  body: { amount: JSON.parse(take.amount) as number },
  take,
  reduces: take.taking === "refund",
  because
})

const rename = (subject: OrderSubject, order: Order, told: OrderTold): Call => ({
  subject: subject.key,
  fact: subject.key,
  rule: "O4",
  operation: "orders.update",
  params: { order_id: told.order! },
  body: { unique_id: order.number },
  reduces: false,
  because: `its reference changed from ${told.number} to ${order.number}`
})

/** Reads the deferred payment: by its identifier, by its order's, or by the reference. */
const look = (subject: OrderSubject, order: Order | undefined, told?: OrderTold): Call => {
  const payment = told?.remote ?? order?.deferredPayment
  const [operation, params] =
    payment !== undefined
      ? (["deferredPayments.get", { deferred_payment_id: payment }] as const)
      : order?.serviceOrder !== undefined
        ? (["orders.get", { order_id: order.serviceOrder }] as const)
        : (["orders.list", {}] as const)
  const total = order === undefined ? 0n : new Lines(order, {}).total
  return {
    subject: subject.key,
    fact: subject.key,
    rule: "O5",
    operation,
    params,
    looks: {
      number: order?.number ?? told?.number ?? "",
      currency: told?.currency ?? order?.currency ?? "",
      total: `${told === undefined ? total : authorised(told)}`
    },
    reduces: false,
    because:
      told === undefined
        ? "finds its deferred payment, and what of it is authorised"
        : "reads its deferred payment again"
  }
}
