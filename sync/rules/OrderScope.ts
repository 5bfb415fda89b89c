/** Decides which orders are sent to the service, and which are created there, by the connection's settings. */
import type { Order } from "../../connectors/Document.ts"
import type { Planning } from "../model/Connection.ts"

/** Why an order is not sent, or undefined. */
export const outOfScope = ({ currency, placed }: Order, { scope = {} }: Planning): string | undefined => {
  if (scope.issued_after !== undefined && placed < scope.issued_after) {
    return `T1: placed ${placed}, before the scope begins (${scope.issued_after})`
  }
  if (scope.issued_before !== undefined && placed > scope.issued_before) {
    return `T1: placed ${placed}, after the scope ends (${scope.issued_before})`
  }
  if (scope.currencies !== undefined && !scope.currencies.includes(currency)) {
    return `T1: its currency ${currency} is not in the scope (${scope.currencies.join(", ")})`
  }
  return undefined
}

/** Whether the order has an identifier by which it can be found on the service. */
export const isLinked = ({ deferredPayment, serviceOrder }: Order): boolean =>
  deferredPayment !== undefined || serviceOrder !== undefined

/** Whether this connection should create it. A closed or cancelled order needs no checkout any more. */
export const toBeCreated = (order: Order, planning: Planning): boolean =>
  planning.orders?.create !== undefined &&
  !isLinked(order) &&
  order.status === "open" &&
  outOfScope(order, planning) === undefined
