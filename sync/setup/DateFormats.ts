/**
 * Detects the format of a table's dates by trying which one fits them all. If day and month are ambiguous, the relation of
 * the dates in a row, or their order, may decide; otherwise a person is asked.
 */
import * as Dates from "../../connectors/tabular/Dates.ts"
import type { Day } from "../../core/wire/Day.ts"
import { share } from "./Tables.ts"

/** Formats in which day and month may be swapped. */
const ORDERS: ReadonlyArray<readonly [string, string]> = ["/", ".", "-", " "].flatMap((mark) =>
  ["yyyy", "yy"].map((year) => [`d${mark}M${mark}${year}`, `M${mark}d${mark}${year}`] as const)
)

const OTHERS = [
  "yyyy-MM-dd",
  "yyyy/M/d",
  "yyyy.M.d",
  "yyyy.M.d.",
  "yyyyMMdd",
  "d MMM yyyy",
  "d-MMM-yyyy",
  "d/MMM/yyyy",
  "d. MMM yyyy",
  "d. M. yyyy",
  "d.M.yyyy.",
  "MMM d, yyyy",
  "MMM d yyyy",
  "d MMM yy",
  "d-MMM-yy",
  "d MMM, yyyy",
  "yyyy. MMM d.",
  "ddMMyyyy"
]

/** Languages whose month names are tried; English is always included. */
const LANGUAGES = ["de", "fr", "nl", "es", "it", "pt", "sv", "nb", "da", "fi", "pl", "cs", "hu", "ro", "el", "tr"]

export interface WrittenDates {
  readonly format: string
  /** The format with day and month swapped, if it fits as many; `because` is empty then. */
  readonly or?: string
  readonly language?: string
  /** Times have a time zone. */
  readonly zoned: boolean
  readonly because: string
}

/** Columns of dates, each with a cell for every row: `issued` and `due` if known. */
export interface DateColumns {
  readonly first: ReadonlyArray<string>
  readonly due?: ReadonlyArray<string>
  readonly others?: ReadonlyArray<ReadonlyArray<string>>
  /** Whether some may be days of a workbook, which are read in any case. */
  readonly typed?: boolean
}

const ISO = /^\d{4}-\d{2}-\d{2}/

interface Fit {
  readonly format: string
  readonly fits: number
}

/** @param values how often each occurs: a file has many rows and few days */
const tried = (values: ReadonlyMap<string, number>, format: string, language?: string): Fit => {
  const parse = Dates.reader({ format, language, zone: "UTC" })
  let fits = 0
  for (const [value, times] of values) if (parse(value) !== undefined) fits += times
  return { format, fits }
}

const counted = (values: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const most = (all: ReadonlyArray<Fit>): Fit => all.reduce((best, one) => (one.fits > best.fits ? one : best))

/** How many of these values are dates in the format that most of them have, from 0 to 1. */
export const shareOfDates = (values: ReadonlyArray<string>): number => {
  const filled = values.filter((one) => one !== "")
  const found = formatOf(filled, 0)
  if (found === undefined) return 0
  const parse = Dates.reader({ format: found.format, language: found.language, zone: "UTC" })
  const iso = Dates.reader({ format: Dates.DEFAULT, zone: "UTC" })
  return filled.filter((one) => (parse(one) ?? iso(one)) !== undefined).length / filled.length
}

/** The format and language of months by their names, if it fits more than another: "september" is Swedish as well, "oktober" is not English. */
const byNames = (distinct: ReadonlyMap<string, number>, fits: number) => {
  const words = new Map([...distinct].filter(([text]) => /\d/.test(text) && /\p{L}{3}/u.test(text)))
  if ([...words.values()].reduce((sum, times) => sum + times, 0) <= fits) return undefined
  const formats = OTHERS.filter((format) => format.includes("MMM"))
  const found = LANGUAGES.map((language) => ({
    ...most(formats.map((one) => tried(words, one, language))),
    language
  })).reduce((best, one) => (one.fits > best.fits ? one : best))
  return found.fits > fits ? found : undefined
}

/** The format that most of these values have; undefined if they are not dates, up to a share of them. */
export const formatOf = (values: ReadonlyArray<string>, least = 0.8): WrittenDates | undefined => {
  const filled = values.filter((one) => one !== "")
  if (filled.length === 0) return undefined
  const distinct = counted(filled)
  const zoned = [...distinct.keys()].some(Dates.isZoned)
  const found = most([...OTHERS, ...ORDERS.flat()].map((format) => tried(distinct, format)))
  const needed = Math.max(1, Math.ceil(filled.length * least))
  const named = byNames(distinct, found.fits)
  if (named !== undefined && named.fits >= needed)
    return { ...named, zoned, because: `${share(named.fits, filled.length)} dates fit` }
  if (found.fits < needed) return undefined
  const pair = ORDERS.find((one) => one.includes(found.format))
  if (pair === undefined)
    return { format: found.format, zoned, because: `${share(found.fits, filled.length)} dates fit` }
  const other = tried(distinct, pair[0] === found.format ? pair[1] : pair[0])
  if (other.fits === found.fits) return { format: pair[0], or: pair[1], zoned, because: "" }
  const only = found.fits - other.fits
  const order = found.format.startsWith("d") ? "day first" : "month first"
  return {
    format: found.format,
    zoned,
    because: `${order}: ${share(only, filled.length)} dates fit no other way`
  }
}

/** The evidence for either order of day and month. */
const evidence = (
  { due, first }: DateColumns,
  [a, b]: readonly [string, string],
  today: Day
): { readonly format: string; readonly because: string } | undefined => {
  const read = (format: string) => {
    const parse = Dates.reader({ format, zone: "UTC" })
    const days = first.map(parse)
    const dues = due?.map(parse) ?? []
    const known = days.filter((day) => day !== undefined)
    return {
      early: days.filter((day, n) => day !== undefined && (dues[n] ?? day) < day).length,
      future: known.filter((day) => day > today).length,
      breaks: known.filter((day, n) => day < (known[n - 1] ?? day)).length,
      distinct: new Set(known).size
    }
  }
  const [one, other] = [read(a), read(b)]
  const better = (member: "early" | "future") =>
    one[member] === 0 && other[member] > 1 ? a : other[member] === 0 && one[member] > 1 ? b : undefined
  const name = (format: string) => (format.startsWith("d") ? "day first" : "month first")
  const early = better("early")
  if (early !== undefined)
    return {
      format: early,
      because: `${name(early)}: the other way ${Math.max(one.early, other.early)} would be due before they are issued`
    }
  const future = better("future")
  if (future !== undefined)
    return {
      format: future,
      because: `${name(future)}: the other way ${Math.max(one.future, other.future)} dates would be in the future`
    }
  const sorted = one.breaks === 0 && other.breaks > 2 ? a : other.breaks === 0 && one.breaks > 2 ? b : undefined
  return sorted === undefined || Math.min(one.distinct, other.distinct) < 6
    ? undefined
    : { format: sorted, because: `${name(sorted)}: only so do the dates follow each other from row to row` }
}

/** How many formats a table's dates may have beside the first one. */
const MOST_OTHERS = 3

export type DayOrder = "day" | "month"

/** In which order a format has day and month, where they may be swapped. */
const orderOf = (format: string): DayOrder | undefined =>
  ORDERS.some(([day]) => day === format) ? "day" : ORDERS.some(([, month]) => month === format) ? "month" : undefined

export interface OtherFormats {
  readonly formats: ReadonlyArray<Fit>
  /** A date that is as well another one, day and month swapped, and how many such there are. */
  readonly unclear?: { readonly example: string; readonly count: number }
}

/**
 * The formats of dates that are not written as most of a table's are: a sheet that several people keep. Day and month stand in
 * the order of the others, or as was said. A cell that has none of them is quarantined with its row.
 */
export const otherFormats = (
  values: ReadonlyArray<string>,
  { format, language }: Pick<WrittenDates, "format" | "language">,
  said?: DayOrder
): OtherFormats => {
  const order = orderOf(format) ?? said
  const parse = Dates.reader({ format, language, zone: "UTC" })
  let left = values.filter((one) => /\d/.test(one) && parse(one) === undefined)
  const formats: Array<Fit> = []
  while (left.length > 0 && formats.length < MOST_OTHERS) {
    const distinct = counted(left)
    const fits = [...OTHERS, ...ORDERS.flat().filter((one) => order === undefined || orderOf(one) === order)]
      .filter((one) => one !== format)
      .map((one) => tried(distinct, one, language))
    const best = most(fits)
    if (best.fits === 0) break
    const read = Dates.reader({ format: best.format, language, zone: "UTC" })
    const swapped = ORDERS.find((pair) => pair.includes(best.format))?.find((one) => one !== best.format)
    if (order === undefined && fits.some((one) => one.format === swapped && one.fits === best.fits)) {
      const example = left.find((one) => read(one) !== undefined) ?? ""
      return { formats, unclear: { example, count: best.fits } }
    }
    formats.push(best)
    left = left.filter((one) => read(one) === undefined)
  }
  return { formats }
}

/** The format of all dates in a table's columns. */
export const writtenDates = (columns: DateColumns, today: Day): WrittenDates | undefined => {
  const all = [columns.first, columns.due ?? [], ...(columns.others ?? [])].flat()
  // "On receipt" among the due dates is no date; and of a workbook's dates, only those that were typed have a format.
  const numbered = all.filter((one) => /\d/.test(one))
  const typed = numbered.filter((one) => !ISO.test(one))
  const values = columns.typed === true && typed.length > 0 ? typed : numbered
  // Of several ways to write days, none may be that of most of them.
  const found = formatOf(values, 0.5) ?? formatOf(values, 0)
  if (found?.or === undefined) return found
  // No locale of the CLDR (https://cldr.unicode.org) writes the month first between dots.
  if (found.format.startsWith("d."))
    return { format: found.format, zoned: found.zoned, because: "day first: dates with dots are written so" }
  const shown = evidence(columns, [found.format, found.or], today)
  return shown === undefined ? found : { ...shown, zoned: found.zoned }
}

const ZONES = [
  "UTC",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Helsinki",
  "Europe/Istanbul",
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "America/Sao_Paulo",
  "Asia/Dubai",
  "Asia/Kolkata",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Pacific/Auckland"
]

const TIME = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?.*?([+-])(\d{2}):?(\d{2})$/

/** The time zone that explains the offsets of these times; tries the machine's own first. */
export const zoneOf = (values: ReadonlyArray<string>, own: string): string | undefined => {
  const times = values.flatMap((value) => {
    const [, y, m = "1", d = "1", h = "0", i = "0", s = "0", sign, hours, minutes] = TIME.exec(value) ?? []
    if (y === undefined) return []
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
    return [{ offset, at: Date.UTC(+y, +m - 1, +d, +h, +i, +s) - offset * 60_000 }]
  })
  if (times.length === 0 || times.length < values.filter((one) => one !== "").length) return undefined
  return [own, ...ZONES].find((zone) => {
    const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
    const offsets = new Map<number, number>()
    return times.every(({ at, offset }) => {
      const day = Math.floor(at / 86_400_000)
      const known = offsets.get(day) ?? offsetAt(parts, at)
      offsets.set(day, known)
      return known === offset || offsetAt(parts, at) === offset
    })
  })
}

const offsetAt = (parts: Intl.DateTimeFormat, at: number): number => {
  const name = parts.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [, sign, hours = "0", minutes = "0"] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
}
