/** The settings that say how dates are written. */
import { Schema } from "effect"
import * as Dates from "./Dates.ts"

const maybe = Schema.optionalKey
const format = Schema.NonEmptyString.check(Schema.makeFilter((format: string) => Dates.wrongFormat(format) ?? true))

export const DATE_FORMATS = {
  /** `yyyy-MM-dd` by default; made of `yyyy yy MM M MMM dd d` and any separators. */
  date_format: maybe(format),
  /** Ways in which some dates are written beside `date_format`, in a sheet that several people keep. */
  other_date_formats: maybe(Schema.Array(format))
}

/** Dates without a year need the `year` setting. */
export const hasYear = Schema.makeFilter((settings: object) => {
  const { date_format, other_date_formats, year } = settings as Readonly<Record<string, unknown>>
  const formats = [date_format, other_date_formats].flat().filter((one) => typeof one === "string")
  return year !== undefined || !formats.some(Dates.needsYear)
    ? true
    : { path: ["date_format"], issue: "names no year (yyyy, yy); name it, or set year" }
})
