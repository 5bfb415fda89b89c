/**
 * Computes the amounts of an order's items (DP 2.6): total = quantity x unit price, tax = rate percent of the total, and an
 * order's amounts are the sums of its items'. Amounts are minor units with up to five fraction digits, taxes included.
 *
 * The tax is computed on the gross amount, because the specification says so. Real clients have been seen to compute it on
 * the net amount (gross 12000, rate 20, tax 2000), so the function that computes it takes the basis as a parameter.
 *
 * Assumption: a product with more than five fraction digits is rounded to five, half to even, in one step; the
 * specification does not show the rounding or its consequences.
 */
import * as Decimal from "./Decimal.ts"

/** Fraction digits of an amount in minor units (DP 2.6 rule 5, 8). */
export const MINOR_UNIT_PLACES = 5

/** `gross` follows the specification; `net` is what some clients compute. */
export type TaxBasis = "gross" | "net"

/** What an item's amounts are computed from: `taxRate` is a percentage, `20` for 20 %. */
export interface Priced {
  readonly quantity: Decimal.Decimal
  readonly unitPrice: Decimal.Decimal
  readonly taxRate: Decimal.Decimal
}

export interface Amounts {
  readonly total: Decimal.Decimal
  readonly tax: Decimal.Decimal
}

const ONE = Decimal.one
const HUNDRED = Decimal.fromInteger(100n)

/** `quantity` x `unitPrice`, tax included (rule 2). */
export const total = (quantity: Decimal.Decimal, unitPrice: Decimal.Decimal): Decimal.Decimal =>
  Decimal.multiply(quantity, unitPrice, MINOR_UNIT_PLACES)

/** The tax in `gross` at `rate` percent (rule 2). Throws a `RangeError` on the net basis if `rate` is -100. */
export const tax = (gross: Decimal.Decimal, rate: Decimal.Decimal, basis: TaxBasis = "gross"): Decimal.Decimal =>
  // Both factors are in units of 10^-8, so the product is in 10^-16; the divisor makes up for it before the rounding.
  Decimal.divide(gross * rate, (basis === "gross" ? HUNDRED : HUNDRED + rate) * ONE, MINOR_UNIT_PLACES)

/** Both amounts of an item. */
export const amounts = ({ quantity, taxRate, unitPrice }: Priced, basis: TaxBasis = "gross"): Amounts => {
  const gross = total(quantity, unitPrice)
  return { total: gross, tax: tax(gross, taxRate, basis) }
}

/** An order's amounts: the sums of its items' (rule 6). */
export const sum = (items: Iterable<Amounts>): Amounts => {
  let [total, tax] = [0n, 0n]
  for (const item of items) {
    total += item.total
    tax += item.tax
  }
  return { total, tax }
}

/** The sign that an item's total must have: negative for a pre-sale discount (rule 3), not negative for goods and shipping. */
const SIGNS: Readonly<Record<string, "negative" | "not negative">> = {
  discount: "negative",
  product: "not negative",
  shipping: "not negative"
}

/**
 * Why an item of this type cannot have this total, or undefined. A discount's tax has the sign of its total, or is zero.
 * Assumption: types other than the three in the specification may have either sign.
 */
export const signProblem = (type: string, total: Decimal.Decimal): string | undefined => {
  const sign = SIGNS[type]
  if (sign === "negative" && total >= 0n) return "The total_amount of a discount must be negative."
  if (sign === "not negative" && total < 0n) return "Only a discount may have a negative total_amount."
  return undefined
}
