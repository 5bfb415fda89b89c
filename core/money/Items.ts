/**
 * The arithmetic of an order's items (DP 2.6): total = quantity x unit price, tax = rate percent of the total, and an order's
 * amounts are the sums of its items'. Amounts are minor units with up to five fraction digits, taxes included.
 *
 * The tax is taken on the gross amount, because the specification says so. Real clients are seen to take it on the net
 * amount (gross 12000, rate 20, tax 2000): which of the two holds is a setting of the one function that knows.
 *
 * Assumption: a product with more than five digits is rounded to five, to the nearest, ties to even, in one step;
 * neither the rounding nor what it leads to is shown.
 */
import * as Decimal from "./Decimal.ts"

/** Fraction digits of an amount in minor units (DP 2.6 rule 5, 8). */
export const MINOR_UNIT_PLACES = 5

/** `gross` is the specification's; `net` is what some clients compute. */
export type TaxBasis = "gross" | "net"

/** What amounts of an item follow from: `taxRate` is a percentage, `20` for 20 %. */
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

/** The tax within `gross` at `rate` percent (rule 2). Throws a `RangeError` on the net basis when `rate` is -100. */
export const tax = (gross: Decimal.Decimal, rate: Decimal.Decimal, basis: TaxBasis = "gross"): Decimal.Decimal =>
  // Both factors count hundred-millionths, so the product does twice; the divisor makes up for it before the rounding.
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

/** Sign that an item's total must have: a pre-sale discount takes off (rule 3), goods and their shipping do not. */
const SIGNS: Readonly<Record<string, "negative" | "not negative">> = {
  discount: "negative",
  product: "not negative",
  shipping: "not negative"
}

/**
 * Why an item of this type cannot have this total, or undefined. A discount's tax follows its total, to zero at most.
 * Assumption: types beyond the three that are shown may have either sign.
 */
export const signProblem = (type: string, total: Decimal.Decimal): string | undefined => {
  const sign = SIGNS[type]
  if (sign === "negative" && total >= 0n) return "The total_amount of a discount must be negative."
  if (sign === "not negative" && total < 0n) return "Only a discount may have a negative total_amount."
  return undefined
}
