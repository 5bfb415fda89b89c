/**
 * Money on the wire: decimal strings with two, three and six places (II 1), and minor units as JSON numbers with up to
 * five fraction digits (DP 2.1, 8). Nothing is rounded on the way in or out.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import * as Codecs from "../../../core/money/Codecs.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

const strings = [
  ["Major", Codecs.Major, 2, "12.50"],
  ["Quantity", Codecs.Quantity, 3, "12.500"],
  ["Fine", Codecs.Fine, 6, "12.500000"]
] as const

/** Up to 15 digits in all. */
const count = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: -1e14, maximum: 1e14 }))).pipe(
  Arbitrary.map(BigInt)
)
const runs = { arbitrary: { runs: 300 } }

const steps = (n: bigint, places: number): Decimal.Decimal => n * 10n ** BigInt(Decimal.DECIMAL_PLACES - places)

const decoded = (schema: Schema.Codec<Decimal.Decimal, unknown>, wire: unknown) => {
  const result = Schema.decodeUnknownResult(schema)(wire)
  return Result.isSuccess(result) ? result.success : undefined
}

for (const [name, schema, places, written] of strings) {
  describe(name, () => {
    it.prop(
      `is written with ${places} places and read back the same, as a string and as a number`,
      { count },
      ({ count }) => {
        const amount = steps(count, places)
        const wire = Schema.encodeSync(schema)(amount)
        assert.match(String(wire), new RegExp(`^-?\\d+\\.\\d{${places}}$`))
        assert.strictEqual(decoded(schema, wire), amount)
        assert.strictEqual(decoded(schema, JSON.parse(String(wire))), amount)
      },
      runs
    )

    it("reads strings and numbers", () => {
      for (const wire of ["12.5", "12.500", 12.5]) {
        assert.strictEqual(Schema.encodeSync(schema)(decoded(schema, wire)!), written)
      }
      assert.strictEqual(decoded(schema, 0), 0n)
      assert.strictEqual(decoded(schema, -0), 0n)
    })

    it(`refuses more than ${places} places`, () => {
      const fine = `0.${"0".repeat(places)}1`
      assert.isUndefined(decoded(schema, fine))
      assert.isUndefined(decoded(schema, Number(fine)))
    })

    it("writes a finer amount in full, for the service to judge", () =>
      assert.strictEqual(Schema.encodeSync(schema)(1n), "0.00000001"))
  })
}

const junk = [
  "",
  " ",
  "1.",
  ".5",
  "1e3",
  "+1",
  " 1",
  "0x10",
  "1,5",
  "NaN",
  "1".repeat(40),
  null,
  true,
  [],
  {},
  undefined
]
const numbers = [Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e300, 1e-7, 5e-324, 9.999999999999e-7, 0.1 + 0.2]

describe("all of them", () => {
  for (const [name, schema] of [...strings, ["Minor", Codecs.Minor] as const]) {
    it(`${name} refuses what is no amount`, () => {
      for (const wire of [...junk, ...numbers]) assert.isUndefined(decoded(schema, wire), JSON.stringify(wire))
    })

    it(`${name} refuses a number that a double may have rounded`, () => {
      // What was sent was 123456789012345.671: nobody can tell any more.
      assert.isUndefined(decoded(schema, JSON.parse("123456789012345.671")))
      assert.isUndefined(decoded(schema, JSON.parse("9007199254740993")))
      assert.isUndefined(decoded(schema, JSON.parse("99999999999999.99")))
    })
  }

  it("says what is wrong, with the text", () => {
    const result = Schema.decodeUnknownResult(Codecs.Major)("1.005")
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.include(result.failure.message, '"1.005" has more than 2 decimal places')
  })
})

describe("Minor", () => {
  it.prop(
    "carries up to five fraction digits, through JSON",
    { count },
    ({ count }) => {
      const amount = steps(count, 5)
      const wire = JSON.stringify(Schema.encodeSync(Codecs.Minor)(amount))
      assert.strictEqual(Decimal.parse(wire.includes("e") ? Decimal.format(amount) : wire), amount)
      assert.strictEqual(decoded(Codecs.Minor, JSON.parse(wire)), amount)
    },
    runs
  )

  it("reads numbers only", () => {
    assert.strictEqual(decoded(Codecs.Minor, 1250.5), Decimal.of("1250.5"))
    assert.strictEqual(decoded(Codecs.Minor, 999999999999999), Decimal.of("999999999999999"))
    assert.isUndefined(decoded(Codecs.Minor, "1250"))
  })

  it("does not write what it would not read", () => {
    for (const text of ["0.000001", "0.00000001", "123456789012345.67", "1234567890.123456"]) {
      const result = Schema.encodeResult(Codecs.Minor)(Decimal.of(text))
      assert.isTrue(Result.isFailure(result), text)
      if (Result.isFailure(result)) assert.include(result.failure.message, `${text} is too precise`)
    }
  })
})
