/**
 * The arithmetic of items (DP 2.6) against fractions of whole numbers, which know nothing of decimals and rounding.
 */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Items from "../../../core/money/Items.ts"

const of = Decimal.of

/** To the nearest, ties to even, by doubling and comparing. */
const nearest = (numerator: bigint, denominator: bigint): bigint => {
  const floor = numerator / denominator - (numerator % denominator < 0n ? 1n : 0n)
  const twice = 2n * (numerator - floor * denominator)
  if (twice === denominator) return floor % 2n === 0n ? floor : floor + 1n
  return twice > denominator ? floor + 1n : floor
}

/** Thousandths, hundred-thousandths and millionths, as the wire has them. */
const quantities = fc.bigInt({ min: 0n, max: 10n ** 9n })
const prices = fc.bigInt({ min: -(10n ** 11n), max: 10n ** 11n })
const rates = fc.bigInt({ min: 0n, max: 10n ** 8n })

describe("DP 2.6: the arithmetic of items", () => {
  it("total is quantity x unit price, to five digits", () => {
    fc.assert(
      fc.property(quantities, prices, (quantity, price) => {
        const total = Items.total(quantity * 10n ** 5n, price * 10n ** 3n)
        assert.strictEqual(total, nearest(quantity * price, 1000n) * 10n ** 3n)
      })
    )
  })

  it("tax is total x rate / 100 on the gross amount", () => {
    fc.assert(
      fc.property(prices, rates, (total, rate) => {
        const tax = Items.tax(total * 10n ** 3n, rate * 100n)
        assert.strictEqual(tax, nearest(total * rate, 10n ** 8n) * 10n ** 3n)
      })
    )
  })

  it("on the net basis tax is to the rest what the rate is to a hundred", () => {
    fc.assert(
      fc.property(prices, rates, (total, rate) => {
        const tax = Items.tax(total * 10n ** 3n, rate * 100n, "net")
        assert.strictEqual(tax, nearest(total * rate, 10n ** 8n + rate) * 10n ** 3n)
      })
    )
  })

  it("the specification's example and the one that clients send", () => {
    assert.strictEqual(Items.tax(of("12000"), of("20")), of("2400"))
    assert.strictEqual(Items.tax(of("12000"), of("20"), "net"), of("2000"))
    assert.deepStrictEqual(Items.amounts({ quantity: of("1.5"), unitPrice: of("-333.33333"), taxRate: of("8.875") }), {
      // -499.999995 and -44.375, of which each is rounded once.
      total: of("-500"),
      tax: of("-44.375")
    })
  })

  it("rounds in one step: what is just below a tie stays below", () => {
    // 0.001 x 0.015 = 0.000015 -> 0.00002; 1.00001 x 0.000499 % is far below one digit.
    assert.strictEqual(Items.total(of("0.001"), of("0.015")), of("0.00002"))
    assert.strictEqual(Items.total(of("0.001"), of("0.025")), of("0.00002"))
    assert.strictEqual(Items.tax(of("0.00005"), of("50")), of("0.00002"))
    assert.strictEqual(Items.tax(of("0.00015"), of("50")), of("0.00008"))
    assert.strictEqual(Items.tax(of("1.00001"), of("0.000499")), of("0"))
    assert.strictEqual(Items.tax(of("1.00001"), of("0.000501")), of("0.00001"))
  })

  it("an order's amounts are the sums of its items', and no items sum up to nothing", () => {
    assert.deepStrictEqual(Items.sum([]), { total: 0n, tax: 0n })
    fc.assert(
      fc.property(fc.array(fc.tuple(prices, prices)), (pairs) => {
        const { tax, total } = Items.sum(pairs.map(([total, tax]) => ({ total, tax })))
        assert.strictEqual(
          total,
          pairs.map(([one]) => one).reduce((a, b) => a + b, 0n)
        )
        assert.strictEqual(
          tax,
          pairs.map(([, one]) => one).reduce((a, b) => a + b, 0n)
        )
      })
    )
  })

  it("only a discount takes off, and it does", () => {
    const cases = [
      ["discount", "-0.00001", false],
      ["discount", "0", true],
      ["discount", "5", true],
      ["product", "0", false],
      ["product", "-1", true],
      ["shipping", "1", false],
      ["shipping", "-1", true],
      ["fee", "-1", false],
      ["constructor", "-1", false]
    ] as const
    for (const [type, total, wrong] of cases) {
      assert.strictEqual(Items.signProblem(type, of(total)) !== undefined, wrong, `${type} ${total}`)
    }
  })
})
