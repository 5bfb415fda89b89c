/** Medusa: refunds that move no order, edits that the order forgets, and amounts with more places than the currency. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/medusa/Sample.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"

type Ran = Awaited<ReturnType<typeof run>>

const open = () => {
  const stage = subject.open()
  const { changes, orders } = stage.source!.lists
  return { stage, changes: changes!.records, orders: orders!.records }
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
    assert.deepStrictEqual(news(second, books), ["return/order_B/refund-ref_x"])
    const asked = second.asked.map(({ path }) => path).filter((path) => path !== "/admin/orders")
    assert.deepStrictEqual(asked, ["/admin/orders/order_B"])
    assert.deepStrictEqual(news(await next(stage, second), fold(second.pages, books)), [])
  })

  it("asks for the changes of an order only where it does not explain itself", async () => {
    const { orders, stage } = open()
    const changes = ({ asked }: Ran) => asked.filter(({ path }) => path.endsWith("/changes")).map(({ path }) => path)
    assert.deepStrictEqual(changes(await run(subject, stage)), ["/admin/orders/order_D/changes"])
    // An edit in place of a line of the same price: the total is what it was, and one version is not explained.
    orders[0].version = 2
    assert.include(changes(await run(subject, stage)), "/admin/orders/order_A/changes")
  })

  it("quarantines an order whose lines do not come to its total, or of which edits took several lines as a whole", async () => {
    const { changes, orders, stage } = open()
    orders[0].total = 90
    orders[5].status = "on_hold"
    const gone = { action: "ITEM_UPDATE", details: { reference_id: "ordli_other", quantity_diff: -1 } }
    changes[1].actions.push(...copy([gone]))
    assert.deepStrictEqual(quarantined(await run(subject, stage)), [
      "orders/order_A: the lines, shipping and credits differ by 10.8 from the order's total",
      "orders/order_D: edits took several lines off as a whole: what each cost is not in the order any more",
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
