/**
 * Splits an integer amount of minor units into parts, exactly.
 *
 * Uses the largest-remainder method: each part gets its share rounded down, and the
 * remaining units go one each to the parts with the largest remainders, earlier parts
 * first. The parts always add up to the total.
 */

/**
 * @param total minor units; may be negative
 * @param weights none negative, at least one positive; otherwise throws a `RangeError`
 */
export const allocate = (total: bigint, weights: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const whole = weights.reduce((sum, weight) => {
    if (weight < 0n) throw new RangeError("a weight is negative")
    return sum + weight
  }, 0n)
  if (whole === 0n) throw new RangeError("no weight is positive")
  if (total < 0n) return allocate(-total, weights).map((part) => -part)
  const parts = weights.map((weight, index) => ({
    index,
    part: (total * weight) / whole,
    rest: (total * weight) % whole
  }))
  const byRest = parts.toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const left = Number(total - parts.reduce((sum, { part }) => sum + part, 0n))
  const rounded = new Set(byRest.slice(0, left))
  return parts.map((one) => (rounded.has(one) ? one.part + 1n : one.part))
}
