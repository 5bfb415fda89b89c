/**
 * Decides which deferred payment is an order's when there could be several: another order claims the same one, the source names
 * another one than before, or the one that was found failed and the buyer tried again. Pure; `PaymentHolders.ts` knows the
 * claims, and `DeferredPaymentReader.ts` reads the service.
 */
import type { Order } from "../../connectors/Document.ts"
import type { Attention, OrderCall } from "../model/Call.ts"
import { look } from "./OrderCalls.ts"
import { isOver, isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { orderAttention } from "./OrderAttention.ts"
import { carriedNumber, namedPayments } from "./OrderScope.ts"
import { say } from "./PostingKinds.ts"
import { given } from "../../core/Entry.ts"

/** Other orders claim this order's deferred payment: nothing is posted for any of them. */
export const contested = (
  facts: OrderFacts,
  remote: RemoteOrder | undefined,
  rivals: ReadonlyArray<string>
): Attention => {
  const { deferredPayment, number, serviceOrder } = given(facts.order, facts.key)
  const what =
    remote !== undefined && isPaid(remote)
      ? `the deferred payment ${remote.id}`
      : deferredPayment !== undefined
        ? `the deferred payment ${deferredPayment}`
        : serviceOrder !== undefined
          ? `the service's order ${serviceOrder}`
          : `the reference ${number}`
  const todo =
    "decide which order it belongs to, and correct the deferred payment, the service's order or the number of the other " +
    "one in the source; nothing is sent for either until then"
  return orderAttention(facts, "O6", `${[facts.key, ...rivals].join(" and ")} claim ${what}`, todo)
}

/** Whether money was moved for this order, by this connection or by hand. Voids move none. */
const isTaken = ({ captured, postings, refunded }: RemoteOrder): boolean =>
  captured !== "0" || refunded !== "0" || postings.some(({ amount }) => amount !== "0")

/** What the source names now instead of what the ledger holds, or undefined. */
const renamed = (order: Order, remote: RemoteOrder): string | undefined => {
  const { deferredPayment, serviceOrder } = order
  // A public number led to what the ledger holds, and changes with each posting.
  if (carriedNumber(order) !== undefined) return undefined
  if (deferredPayment !== undefined) return namedPayments(order).includes(remote.id) ? undefined : deferredPayment
  const before = remote.order
  return serviceOrder === undefined || before === undefined || serviceOrder === before ? undefined : serviceOrder
}

export interface Elsewhere {
  readonly calls: ReadonlyArray<OrderCall>
  readonly attention: ReadonlyArray<Attention>
  readonly reason: string
  readonly waits: boolean
}

/**
 * The source names another deferred payment, or another order of the service, than the one that was found first. Daybook
 * follows the change if no money was moved; otherwise a person decides. In both cases nothing more is posted on the old one.
 */
export const elsewhere = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  looked: boolean
): Elsewhere | undefined => {
  const now = renamed(order, remote)
  if (now === undefined) return undefined
  if (isTaken(remote) || remote.created !== undefined) {
    const amount = BigInt(remote.captured) - BigInt(remote.refunded)
    const held =
      remote.created === undefined
        ? `${say(amount, remote)} of which is captured`
        : "which belongs to the order that was created for it"
    const why = `the source now names ${now} instead of ${remote.id}, ${held}`
    const todo = `name ${remote.id} in the source again, or settle it with the service's operator; nothing more is sent until then`
    return { calls: [], attention: [orderAttention(facts, "O6", why, todo)], reason: why, waits: false }
  }
  const reason = `O5: the source now names ${now}, which the service does not have`
  return { calls: looked ? [] : [look(facts, order)], attention: [], reason, waits: true }
}

/** The payment that was found failed, and no money was moved: looks whether the buyer tried again. */
export const isTriedAgain = (facts: OrderFacts, order: Order, remote: RemoteOrder): boolean =>
  isOver(remote) && !isTaken(remote) && order.deferredPayment === undefined && order.status === "open" && !facts.deleted
