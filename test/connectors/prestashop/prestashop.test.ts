/** PrestaShop: what credit slips, shared references and unknown states mean, and whose changes are asked for. */
import { assert, describe, it } from "@effect/vitest"
import * as Document from "../../../connectors/Document.ts"
import { subject } from "../../../connectors/prestashop/Sample.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

type Lists = Readonly<Record<string, Array<Record<string, unknown>>>>

/** What is read of the fixtures after a change, with these settings. */
const read = async (change: (lists: Lists) => void, settings: object = {}) => {
  const stage = subject.open()
  change(Object.fromEntries(Object.entries(stage.source!.lists).map(([name, { records }]) => [name, records])))
  const its = { ...subject, settings: JSON.parse(JSON.stringify({ ...(subject.settings as object), ...settings })) }
  const { pages } = await run(its, stage, { bend: { size: 100 } })
  const order = (id: string) => {
    const one = Document.decode(fold(pages).get(`order/${id}`)!)
    return one.kind === "order" ? one : assert.fail("no order")
  }
  return { order, why: pages.flatMap(({ quarantined }) => quarantined.map(({ why }) => why)) }
}

describe("prestashop", () => {
  it("asks a person what a credit slip was, unless the settings say it", async () => {
    const refund = (await read(() => {})).order("1002").state!
    assert.deepStrictEqual([refund.own.given, refund.others.given, refund.unclear], [3_000_000_000n, 0n, undefined])
    const voucher = (await read(() => {}, { credit_slips: "voucher" })).order("1002").state!
    assert.deepStrictEqual([voucher.own.given, voucher.others.given, voucher.unclear], [0n, 3_000_000_000n, undefined])
    for (const more of [{}, { payment_method: ["Pay later"] }]) {
      const unsaid = (await read(() => {}, { credit_slips: undefined, ...more })).order("1002").state!
      assert.deepStrictEqual(unsaid.unclear, ["Pay later", "credit slip"])
    }
  })

  it("quarantines what two orders share, what nobody says, and states that it does not know", async () => {
    const shared = await read(({ order_payments }) => void (order_payments![0]!["order_reference"] = "REF1002"))
    assert.lengthOf(shared.why, 2)
    assert.match(shared.why[0]!, /other orders may have the same/)
    const refunded = await read(({ orders }) => void (orders![3]!["current_state"] = "7"))
    assert.match(refunded.why[0]!, /neither a credit slip nor a payment says how much/)
    const chosen = await read(({ order_slip }) => void (order_slip![0]!["amount"] = "12.000000"))
    assert.match(chosen.why[0]!, /another amount than that of its products/)
    const change = ({ orders }: Lists) => void (orders![0]!["current_state"] = "21")
    assert.match((await read(change)).why[0]!, /"21" is not a known state; map it in states/)
    assert.strictEqual((await read(change, { states: { "21": "closed" } })).order("1001").status, "closed")
  })

  it("takes goods of a credit slip for returned after they left, and for cancelled before", async () => {
    const lineOf = async (date_add: string) => {
      const { order } = await read(({ order_slip }) => void (order_slip![0]!["date_add"] = date_add))
      const [first] = order("1002").state!.lines
      return [first!.left, first!.back, first!.still]
    }
    assert.deepStrictEqual(await lineOf("2026-02-01 10:00:00"), [200_000_000n, 100_000_000n, 0n])
    assert.deepStrictEqual(await lineOf("2026-01-29 23:00:00"), [100_000_000n, 0n, 0n])
  })

  it("reads the order of a new credit slip again, although its own time did not move", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    Object.assign(stage.source!.lists["order_slip"]!.records[0], { date_upd: "2026-03-01 12:30:00" })
    const { asked } = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    assert.isTrue(asked.some(({ path }) => path === "/api/orders/1002"))
  })
})
