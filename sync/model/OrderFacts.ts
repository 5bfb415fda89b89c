/** Everything that the books say about one order: the order, its parcels, cancellations and returns. */
import type { Order, OrderFact } from "../../connectors/Document.ts"

/** The order in the currency of its deferred payment, if the shop keeps it in that one, too. */
export const inCurrencyOf = (order: Order, payment: { readonly currency: string } | undefined): Order =>
  order.also === undefined || order.also.currency !== payment?.currency ? order : { ...order, ...order.also }

export interface OrderFacts {
  /** The order's key, `shop/order/1042`. */
  readonly key: string
  readonly connection: string
  /** Absent when parcels name an order that was never found in the source. */
  readonly order: Order | undefined
  /** It was deleted in the source. */
  readonly deleted: boolean
  /** It has its deferred payment together with this order, and is decided with it. */
  readonly head?: string
  /** The orders that are decided with this one, itself among them. */
  readonly parts?: ReadonlyArray<string>
  /** Its parcels are those of another connection (`orders.ships`). */
  readonly elsewhere?: true
  /** The source was not read to its end: the books may not have all facts of the order yet. */
  readonly unread?: boolean
  /** The kinds of facts of which any record of this connection is quarantined, for any order. */
  readonly unreadable?: ReadonlyArray<OrderFact["kind"]>
  /** The documents of this order whose latest record could not be read: what is known of them is outdated. */
  readonly outdated?: ReadonlyArray<string>
  readonly movements: ReadonlyArray<{ readonly key: string; readonly document: OrderFact }>
}
