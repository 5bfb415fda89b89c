/**
 * Calendar days: `yyyy-mm-dd`, without time or zone (DP 2.1). They compare as
 * strings. Arithmetic counts days in the proleptic Gregorian calendar and never
 * involves a time zone.
 */
import { Schema } from "effect"

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Whether year, month (1 to 12) and day exist in the calendar. */
export const exists = (year: number, month: number, day: number): boolean =>
  year >= 1 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= (month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0))

/** The number that the digits between two positions are; NaN if they are not all digits. */
const digits = (text: string, from: number, to: number): number => {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN
  }
  return number
}

/** Without a pattern, because it runs for each day of each row of a ledger. */
export const isDay = (text: string): boolean =>
  text.length === 10 &&
  text.charCodeAt(4) === 45 &&
  text.charCodeAt(7) === 45 &&
  exists(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10))

export const Day = Schema.String.check(
  Schema.makeFilter(isDay, {
    expected: "a calendar day, yyyy-mm-dd",
    toJsonSchema: () => ({ format: "date" }),
    arbitraryConstraint: { patterns: [{ source: "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$", flags: "" }] },
    message: "Date has wrong format. Use one of these formats instead: YYYY-MM-DD."
  })
).pipe(Schema.brand("Day"))
export type Day = typeof Day.Type

const two = (n: number) => (n < 10 ? `0${n}` : String(n))

/** Makes a day from its parts; undefined if there is no such day. */
export const make = (year: number, month: number, day: number): Day | undefined =>
  exists(year, month, day) ? (`${String(year).padStart(4, "0")}-${two(month)}-${two(day)}` as Day) : undefined

/** Like `parse`, for text that is known to be valid. Throws a `RangeError` otherwise. */
export const of = (text: string): Day => {
  if (!isDay(text)) throw new RangeError(`${JSON.stringify(text)} is not a calendar day`)
  return text as Day
}

const MS_PER_DAY = 86_400_000

/** The UTC day of an instant, in milliseconds since the epoch. Throws a `RangeError` outside the years 1 to 9999. */
export const fromEpochMillis = (millis: number): Day => of(new Date(millis).toISOString().replace(/T.*/, ""))

/** Its first instant in UTC, which is how a date without a time is parsed. */
export const toEpochMillis = (day: Day): number => Date.parse(day)

export const addDays = (day: Day, days: number): Day => fromEpochMillis(toEpochMillis(day) + days * MS_PER_DAY)

/** Days from `from` to `to`; negative if `to` is earlier. */
export const between = (from: Day, to: Day): number => (toEpochMillis(to) - toEpochMillis(from)) / MS_PER_DAY
