/**
 * A split loses no unit, is as fair as whole units allow, and comes out the same every time.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { allocate } from "../../../core/money/Allocation.ts"

const total = Arbitrary.schema(Schema.BigInt)
/** Of any size, with nothing among them, and now and then all the same; one at least is positive. */
const weight = Arbitrary.schema(Schema.BigInt).pipe(Arbitrary.map((n) => (n < 0n ? -n : n) % 10n ** 20n))
const weights = Arbitrary.array(weight, { minLength: 1 }).pipe(
  Arbitrary.map((all) => (all.every((weight) => weight === 0n) ? all.map(() => 1n) : all))
)
const runs = { arbitrary: { runs: 300 } }

describe("allocate", () => {
  it.prop(
    "the parts sum to the total",
    { total, weights },
    ({ total, weights }) => {
      const parts = allocate(total, weights)
      assert.strictEqual(parts.length, weights.length)
      assert.strictEqual(
        parts.reduce((a, b) => a + b, 0n),
        total
      )
    },
    runs
  )

  it.prop(
    "every part is within one unit of its share, and nothing goes to no weight",
    { total, weights },
    ({ total, weights }) => {
      const whole = weights.reduce((a, b) => a + b, 0n)
      allocate(total, weights).forEach((part, i) => {
        const apart = part * whole - total * weights[i]!
        assert.isTrue((apart < 0n ? -apart : apart) < whole, `part ${i} of ${total} over ${weights}`)
        if (weights[i] === 0n) assert.strictEqual(part, 0n)
      })
    },
    runs
  )

  it.prop(
    "a greater weight never gets less, and of equal ones the earlier gets the odd unit",
    { total, weights },
    ({ total, weights }) => {
      const size = total < 0n ? -total : total
      const parts = allocate(size, weights)
      parts.forEach((a, i) => {
        parts.forEach((b, j) => {
          if (weights[i]! > weights[j]! || (weights[i] === weights[j] && i < j)) assert.isTrue(a >= b)
        })
      })
    },
    runs
  )

  it.prop("a refund splits as the payment did", { total, weights }, ({ total, weights }) => {
    assert.deepStrictEqual(
      allocate(-total, weights),
      allocate(total, weights).map((part) => -part)
    )
  })

  it("a pound over three", () => assert.deepStrictEqual(allocate(100n, [1n, 1n, 1n]), [34n, 33n, 33n]))
  it("the largest remainder first", () => assert.deepStrictEqual(allocate(10n, [1n, 6n, 3n, 1n]), [1n, 5n, 3n, 1n]))
  it("no weights at all are refused", () => assert.throws(() => allocate(1n, []), RangeError))
  it("weights of nothing are refused", () => assert.throws(() => allocate(1n, [0n, 0n]), RangeError))
  it("a negative weight is refused", () => assert.throws(() => allocate(1n, [2n, -1n]), RangeError))
})
