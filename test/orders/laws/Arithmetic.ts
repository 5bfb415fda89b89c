/** What a line costs the buyer in the arithmetic of three shops. */
import type { Dice } from "../../simulation/Dice.ts"
import type { Minor } from "./Numbers.ts"

export type Kind = "shopify" | "magento" | "woo"
export type Price = (quantity: number) => Minor

/** Where Magento rounds taxes (`tax/calculation/algorithm`): of each unit, of each row, or of the rows of a rate together. */
export const ROUNDINGS = ["unit", "row", "total"] as const
export type Rounding = (typeof ROUNDINGS)[number]

/**
 * What a line costs the buyer in each shop's arithmetic: price, discount, tax.
 *
 * @param carried by rate, what rounding has left over so far: of rows that are rounded together
 */
export const arithmetic =
  (kind: Kind, r: Dice, rounding: Rounding = "unit", carried: Map<number, number> = new Map()): Price =>
  (quantity) => {
    const price = 1 + r.below(9999)
    const rate = r.of([0, 0.07, 0.19, 0.2, 0.25, 0.055])!
    const off = r.chance(0.4) ? r.below(Math.floor(price * quantity * 0.5) + 1) : 0
    // Magento: the tax of one unit is rounded, the discount is before tax; Shopify: the tax of the line, after its discounts;
    // WooCommerce: line and tax have four places, and are rounded apart.
    if (kind === "magento" && rounding !== "unit") {
      // A row's tax, after its discount. What its rounding leaves over goes to the next row of its rate, where they are rounded together.
      const exact = (price * quantity - off) * rate + (rounding === "total" ? (carried.get(rate) ?? 0) : 0)
      carried.set(rate, exact - Math.round(exact))
      return Math.max(0, price * quantity - off + Math.round(exact))
    }
    if (kind === "magento") return Math.max(0, quantity * Math.round(price * (1 + rate)) - Math.round(off * (1 + rate)))
    if (kind === "shopify") return price * quantity - off + Math.round((price * quantity - off) * rate)
    return Math.round(price * quantity - off) + Math.round(Math.round((price * quantity - off) * rate * 100) / 100)
  }
