/**
 * The two shapes money takes on the wire, and the only places that know them.
 *
 * Deferred payment: minor units as JSON numbers, up to five fraction digits
 * (DP 2.1, 8). Insurance: decimal strings, two places for money, three for
 * quantities, six for other amounts; requests may send numbers (II 1).
 */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as Decimal from "./Decimal.ts"

const Amount = Schema.BigInt as unknown as Schema.Codec<Decimal.Decimal, Decimal.Decimal>

const read = (text: string, places: number) => {
  const value = Decimal.parse(text, places)
  return typeof value === "string"
    ? Effect.fail(new SchemaIssue.InvalidValue({ message: `${JSON.stringify(text)} ${value}` }, text))
    : Effect.succeed(value)
}

/**
 * The text of a JSON number without its exponent. JSON numbers arrive as
 * doubles, whose shortest form is what was sent for up to 15 digits.
 */
const numberText = (n: number) => (Math.abs(n) < 1e-6 && n !== 0 ? n.toFixed(12).replace(/0+$/, "") : String(n))

const decimalString = (places: number) =>
  Schema.Union([Schema.String, Schema.Finite]).pipe(
    Schema.decodeTo(
      Amount,
      SchemaTransformation.transformEffect<Decimal.Decimal, string | number>({
        decode: (wire) => read(typeof wire === "number" ? numberText(wire) : wire, places),
        encode: (amount) => Effect.succeed(Decimal.format(amount, places))
      })
    )
  )

/** Money in major units: `"12.50"`. Finer amounts are written in full, for the service to judge. */
export const Major = decimalString(2)

/** A quantity: `"1.000"`. */
export const Quantity = decimalString(3)

/** Percentages and the like: `"0.900000"`. */
export const Fine = decimalString(6)

/** Minor units as a JSON number with up to five fraction digits: `1250`, `1250.5`. */
export const Minor = Schema.Finite.pipe(
  Schema.decodeTo(
    Amount,
    SchemaTransformation.transformEffect<Decimal.Decimal, number>({
      decode: (wire) => read(numberText(wire), 5),
      encode: (amount) => {
        const n = Number(Decimal.format(amount))
        return numberText(n) === Decimal.format(amount)
          ? Effect.succeed(n)
          : Effect.fail(new SchemaIssue.InvalidValue({ message: "is too precise for a JSON number" }, amount))
      }
    })
  )
)
