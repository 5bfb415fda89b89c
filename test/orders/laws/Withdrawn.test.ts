/** What was given back, and is on no record of the source any more: it is charged again only where a person says so. */
import { assert, describe, it } from "@effect/vitest"
import type { Document } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { advanceOrder, type RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { planning } from "../../support/Documents.ts"
import { aboutOrder, cancellation, order, parcel, returned } from "../../support/Orders.ts"
import { line, shop } from "./Play.ts"
import { plays } from "./Plays.ts"

describe("what was given back and disappears, in a shop's sums", () => {
  const came = (back: number, left = 2, more: Parameters<typeof shop>[2] = {}) =>
    shop(100, [line("a", 100, 4, left, back)], { received: 100, given: 25 * back, ...more })
  const deleted = [came(0), came(1), came(0)]
  const waiting = { captured: 50, refunded: 25, net: 25, open: 50 }
  plays("is not charged again", 100, deleted, { ...waiting, asks: ["withdrawn"] })
  const again = { answers: { withdrawn: "charge it again" } }
  plays("is charged again where a person says so", 100, deleted, { captured: 75, net: 50, open: 25 }, again)
  const all = came(0, 4, { end: "complete" })
  const net = { captured: 100, refunded: 25, net: 75, open: 0 }
  const stays = { answers: { withdrawn: "it stays given back" } }
  plays("stays given back, and what leaves later is charged", 100, [...deleted, all], net, stays)
  plays("what leaves later is charged before that is answered", 100, [...deleted, all], { ...net, asks: ["withdrawn"] })
  plays("is there again later", 100, [...deleted, came(1)], waiting)
  const lower = (back: number) => shop(100 - 25 * back, [line("a", 100, 4, 4, back)])
  const right = { captured: 125, refunded: 25, net: 100, open: 25 }
  plays("a lower total that nobody called given back is charged when it rises", 150, [0, 1, 0].map(lower), right)
})

describe("a return that disappears from files", () => {
  const decided = (documents: ReadonlyArray<Document>, remote?: RemoteOrder, deleted = false) =>
    reconcileOrder({ ...aboutOrder(documents), deleted }, remote, planning)
  const sent = (documents: ReadonlyArray<Document>, remote?: RemoteOrder, deleted = false) =>
    decided(documents, remote, deleted).calls.flatMap((call) =>
      "orderPosting" in call ? [`${call.orderPosting.taking} ${call.orderPosting.amount}`] : []
    )
  const held = (documents: ReadonlyArray<Document>, remote?: RemoteOrder) =>
    decided(documents, remote).calls.reduce<RemoteOrder | undefined>((now, call) => advanceOrder(now, call), remote)!
  const left = [order(), parcel("1", { chairs: "2" })]
  const back = returned("R", { chairs: "1" })
  const given = held([...left, back], held(left))

  it("is asked about, with what was refunded and what the source says now", () => {
    const { attention } = decided(left, given)
    assert.match(
      attention[0]!.why,
      /^16\.66 GBP was refunded, but the source's record of that is gone: it now shows 0\.00 GBP as given back/
    )
    assert.match(attention[0]!.todo, /"charge it again" or "it stays given back"/)
  })

  it("waits, however it disappears: with its order, in part, or while others leave or are cancelled", () => {
    assert.deepStrictEqual(sent(left, given), [])
    assert.deepStrictEqual(sent([order()], given, true), [])
    assert.deepStrictEqual(sent([...left, { ...back, amount: of("5.00") }], given), [])
    assert.deepStrictEqual(sent([...left, parcel("2", { rug: "1" })], given), ["capture 1111"])
    assert.deepStrictEqual(sent([...left, cancellation("C", { lamps: "3" })], given), ["capture 1", "void 555"])
    assert.deepStrictEqual(sent([...left, { ...back, id: "S" }], given), [])
  })

  it("an answer ends it", () => {
    const answered = (one: string) => ({ ...given, answers: { "withdrawn 1666/0": one } })
    assert.deepStrictEqual(sent(left, answered("charge it again")), ["capture 1666"])
    assert.deepStrictEqual(decided(left, answered("it stays given back")).attention, [])
    assert.deepStrictEqual(sent(left, answered("it stays given back")), [])
  })
})

describe("what was given back of a closed order", () => {
  it("is voided once, and not again in each run, where its rest is kept or more was authorised", () => {
    const closed = [order({ status: "closed" }), parcel("1", { chairs: "2" })]
    const documents = [...closed, { ...returned("R", { chairs: "1" }), amount: of("1.00") }]
    for (const [authorised, void_remainder] of [
      ["10000", false],
      ["20000", true]
    ] as const) {
      const settings = { ...planning, orders: { void_remainder } }
      const plan = (remote?: RemoteOrder) => reconcileOrder(aboutOrder(documents), remote, settings, { looked: true })
      const [look] = reconcileOrder(aboutOrder(documents), undefined, settings).calls
      let remote = { ...advanceOrder(undefined, look!)!, open: authorised }
      for (const call of plan(remote).calls) remote = advanceOrder(remote, call) as typeof remote
      assert.isAbove(Number(remote.voided), 0)
      assert.deepStrictEqual(plan(remote).calls, [])
    }
  })
})
