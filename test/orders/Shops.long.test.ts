/**
 * The same attack on orders through the interfaces of Shopify and WooCommerce: the real command reads a shop behind a port,
 * as far as that shop can say what happened.
 */
import { describe } from "@effect/vitest"
import { ALONE } from "./Alone.ts"
import { FRONTS } from "./Fronts.ts"
import { SHOPIFY_CAN } from "./ShopifyFront.ts"
import { cases, keysOf, useProgram } from "./Suite.ts"
import { WOO_CAN } from "./WooFront.ts"

/** Of those with a desk of their own, the ones that depend on what a shop's orders look like. */
const alone = ALONE.filter(({ item }) => ["7a", "11", "16"].includes(item))
const keyOf = (shop: string) => `sk-${shop}`
const program = useProgram(Object.keys(FRONTS).flatMap((shop) => keysOf({ key: keyOf(shop), alone })))

for (const [shop, can] of [
  ["shopify", SHOPIFY_CAN],
  ["woocommerce", WOO_CAN]
] as const)
  describe(`orders of ${shop}`, () => cases({ key: keyOf(shop), program, front: FRONTS[shop]!, alone }, { can }))
