/** Builds the calls that an order's plan consists of. */
import { Schema } from "effect"
import type { Order } from "../../connectors/Document.ts"
import { Minor } from "../../core/money/Codecs.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { CallOf, PostingCall, ReadingCall } from "../model/Call.ts"
import { authorised, isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { PlannedPosting } from "../model/DeferredPayment.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { beganAt, receivedBy } from "./OrderPlan.ts"
import { carriedNumber, namedPayments } from "./OrderScope.ts"
import { RULE } from "./PostingKinds.ts"
import { max } from "./WholeUnits.ts"

/** The exact JSON number for an amount; an amount without one is rejected. */
const toWire = Schema.encodeSync(Minor)

const about = (facts: OrderFacts) =>
  ({ kind: "order", subject: facts.key, fact: facts.key, destructive: false }) as const

export const taking = (
  facts: OrderFacts,
  remote: RemoteOrder,
  {
    payment = remote.id,
    reason,
    ...orderPosting
  }: PlannedPosting & { readonly reason: string; readonly payment?: string }
): PostingCall => ({
  ...about(facts),
  rule: RULE[orderPosting.taking],
  operation: `deferredPayments.${orderPosting.taking}`,
  params: { deferred_payment_id: payment },
  body: { amount: toWire(Decimal.fromInteger(BigInt(orderPosting.amount))) },
  orderPosting,
  destructive: orderPosting.taking !== "capture",
  reason
})

/** @param order_id the order's identifier on the service */
export const rename = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  order_id: string
): CallOf<"orders.update"> => ({
  ...about(facts),
  rule: "O4",
  operation: "orders.update",
  params: { order_id },
  body: { unique_id: order.number },
  reason: `its reference changed from ${remote.number} to ${order.number}`
})

/**
 * Reads the deferred payment: by its identifier, by its order's, or by the reference.
 *
 * @param anew ignores what was found before, and looks it up by what the source now says or by the order that was created
 */
export const look = (facts: OrderFacts, order: Order | undefined, remote?: RemoteOrder, anew = false): ReadingCall => {
  const first = remote === undefined || anew
  const carried = first && order !== undefined ? carriedNumber(order) : undefined
  const named = order === undefined || carriedNumber(order) !== undefined ? [] : namedPayments(order)
  const payment = first ? named[0] : isPaid(remote) ? remote.id : undefined
  const held = first ? [] : (remote.each ?? []).map(({ id }) => id)
  // What the source names in place of what is held is no further one.
  const also = [...new Set([...held, ...(payment !== undefined && named.includes(payment) ? named : [])])].filter(
    (id) => id !== payment
  )
  const created = remote?.created === undefined ? undefined : remote.order
  const onService = first ? (order?.serviceOrder ?? created) : (remote.order ?? order?.serviceOrder)
  const { offer, until: ended } = remote?.created ?? {}
  const ends = remote?.created !== undefined && offer === undefined && (order?.status !== "open" || facts.deleted)
  const until = offer?.until ?? (ends ? ended : undefined)
  const began = order === undefined ? undefined : `${max(beganAt(order), receivedBy(order))}`
  const reading = {
    ...about(facts),
    rule: "O5",
    lookup: {
      number: order?.number ?? remote?.number ?? "",
      currency: remote?.currency ?? order?.currency ?? "",
      total: remote === undefined ? (began ?? "0") : `${authorised(remote)}`,
      ...(began === undefined ? {} : { began }),
      ...(carried === undefined ? {} : { carried }),
      ...(also.length === 0 ? {} : { also }),
      ...(until === undefined ? {} : { until }),
      ...(ends ? { ends } : {})
    },
    reason: first ? "its deferred payment is not known yet" : "its deferred payment may have changed"
  } as const
  if (payment !== undefined)
    return { ...reading, operation: "deferredPayments.get", params: { deferred_payment_id: payment } }
  if (onService !== undefined) return { ...reading, operation: "orders.get", params: { order_id: onService } }
  return { ...reading, operation: "orders.list", params: {} }
}
