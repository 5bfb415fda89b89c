/** The calls that an order's plan consists of, as values. */
import type { Order } from "../../connectors/Document.ts"
import type { Call } from "../model/Call.ts"
import { authorised, isPaid, type OrderTold } from "../model/RemoteOrder.ts"
import type { Take } from "../model/DeferredPayment.ts"
import { Lines } from "./OrderAllocation.ts"
import type { OrderSubject } from "../model/OrderFacts.ts"
import { RULE } from "./PostingKinds.ts"

export const taking = (
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
  reduces: take.taking !== "capture",
  because
})

export const rename = (subject: OrderSubject, order: Order, told: OrderTold): Call => ({
  subject: subject.key,
  fact: subject.key,
  rule: "O4",
  operation: "orders.update",
  params: { order_id: told.order! },
  body: { unique_id: order.number },
  reduces: false,
  because: `its reference changed from ${told.number} to ${order.number}`
})

/**
 * Reads the deferred payment: by its identifier, by its order's, or by the reference.
 *
 * @param anew by what the source says it is, or the order that was created: what was found before is not what it was
 */
export const look = (subject: OrderSubject, order: Order | undefined, told?: OrderTold, anew = false): Call => {
  const first = told === undefined || anew
  const payment = first ? order?.deferredPayment : isPaid(told) ? told.remote : undefined
  const created = told?.created === undefined ? undefined : told.order
  const onService = first ? (order?.serviceOrder ?? created) : (told.order ?? order?.serviceOrder)
  const [operation, params] =
    payment !== undefined
      ? (["deferredPayments.get", { deferred_payment_id: payment }] as const)
      : onService !== undefined
        ? (["orders.get", { order_id: onService }] as const)
        : (["orders.list", {}] as const)
  const { offer, until: ended } = told?.created ?? {}
  const ends = told?.created !== undefined && offer === undefined && (order?.status !== "open" || subject.gone)
  const until = offer?.until ?? (ends ? ended : undefined)
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
      total: `${told === undefined ? total : authorised(told)}`,
      ...(until === undefined ? {} : { until }),
      ...(ends ? { ends } : {})
    },
    reduces: false,
    because: first ? "finds its deferred payment, and what of it is authorised" : "reads its deferred payment again"
  }
}
