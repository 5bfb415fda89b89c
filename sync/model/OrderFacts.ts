/** Everything the books say about one order: the order, its parcels, what was cancelled and what came back. */
import type { Order, OrderFact } from "../../connectors/Document.ts"

export interface OrderFacts {
  /** The order's key, `shop/order/1042`. */
  readonly key: string
  readonly connection: string
  /** Absent when parcels name an order that the source has never stated. */
  readonly order: Order | undefined
  /** The source no longer has it. */
  readonly deleted: boolean
  /** Not all of the source was read: there may be facts of the order that the books do not have yet. */
  readonly unread?: boolean
  /** Kinds of facts of which a record of this connection is quarantined, of whichever order. */
  readonly unreadable?: ReadonlyArray<OrderFact["kind"]>
  /** Those of the order and its facts whose latest record could not be read: what is known of them is older. */
  readonly outdated?: ReadonlyArray<string>
  readonly movements: ReadonlyArray<{ readonly key: string; readonly document: OrderFact }>
  /** Facts of these for which another order's payment was captured, voided or refunded: the source moved them. */
  readonly elsewhere?: ReadonlyArray<{ readonly fact: string; readonly subject: string }>
}
