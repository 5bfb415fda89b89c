/** Medusa: refunds that move no order, what became of its lines, and amounts with more places than the currency. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/medusa/Sample.ts"
import * as Document from "../../../connectors/Document.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"
import { of } from "../../../core/money/Decimal.ts"

type Ran = Awaited<ReturnType<typeof run>>

const open = () => {
  const stage = subject.open()
  const { orders } = stage.source!.lists
  return { stage, orders: orders!.records }
}

const next = (stage: ReturnType<typeof subject.open>, before: Ran) =>
  run(subject, stage, { after: bookmark(subject.connector, before.pages.at(-1)!) })

const news = (ran: Ran, known: ReadonlyMap<string, string>) =>
  [...fold(ran.pages)].flatMap(([name, text]) => (known.get(name) === text ? [] : [name])).sort()

const quarantined = ({ pages }: Ran) =>
  pages.flatMap((page) => page.quarantined).map(({ origin, why }) => `${origin}: ${why}`)

const AT = "2026-03-01T12:30:00.000Z"

describe("medusa", () => {
  it("finds a refund that moves no order, and reads no other again", async () => {
    const { orders, stage } = open()
    const first = await run(subject, stage)
    const books = fold(first.pages)
    orders[1].payment_collections[0].payments[0].refunds.push(...copy([{ id: "ref_x", amount: 3, created_at: AT }]))
    const second = await next(stage, first)
    assert.deepStrictEqual(news(second, books), ["order/order_B"])
    const asked = second.asked.map(({ path }) => path).filter((path) => path !== "/admin/orders")
    assert.deepStrictEqual(asked, ["/admin/orders/order_B"])
    assert.deepStrictEqual(news(await next(stage, second), fold(second.pages, books)), [])
  })

  it("stands as its lines' details say, whatever edits and exchanges came before", async () => {
    const { orders, stage } = open()
    orders[0].items[0].detail = { shipped_quantity: 3, return_received_quantity: 1, return_dismissed_quantity: 1 }
    const order = Document.decode(fold((await run(subject, stage)).pages).get("order/order_A") ?? "")
    assert.deepStrictEqual(order.kind === "order" && order.state?.lines, [
      { line: "ordli_a", left: of("3"), back: of("2"), still: 0n }
    ])
  })

  it("quarantines an order whose lines do not come to its total, and a status that is not known", async () => {
    const { orders, stage } = open()
    orders[0].total = 90
    orders[5].status = "on_hold"
    assert.deepStrictEqual(quarantined(await run(subject, stage)), [
      "orders/order_A: its lines, deliveries and credits come to 79.20 EUR, and it says 90.00 EUR; correct one of both in the source",
      'orders/order_E: "on_hold" is not a known status'
    ])
  })

  it("rounds an amount that has more places than its currency, and holds the total against that", async () => {
    const { orders, stage } = open()
    orders[0].items[0].total = 71.999999999996
    const books = fold((await run(subject, stage)).pages)
    assert.include(books.get("order/order_A"), '"gross":"7200000000n"')
  })

  it("takes the identifier of the deferred payment from a payment's data, where it is told to", async () => {
    const settings = { ...(subject.settings as object), deferred_payment: "payment.reference" }
    const { stage } = open()
    const books = fold((await run({ ...subject, settings }, stage)).pages)
    assert.include(books.get("order/order_A"), '"deferredPayment":"ref-A"')
  })
})
