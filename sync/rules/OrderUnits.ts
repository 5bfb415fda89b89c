/**
 * Calculates the prices of the units of an order's line: its amount split over its units by largest remainder, the first units
 * first. It depends on the order alone, so that a unit's price is always the same, whatever amounts other facts state.
 */
import * as Decimal from "../../core/money/Decimal.ts"

const ONE = Decimal.one

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * The price of the first `first` of `quantity` units together, if all of them cost `amount` minor units. Quantities are
 * decimals: a line of 2.5 has two and a half units, and a part of a unit costs that part of its price, rounded down.
 */
export const costOf = (amount: bigint, quantity: bigint, first: bigint): bigint => {
  if (first <= 0n) return 0n
  if (first >= quantity) return amount
  const [units, rest] = [quantity / ONE, quantity % ONE]
  const [each, left] = [(amount * ONE) / quantity, (amount * ONE) % quantity]
  const [last, lastLeft] = [(amount * rest) / quantity, (amount * rest) % quantity]
  const over = amount - units * each - last
  const overLast = rest > 0n && (lastLeft > left || over > units) ? min(over, 1n) : 0n
  const dearer = over - overLast
  const [whole, part] = [first / ONE, first % ONE]
  const before = whole * each + min(whole, dearer)
  if (part === 0n) return before
  return whole < units
    ? before + ((each + (whole < dearer ? 1n : 0n)) * part) / ONE
    : before + ((last + overLast) * part) / rest
}
