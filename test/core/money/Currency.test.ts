/**
 * Currencies: how many decimals each has, and the way between minor and major units, which loses nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

const currency = Arbitrary.schema(Schema.Literals(["GBP", "EUR", "USD", "JPY", "ISK", "KWD", "TND", "XOF"]))
const minor = Arbitrary.schema(Schema.BigInt)

describe("codes", () => {
  const decimals = [
    ["GBP", 2],
    ["EUR", 2],
    ["USD", 2],
    ["HUF", 2],
    ["IDR", 2],
    ["JPY", 0],
    ["KRW", 0],
    ["CLP", 0],
    ["ISK", 0],
    ["KWD", 3],
    ["BHD", 3],
    ["TND", 3],
    ["IQD", 3]
  ] as const
  for (const [code, places] of decimals) {
    it(`${code} has ${places}`, () => {
      assert.isTrue(Currency.isCurrency(code))
      assert.strictEqual(Currency.decimals(code), places)
    })
  }

  for (const code of ["", "gbp", "GBP ", "POUND", "XXX", "XAU", "XTS", "DEM", "HRK", "ZWL", "toString", "__proto__"]) {
    it(`${JSON.stringify(code)} is none`, () => assert.isFalse(Currency.isCurrency(code)))
  }

  it("knows every code that circulates, by the witness of the runtime's own list", () => {
    const retired = ["CUC", "HRK", "SLL", "XDR", "XSU", "ZWL", "BGN", "ANG"]
    const missing = Intl.supportedValuesOf("currency").filter(
      (code) => !Currency.isCurrency(code) && !retired.includes(code)
    )
    // Older runtimes list currencies that are gone; each of those has a name that says when.
    const names = new Intl.DisplayNames("en", { type: "currency" })
    assert.deepStrictEqual(
      missing.filter((code) => !/\d{4}/.test(names.of(code) ?? "")),
      []
    )
  })
})

describe("minor and major units", () => {
  it.prop("whole minor units come back the same", { currency, minor }, ({ currency, minor }) => {
    const major = Currency.fromMinor(Decimal.fromInteger(minor), currency)
    assert.isTrue(Decimal.fits(major, Currency.decimals(currency)))
    assert.strictEqual(Currency.toMinor(major, currency), minor)
  })

  it.prop("five fraction digits of a minor unit are exact", { currency, minor }, ({ currency, minor }) => {
    const fine = minor * 1000n // 10^-5 each
    const major = Currency.fromMinor(fine, currency)
    assert.strictEqual(Currency.inMinor(major, currency), fine)
  })

  it("what is finer than a decimal can hold is refused, not rounded", () => {
    assert.throws(() => Currency.fromMinor(Decimal.of("0.0000001"), "GBP"), RangeError)
    assert.strictEqual(Currency.fromMinor(Decimal.of("0.0000001"), "JPY"), Decimal.of("0.0000001"))
  })

  it("a fraction of a minor unit is refused", () => {
    assert.throws(() => Currency.toMinor(Decimal.of("0.005"), "GBP"), RangeError)
    assert.throws(() => Currency.toMinor(Decimal.of("0.5"), "JPY"), RangeError)
    assert.strictEqual(Currency.toMinor(Decimal.of("-0.005"), "KWD"), -5n)
  })

  const written = [
    ["1234.5", "GBP", "1234.50"],
    ["1234", "JPY", "1234"],
    ["1.5", "KWD", "1.500"],
    ["0.005", "GBP", "0.005"],
    ["-0.1", "EUR", "-0.10"]
  ] as const
  for (const [amount, code, text] of written) {
    it(`${amount} in ${code} is written ${text}`, () =>
      assert.strictEqual(Currency.format(Decimal.of(amount), code), text))
  }
})

describe("an amount from outside", () => {
  const outside = [
    ["0", "GBP", 0n],
    ["1.00", "GBP", 100n],
    ["-1.00", "GBP", -100n],
    ["1.001", "GBP", 101n],
    ["-1.001", "GBP", -101n],
    ["0.001", "JPY", 1n],
    ["-0.001", "JPY", -1n]
  ] as const
  for (const [amount, code, minor] of outside) {
    it(`${amount} ${code} counts as ${minor} of its minor units: a fraction never disappears`, () =>
      assert.strictEqual(Currency.toMinorOutward(Decimal.of(amount), code), minor))
  }
})
