/** Adobe Commerce: an order that is shipped and refunded in part; bundles, triggers of a capture and currencies. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/adobecommerce/Sample.ts"
import * as Body from "../../../sync/state/Body.ts"
import * as Document from "../../../connectors/Document.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"
import type { Record } from "../../../connectors/testing/Simulator.ts"
import { of } from "../../../core/money/Decimal.ts"

const open = () => {
  const stage = subject.open()
  const { creditmemos, orders, shipments } = stage.source!.lists
  return { stage, orders: orders!, memos: creditmemos!.records, shipments: shipments!.records }
}

type Ran = Awaited<ReturnType<typeof run>>

const quarantined = ({ pages }: Ran) =>
  pages.flatMap((page) => page.quarantined).map(({ origin, why }) => `${origin}: ${why}`)

describe("adobecommerce", () => {
  it("tells an order, a parcel of it and a credit memo of a part, each once", async () => {
    const { memos, orders, shipments, stage } = open()
    const next = (before: Ran) => run(subject, stage, { after: bookmark(subject.connector, before.pages.at(-1)!) })
    const news = (ran: Ran, known: ReadonlyMap<string, string>) =>
      [...fold(ran.pages)].flatMap(([name, text]) => (known.get(name) === text ? [] : [name])).sort()
    const first = await run(subject, stage)
    const books = fold(first.pages)
    const change = (millis: string) => orders.stamp!(orders.records[0], Date.parse(millis))
    const item = { order_item_id: 11, qty: 1 }
    shipments.push(...copy([{ entity_id: 68, order_id: 1, created_at: "2026-03-01 12:10:00", items: [item] }]))
    change("2026-03-01T12:10:00Z")
    const shipped = await next(first)
    assert.deepStrictEqual(news(shipped, books), ["fulfilment/68", "order/1"])
    const after = fold(shipped.pages, books)
    const memo = { entity_id: 78, order_id: 1, state: 2, created_at: "2026-03-02 09:00:00", grand_total: 20 }
    memos.push(...copy([{ ...memo, items: [{ ...item, row_total_incl_tax: 20, discount_amount: 0 }] }]))
    change("2026-03-02T09:00:00Z")
    const back = await next(shipped)
    assert.deepStrictEqual(news(back, after), ["order/1"])
    assert.deepStrictEqual(news(await next(back), fold(back.pages, after)), [])
  })

  it("counts a bundle that is shipped in parts by all of its parts, and says so of a state that it does not know", async () => {
    const { orders, shipments, stage } = open()
    shipments[1].items.splice(0, 1)
    orders.records[4].state = "fraud"
    const ran = await run(subject, stage)
    assert.deepStrictEqual(quarantined(ran), [])
    const order = Document.decode(fold(ran.pages).get("order/2") ?? "")
    assert.deepStrictEqual(order.kind === "order" && order.state?.lines[0]?.left, of("1"))
    assert.match(
      ran.pages.flatMap(({ notices = [] }) => notices.map(({ what }) => what)).join(),
      /its state "fraud" is not one/
    )
  })

  it("prices an item without its own discount, as the shop adds it up; other discounts are the order's", async () => {
    const lines = async (more: object) => {
      const { orders, stage } = open()
      Object.assign(orders.records[0].items[0], more)
      orders.records[0].grand_total = 59
      const order = Document.decode(fold((await run(subject, stage)).pages).get("order/1") ?? "")
      return order.kind === "order" ? order.lines.map(({ gross, type }) => [type, gross]) : []
    }
    const taxed = { row_total: 50, discount_amount: 5, tax_amount: 9, discount_tax_compensation_amount: 0 }
    assert.deepStrictEqual(await lines(taxed), [
      ["product", of("54")],
      ["shipping", of("5")]
    ])
    assert.deepStrictEqual(await lines({ row_total: 50, tax_amount: 10 }), [
      ["product", of("60")],
      ["shipping", of("5")],
      ["discount", of("-6")]
    ])
  })

  it("captures by invoice, or once the order is complete, where the setting says so", async () => {
    const left = async (capture: string, change: (order: Record) => void) => {
      const { orders, stage } = open()
      change(orders.records[0])
      const its = { ...subject, settings: { ...(subject.settings as object), capture } }
      const order = Document.decode(fold((await run(its, stage)).pages).get("order/1") ?? "")
      return order.kind === "order" ? order.state?.lines[0]?.left : undefined
    }
    const invoiced = (order: Record) => Object.assign(order.items[0], { qty_invoiced: 3 })
    assert.strictEqual(await left("shipment", invoiced), of("2"))
    assert.strictEqual(await left("invoice", invoiced), of("3"))
    assert.strictEqual(await left("complete", invoiced), 0n)
    assert.strictEqual(await left("complete", (order) => Object.assign(order, { state: "complete" })), of("2"))
  })

  it("states both currencies where the buyer's is not the store's own", async () => {
    const { orders, stage } = open()
    const base = { base_currency_code: "USD", base_grand_total: 70, base_shipping_incl_tax: 5 }
    Object.assign(orders.records[0], base)
    orders.records[0].items[0].base_row_total_incl_tax = 65
    const order = Document.decode(fold((await run(subject, stage)).pages).get("order/1") ?? "")
    assert.strictEqual(order.kind === "order" && order.also?.currency, "USD")
    assert.strictEqual(order.kind === "order" && order.also?.state?.total, of("70"))
    assert.deepStrictEqual(order.kind === "order" && order.also?.lines.map(({ gross }) => gross), [of("65"), of("5")])
    assert.deepStrictEqual(Body.read(Body.write(order)), order)
  })

  it("is in the store's own currency where the setting says so, and its gateway's suffix is none of the identifier", async () => {
    const { orders, stage } = open()
    Object.assign(orders.records[0], {
      base_currency_code: "USD",
      base_grand_total: 70,
      base_shipping_incl_tax: 5,
      ext_order_id: "defpay-7f-capture"
    })
    orders.records[0].items[0].base_row_total_incl_tax = 65
    const its = { ...subject, settings: { ...(subject.settings as object), money: "base" } }
    const order = Document.decode(fold((await run(its, stage)).pages).get("order/1") ?? "")
    assert.deepInclude(order, { currency: "USD", deferredPayment: "defpay-7f" })
    assert.strictEqual(order.kind === "order" && order.state?.total, of("70"))
  })
})
