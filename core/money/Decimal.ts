/**
 * Exact decimals, for money and quantities.
 *
 * A decimal is one bigint in units of 10^-8, so addition, comparison and
 * equality are the language's own: `a + b`, `a < b`, `a === b`. Eight places
 * hold the finest amount of either interface: minor units with five fraction
 * digits (DP 8) of a currency with three decimals.
 *
 * Nothing here rounds silently: what does not fit is rejected, and the
 * functions that round take the number of places and round half to even.
 */

/** A count of 10^-8. `1.50` is `150_000_000n`. */
export type Decimal = bigint & { readonly Decimal?: never }

/** Fraction digits of a decimal. */
export const DECIMAL_PLACES = 8

const UNIT = 10n ** 8n

/** Maximum number of integer digits, more than any real amount has. */
const MAX_INTEGER_DIGITS = 15

export const zero: Decimal = 0n

export const one: Decimal = UNIT

const POWERS = Array.from({ length: DECIMAL_PLACES + 1 }, (_, n) => 10n ** BigInt(n))

/** A power of ten, up to 10^8. Throws a `RangeError` beyond that. */
export const power = (exponent: number): bigint => {
  const found = POWERS[exponent]
  if (found === undefined) throw new RangeError(`${exponent} is not from 0 to ${DECIMAL_PLACES}`)
  return found
}

const NUMERAL = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Parses `-?digits[.digits]` and nothing else: no whitespace, no exponent, no
 * grouping, no bare point. Returns the decimal, or why the text is not one.
 *
 * @param places fraction digits allowed, not counting trailing zeros
 */
export const parse = (text: string, places = DECIMAL_PLACES): Decimal | string => {
  if (text.length > 32) return "is longer than any amount (32 characters at most)"
  const match = NUMERAL.exec(text)
  if (match === null) return "is not a decimal number"
  const [, sign, integer = "", written = ""] = match
  if (integer.length > MAX_INTEGER_DIGITS && integer.replace(/^0+/, "").length > MAX_INTEGER_DIGITS) {
    return `is too large (${MAX_INTEGER_DIGITS} digits before the point at most)`
  }
  let fraction = written
  if (fraction.length > places) {
    fraction = fraction.replace(/(?<!0)0+$/, "")
    if (fraction.length > places) return `has more than ${places} decimal places`
  }
  const value = BigInt(integer + fraction.padEnd(DECIMAL_PLACES, "0"))
  return sign === "-" ? -value : value
}

/** Like `parse`, for text that is known to be valid. Throws a `RangeError` otherwise. */
export const of = (text: string): Decimal => {
  const value = parse(text)
  if (typeof value === "string") throw new RangeError(`${JSON.stringify(text)} ${value}`)
  return value
}

/** An integer as a decimal. */
export const fromInteger = (n: bigint): Decimal => n * UNIT

/** `d` divided by a power of ten; undefined if the result has more than eight places. */
export const shifted = (d: Decimal, places: number): Decimal | undefined => {
  const divisor = 10n ** BigInt(places)
  return d % divisor === 0n ? d / divisor : undefined
}

/** Whether `d` has at most `places` fraction digits. */
export const fits = (d: Decimal, places: number): boolean => d % power(DECIMAL_PLACES - places) === 0n

/** Formats `d` with exactly `places` fraction digits. Throws a `RangeError` if it has more. */
export const toFixed = (d: Decimal, places: number): string => {
  const step = power(DECIMAL_PLACES - places)
  if (d % step !== 0n) throw new RangeError(`${format(d)} has more than ${places} decimal places`)
  const magnitude = d < 0n ? -d : d
  const digits = (magnitude / step).toString().padStart(places + 1, "0")
  const sign = d < 0n ? "-" : ""
  if (places === 0) return sign + digits
  const point = digits.length - places
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Formats `d` with as many fraction digits as it has, but at least `least`. */
export const format = (d: Decimal, least = 0): string => {
  let places = least
  while (!fits(d, places)) places++
  return toFixed(d, places)
}

export const abs = (d: Decimal): Decimal => (d < 0n ? -d : d)

export const min = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

export const sum = (all: Iterable<Decimal>): Decimal => {
  let total = 0n
  for (const d of all) total += d
  return total
}

/** `numerator / denominator` to the nearest integer, ties to even. */
const divideHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const quotient = n / d
  const twice = (n % d) * 2n
  const up = twice > d || (twice === d && quotient % 2n === 1n)
  const magnitude = up ? quotient + 1n : quotient
  return negative ? -magnitude : magnitude
}

/** `a * b`, rounded to `places` fraction digits, ties to even. */
export const multiply = (a: Decimal, b: Decimal, places = DECIMAL_PLACES): Decimal =>
  divideHalfEven(a * b, UNIT * power(DECIMAL_PLACES - places)) * power(DECIMAL_PLACES - places)

/** `a / b`, rounded to `places` fraction digits, ties to even. Throws a `RangeError` when `b` is zero. */
export const divide = (a: Decimal, b: Decimal, places = DECIMAL_PLACES): Decimal => {
  if (b === 0n) throw new RangeError("division by zero")
  return divideHalfEven(a * power(places), b) * power(DECIMAL_PLACES - places)
}

/** `a * b` if the product has at most eight places, otherwise undefined. */
export const multiplyExact = (a: Decimal, b: Decimal): Decimal | undefined => {
  const product = a * b
  return product % UNIT === 0n ? product / UNIT : undefined
}
