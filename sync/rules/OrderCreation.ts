/**
 * Plans an order that this connection creates on the service, until its buyer's checkout creates the deferred payment: the
 * order, the payment offer, the service's answer to it, and the buyer's choice (DP 2.6, 2.7, 3). From then on it is an order
 * like any other.
 */
import { Result } from "effect"
import type { Order } from "../../connectors/Document.ts"
import type { Attention, CallOf, OrderCall } from "../model/Call.ts"
import type { OrderCreation, Planning } from "../model/Connection.ts"
import { look, rename } from "./OrderCalls.ts"
import { draft } from "./OrderRequest.ts"
import { createdFor, orderCreated, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { orderAttention, uuid } from "./OrderAttention.ts"
import { given } from "../../core/Entry.ts"

/** The parts of a decision that are used here. */
interface Checkout {
  readonly calls?: ReadonlyArray<OrderCall>
  readonly attention?: ReadonlyArray<Attention>
  readonly reason?: string
  readonly waits?: boolean
}

/** A digest of what cannot be changed once the order is on the service. */
export const printOf = ({ currency, lines }: Order): string =>
  uuid(`${currency} ${lines.map(({ gross, id, quantity, type }) => `${id} ${type} ${quantity} ${gross}`).join("\n")}`)

/** @param buyer the order's buyer is on the service, or will be before the order */
export const creation = (facts: OrderFacts, order: Order, { orders = {} }: Planning, buyer: boolean): Checkout => {
  const settings = given(orders.create, "orders.create")
  const body = draft(facts.connection, order, settings)
  if (Result.isFailure(body)) {
    const why = `it cannot be created on the service: ${body.failure.join("; ")}`
    return {
      attention: [
        orderAttention(facts, "order", why, "complete it in the source, or the connection's orders.create settings")
      ]
    }
  }
  if (!buyer) return { reason: "its buyer is not on the service yet; see what needs attention", waits: true }
  const call: CallOf<"orders.create"> = {
    kind: "order",
    subject: facts.key,
    fact: facts.key,
    rule: "order",
    operation: "orders.create",
    params: {},
    body: body.success,
    print: printOf(order),
    destructive: false,
    reason: `the source has it, and the service does not: ${order.lines.length} lines for ${order.buyer?.name ?? "its buyer"}`
  }
  return { calls: settings.offers === false ? [call] : [call, offering(facts, orderCreated(call), settings)] }
}

const offering = (
  facts: OrderFacts,
  remote: RemoteOrder,
  { locale, notification }: OrderCreation
): CallOf<"offers.create"> => ({
  kind: "order",
  subject: facts.key,
  fact: facts.key,
  rule: "offer",
  operation: "offers.create",
  params: {},
  body: {
    order: remote.id,
    locale: locale ?? "en-gb",
    urls: { success: "", failure: "", cancel: "", notification: notification ?? "" }
  },
  ...(remote.created?.before === undefined ? {} : { before: remote.created.before }),
  destructive: false,
  reason: "the payment terms of its buyer are not known yet"
})

const declined = (facts: OrderFacts, { created }: RemoteOrder): Attention => {
  const whys = new Set((created?.offer?.plans ?? []).flatMap(({ why }) => why ?? []))
  return orderAttention(
    facts,
    "offer",
    `the service declines to let its buyer pay later: ${whys.size === 0 ? "no plan is offered" : [...whys].join("; ")}`,
    "ask the buyer to pay another way, and cancel or close the order in the source; `daybook attention retry` asks the service again"
  )
}

/** The order is on the service, and there is no deferred payment yet. */
export const awaiting = (
  facts: OrderFacts,
  remote: RemoteOrder,
  { orders = {} }: Planning,
  looked: boolean
): Checkout => {
  const { order } = facts
  const { lapsed = false, offer, print } = createdFor(remote)
  const there = order !== undefined && !facts.deleted && order.status === "open"
  // The shop's own checkout may make one offer after another while the order is open.
  const ended = lapsed && !(there && offer === undefined)
  if (remote.status === "declined") {
    return there
      ? { attention: [declined(facts, remote)], reason: "offer: every plan is declined" }
      : { reason: "offer: every plan was declined" }
  }
  if (ended) {
    const why = "the offer expired before its buyer accepted a plan"
    const todo = "cancel or close the order in the source, or ask for another offer with `daybook attention retry`"
    return there ? { attention: [orderAttention(facts, "offer", why, todo)], reason: why } : { reason: why }
  }
  const { create } = orders
  const offers = create !== undefined && create.offers !== false
  // Only this connection would have requested an offer, and it requested none before the order ended.
  if (!there && offer === undefined && offers) return { reason: "offer: the order ended before one was made" }
  const calls: Array<OrderCall> = []
  if (there && order.number !== remote.number) calls.push(rename(facts, order, remote, remote.order ?? remote.id))
  if (offer === undefined && offers) {
    calls.push(offering(facts, remote, create))
  } else if (!looked) {
    // A buyer may still accept a plan of an order that has since been cancelled, also one of the shop's own; then it is voided.
    calls.push(look(facts, order, remote))
  }
  const attentions: Array<Attention> = []
  if (there && printOf(order) !== print) {
    const why = "its lines changed after it was created on the service, where they cannot be changed"
    const todo = "ask the buyer to order again and cancel this order in the source, or undo the change"
    attentions.push(orderAttention(facts, "order", why, todo))
  }
  const { deferredPayment, serviceOrder = remote.order } = order ?? {}
  if (looked && (deferredPayment !== undefined || serviceOrder !== remote.order)) {
    const why = `the source names ${deferredPayment ?? serviceOrder}, but ${remote.id} was created for it on the service, and its buyer has not accepted a plan of that`
    const todo = "remove the identifier in the source, or cancel the order there and ask the buyer to order again"
    attentions.push(orderAttention(facts, "O6", why, todo))
  }
  return {
    calls,
    attention: attentions,
    reason: "O5: its buyer has not accepted a plan yet",
    waits: true
  }
}
