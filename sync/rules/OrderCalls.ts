/** The calls that an order's plan consists of, as values. */
import type { Order } from "../../connectors/Document.ts"
import type { Call } from "../model/Call.ts"
import { authorised, isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { PlannedPosting } from "../model/DeferredPayment.ts"
import { Lines } from "./OrderAllocation.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { RULE } from "./PostingKinds.ts"

export const taking = (
  facts: OrderFacts,
  remote: RemoteOrder,
  { reason, ...take }: PlannedPosting & { readonly reason: string }
): Call => ({
  subject: facts.key,
  fact: take.fact,
  rule: RULE[take.taking],
  operation: `deferredPayments.${take.taking}`,
  params: { deferred_payment_id: remote.id },
  body: { amount: JSON.parse(take.amount) as number },
  take,
  destructive: take.taking !== "capture",
  reason
})

export const rename = (facts: OrderFacts, order: Order, remote: RemoteOrder): Call => ({
  subject: facts.key,
  fact: facts.key,
  rule: "O4",
  operation: "orders.update",
  params: { order_id: remote.order! },
  body: { unique_id: order.number },
  destructive: false,
  reason: `its reference changed from ${remote.number} to ${order.number}`
})

/**
 * Reads the deferred payment: by its identifier, by its order's, or by the reference.
 *
 * @param anew by what the source says it is, or the order that was created: what was found before is not what it was
 */
export const look = (facts: OrderFacts, order: Order | undefined, remote?: RemoteOrder, anew = false): Call => {
  const first = remote === undefined || anew
  const payment = first ? order?.deferredPayment : isPaid(remote) ? remote.id : undefined
  const created = remote?.created === undefined ? undefined : remote.order
  const onService = first ? (order?.serviceOrder ?? created) : (remote.order ?? order?.serviceOrder)
  const [operation, params] =
    payment !== undefined
      ? (["deferredPayments.get", { deferred_payment_id: payment }] as const)
      : onService !== undefined
        ? (["orders.get", { order_id: onService }] as const)
        : (["orders.list", {}] as const)
  const { offer, until: ended } = remote?.created ?? {}
  const ends = remote?.created !== undefined && offer === undefined && (order?.status !== "open" || facts.deleted)
  const until = offer?.until ?? (ends ? ended : undefined)
  const total = order === undefined ? 0n : new Lines(order, {}).total
  return {
    subject: facts.key,
    fact: facts.key,
    rule: "O5",
    operation,
    params,
    looks: {
      number: order?.number ?? remote?.number ?? "",
      currency: remote?.currency ?? order?.currency ?? "",
      total: `${remote === undefined ? total : authorised(remote)}`,
      ...(until === undefined ? {} : { until }),
      ...(ends ? { ends } : {})
    },
    destructive: false,
    reason: first ? "its deferred payment is not known yet" : "its deferred payment may have changed"
  }
}
