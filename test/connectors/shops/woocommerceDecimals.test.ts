/** WooCommerce in a shop that shows more decimals than its currency has. */
import { assert, it } from "@effect/vitest"
import { of } from "../../../core/money/Decimal.ts"
import { line, order, shopOf, subject } from "../../../connectors/woocommerce/Sample.ts"
import { orderOf, subjectOf } from "./World.ts"

it("An order of WooCommerce's is read with as many decimals as the shop shows", async () => {
  const lines = [line(11, "Chair", 1, "16.5276", "3.1402"), line(12, "Lamp", 1, "4.2538", "0.8075")]
  const shop = shopOf([order(1, "processing", "EUR", "24.7291", { line_items: lines })], {})
  const { lines: found, state } = await orderOf(subjectOf(subject, shop, {}))
  assert.deepStrictEqual([state?.total, ...found.map(({ gross }) => gross)], ["24.73", "19.67", "5.06"].map(of))
})
