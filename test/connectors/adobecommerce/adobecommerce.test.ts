/** Adobe Commerce: an order that is shipped and refunded in part, each told once; and what cannot be told is quarantined. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/adobecommerce/Sample.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"

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
    assert.deepStrictEqual(news(shipped, books), ["fulfilment/68"])
    const after = fold(shipped.pages, books)
    const memo = { entity_id: 78, order_id: 1, state: 2, created_at: "2026-03-02 09:00:00", grand_total: 20 }
    memos.push(...copy([{ ...memo, items: [{ ...item, row_total_incl_tax: 20, discount_amount: 0 }] }]))
    change("2026-03-02T09:00:00Z")
    const back = await next(shipped)
    assert.deepStrictEqual(news(back, after), ["return/78"])
    assert.deepStrictEqual(news(await next(back), fold(back.pages, after)), [])
  })

  it("quarantines an order whose bundle is shipped in parts, and a state that is not known", async () => {
    const { orders, shipments, stage } = open()
    shipments[1].items.splice(0, 1)
    orders.records[4].state = "fraud"
    assert.deepStrictEqual(quarantined(await run(subject, stage)), [
      "orders/2: lists only parts of a bundle, so it is unknown how much of the order was shipped",
      'orders/5: "fraud" is not a known state'
    ])
  })
})
