/**
 * A buyer with the orders that say what it is: what the rule of buyers looks at.
 */
import type { Order } from "../../connectors/Document.ts"

export interface BuyerFacts {
  /** `shop/buyer/B1` */
  readonly key: string
  readonly connection: string
  /** Those that the source still has. */
  readonly orders: ReadonlyArray<Order>
}
