/** What a line costs the buyer in the arithmetic of three shops. */
import type { Random } from "./Random.ts"
import type { Minor } from "./Numbers.ts"

export type Kind = "shopify" | "magento" | "woo"
export type Price = (quantity: number) => Minor

/** What a line costs the buyer in each shop's arithmetic: price, discount, tax. */
export const arithmetic =
  (kind: Kind, r: Random): Price =>
  (quantity) => {
    const price = 1 + r.below(9999)
    const rate = r.pick([0, 0.07, 0.19, 0.2, 0.25, 0.055])
    const off = r.chance(0.4) ? r.below(Math.floor(price * quantity * 0.5) + 1) : 0
    // Magento: the tax of one unit is rounded, the discount is before tax; Shopify: the tax of the line, after its discounts;
    // WooCommerce: line and tax have four places, and are rounded apart.
    if (kind === "magento") return Math.max(0, quantity * Math.round(price * (1 + rate)) - Math.round(off * (1 + rate)))
    if (kind === "shopify") return price * quantity - off + Math.round((price * quantity - off) * rate)
    return Math.round(price * quantity - off) + Math.round(Math.round((price * quantity - off) * rate * 100) / 100)
  }
