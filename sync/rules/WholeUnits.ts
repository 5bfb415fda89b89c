/** Arithmetic of whole minor units. */

export const atLeastZero = (n: bigint): bigint => (n > 0n ? n : 0n)
export const min = (first: bigint, ...others: ReadonlyArray<bigint>): bigint =>
  others.reduce((least, one) => (one < least ? one : least), first)
export const max = (first: bigint, ...others: ReadonlyArray<bigint>): bigint =>
  others.reduce((most, one) => (one > most ? one : most), first)

/** `numerator / denominator` to the nearest integer; the denominator is greater than zero. */
export const round = (numerator: bigint, denominator: bigint): bigint => {
  const [twice, both] = [2n * numerator + denominator, 2n * denominator]
  const quotient = twice / both
  return twice < 0n && twice % both !== 0n ? quotient - 1n : quotient
}
