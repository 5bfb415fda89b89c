/**
 * Public samples of what shops send, where they are present beside this checkout: every order and refund in them becomes
 * documents, with every amount and day as it was written. Shopify's are of its older interface: the same records under
 * other names, so they are renamed, and nothing else.
 */
import { assert, describe, it } from "vitest"
import { existsSync, readFileSync } from "node:fs"
import type { Document, Order } from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import * as Shopify from "../../../connectors/shopify/Mapping.ts"
import * as Woo from "../../../connectors/woocommerce/Mapping.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"

const FOLDER = ["../shared/samples", "../../shared/samples"].find((path) => existsSync(path))

const load = (path: string): unknown => Json.parse(readFileSync(`${FOLDER}/${path}`, "utf8"))

/** Skips, and says so, where the samples are not there. */
const present = (skip: (why: string) => void): boolean => {
  if (FOLDER !== undefined) return true
  console.info("the public samples are not beside this checkout (../shared/samples): skipped")
  skip("the public samples are not here")
  return false
}

const total = ({ lines }: Order) => Decimal.sum(lines.map(({ gross }) => gross))

const orderOf = (documents: ReadonlyArray<Document>): Order => {
  const [first] = documents
  if (first?.kind !== "order") throw new Error("no order")
  return first
}

describe("public samples of shops", () => {
  it("of WooCommerce", ({ skip }) => {
    if (!present(skip)) return
    const decode = Woo.order({
      company: "company",
      carried: "deferred_payment",
      parcels: "parcels",
      shipped: ["completed"],
      statuses: {},
      methods: undefined
    })
    const read = (order: Json.Members, refunds: ReadonlyArray<unknown> = []) =>
      decode(new Json.Fields({ ...order, returns: refunds }))
    const files = [1, 2, 3, 4, 5, 6].map((n) => load(`woocommerce/examples/orders.${n}.http-request.json`))
    const records = files.flatMap((file) =>
      Json.isObject(file) && file["line_items"] === undefined
        ? Object.values(file).flatMap(Json.objects)
        : Json.objects([file].flat())
    )
    const seen = records.map((record) => {
      const { documents, notices } = read(record)
      const order = orderOf(documents)
      assert.deepStrictEqual(notices, [])
      assert.strictEqual(total(order), of(new Json.Fields(record).text("total")), `${order.id} comes to its total`)
      // Its taxes were rounded as one, and its lines' each.
      const rounding = order.lines.filter(({ id }) => id === "difference").map(({ gross }) => gross)
      assert.deepStrictEqual(rounding, order.id === "728" ? [of("-0.01")] : [])
      return `${order.id} ${order.status} ${order.placed} ${order.lines.length} ${documents
        .slice(1)
        .map(({ kind }) => kind)
        .join()}`
    })
    assert.deepStrictEqual([...new Set(seen)].sort(), [
      "723 closed 2017-03-21 3 fulfilment",
      "727 closed 2017-03-22 3 fulfilment",
      "727 open 2017-03-22 3 ",
      "728 open 2017-03-22 5 ",
      "729 open 2017-03-22 3 "
    ])
    const refunds = [1, 2, 3, 4].flatMap((n) =>
      Json.objects([load(`woocommerce/examples/order-refunds.${n}.http-request.json`)].flat())
    )
    const old = records.find((record) => new Json.Fields(record).text("id") === "723")!
    const given = refunds.map((refund) => orderOf(read(old, [refund]).documents).state!)
    assert.deepInclude(given[0]!.own, { given: of("10") })
    assert.sameMembers([...new Set(given.map(({ own }) => own.given))], [of("10"), of("9")])
    const back = given.flatMap(({ lines }) => lines.flatMap(({ back, line }) => (back === 0n ? [] : [[line, back]])))
    assert.deepInclude(back, ["311", of("1")])
  })

  it("of Shopify", ({ skip }) => {
    if (!present(skip)) return
    const gid = (type: string, id: unknown) => `gid://shopify/${type}/${JSON.stringify(id)}`
    const money = (amount: unknown, currency: unknown) => ({ presentmentMoney: { amount, currencyCode: currency } })
    const renamed = (order: Json.Members, refunds: ReadonlyArray<Json.Members> = []): Json.Fields => {
      const currency = order["currency"]
      const set = (amount: unknown) => money(amount ?? "0.00", currency)
      const price = (line: Json.Members) => {
        const each = of(new Json.Fields(line).text("price"))
        return Decimal.format(each * BigInt(new Json.Fields(line).text("quantity")))
      }
      const named = (parts: unknown, of: (part: Json.Members) => object) => Json.objects(parts).map(of)
      // Taxes stand on the order in this sample, and on lines in the newer interface.
      const taxes = (n: number) => (n === 0 ? named(order["tax_lines"], ({ price }) => ({ priceSet: set(price) })) : [])
      return new Json.Fields({
        id: order["admin_graphql_api_id"] ?? gid("Order", order["id"]),
        name: order["name"],
        createdAt: order["created_at"],
        cancelledAt: order["cancelled_at"],
        closedAt: order["closed_at"],
        taxesIncluded: order["taxes_included"],
        presentmentCurrencyCode: currency,
        totalPriceSet: set(order["total_price"]),
        lineItems: Json.objects(order["line_items"]).map((line, n) => ({
          id: gid("LineItem", line["id"]),
          name: line["name"],
          quantity: line["quantity"],
          originalTotalSet: set(price(line)),
          taxLines: taxes(n)
        })),
        shippingLines: named(order["shipping_lines"], (line) => ({
          id: gid("ShippingLine", line["code"]),
          originalPriceSet: set(line["price"])
        })),
        fulfillments: named(order["fulfillments"], (parcel) => ({
          id: gid("Fulfillment", parcel["id"]),
          status: String(parcel["status"]).toUpperCase(),
          createdAt: parcel["created_at"],
          fulfillmentLineItems: named(parcel["line_items"], (line) => ({
            quantity: line["quantity"],
            lineItem: { id: gid("LineItem", line["id"]) }
          }))
        })),
        refunds: refunds.map((refund) => ({
          id: gid("Refund", refund["id"]),
          createdAt: refund["created_at"],
          totalRefundedSet: set(new Json.Fields(Json.objects(refund["transactions"])[0] ?? {}).maybe("amount")),
          refundLineItems: named(refund["refund_line_items"], (part) => ({
            quantity: part["quantity"],
            subtotalSet: set(new Json.Fields(part).maybe("line_item.price")),
            restockType: refund["restock"] === true ? "LEGACY_RESTOCK" : "NO_RESTOCK",
            lineItem: { id: gid("LineItem", part["line_item_id"]) }
          }))
        }))
      })
    }
    const decode = Shopify.order({ company: undefined, methods: undefined, money: "presentment", carried: {} })
    const order = new Json.Fields(load("shopify/fixtures/order.json") as Json.Members).get("order") as Json.Members
    const refund = new Json.Fields(load("shopify/fixtures/refund.json") as Json.Members).get("refund") as Json.Members

    const { complete, documents } = decode(renamed(order))
    const one = orderOf(documents)
    assert.deepInclude(one, { id: "450789469", number: "#1001", status: "open", currency: "USD" })
    assert.strictEqual(one.placed, Day.of("2008-01-10"))
    // Three times 199.00 and their tax are 608.94, and the sample's total leaves one of them out.
    assert.deepStrictEqual(
      one.lines.map(({ gross, id, quantity }) => [id, quantity, gross]),
      [
        ["466157049", of("1"), of("210.94")],
        ["518995019", of("1"), of("199")],
        ["703073504", of("1"), of("199")],
        ["difference", of("1"), of("-199")]
      ]
    )
    assert.strictEqual(total(one), of("409.94"))
    // Its parcel never left.
    assert.deepStrictEqual([documents.length, complete], [1, one.id])

    const parcel = new Json.Fields(load("shopify/fixtures/fulfillment.json") as Json.Members).get(
      "fulfillment"
    ) as Json.Members
    const sent = { ...order, fulfillments: [{ ...parcel, status: "success" }] }
    const facts = decode(renamed(sent, [refund])).documents.slice(1)
    assert.deepStrictEqual(
      facts.map((fact) => ({ ...fact })),
      [
        {
          kind: "fulfilment",
          id: "255858046",
          order: "450789469",
          date: Day.of("2013-11-01"),
          currency: "USD",
          lines: [{ line: "466157049", quantity: of("1") }]
        }
      ]
    )
    for (const listed of Json.objects((load("shopify/fixtures/orders.json") as Json.Members)["orders"])) {
      assert.strictEqual(total(orderOf(decode(renamed(listed)).documents)), of("598.94"))
    }
  })
})
