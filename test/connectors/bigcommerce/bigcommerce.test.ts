/** BigCommerce: an order that is shipped and refunded in part, each told once; and what cannot be told is quarantined. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/bigcommerce/Sample.ts"
import * as Document from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Record } from "../../../connectors/testing/Simulator.ts"

const TIME = "Sun, 01 Mar 2026 12:30:00 +0000"

const open = () => {
  const stage = subject.open()
  const { orders, refunds, shipments } = stage.source!.lists
  return { stage, orders: orders!.records, refunds: refunds!.records, shipments: shipments!.records }
}

type Ran = Awaited<ReturnType<typeof run>>

const next = (stage: ReturnType<typeof subject.open>, before: Ran) =>
  run(subject, stage, { after: bookmark(subject.connector, before.pages.at(-1)!) })

/** What a reading brings that the books do not have. */
const news = (ran: Ran, known: ReadonlyMap<string, string>) =>
  [...fold(ran.pages)].flatMap(([name, text]) => (known.get(name) === text ? [] : [name])).sort()

const quarantined = ({ pages }: Ran) =>
  pages.flatMap((page) => page.quarantined).map(({ origin, why }) => `${origin}: ${why}`)

describe("bigcommerce", () => {
  it("tells an order, a parcel of it and a refund of a part, each once", async () => {
    const { orders, refunds, shipments, stage } = open()
    const first = await run(subject, stage)
    const books = fold(first.pages)
    const parcel = { ...shipments[0], id: 8, order_id: 101, date_created: TIME }
    shipments.push(...copy([{ ...parcel, items: [{ order_product_id: 1, quantity: 1 }] }]))
    Object.assign(orders[0], { items_shipped: 1, status_id: 3, date_modified: TIME })
    const shipped = await next(stage, first)
    assert.deepStrictEqual(news(shipped, books), ["fulfilment/101/8", "order/101"])
    const after = fold(shipped.pages, books)
    // A refund does not always mark its order as changed.
    const refund = { ...refunds[0], id: 15, order_id: 101, total_amount: 50, created: "2026-03-02T09:00:00+00:00" }
    refunds.push(...copy([{ ...refund, items: [{ item_type: "PRODUCT", item_id: 1, quantity: 1 }] }]))
    const back = await next(stage, shipped)
    assert.deepStrictEqual(news(back, after), ["order/101"])
    assert.deepStrictEqual(news(await next(stage, back), fold(back.pages, after)), [])
  })

  it("counts a download as left once it is paid, also where a refund took the place of the status", async () => {
    const { orders, refunds, stage } = open()
    const [download] = copy(orders[0].consignments.shipping[0].line_items)
    Object.assign(download as Record, { id: 9, quantity: 1, total_inc_tax: "0.0000" })
    orders[0].consignments.downloads = [{ line_items: [download] }]
    Object.assign(orders[0], { status_id: 14 })
    refunds.push({ ...copy([refunds[0]])[0], id: 15, order_id: 101, items: [] })
    const order = Document.decode(fold((await run(subject, stage)).pages).get("order/101") ?? "")
    const left = order.kind === "order" ? order.state?.lines.map((one) => [one.line, one.left, one.asBefore]) : []
    assert.sameDeepMembers(
      [...(left ?? [])],
      [
        ["1", undefined, true],
        ["9", Decimal.one, undefined]
      ]
    )
  })

  it("counts what a refund gave back by the method of each of its payments, and nothing that was declined", async () => {
    const given = async (change: (payment: Record) => void) => {
      const { refunds, stage } = open()
      change(refunds[0].payments[0])
      const order = Document.decode(fold((await run(subject, stage)).pages).get("order/102") ?? "")
      return order.kind === "order" ? [order.state?.own.given, order.state?.others.given] : []
    }
    const [own, others] = await given(() => undefined)
    assert.isTrue(own! > 0n && others === 0n)
    const [less] = await given((payment) => Object.assign(payment, { is_declined: true }))
    assert.isTrue(less! < own!)
    assert.deepStrictEqual(await given((payment) => Object.assign(payment, { provider_id: "storecredit" })), [
      less,
      own! - less!
    ])
  })

  it("reads a refund of nothing but tax as money that went back, and no goods", async () => {
    const { refunds, stage } = open()
    const before = Document.decode(fold((await run(subject, stage)).pages).get("order/101") ?? "")
    const [payment] = refunds[0].payments
    const tax = { ...refunds[0], id: 15, order_id: 101, total_amount: 4.5, payments: [{ ...payment, amount: 4.5 }] }
    refunds.push(...copy([{ ...tax, items: [{ item_type: "TAX", item_id: 101, quantity: 1, requested_amount: 4.5 }] }]))
    const ran = await run(subject, stage)
    assert.deepStrictEqual(quarantined(ran), [])
    const after = Document.decode(fold(ran.pages).get("order/101") ?? "")
    if (before.kind !== "order" || after.kind !== "order") return assert.fail("no order")
    assert.strictEqual(after.state!.own.given, before.state!.own.given + of("4.50"))
    assert.deepStrictEqual(after.state!.lines, before.state!.lines)
  })

  it("takes the rest as gone where a refund replaced the status, only if the whole was called shipped after its parcels", async () => {
    const still = async (date_shipped: string) => {
      const { orders, shipments, stage } = open()
      shipments.pop()
      Object.assign(orders[1], { date_shipped })
      const order = Document.decode(fold((await run(subject, stage)).pages).get("order/102") ?? "")
      return order.kind === "order" ? order.state!.lines[0]!.still : undefined
    }
    assert.isTrue((await still(""))! > 0n)
    assert.strictEqual(await still("Fri, 30 Jan 2026 17:22:08 +0000"), await still(""))
    assert.strictEqual(await still("Sat, 31 Jan 2026 10:00:00 +0000"), 0n)
  })

  it("quarantines a refund that does not say of which order it is", async () => {
    const { orders, refunds, stage } = open()
    const first = await run(subject, stage)
    Object.assign(orders[1], { date_modified: TIME })
    // As a source would answer that lists a refund among those of other orders.
    const own = stage.source!
    const answer: typeof own.answer = (asked, paging) => {
      const answered = own.answer(asked, paging)
      const text = JSON.stringify(answered).replaceAll(/"id":12,"order_id":102/g, '"id":12,"order_id":null')
      return JSON.parse(text) as typeof answered
    }
    assert.isAbove(refunds.length, 0)
    const ran = await run(
      subject,
      { ...stage, source: { ...own, answer } },
      { after: bookmark(subject.connector, first.pages.at(-1)!) }
    )
    assert.deepStrictEqual(quarantined(ran), ["refunds/12: does not name a record that was asked for"])
    assert.include([...fold(ran.pages, fold(first.pages)).keys()], "order/102")
  })

  it("quarantines an order whose shipments are not there, and reads the rest", async () => {
    const { stage } = open()
    const own = stage.source!
    const answer: typeof own.answer = (asked, paging) =>
      asked.path.endsWith("/102/shipments") ? { status: 404, body: [] } : own.answer(asked, paging)
    const ran = await run(subject, { ...stage, source: { ...own, answer } })
    assert.match(quarantined(ran).join(), /^orders\/102: is not there \(404\)/)
    assert.include([...fold(ran.pages).keys()], "order/105")
  })

  it("quarantines an order whose lines do not come to its total, and a status that is not known", async () => {
    const { orders, stage } = open()
    orders[0].total_inc_tax = "107.5000"
    orders[3].status_id = 99
    assert.deepStrictEqual(quarantined(await run(subject, stage)), [
      "orders/101: its lines and discounts come to 107.00 USD, and it says 107.50 USD; correct one of both in the source",
      'orders/104: "99" is not a known status'
    ])
  })
})
