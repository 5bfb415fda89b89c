/**
 * Decimals against a model that has nothing in common with them: fractions of two bigints, kept in lowest terms.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as Decimal from "../../../core/money/Decimal.ts"

/** Any amount that is accepted: up to 15 digits before the point and eight after it. */
const amount = Arbitrary.schema(Schema.BigInt).pipe(Arbitrary.map((n) => n % 10n ** 23n))
const places = Arbitrary.schema(Schema.Literals([0, 1, 2, 3, 4, 5, 6, 7, 8]))

const UNIT = 100_000_000n

interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b))

const fraction = (n: bigint, d: bigint): Fraction => {
  const by = gcd(n, d) * (d < 0n ? -1n : 1n)
  return { n: n / by, d: d / by }
}

/** What a numeral says, digit by digit. */
const meaning = (text: string): Fraction => {
  const negative = text.startsWith("-")
  let n = 0n
  let d = 1n
  let behind = false
  for (const character of negative ? text.slice(1) : text) {
    if (character === ".") {
      behind = true
      continue
    }
    n = n * 10n + BigInt("0123456789".indexOf(character))
    if (behind) d *= 10n
  }
  return fraction(negative ? -n : n, d)
}

/** The multiple of 10^-places that is nearest to `f`; of two that are equally near, the even one. */
const nearest = (f: Fraction, places: number): Fraction => {
  const step = 10n ** BigInt(places)
  const n = f.n * step
  const floor = n / f.d - (n % f.d < 0n ? 1n : 0n)
  const below = n - floor * f.d
  const above = (floor + 1n) * f.d - n
  const even = floor % 2n === 0n ? floor : floor + 1n
  return fraction(below < above ? floor : above < below ? floor + 1n : even, step)
}

const value = (d: Decimal.Decimal): Fraction => fraction(d, UNIT)

const runs = { arbitrary: { runs: 300 } }

describe("reading and writing", () => {
  it.prop(
    "what is written says the amount, and reads back the same",
    { amount },
    ({ amount }) => {
      const text = Decimal.format(amount)
      assert.match(text, /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
      assert.deepStrictEqual(meaning(text), value(amount))
      assert.strictEqual(Decimal.parse(text), amount)
    },
    runs
  )

  it.prop(
    "a fixed number of places is exact or refused",
    { amount, places },
    ({ amount, places }) => {
      if (Decimal.fits(amount, places)) {
        const text = Decimal.toFixed(amount, places)
        assert.strictEqual(text.split(".")[1]?.length ?? 0, places)
        assert.deepStrictEqual(meaning(text), value(amount))
        assert.strictEqual(Decimal.parse(text, places), amount)
      } else {
        assert.throws(() => Decimal.toFixed(amount, places), RangeError)
        assert.match(String(Decimal.parse(Decimal.format(amount), places)), /has more than \d decimal places/)
      }
    },
    runs
  )

  it.prop(
    "the least number of places pads, and never cuts",
    { amount, places },
    ({ amount, places }) => {
      const text = Decimal.format(amount, places)
      assert.isAtLeast(text.split(".")[1]?.length ?? 0, places)
      assert.deepStrictEqual(meaning(text), value(amount))
    },
    runs
  )

  it.prop("any other text is an amount or a reason, never an error", { text: Schema.String }, ({ text }) => {
    const read = Decimal.parse(text)
    if (typeof read === "bigint") assert.deepStrictEqual(meaning(text), value(read))
    else assert.isNotEmpty(read)
  })

  const refused = [
    ["", "no digit at all"],
    ["1.", "a bare point"],
    [".5", "a bare point"],
    ["1e3", "an exponent"],
    ["+1", "a plus"],
    [" 1", "a blank"],
    ["1 ", "a blank"],
    ["1\n", "a line break"],
    ["0x10", "hexadecimal"],
    ["1,000.00", "grouping"],
    ["1_000", "grouping"],
    ["1.2.3", "two points"],
    ["--1", "two signs"],
    ["-", "a sign alone"],
    ["NaN", "no number"],
    ["Infinity", "no number"],
    ["\u0661\u0662", "other digits than 0 to 9"],
    ["\u22121", "another minus"],
    ["1".repeat(40), "40 digits"],
    ["0".repeat(40), "40 digits"],
    ["1".repeat(16), "16 digits before the point"],
    ["0.000000001", "nine decimal places"]
  ] as const
  for (const [text, why] of refused) {
    it(`refuses ${JSON.stringify(text)}: ${why}`, () => {
      assert.isString(Decimal.parse(text))
      assert.throws(() => Decimal.of(text), RangeError)
    })
  }

  it("takes all up to the bounds", () => {
    assert.strictEqual(Decimal.parse("999999999999999.99999999"), 10n ** 23n - 1n)
    assert.strictEqual(Decimal.parse("-999999999999999.99999999"), 1n - 10n ** 23n)
    assert.strictEqual(Decimal.parse("0000000000000000001.50"), 150_000_000n)
    assert.strictEqual(Decimal.parse("1.50000000000", 2), 150_000_000n, "trailing zeros are no places")
    assert.strictEqual(Decimal.parse("-0.00"), 0n)
    assert.strictEqual(Decimal.format(Decimal.of("-0.05"), 2), "-0.05")
  })
})

describe("arithmetic", () => {
  it.prop(
    "a product is the nearest there is, ties to even",
    { a: amount, b: amount, places },
    ({ a, b, places }) => {
      const product = fraction(a * b, UNIT * UNIT)
      assert.deepStrictEqual(value(Decimal.multiply(a, b, places)), nearest(product, places))
      const exact = Decimal.multiplyExact(a, b)
      if (exact === undefined) assert.notStrictEqual((product.n * UNIT) % product.d, 0n)
      else assert.deepStrictEqual(value(exact), product)
    },
    runs
  )

  it.prop(
    "a quotient is the nearest there is, ties to even",
    { a: amount, b: amount, places },
    ({ a, b, places }) => {
      if (b === 0n) return assert.throws(() => Decimal.divide(a, b, places), RangeError)
      assert.deepStrictEqual(value(Decimal.divide(a, b, places)), nearest(fraction(a, b), places))
    },
    runs
  )

  it.prop(
    "multiplying and dividing by a whole number end where they began",
    { a: amount, n: Schema.Int },
    ({ a, n }) => {
      if (n === 0) return
      const whole = Decimal.fromInteger(BigInt(n))
      const product = Decimal.multiplyExact(a, whole)
      assert.strictEqual(product, a * BigInt(n))
      assert.strictEqual(Decimal.divide(product!, whole), a)
    }
  )

  const ties = [
    ["0.125", 2, "0.12"],
    ["0.135", 2, "0.14"],
    ["-0.125", 2, "-0.12"],
    ["-0.135", 2, "-0.14"],
    ["2.5", 0, "2"],
    ["3.5", 0, "4"],
    ["-2.5", 0, "-2"],
    ["0.12500001", 2, "0.13"]
  ] as const
  for (const [from, to, said] of ties) {
    it(`${from} to ${to} places is ${said}`, () => {
      assert.strictEqual(Decimal.toFixed(Decimal.multiply(Decimal.of(from), Decimal.of("1"), to), to), said)
      assert.strictEqual(Decimal.toFixed(Decimal.divide(Decimal.of(from), Decimal.of("1"), to), to), said)
    })
  }

  it.prop("a sum is exact in any order", { all: Arbitrary.array(amount) }, ({ all }) => {
    const sum = Decimal.sum(all)
    assert.strictEqual(Decimal.sum(all.toReversed()), sum)
    const said = all.map((one) => meaning(Decimal.format(one)))
    assert.deepStrictEqual(
      value(sum),
      said.reduce((a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d), { n: 0n, d: 1n })
    )
  })

  it("a hundred thousand tenths are ten thousand", () => {
    assert.strictEqual(Decimal.sum(Array(100_000).fill(Decimal.of("0.1"))), Decimal.of("10000"))
  })

  it.prop("the smaller and the magnitude are what they say", { a: amount, b: amount }, ({ a, b }) => {
    const smaller = Decimal.min(a, b)
    assert.isTrue(smaller <= a && smaller <= b && (smaller === a || smaller === b))
    assert.isTrue(Decimal.abs(a) >= 0n && (Decimal.abs(a) === a || Decimal.abs(a) === -a))
  })
})
