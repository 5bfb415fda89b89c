/**
 * Amounts as files write them: decimal point or comma, grouping, currency signs, accountants' negatives. What could
 * mean two things is refused, never guessed.
 */
import * as Decimal from "../../core/money/Decimal.ts"

export type Mark = "." | ","

const PLAIN = /^-?\d+(?:\.\d+)?$/
const SIGNS = /[£€$¥₹]|\b[A-Z]{3}\b/g

/**
 * Reads an amount. Answers the decimal, or why it is none.
 *
 * @param known the decimal mark; undefined where neither the settings nor the file tell it: a point then, unless the
 * mark could as well group thousands
 */
export const parse = (text: string, known: Mark | undefined, places: number): Decimal.Decimal | string => {
  const mark = known ?? "."
  if (mark === "." && PLAIN.test(text) && (known !== undefined || !/\.\d{3}$/.test(text))) {
    return Decimal.parse(text, places)
  }
  let digits = text.replace(SIGNS, "").trim()
  let negative = false
  if (/^\(.*\)$/.test(digits)) {
    negative = true
    digits = digits.slice(1, -1).trim()
  } else if (/-$/.test(digits)) {
    negative = true
    digits = digits.slice(0, -1).trim()
  } else if (/^[-−]/.test(digits)) {
    negative = true
    digits = digits.slice(1).trim()
  } else if (digits.startsWith("+")) digits = digits.slice(1).trim()
  if (known === undefined) {
    const [, whole, sign, thousands] = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(digits) ?? []
    if (whole !== undefined) {
      if (typeof Decimal.parse(`${whole}.${thousands}`, places) !== "string") {
        return `could be ${whole}${thousands} or ${whole}${sign}${thousands}; set decimal`
      }
      return sized(Decimal.parse(whole + thousands, places), negative)
    }
  }
  const at = digits.lastIndexOf(mark)
  const whole = at < 0 ? digits : digits.slice(0, at)
  const fraction = at < 0 ? "" : digits.slice(at + 1)
  if (at >= 0 && !/^\d+$/.test(fraction)) return "is not an amount"
  const grouped = /^(?:\d+|\d{1,3}(?:([.,' \u00a0\u202f\u2019])\d{3})(?:\1\d{3})*)$/.exec(whole)
  if (grouped === null || grouped[1] === mark) return "is not an amount"
  return sized(Decimal.parse(`${whole.replace(/\D/g, "")}${fraction === "" ? "" : `.${fraction}`}`, places), negative)
}

const sized = (amount: Decimal.Decimal | string, negative: boolean): Decimal.Decimal | string =>
  typeof amount !== "string" && negative ? -amount : amount

/** Which mark these values use, where at least one of them leaves no doubt; undefined otherwise. */
export const markOf = (values: Iterable<string>): Mark | undefined => {
  let points = 0
  let commas = 0
  for (const value of values) {
    const digits = value.replace(SIGNS, "").replace(/[()\s-]/g, "")
    const point = digits.lastIndexOf(".")
    const comma = digits.lastIndexOf(",")
    if (point >= 0 && comma >= 0) point > comma ? points++ : commas++
    else if (point >= 0) isDecimal(digits, point, ".") ? points++ : isGrouping(digits, point, ".") && commas++
    else if (comma >= 0) isDecimal(digits, comma, ",") ? commas++ : isGrouping(digits, comma, ",") && points++
  }
  return points > 0 && commas === 0 ? "." : commas > 0 && points === 0 ? "," : undefined
}

/** One mark, and not one to three digits before it and three behind: it cannot be grouping. */
const isDecimal = (digits: string, at: number, mark: string): boolean =>
  digits.indexOf(mark) === at && (digits.length - at - 1 !== 3 || at > 3 || at === 0 || digits[0] === "0")

/** Several of the mark: it cannot be the decimal mark. */
const isGrouping = (digits: string, at: number, mark: string): boolean => digits.indexOf(mark) !== at
