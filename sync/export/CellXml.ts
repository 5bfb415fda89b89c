/**
 * Writes one cell of a workbook as XML.
 *
 * An amount is written as its exact decimal text and never becomes a JavaScript number. Spreadsheets keep 15 significant
 * digits, so longer amounts and integers are written as text. Days become integer serial numbers of the 1900 date system;
 * days before 1900-03-01, on which spreadsheets disagree, stay text. Text is an inline string, so it is never a formula,
 * whatever it begins with.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Cell, Column } from "../reports/Sheets.ts"
import { isFormula } from "./Guard.ts"
import { BOLD, MONEY, STYLE } from "./Styles.ts"

/** The most UTF-16 units in a cell. */
export const LONGEST = 32_767

const CUT = " … [cut: longer than a cell can be]"

/** From this day on, all spreadsheets agree; some count a leap day in 1900 that did not exist. */
const FIRST_DAY = "1900-03-01"
const DAYS_TO_EPOCH = 25_569
const MS_PER_DAY = 86_400_000

const NEEDS_CARE = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/
const CARE = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

const careful = (text: string): string =>
  NEEDS_CARE.test(text)
    ? text.replace(CARE, (c) => {
        if (c === "&") return "&amp;"
        if (c === "<") return "&lt;"
        if (c === ">") return "&gt;"
        if (c === "\ufffe" || c === "\uffff") return "\ufffd"
        return `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`
      })
    : text

/**
 * Escapes text for an element: markup, and characters that XML forbids as `_x001F_`. An unpaired surrogate becomes U+FFFD
 * when it is encoded.
 */
export const content = (text: string): string => {
  if (text.length <= LONGEST) return careful(text)
  let end = LONGEST - CUT.length
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last <= 0xdbff) end--
  return careful(text.slice(0, end) + CUT)
}

/** Whether a spreadsheet would reinterpret the text when the cell is edited: as a formula, a number or a day. */
const isTakenForElse = (text: string): boolean => /^\d/.test(text) || isFormula(text)

/** Whether leading, trailing or line-breaking white space must be preserved. */
const KEEPS_SPACE = /^\s|\s$|[\n\t]/

const text = (ref: string, value: string, style: number, plain: number): string => {
  const cell = style + (plain === STYLE.text && isTakenForElse(value) ? STYLE.quoted - STYLE.text : 0)
  const space = KEEPS_SPACE.test(value) ? ' xml:space="preserve"' : ""
  return `<c r="${ref}" t="inlineStr"${cell === 0 ? "" : ` s="${cell}"`}><is><t${space}>${content(value)}</t></is></c>`
}

const number = (ref: string, value: string, style: number): string => `<c r="${ref}" s="${style}"><v>${value}</v></c>`

/** Whether a spreadsheet keeps every digit of this decimal: 15, not counting zeros at the ends. */
const isKept = (value: string): boolean =>
  value.length <= 15 || value.replace(".", "").replace(/^[-0]+|(?<!0)0+$/g, "").length <= 15

/** A fraction of a day to the tenth of a millisecond. */
const serial = (millis: number): string => (millis / MS_PER_DAY + DAYS_TO_EPOCH).toFixed(9)

/**
 * @param ref the cell's reference, `B7`
 * @param value as the column's type requires
 * @param currency the row's currency, for money
 */
export const cell = (ref: string, value: Cell, type: Column["type"], currency: string, isTotal: boolean): string => {
  if (value === null || value === undefined || value === "") return ""
  const bold = isTotal ? BOLD : 0
  if (type === "money" && typeof value === "bigint") {
    const amount = Currency.format(value, currency)
    if (!isKept(amount)) return text(ref, amount, STYLE.long + bold, STYLE.long)
    const point = amount.indexOf(".")
    return number(ref, amount, MONEY + (point < 0 ? 0 : amount.length - point - 1) + bold)
  }
  if (type === "date" && typeof value === "string" && value >= FIRST_DAY && Day.isDay(value)) {
    return number(ref, String(Day.toEpochMillis(value as Day.Day) / MS_PER_DAY + DAYS_TO_EPOCH), STYLE.date + bold)
  }
  if (type === "instant" && typeof value === "number") return number(ref, serial(value), STYLE.instant + bold)
  if (type === "integer" && typeof value !== "string") {
    const whole = String(value)
    return isKept(whole) ? number(ref, whole, STYLE.integer + bold) : text(ref, whole, STYLE.long + bold, STYLE.long)
  }
  return text(ref, String(value), STYLE.text + bold, STYLE.text)
}
