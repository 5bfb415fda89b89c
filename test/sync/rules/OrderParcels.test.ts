/** What left of a shop's order by the parcels of another system, line by line: the shop's own count of parcels does not matter. */
import { assert, describe, it } from "@effect/vitest"
import type { LineState, Order } from "../../../connectors/Document.ts"
import { fromInteger } from "../../../core/money/Decimal.ts"
import { asShipped } from "../../../sync/rules/OrderParcels.ts"
import { line, order, parcel } from "../../support/Orders.ts"

const n = (count: number) => fromInteger(BigInt(count))

type Counts = Readonly<Record<"left" | "back" | "still" | "unsure", number>>

/** An order of four, as its shop states it. */
const stated = ({ back = 0, left, still = 4, unsure = 0 }: Partial<Counts>): Order => {
  const its: LineState = {
    line: "tea",
    back: n(back),
    still: n(still),
    ...(left === undefined ? {} : { left: n(left) }),
    ...(unsure === 0 ? {} : { unsure: n(unsure) })
  }
  const own = { given: 0n }
  return order({
    lines: [line("tea", "4", "100.00")],
    state: { lines: [its], total: n(100), own, others: { received: 0n, given: 0n } }
  })
}

const found = (its: Partial<Counts>, ...parcels: ReadonlyArray<number | undefined>): Counts => {
  const facts = parcels.map((count, at) => parcel(`${at}`, count === undefined ? {} : { tea: `${count}` }))
  const { back, left = -1n, still, unsure = 0n } = asShipped(stated(its), facts).state!.lines[0]!
  const count = (quantity: bigint) => Number(quantity / fromInteger(1n))
  return { left: count(left), back: count(back), still: count(still), unsure: count(unsure) }
}

describe("parcels of another system", () => {
  it("say what left, whatever the shop counted", () => {
    for (const its of [{}, { left: 0 }, { left: 4, still: 0 }, { left: 1, still: 3 }])
      assert.deepStrictEqual(found(its, 2), { left: 2, back: 0, still: 2, unsure: 0 })
    assert.deepStrictEqual(found({}), { left: 0, back: 0, still: 4, unsure: 0 })
    assert.deepStrictEqual(found({}, 1, 3), { left: 4, back: 0, still: 0, unsure: 0 })
  })

  it("say which side a unit was on that the buyer no longer has, where they can", () => {
    assert.deepStrictEqual(found({ still: 3 }), { left: 0, back: 0, still: 3, unsure: 0 })
    assert.deepStrictEqual(found({ still: 3 }, 3), { left: 3, back: 0, still: 1, unsure: 1 })
    assert.deepStrictEqual(found({ still: 3 }, 2), { left: 2, back: 0, still: 2, unsure: 1 })
    assert.deepStrictEqual(found({ still: 3 }, 4), { left: 4, back: 1, still: 0, unsure: 0 })
    assert.deepStrictEqual(found({ still: 2 }, 3), { left: 3, back: 1, still: 1, unsure: 1 })
    assert.deepStrictEqual(found({ still: 4, unsure: 1 }, 4), { left: 4, back: 1, still: 0, unsure: 0 })
  })

  it("do not contradict what the shop says came back", () => {
    assert.deepStrictEqual(found({ left: 4, back: 1, still: 0 }, 4), { left: 4, back: 1, still: 0, unsure: 0 })
    assert.deepStrictEqual(found({ left: 4, back: 1, still: 0 }, 2), { left: 2, back: 1, still: 2, unsure: 0 })
  })

  it("without lines are all that was still to leave", () => {
    assert.deepStrictEqual(found({}, undefined), { left: 4, back: 0, still: 0, unsure: 0 })
    assert.deepStrictEqual(found({ still: 3 }, 1, undefined), { left: 3, back: 0, still: 0, unsure: 0 })
  })

  it("of more than was ordered are a contradiction", () =>
    assert.deepStrictEqual(found({}, 5), { left: 5, back: 0, still: -1, unsure: 0 }))
})
