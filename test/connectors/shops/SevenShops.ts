/** A story's order in the records of each of the seven shops. */
import { adobe, bigcommerce, shopify } from "./HostedShops.ts"
import { medusa, odoo, vendure, woocommerce } from "./OwnShops.ts"

export const SHOPS = {
  Shopify: shopify,
  "Adobe Commerce": adobe,
  WooCommerce: woocommerce,
  BigCommerce: bigcommerce,
  Medusa: medusa,
  Vendure: vendure,
  Odoo: odoo
}
