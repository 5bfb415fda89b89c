/**
 * Calendar days as files write them. A format is compiled once; a day never passes through an instant or a zone.
 */
import * as Day from "../../core/wire/Day.ts"
import { remembered } from "./Remembered.ts"

/** What a date is written in, where nothing else is said. */
export const DEFAULT = "yyyy-MM-dd"

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")

const PARTS = /yyyy|yy|MMM|MM|M|dd|d|[^A-Za-z]+|[A-Za-z]+/g

const TOKENS: Readonly<Record<string, string>> = {
  yyyy: "(?<y>\\d{4})",
  yy: "(?<s>\\d{2})",
  MMM: "(?<n>[A-Za-z]{3,9})",
  MM: "(?<m>\\d{2})",
  M: "(?<m>\\d{1,2})",
  dd: "(?<d>\\d{2})",
  d: "(?<d>\\d{1,2})"
}

/** A time of day without a zone, which a day loses; or midnight in one. Other times of a zone may be another day. */
const TIME = "(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[AaPp][Mm])?|[T ]00:00(?::00(?:\\.0+)?)?Z)?"

/** Why a text is no format; undefined when it is one. */
export const wrongFormat = (format: string): string | undefined => {
  const parts = format.match(PARTS) ?? []
  const count = (letter: string) => parts.filter((part) => part in TOKENS && part[0] === letter).length
  return count("y") === 1 && count("M") === 1 && count("d") === 1
    ? undefined
    : "name the year (yyyy, yy), the month (MM, M, MMM) and the day (dd, d) once each, like d/M/yyyy"
}

export type Parse = (text: string) => Day.Day | undefined

const compiled = new Map<string, Parse>()

/** The reader of a format. */
export const reader = (format: string): Parse => {
  const known = compiled.get(format)
  if (known !== undefined) return known
  const source = format.replace(PARTS, (part) => TOKENS[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const pattern = new RegExp(`^${source}${TIME}$`)
  const parse: Parse = remembered(20_000, (text) => {
    const groups = pattern.exec(text)?.groups
    return groups === undefined ? undefined : make(groups)
  })
  compiled.set(format, parse)
  return parse
}

const make = ({ d, m, n, s, y }: Record<string, string | undefined>): Day.Day | undefined => {
  const year = y === undefined ? (Number(s) < 70 ? 2000 : 1900) + Number(s) : Number(y)
  const month = n === undefined ? Number(m) : MONTHS.indexOf(n.slice(0, 3).toLowerCase()) + 1
  return Day.make(year, month, Number(d))
}

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
export const suggest = (values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const fits = COMMON.map((format) => values.filter((value) => reader(format)(value) !== undefined).length)
  const most = Math.max(...fits)
  return most === 0 ? [] : COMMON.filter((_, n) => fits[n] === most)
}

/** The day of a spreadsheet's serial number in the 1900 system, where 60 is a day that never was. */
export const fromSerial = (serial: number): Day.Day | undefined => {
  const days = Math.floor(serial)
  if (!(days >= 1 && days < 2_958_466) || days === 60) return undefined
  return Day.addDays(Day.of("1899-12-30"), days < 60 ? days + 1 : days)
}
