/**
 * A buyer and the orders that describe it: the input of the rule for buyers.
 */
import type { Order } from "../../connectors/Document.ts"

export interface BuyerFacts {
  /** `shop/buyer/B1` */
  readonly key: string
  readonly connection: string
  /** The orders that the source still has. */
  readonly orders: ReadonlyArray<Order>
}
