/** Decides which orders are sent to the service, and which are created there, by the connection's settings. */
import type { Order } from "../../connectors/Document.ts"
import type { Planning } from "../model/Connection.ts"

/** Why an order is not sent, or undefined. */
export const outOfScope = (order: Order, planning: Planning): string | undefined => {
  const { currency, placed } = order
  const { scope = {} } = planning
  if (scope.issued_after !== undefined && placed < scope.issued_after) {
    return `T1: placed ${placed}, before the scope begins (${scope.issued_after})`
  }
  if (scope.issued_before !== undefined && placed > scope.issued_before) {
    return `T1: placed ${placed}, after the scope ends (${scope.issued_before})`
  }
  if (scope.currencies !== undefined && !scope.currencies.includes(currency)) {
    return `T1: its currency ${currency} is not in the scope (${scope.currencies.join(", ")})`
  }
  return foreign(order) ?? filtered(order, planning)
}

/** Identifiers of the service; a shop holds those of every payment method in the same place. */
const OURS = /^(defpay|order)-/

/**
 * What may be a deferred payment's public number, in place of its identifier: the service's Magento plugin keeps it as the
 * payment's last transaction, and after a capture, refund or void with the time behind it. Assumption: capitals and digits.
 */
const NUMBER = /^([A-Z0-9]{6,12})(?:-\d{9,})?$/

/** The deferred payments that an order names: a dearer exchange may have one of its own. The first authorised comes first. */
export const namedPayments = ({ deferredPayment = "" }: Pick<Order, "deferredPayment">): ReadonlyArray<string> =>
  deferredPayment.split(/[\s,;]+/).filter((one) => one !== "")

/** The public number of a deferred payment that an order carries, if it carries one. */
export const carriedNumber = ({ deferredPayment = "" }: Order): string | undefined => NUMBER.exec(deferredPayment)?.[1]

/** Why an order belongs to somebody else: it is paid by another method, or carries another's identifier. */
const foreign = (order: Order): string | undefined => {
  const { deferredPayment, methods = [], otherwise } = order
  if (otherwise === true) return `T1: it is paid by ${methods.join(", ")}, which is not the deferred payment's method`
  return deferredPayment === undefined || OURS.test(deferredPayment) || carriedNumber(order) !== undefined
    ? undefined
    : `T1: it carries ${JSON.stringify(deferredPayment.slice(0, 60))}, which is not an identifier of the service`
}

/** Why the connection's settings leave an order out. What the source does not say is not left out. */
const filtered = (order: Order, { orders = {} }: Planning): string | undefined => {
  const { channels, methods, statuses, stores } = orders.only ?? {}
  const out = (what: string, all: ReadonlyArray<string> | undefined, its: ReadonlyArray<string> | undefined) =>
    all === undefined || its === undefined || its.some((one) => all.includes(one))
      ? []
      : [`T1: its ${what} ${its.join(", ")} is not one of ${all.join(", ")} (orders.only)`]
  const one = (text: string | undefined) => (text === undefined ? undefined : [text])
  const [why] = [
    ...out("store", stores, one(order.store)),
    ...out("channel", channels, one(order.channel)),
    ...out("payment method", methods, order.methods),
    ...out("status", statuses, one(order.said))
  ]
  return why
}

/** Whether the order has an identifier by which it can be found on the service. */
export const isLinked = ({ deferredPayment, serviceOrder }: Order): boolean =>
  deferredPayment !== undefined || serviceOrder !== undefined

/** Whether this connection should create it. A closed or cancelled order needs no checkout any more. */
export const toBeCreated = (order: Order, planning: Planning): boolean =>
  planning.orders?.create !== undefined &&
  !isLinked(order) &&
  order.status === "open" &&
  order.payment !== "failed" &&
  outOfScope(order, planning) === undefined
