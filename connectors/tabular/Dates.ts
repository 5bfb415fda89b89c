/**
 * Reads calendar days in configurable formats. Each format is compiled once. A day passes through an instant only if the
 * file writes a time with a zone, and the settings say whose day is meant.
 */
import * as Day from "../../core/wire/Day.ts"
import { months } from "./Months.ts"
import { remembered } from "./Remembered.ts"

/** The default date format. */
export const DEFAULT = "yyyy-MM-dd"

/** A group of letters is a part if the whole group is a part's name; otherwise it is a literal word, like "de". */
const PARTS =
  /(?<![A-Za-z])(?!(?:yyyy|yy|M+|dd|d)+(?![A-Za-z]))[A-Za-z]+|yyyy|yy|MMMM|MMM|MM|M|dd|d|[^A-Za-z]+|[A-Za-z]+/g

const TOKENS: Readonly<Record<string, string>> = {
  yyyy: "(?<y>\\d{4})",
  yy: "(?<s>\\d{2})",
  MM: "(?<m>\\d{2})",
  M: "(?<m>\\d{1,2})",
  dd: "(?<d>\\d{2})",
  d: "(?<d>\\d{1,2})"
}

const isName = (part: string) => part === "MMM" || part === "MMMM"

/** An optional time of day after the date, which the format need not name; and its zone. */
const TIME =
  "(?:(?:T|,? )(?<H>\\d{1,2}):(?<I>\\d{2})(?::(?<S>\\d{2})(?:[.,]\\d+)?)?(?: ?(?<P>[AaPp])[Mm])?(?: ?(?<z>Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?"

/** Letters that other programs use for times, weekdays and the like; as literal text they would never match. */
const LETTERS = /^[A-Za-z]$|^([A-Za-z])\1+$|HH|hh|mm|ss|DD|YY|EEE/

/** How dates are written, and whose day is meant. */
export interface Writing {
  readonly format: string
  /** ISO 639-1 code of the language of month names; English is always accepted. */
  readonly language?: string | undefined
  /** The time zone that decides on which day a time with its own zone falls. */
  readonly zone?: string | undefined
  /** For formats without a year: the year, and the month in which it begins. */
  readonly year?: { readonly year: number; readonly month: number } | undefined
}

/** What is wrong with a format; undefined if it is valid. */
export const wrongFormat = (format: string): string | undefined => {
  const parts = format.match(PARTS) ?? []
  const count = (letter: string) =>
    parts.filter((part) => (part in TOKENS || isName(part)) && part[0] === letter).length
  if (count("y") > 1 || count("M") !== 1 || count("d") !== 1 || (count("y") === 0 && !/^[dM.\-/ ]+$/.test(format))) {
    return "name the year (yyyy, yy), the month (MM, M, MMM) and the day (dd, d) once each, like d/M/yyyy"
  }
  if (format !== format.trim()) return "leave out the blanks around it: cells are read without theirs"
  const letters = parts.find((part) => !(part in TOKENS) && !isName(part) && LETTERS.test(part))
  if (letters !== undefined) {
    return `no date would match ${JSON.stringify(letters)}; name year, month and day only (a time of day after the date is accepted without being named)`
  }
  // In a group of adjacent numbers, only one may vary in length.
  const together = format.match(/(?:yyyy|yy|(?<!M)MM(?!M)|(?<!M)M(?!M)|dd|d)+/g) ?? []
  return together.some((run) => run.replace(/yyyy|yy|MM|dd/g, "").length > 1)
    ? "nothing says where one number ends and the next begins; write dd and MM, or the separators between them"
    : undefined
}

/** Whether a format has no year, so that another setting must give it. */
export const needsYear = (format: string): boolean => !format.includes("yy")

export const wrongZone = (zone: string): string | undefined => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone })
    return undefined
  } catch {
    return 'write a time zone, like "Europe/Berlin"'
  }
}

export type Parse = (text: string) => Day.Day | undefined

const compiled = new Map<string, Parse>()

/** Compiles a format. */
export const reader = (writing: string | Writing): Parse => {
  const whole: Writing = typeof writing === "string" ? { format: writing } : writing
  const key = JSON.stringify([whole.format, whole.language, whole.zone, whole.year])
  const known = compiled.get(key)
  if (known !== undefined) return known
  const names = months(whole.language)
  const source = whole.format.replace(PARTS, (part) =>
    isName(part) ? `(?<n>${names.pattern})` : (TOKENS[part] ?? part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
  )
  const pattern = new RegExp(`^${source}${TIME}$`, "u")
  const dayOf = whole.zone === undefined ? undefined : dayIn(whole.zone)
  const parse: Parse = remembered(20_000, (text) => {
    const groups = pattern.exec(text)?.groups
    if (groups === undefined) return undefined
    const { d, m, n, s, y } = groups
    const month = n === undefined ? Number(m) : names.month(n)
    const year =
      y !== undefined ? Number(y) : s !== undefined ? (Number(s) < 70 ? 2000 : 1900) + Number(s) : yearOf(month, whole)
    const day = Day.make(year, month, Number(d))
    return day === undefined ? undefined : placed(day, groups, dayOf)
  })
  compiled.set(key, parse)
  return parse
}

/** Reads a day in the first of several ways that fits. */
export const readerOfAny = ([first, ...others]: ReadonlyArray<Writing>): Parse => {
  const parse = reader(first ?? DEFAULT)
  if (others.length === 0) return parse
  const further = others.map((one) => reader(one))
  return (text) => {
    const day = parse(text)
    if (day !== undefined) return day
    for (const other of further) {
      const found = other(text)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Months before the first month of the business year belong to the next calendar year. */
const yearOf = (month: number, { year }: Writing): number =>
  year === undefined ? 0 : month < year.month ? year.year + 1 : year.year

/** The day on which a time falls: the day as written, unless the time has a zone. */
const placed = (
  day: Day.Day,
  { H, I, P, S, z }: Record<string, string | undefined>,
  dayOf: ((millis: number) => Day.Day) | undefined
): Day.Day | undefined => {
  if (H === undefined) return day
  const hour = P === undefined ? Number(H) : (Number(H) % 12) + (/p/i.test(P) ? 12 : 0)
  const seconds = (hour * 60 + Number(I)) * 60 + Number(S ?? 0)
  if (seconds >= 86_400) return undefined
  if (z === undefined) return day
  // Many programs write a day without a time as midnight UTC; any other time may fall on another day elsewhere.
  if (dayOf === undefined) return seconds === 0 && /^[A-Z]/.test(z) ? day : undefined
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(z) ?? []
  const offset = hours === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60)
  return dayOf(Day.toEpochMillis(day) + (seconds - offset) * 1000)
}

/** Cached by time zone, because creating one is slow. */
const FORMATS = new Map<string, Intl.DateTimeFormat>()

/** Returns the day on which an instant falls in a time zone, such as `Europe/Berlin`. Throws if the zone is unknown. */
export const dayIn = (zone: string): ((millis: number) => Day.Day) => {
  const parts =
    FORMATS.get(zone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" })
  FORMATS.set(zone, parts)
  return (millis) => Day.of(parts.format(millis))
}

const ZONED = /\d{1,2}:\d{2}.*(?:Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)$/

/** Whether a text has a time with a zone, so that its day depends on the reader's zone. */
export const isZoned = (text: string): boolean => ZONED.test(text)

const COMMON = [
  "yyyy-MM-dd",
  "d/M/yyyy",
  "M/d/yyyy",
  "d.M.yyyy",
  "d-M-yyyy",
  "yyyy/M/d",
  "yyyyMMdd",
  "d MMM yyyy",
  "d-MMM-yyyy",
  "MMM d, yyyy",
  "d/M/yy",
  "M/d/yy"
]

/** The common formats that fit most of these values. */
export const suggest = (values: ReadonlyArray<string>, rest: Omit<Writing, "format"> = {}): ReadonlyArray<string> => {
  const fits = COMMON.map((format) => {
    const parse = reader({ ...rest, format })
    return values.filter((value) => parse(value) !== undefined).length
  })
  const most = Math.max(...fits)
  return most === 0 ? [] : COMMON.filter((_, n) => fits[n] === most)
}

/** The day of a spreadsheet's serial number in the 1900 date system, in which 60 is a day that never existed. */
export const fromSerial = (serial: number): Day.Day | undefined => {
  const days = Math.floor(serial)
  if (!(days >= 1 && days < 2_958_466) || days === 60) return undefined
  return Day.addDays(Day.of("1899-12-30"), days < 60 ? days + 1 : days)
}
