/**
 * Reads amounts: decimal point or comma, grouping, currency signs, accountants' negatives. An ambiguous amount is rejected,
 * never guessed.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Currencies from "./Currencies.ts"

export type Mark = "." | ","

/** Decimal places if the currency is unknown: the most that any currency has. */
const MOST_PLACES = 3

/**
 * Parses an amount. Returns the decimal, or why it is not one.
 *
 * @param known the decimal mark; undefined if neither the settings nor the file determine it: then a point, unless it
 * could also be a thousands separator
 * @param currency undefined if the row does not state it
 */
export const parse = (
  text: string,
  known: Mark | undefined,
  currency: string | undefined
): Decimal.Decimal | string => {
  const places = currency === undefined ? MOST_PLACES : Currency.decimals(currency)
  const amount = plain(text, known, places) ?? adorned(text, known, places, currency)
  return typeof amount === "string" && !amount.includes(";") ? `${amount}; correct it` : amount
}

/** The value of the last digit, by the number of digits after the decimal mark. */
const UNITS: ReadonlyArray<bigint> = Array.from(
  { length: Decimal.DECIMAL_PLACES + 1 },
  (_, n) => 10n ** BigInt(Decimal.DECIMAL_PLACES - n)
)

/** Parses digits with at most one mark, as most amounts are written. Undefined for all others. */
const plain = (text: string, known: Mark | undefined, places: number): Decimal.Decimal | undefined => {
  const { length } = text
  if (length === 0 || length > 15) return undefined
  const mark = known === "," ? 44 : 46
  const start = text.charCodeAt(0) === 45 ? 1 : 0
  let point = -1
  for (let n = start; n < length; n++) {
    const code = text.charCodeAt(n)
    if (code >= 48 && code <= 57) continue
    if (code !== mark || point >= 0) return undefined
    point = n
  }
  const fraction = point < 0 ? 0 : length - point - 1
  const unit = UNITS[fraction]
  if (unit === undefined) return undefined
  if (point < 0) return start === length ? undefined : BigInt(text) * unit
  // Three digits may be a group of thousands if the mark is unknown.
  if (point === start || fraction === 0 || fraction > places || (known === undefined && fraction === 3)) {
    return undefined
  }
  return BigInt(text.slice(0, point) + text.slice(point + 1)) * unit
}

/** Removes currency signs; or says why the amount is in another currency. */
const withoutSigns = (text: string, currency: string | undefined): { readonly digits: string } | string => {
  for (const [sign] of text.matchAll(Currencies.SIGN)) {
    const may = Currencies.meantBy(sign)
    if (currency !== undefined && !may.includes(currency))
      return `says ${sign}, but the currency is ${currency}; correct one of both`
  }
  return { digits: text.replace(Currencies.SIGN, "").trim() }
}

const adorned = (
  text: string,
  known: Mark | undefined,
  places: number,
  currency: string | undefined
): Decimal.Decimal | string => {
  const bare = withoutSigns(text, currency)
  if (typeof bare === "string") return bare
  let { digits } = bare
  let negative = false
  const [, side] = /(?<!\s)\s*(?<![\p{L}])(cr|dr)\.?$/iu.exec(digits) ?? []
  if (side !== undefined) {
    // As banks write it: CR is the holder's own money.
    negative = side.toLowerCase() === "dr"
    digits = digits.replace(/(?<!\s)\s*[cd]r\.?$/i, "").trim()
    if (/^[-−(]/.test(digits)) return `has a sign, and ${side} beside it; leave one of both out`
  } else if (/^\(.*\)$/.test(digits)) {
    negative = true
    digits = digits.slice(1, -1).trim()
  } else if (/[-−]$/.test(digits)) {
    negative = true
    digits = digits.slice(0, -1).trim()
  } else if (/^[-−]/.test(digits)) {
    negative = true
    digits = digits.slice(1).trim()
  } else if (digits.startsWith("+")) digits = digits.slice(1).trim()
  if (known === undefined) {
    const [, whole, sign, thousands] = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(digits) ?? []
    if (whole !== undefined) return `could be ${whole}${thousands} or ${whole}${sign}${thousands}; set decimal`
  }
  const mark = known ?? "."
  const at = digits.lastIndexOf(mark)
  const whole = at < 0 ? digits : digits.slice(0, at)
  const fraction = at < 0 ? "" : digits.slice(at + 1)
  const grouped =
    /^(?:\d+|\d{1,3}(?:([.,' \u00a0\u202f\u2019])\d{3})(?:\1\d{3})*)$/.exec(whole) ??
    // As in India: 1,06,200.00.
    (mark === "." ? /^\d{1,2}(?:,\d{2})+,\d{3}$/.exec(whole) : null)
  if (grouped === null || grouped[1] === mark || (at >= 0 && !/^\d+$/.test(fraction))) {
    return `is not an amount, with ${JSON.stringify(mark)} as the decimal separator; correct it, or set decimal`
  }
  const amount = Decimal.parse(`${whole.replace(/\D/g, "")}${fraction === "" ? "" : `.${fraction}`}`, places)
  if (typeof amount !== "string") return negative ? -amount : amount
  return amount.includes("places") && currency !== undefined ? `${amount} (${currency})` : amount
}

/** Amounts that determine the mark: with both marks, several of one, or one that cannot separate thousands. */
const CERTAIN: Readonly<Record<Mark, RegExp>> = {
  ".": /^(?:\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d+\.(?:\d{1,2}|\d{4,})|(?:0\d*|\d{4,})\.\d{3})$/,
  ",": /^(?:\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,(?:\d{1,2}|\d{4,})|(?:0\d*|\d{4,}),\d{3})$/
}

/** The decimal mark of these values, if at least one of them determines it; otherwise undefined. */
export const markOf = (values: Iterable<string>): Mark | undefined => {
  let points = false
  let commas = false
  for (const value of values) {
    const digits = value.replace(Currencies.SIGN, "").replace(/[()\s'\u2019+−-]|[cd]r\.?$/gi, "")
    points ||= CERTAIN["."].test(digits)
    commas ||= CERTAIN[","].test(digits)
  }
  return points === commas ? undefined : points ? "." : ","
}
