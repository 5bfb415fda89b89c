/**
 * Orders of a shop that the service does not know: who ordered and where it goes is read from the shop, the buyer, the
 * order and an offer are brought to the service, and once the buyer has taken a plan, the parcel is captured.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Shopify from "../../../connectors/shopify/Sample.ts"
import { shopOf } from "../../../connectors/shopify/SampleShop.ts"
import * as Woo from "../../../connectors/woocommerce/Sample.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import { planning as plain } from "../../support/Documents.ts"
import { ask, inWorld } from "../../sync/InWorld.ts"
import { booked } from "../../sync/Shop.ts"
import { orderOf, read, subjectOf, sync } from "./World.ts"

type Json = Readonly<Record<string, unknown>>

const planning: Planning = { ...plain, orders: { create: { category: "/home", tax_rate: "20" } } }

const shopifys = () => {
  const quay = {
    name: "Ann Lee",
    company: "Corner Bakery Ltd",
    address1: "4 Quay Street",
    address2: null,
    city: "Bristol",
    zip: "BS1 4DJ",
    countryCodeV2: "GB"
  }
  const taxes = (amount: string) => [{ priceSet: Shopify.set(amount, "GBP"), ratePercentage: 20 }]
  return shopOf([
    Shopify.order("1042", "GBP", "72.00", {
      customAttributes: [{ key: "company", value: "co-1000" }],
      taxesIncluded: false,
      email: "ann@example.com",
      phone: null,
      customer: { id: Shopify.gid("Customer", "7"), displayName: "Ann Lee", createdAt: "2024-05-01T09:00:00Z" },
      purchasingEntity: {
        company: { id: Shopify.gid("Company", "8"), name: "Corner Bakery Ltd", createdAt: "2024-06-01T09:00:00Z" }
      },
      billingAddress: quay,
      shippingAddress: { ...quay, name: "Back door" },
      lineItems: [
        { ...Shopify.line("1", "Chair", 4, "50.00", "GBP"), sku: "CH-4", vendor: "Harbour", taxLines: taxes("10.00") }
      ],
      shippingLines: [{ ...Shopify.shipping("4", "10.00", "GBP"), taxLines: taxes("2.00") }],
      fulfillments: [Shopify.parcel("11", "2026-03-02T10:00:00Z", { "1": 4 })]
    })
  ])
}

const woocommerces = () => {
  const quay = {
    first_name: "Ann",
    last_name: "Lee",
    company: "Corner Bakery Ltd",
    address_1: "4 Quay Street",
    address_2: "",
    city: "Bristol",
    postcode: "BS1 4DJ",
    country: "GB"
  }
  const taxes = (total: string) => ({ taxes: [{ id: 75, total }] })
  return Woo.shopOf(
    [
      Woo.order(1042, "processing", "GBP", "72.00", {
        meta_data: [{ id: 1, key: "company", value: "co-1000" }],
        customer_id: 8,
        billing: { ...quay, email: "ann@example.com", phone: "" },
        shipping: { ...quay, first_name: "Back", last_name: "door" },
        line_items: [{ ...Woo.line(1, "Chair", 4, "50.00", "10.00"), sku: "CH-4", ...taxes("10.00") }],
        shipping_lines: [{ ...Woo.shipping(4, "10.00", "2.00"), ...taxes("2.00") }],
        tax_lines: [{ id: 1, rate_id: 75, rate_percent: 20 }]
      })
    ],
    {}
  )
}

for (const [name, subject, make] of [
  ["Shopify", Shopify.subject, shopifys],
  ["WooCommerce", Woo.subject, woocommerces]
] as const) {
  describe(`an order on ${name} that the service does not know`, () => {
    it("says nothing about people unless it is asked to", async () => {
      const order = await orderOf(subjectOf(subject, make()))
      assert.notInclude(
        JSON.stringify(order, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
        "Ann"
      )
      const { asked } = await read(subjectOf(subject, make()))
      assert.isFalse(asked.some(({ body }) => /email|billingAddress/.test(body)))
      const whole = await orderOf(subjectOf(subject, make(), { buyers: {} }))
      assert.deepInclude(whole.buyer, { id: "8", name: "Corner Bakery Ltd", contact: "Ann Lee", country: "GB" })
      assert.deepInclude(whole.delivery, { name: "Back door", line1: "4 Quay Street", postcode: "BS1 4DJ" })
      assert.deepStrictEqual(
        whole.lines.map(({ sku, tax }) => [sku, tax]),
        [
          ["CH-4", "20"],
          [undefined, "20"]
        ]
      )
    })

    it(
      "is created there with its buyer, and captured once the buyer has taken a plan",
      inWorld({}, async (world) => {
        const source = make()
        const shop = subjectOf(subject, source, { buyers: {} })
        await sync(world, shop, { planning })
        const [made] = [...world.service.order.values()]
        assert.deepInclude(made, { currency: "GBP", total_amount: 7200 })
        const items = made!["items"] as ReadonlyArray<Json>
        assert.deepStrictEqual(
          items.map(({ description, quantity, tax_amount, total_amount }) => [
            description,
            quantity,
            total_amount,
            tax_amount
          ]),
          [
            ["Chair", "4.000", 6000, 1200],
            [name === "Shopify" ? "Standard" : "Flat rate", "1.000", 1200, 240]
          ]
        )
        const [offer] = [...world.service.offer.values()] as ReadonlyArray<Json>
        const [plan] = offer!["offered_payment_plans"] as ReadonlyArray<Json>
        const taken = { status: "accepted" }
        const { id } = await ask(world, "POST", `/sandbox/offers/${offer!["id"]}/plans/${plan!["id"]}/accept`, taken)
        // Shopify's parcel has left already, and WooCommerce's order is completed now.
        const now = "2026-03-02T10:00:00"
        const changed = { status: "completed", date_completed_gmt: now, date_modified_gmt: now }
        if (name === "WooCommerce") Object.assign(source.lists["orders"]!.records[0], changed)
        await sync(world, shop, { planning })
        assert.deepStrictEqual(booked(world, String(id)), [["capture", 7200]])
      })
    )
  })
}
