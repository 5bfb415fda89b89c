/**
 * Which deferred payment is an order's, when more than one could be: another order claims the same one, the source names
 * another one than it did, or the one that was found came to nothing and the buyer tried again. Pure; `PaymentHolders.ts` knows
 * who claims what, and `DeferredPaymentReader.ts` reads the service.
 */
import type { Order } from "../../connectors/Document.ts"
import type { Attention, OrderCall } from "../model/Call.ts"
import { look } from "./OrderCalls.ts"
import { isOver, isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { orderAttention } from "./OrderPostings.ts"
import { say } from "./PostingKinds.ts"
import { given } from "../../core/Entry.ts"

/** Other orders claim the deferred payment of this one: nothing is taken for any of them. */
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

/** Whether money was moved for this order, by this connection or by hand. What was only voided never moved. */
const isTaken = ({ captured, postings, refunded }: RemoteOrder): boolean =>
  captured !== "0" || refunded !== "0" || postings.some(({ amount }) => amount !== "0")

/** What the source names by now in place of what the ledger holds, or undefined. */
const renamed = ({ deferredPayment, serviceOrder }: Order, remote: RemoteOrder): string | undefined => {
  if (deferredPayment !== undefined) return deferredPayment === remote.id ? undefined : deferredPayment
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
 * The source names another deferred payment, or another order of the service, than the one that was found first. It is
 * followed while nothing was taken; afterwards it is for a person. In both cases nothing more is taken from the old one.
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

/** What was found came to nothing, and nothing was taken: the buyer may have tried again, which is looked for. */
export const isTriedAgain = (facts: OrderFacts, order: Order, remote: RemoteOrder): boolean =>
  isOver(remote) && !isTaken(remote) && order.deferredPayment === undefined && order.status === "open" && !facts.deleted
