/** The shops that a desk can read, by their connectors. */
import { shopifyFront } from "./ShopifyFront.ts"
import type { Storefront } from "./Storefront.ts"
import { wooFront } from "./WooFront.ts"

export const FRONTS: Readonly<Record<string, () => Promise<Storefront>>> = {
  shopify: shopifyFront,
  woocommerce: wooFront
}
