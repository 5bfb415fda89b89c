/**
 * Encodes and decodes money on the wire. Nothing else knows these two forms.
 *
 * Deferred payment: minor units as JSON numbers, with up to five fraction digits
 * (DP 2.1, 8). Insurance: decimal strings, with two places for money, three for
 * quantities, six for other amounts; requests may send numbers (II 1).
 */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { fitting } from "../wire/Fits.ts"
import * as Decimal from "./Decimal.ts"

/** A decimal. Generated values (for tests) have at most `places` fraction digits. */
const amount = (places: number) =>
  Schema.declare((value): value is Decimal.Decimal => typeof value === "bigint", {
    expected: "a decimal",
    toCodecArbitrary: () =>
      Schema.link<Decimal.Decimal>()(
        Schema.Int.check(Schema.isBetween({ minimum: -(10 ** 12), maximum: 10 ** 12 })),
        SchemaTransformation.transform<Decimal.Decimal, number>({
          decode: (n) => BigInt(n) * 10n ** BigInt(Decimal.DECIMAL_PLACES - places),
          encode: (value) => Number(value / 10n ** BigInt(Decimal.DECIMAL_PLACES - places))
        })
      )
  })

const read = (text: string, places: number) => {
  const value = Decimal.parse(text, places)
  return typeof value === "string"
    ? Effect.fail(new SchemaIssue.InvalidValue({ message: `${JSON.stringify(text)} ${value}` }, text))
    : Effect.succeed(value)
}

/** Significant digits that a double preserves. */
const SAFE_DIGITS = 15

/**
 * Reads a JSON number. It arrives as a double, whose shortest form is what was sent if that has up to 15 digits. A longer
 * number may have been rounded on its way, so only integers that a double can hold exactly are accepted.
 */
const readNumber = (n: number, places: number) => {
  const text = String(n)
  const refuse = (why: string) => Effect.fail(new SchemaIssue.InvalidValue({ message: `${text} ${why}` }, n))
  if (text.includes("e")) return refuse(Math.abs(n) < 1 ? `has more than ${places} decimal places` : "is too large")
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "")
  return Effect.flatMap(read(text, places), (amount) =>
    digits.length <= SAFE_DIGITS || Number.isSafeInteger(n)
      ? Effect.succeed(amount)
      : refuse("has more digits than a JSON number carries exactly")
  )
}

const decimalString = (places: number, written = places) =>
  Schema.Union([Schema.String, Schema.Finite]).pipe(
    Schema.decodeTo(
      amount(places),
      SchemaTransformation.transformEffect<Decimal.Decimal, string | number>({
        decode: (wire) => (typeof wire === "number" ? readNumber(wire, places) : read(wire, places)),
        encode: (amount) => Effect.succeed(Decimal.format(amount, written))
      })
    ),
    Schema.annotate(
      fitting((wire) => {
        const amount = typeof wire === "string" ? Decimal.parse(wire, places) : ""
        return typeof amount === "string" ? undefined : amount
      })
    )
  )

/** Money in major units: `"12.50"`. Finer amounts are written with all digits, for the service to judge. */
export const Major = decimalString(2)

/** A quantity: `"1.000"`. */
export const Quantity = decimalString(3)

/** Percentages and the like: `"0.900000"`. */
export const Fine = decimalString(6)

/** A percentage: `"20.00"`, `"8.875"`. */
export const Percentage = decimalString(6, 2)

/** Any decimal in an answer, however fine; written with the digits that it has. */
export const Plain = decimalString(Decimal.DECIMAL_PLACES, 0)

/** Minor units as text, for form fields. */
export const MinorText = decimalString(5, 0)

/** Minor units as a JSON number with up to five fraction digits: `1250`, `1250.5`. */
export const Minor = Schema.Finite.pipe(
  Schema.decodeTo(
    amount(5),
    SchemaTransformation.transformEffect<Decimal.Decimal, number>({
      decode: (wire) => readNumber(wire, 5),
      encode: (amount) => {
        // The wire requires a JSON number; it is read back, and rejected unless it is exactly this amount.
        const text = Decimal.format(amount)
        const n = Number(text)
        const tooFine = () =>
          new SchemaIssue.InvalidValue({ message: `${text} is too precise for a JSON number` }, amount)
        return readNumber(n, 5).pipe(
          Effect.filterOrFail((again) => again === amount, tooFine),
          Effect.mapBoth({ onFailure: tooFine, onSuccess: () => n })
        )
      }
    })
  )
)
