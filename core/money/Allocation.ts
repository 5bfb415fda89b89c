/**
 * Splitting a whole number of minor units over parts, to the last unit.
 *
 * Largest remainder: each part gets its share rounded down, and the units left
 * over go one each to the parts with the largest remainders, earlier parts
 * first. The parts always sum to the total.
 */

/**
 * @param total minor units; may be negative
 * @param weights none negative, at least one positive. Throws a `RangeError` otherwise
 */
export const allocate = (total: bigint, weights: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const whole = weights.reduce((sum, weight) => {
    if (weight < 0n) throw new RangeError("a weight is negative")
    return sum + weight
  }, 0n)
  if (whole === 0n) throw new RangeError("no weight is positive")
  if (total < 0n) return allocate(-total, weights).map((part) => -part)
  const parts = weights.map((weight) => (total * weight) / whole)
  const remainders = weights.map((weight, index) => ({ index, rest: (total * weight) % whole }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const left = Number(total - parts.reduce((sum, part) => sum + part, 0n))
  for (const { index } of remainders.slice(0, left)) parts[index]!++
  return parts
}
