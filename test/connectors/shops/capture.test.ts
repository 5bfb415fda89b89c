/** What makes an amount due in each shop: with `complete` nothing before the order is; what a shop does not know is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { onceComplete } from "../../../connectors/CaptureTrigger.ts"
import * as Document from "../../../connectors/Document.ts"
import type { Order, OrderState } from "../../../connectors/Document.ts"
import { bigcommerce } from "../../../connectors/bigcommerce/BigCommerce.ts"
import { medusa } from "../../../connectors/medusa/Medusa.ts"
import { prestashop } from "../../../connectors/prestashop/PrestaShop.ts"
import { shopify } from "../../../connectors/shopify/Shopify.ts"
import { shopware } from "../../../connectors/shopware/Shopware.ts"
import { vendure } from "../../../connectors/vendure/Vendure.ts"
import { woocommerce } from "../../../connectors/woocommerce/WooCommerce.ts"
import { line, order as sale, subject as odoo } from "../../../connectors/odoosales/Sample.ts"
import { subject as big } from "../../../connectors/bigcommerce/Sample.ts"
import type * as Json from "../../../connectors/Json.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { fold, run } from "../../../connectors/testing/index.ts"

const of = Decimal.of
const state = (more: Partial<OrderState>): OrderState => ({
  lines: [{ line: "1", left: of("2"), back: of("1"), still: of("1") }],
  total: of("30"),
  own: { given: 0n },
  others: { received: 0n, given: 0n },
  ...more
})
const order = (more: Partial<OrderState>): Order => ({
  ...{ kind: "order", id: "1", number: "1", status: "open", currency: "EUR", placed: "2026-01-01" as Order["placed"] },
  lines: [{ id: "1", type: "product", quantity: of("3"), gross: of("30") }],
  state: state(more)
})
const linesOf = (decoded: Json.Decoded) => {
  const [found] = decoded.documents
  return found?.kind === "order" ? found.state?.lines : undefined
}

describe("the trigger of a capture", () => {
  it("complete lets nothing count as left before the order is, and then what left", () => {
    const lines = [{ line: "1", left: 0n, back: 0n, still: of("2") }]
    assert.deepStrictEqual(linesOf(onceComplete({ documents: [order({})] })), lines)
    assert.deepStrictEqual(linesOf(onceComplete({ documents: [order({ end: "complete" })] })), state({}).lines)
    assert.deepStrictEqual(linesOf(onceComplete({ documents: [order({ end: "cancelled" })] })), state({}).lines)
  })

  it("says nothing of what left where the order's status does not say whether it is complete", () => {
    const lines = [{ line: "1", back: 0n, still: of("1") }]
    assert.deepStrictEqual(linesOf(onceComplete({ documents: [order({})] }, () => undefined)), lines)
  })

  it("is refused, with those that are known, where the shop does not know it", () => {
    for (const { name, settings } of [shopify, woocommerce, bigcommerce, medusa, vendure, shopware, prestashop]) {
      const decoded = Schema.decodeUnknownResult(settings as Schema.Codec<unknown>)(
        { capture: "invoice" },
        { errors: "all" }
      )
      assert.match(
        Result.isFailure(decoded) ? String(decoded.failure) : "",
        /knows "shipment" and "complete": it/i,
        name
      )
    }
  })

  it("complete is BigCommerce's own word: not its shipped, and after a refund nobody's", async () => {
    const left = async (capture: string, status_id: number) => {
      const stage = big.open()
      const { records } = stage.source!.lists["orders"]!
      Object.assign(records[0], { status_id })
      const its = { ...big, settings: { ...(big.settings as object), capture } }
      const read = fold((await run(its, stage)).pages).get(`order/${String(records[0].id)}`) ?? "{}"
      const { state } = JSON.parse(read) as {
        readonly state?: { readonly lines: ReadonlyArray<{ readonly left?: string }> }
      }
      return state?.lines.some(({ left = "0n" }) => left !== "0n")
    }
    assert.isTrue(await left("shipment", 2))
    assert.isFalse(await left("complete", 2))
    assert.isTrue(await left("complete", 10))
    assert.isFalse(await left("complete", 14))
  })

  it("invoice takes Odoo's posted invoices in place of parcels, services among them, and its credit notes for returns", async () => {
    const move = (id: number, move_type: string, more = {}) => ({
      ...{ id, state: "posted", move_type, invoice_date: "2026-02-03", ...more }
    })
    const invoiced = (quantity: number, price_total: number, move_id: object, product_uom_id = 1) => ({
      ...{ id: 9, quantity, price_total, product_uom_id, move_id }
    })
    const lines = [
      line(1, 3, 72, {
        invoice_lines: [
          invoiced(2, 48, move(81, "out_invoice")),
          invoiced(1, 20, move(83, "out_refund")),
          invoiced(1, 24, move(84, "out_invoice", { state: "draft" }))
        ]
      }),
      line(2, 1, 7.2, { product_type: "service", invoice_lines: [invoiced(1, 7.2, move(82, "out_invoice"))] })
    ]
    const stage = odoo.open()
    Object.assign(stage.source!.lists["orders"]!.records[0], sale(101, lines, { delivery_status: "full" }))
    const its = { ...odoo, settings: { ...(odoo.settings as object), capture: "invoice" } }
    const [first, ...facts] = [...fold((await run(its, stage)).pages)].flatMap(([key, text]) =>
      key.includes("/101") ? [Document.decode(text)] : []
    )
    assert.deepStrictEqual(first?.kind === "order" && [first.status, first.lines.map(({ type }) => type)], [
      "open",
      ["product", "product"]
    ])
    assert.deepStrictEqual(
      facts.map((one) => ("lines" in one ? [one.kind, one.id, one.lines, "amount" in one ? one.amount : 0n] : [])),
      [
        ["fulfilment", "101/invoice-81", [{ line: "1", quantity: of("2") }], 0n],
        ["fulfilment", "101/invoice-82", [{ line: "2", quantity: of("1") }], 0n],
        ["return", "101/credit-83", [{ line: "1", quantity: of("1") }], of("20")]
      ]
    )
  })
})
