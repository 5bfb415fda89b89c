/** Odoo's sales orders: how they are requested, what transfers say that cannot be used, and an order that is none any more. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/odoosales/Sample.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

type Ran = Awaited<ReturnType<typeof run>>

const open = () => {
  const stage = subject.open()
  return { stage, orders: stage.source!.lists["orders"]! }
}

const next = (stage: ReturnType<typeof subject.open>, before: Ran) =>
  run(subject, stage, { after: bookmark(subject.connector, before.pages.at(-1)!) })

const domains = ({ asked }: Ran) => asked.map(({ body }) => (JSON.parse(body) as { domain: Array<unknown> }).domain)

describe("Odoo's sales orders", () => {
  it("are requested behind the last id, and later by the times of all that belongs to them", async () => {
    const { stage } = open()
    const first = await run(subject, stage)
    const confirmed = ["state", "in", ["sale", "cancel"]]
    assert.deepStrictEqual(domains(first).slice(0, 2), [[confirmed], [confirmed, ["id", ">", 102]]])
    const [domain] = domains(await next(stage, first)) as [Array<unknown>]
    assert.deepStrictEqual(domain.slice(0, 3), ["|", "|", "|"])
    const conditions = domain.slice(3) as ReadonlyArray<readonly [string, string, string]>
    assert.deepStrictEqual(
      conditions.map(([field]) => field),
      ["write_date", "order_line.write_date", "picking_ids.write_date", "picking_ids.move_ids.write_date"]
    )
    for (const [, operator, since] of conditions) {
      assert.strictEqual(operator, ">=")
      assert.match(since, /^2026-02-28 \d\d:\d\d:\d\d$/)
    }
  })

  it("that become quotations again are deleted, with what had left", async () => {
    const { orders, stage } = open()
    const first = await run(subject, stage)
    assert.isTrue(fold(first.pages).has("order/105"))
    orders.records[4].state = "draft"
    orders.stamp!(orders.records[4], Date.parse("2026-03-01T12:30:00Z"))
    const later = await next(stage, first)
    assert.isFalse(fold([...first.pages, ...later.pages]).has("order/105"))
  })

  it("are quarantined where a transfer does not say how much of a line left", async () => {
    const { orders, stage } = open()
    const { records } = orders
    records[0].picking_ids[0].move_ids[0].product_uom = 2
    records[1].picking_ids[0].move_ids[0].product_id = 999
    records[3].picking_ids = [{ ...records[1].picking_ids[0], id: 70 }]
    const { pages } = await run(subject, stage)
    const quarantined = pages.flatMap((page) => page.quarantined).map(({ origin, why }) => `${origin}: ${why}`)
    assert.sameMembers(quarantined, [
      "orders/101: WH/OUT/61 counts in another unit than the order; set stock.propagate_uom to 1",
      "orders/102: WH/OUT/66 lists the parts of a kit, so it is unknown how many kits left",
      "orders/104: WH/OUT/66 is of line 21, which the order does not have"
    ])
  })

  it("have returns only of goods that are refunded", async () => {
    const { orders, stage } = open()
    for (const move of orders.records[0].picking_ids.flatMap((one: { move_ids: Array<unknown> }) => one.move_ids))
      move.to_refund = false
    const books = fold((await run(subject, stage)).pages)
    assert.deepStrictEqual(
      [...books.keys()].filter((name) => name.startsWith("return/")),
      []
    )
  })
})
