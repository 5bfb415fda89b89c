/** Goods taken off an order and money given back, in whatever order they are written down: each told once. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Refunds from "../../../connectors/Refunds.ts"
import * as Withdrawals from "../../../connectors/Withdrawals.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"

const date = Day.of("2026-01-30")
const at = (hour: number) => Date.parse("2026-01-30T00:00:00Z") + hour * 3_600_000
const whole = (n: number) => Decimal.fromInteger(BigInt(n))

interface Happening {
  readonly does: "leave" | "withdraw" | "give"
  /** Pieces of the only line, or the amount. */
  readonly n: number
}

/** Ten pieces at 10.00, and 10.00 for delivery. */
const facts = (happenings: ReadonlyArray<Happening>) => {
  const of = (does: Happening["does"]) =>
    happenings.flatMap((one, hour) =>
      one.does === does ? [{ n: one.n, millis: at(hour), date, id: `${does}${hour}` }] : []
    )
  return Withdrawals.facts({
    order: "1",
    currency: "EUR",
    lines: [{ line: "a", quantity: whole(10), gross: whole(100) }],
    delivery: whole(10),
    left: of("leave").map(({ millis, n }) => ({
      at: Refunds.moment(date, millis),
      lines: [{ line: "a", quantity: whole(n) }]
    })),
    withdrawn: of("withdraw").map(({ n, ...its }) => ({ ...its, lines: [{ line: "a", quantity: whole(n) }] })),
    given: of("give").map(({ n, ...its }) => ({ ...its, amount: whole(n) }))
  })
}

const said = (...happenings: ReadonlyArray<readonly [Happening["does"], number]>) =>
  facts(happenings.map(([does, n]) => ({ does, n }))).map(
    (one) =>
      `${one.kind} ${one.id.slice(2)}${one.lines.map(({ quantity }) => ` ${Decimal.format(quantity)} pieces`).join("")}${
        "amount" in one && one.amount !== undefined ? ` ${Decimal.format(one.amount)}` : ""
      }`
  )

describe("goods that are taken off, and money that is given back", () => {
  it("before anything left are one cancellation, whichever comes first", () => {
    assert.deepStrictEqual(said(["withdraw", 2], ["give", 22]), ["cancellation withdraw0 2 pieces"])
    assert.deepStrictEqual(said(["give", 22], ["withdraw", 2]), ["cancellation give0 22"])
    assert.deepStrictEqual(said(["give", 12], ["withdraw", 2]), [
      "cancellation give0 12",
      "cancellation withdraw1 2 pieces 10"
    ])
    assert.deepStrictEqual(said(["withdraw", 10], ["give", 110]), ["cancellation withdraw0 10 pieces"])
  })

  it("more money than goods come to is a discount: before they left, and after", () => {
    assert.deepStrictEqual(said(["withdraw", 2], ["give", 30]), [
      "cancellation withdraw0 2 pieces",
      "cancellation give1 8"
    ])
    assert.deepStrictEqual(said(["leave", 8], ["withdraw", 2], ["give", 30]), [
      "cancellation withdraw1 2 pieces",
      "return give2 8"
    ])
  })

  it("of goods that had left is a return, of what was given back and once it was", () => {
    assert.deepStrictEqual(said(["leave", 10], ["withdraw", 3]), [])
    assert.deepStrictEqual(said(["leave", 10], ["withdraw", 3], ["give", 25]), ["return give2 3 pieces 25"])
    assert.deepStrictEqual(said(["leave", 10], ["give", 25], ["withdraw", 3]), ["return give1 25"])
    assert.deepStrictEqual(said(["leave", 10], ["withdraw", 10], ["give", 90], ["give", 20]), [
      "return give2 10 pieces 90",
      "return give3 20"
    ])
  })

  it("of both kinds: those that are here are not shipped, what had left comes back", () => {
    assert.deepStrictEqual(said(["leave", 4], ["withdraw", 8], ["give", 86]), [
      "cancellation withdraw1 6 pieces",
      "return give2 2 pieces 20"
    ])
  })

  it("whatever happens later, what was told before stays as it was", () => {
    const happening = fc.record({
      does: fc.constantFrom<Happening["does"]>("leave", "withdraw", "give"),
      n: fc.integer({ min: 1, max: 5 })
    })
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 8 }), happening, (before, then) => {
        const [earlier, after] = [facts(before), facts([...before, then])]
        assert.deepStrictEqual(after.slice(0, earlier.length), earlier)
        for (const one of after) if ("amount" in one && one.amount !== undefined) assert.isAbove(Number(one.amount), 0)
      }),
      { numRuns: 300 }
    )
  })
})
