/** What shops say themselves that they gave back in all, which the statement of orders sets against the service. */
import { assert, describe, it } from "@effect/vitest"
import * as Shopify from "../../../connectors/shopify/Sample.ts"
import { shopOf } from "../../../connectors/shopify/SampleShop.ts"
import * as WooCommerce from "../../../connectors/woocommerce/Sample.ts"
import { of } from "../../../core/money/Decimal.ts"
import { orderOf, read, subjectOf } from "./World.ts"

describe("a shop's own totals", () => {
  const shopify = (restock: string, more: object = {}) =>
    orderOf(
      subjectOf(
        Shopify.subject,
        shopOf([
          Shopify.order("1", "GBP", "10.00", {
            lineItems: [Shopify.line("11", "Chair", 10, "10.00", "GBP")],
            fulfillments: [Shopify.parcel("21", "2026-02-05T08:00:00Z", { "11": 8 })],
            refunds: [Shopify.refund("31", "2026-02-15T08:00:00Z", "GBP", "2.00", { "11": 2 }, restock)],
            totalRefundedSet: Shopify.set("2.00", "GBP"),
            ...more
          })
        ]),
        {}
      )
    )

  it("Shopify: what was refunded, where all of it came back", async () => {
    assert.deepStrictEqual((await shopify("RETURN")).totals, { refunded: of("2.00") })
    // Units that never left are given up on the service, and not given back.
    assert.isUndefined((await shopify("CANCEL")).totals)
    assert.isUndefined((await shopify("RETURN", { totalRefundedSet: undefined })).totals)
  })

  const woo = async (refunds: WooCommerce.Refunds, status = "completed") => {
    const record = WooCommerce.order(1, status, "GBP", "10.00", {
      date_completed_gmt: "2026-02-05T09:00:00",
      line_items: [WooCommerce.line(11, "Chair", 10, "10.00")]
    })
    return (await read(subjectOf(WooCommerce.subject, WooCommerce.shopOf([record], refunds), {}))).documents
  }

  it("WooCommerce: what its order says was refunded", async () => {
    const [order] = await woo({ "1": [WooCommerce.refund(31, "2026-02-06T09:00:00", "2.00", { "11": [2, "2.00"] })] })
    assert.deepStrictEqual(order?.kind === "order" && order.totals, { refunded: of("2.00") })
    const [early] = await woo({ "1": [WooCommerce.refund(31, "2026-02-04T09:00:00", "2.00", { "11": [2, "2.00"] })] })
    assert.isUndefined(early?.kind === "order" && early.totals)
  })

  it("WooCommerce: a last refund of everything gives back what it says, where others were given before", async () => {
    const first = WooCommerce.refund(31, "2026-02-06T09:00:00", "1.00", { "11": [5, "5.00"] })
    const documents = await woo({ "1": [first, WooCommerce.refund(32, "2026-02-07T09:00:00", "9.00")] }, "refunded")
    const returns = documents.flatMap((one) => (one.kind === "return" ? [[one.id, one.amount]] : []))
    assert.deepStrictEqual(returns, [
      ["31", of("1.00")],
      ["32", of("9.00")]
    ])
  })
})
