/**
 * Reads Tryton's JSON values: decimals, days and instants are objects that name their class; the fields of a related record
 * are in a member whose name ends with a dot. Pure.
 */
import * as Json from "../Json.ts"

/** Leaves values that are not numbers unchanged; the caller validates the whole. */
const digits = (value: unknown, places = 2): string =>
  (typeof value === "number" ? `${value}` : (Json.nameOf(value) ?? "?")).padStart(places, "0")

/** Expands the exponents that Python writes for decimals with many zeros. */
const decimal = (text: string): string => {
  const match = /^(-?)(\d+)(?:\.(\d+))?[Ee]([+-]?\d{1,3})$/.exec(text)
  if (match === null) return text.replace(/^-(?=[0.]+$)/, "")
  const [, sign, whole = "", fraction = "", exponent] = match
  const all = `${whole}${fraction}`
  const point = whole.length + Number(exponent)
  const padded = point <= 0 ? all.padStart(all.length - point + 1, "0") : all.padEnd(point, "0")
  const at = Math.max(point, 1)
  return `${sign}${padded.slice(0, at)}${padded.length > at ? `.${padded.slice(at)}` : ""}`
}

/** Converts typed values to texts, and member names to plain names. */
export const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!Json.isObject(value)) return value
  const { year, month, day, hour, minute, second, microsecond } = value
  switch (value["__class__"]) {
    case "Decimal":
      return decimal(Json.nameOf(value["decimal"]) ?? "?")
    case "date":
      return `${digits(year, 4)}-${digits(month)}-${digits(day)}`
    case "datetime":
      return `${digits(year, 4)}-${digits(month)}-${digits(day)}T${digits(hour)}:${digits(minute)}:${digits(second)}.${digits(microsecond, 6)}`
    default:
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.replace(/\.$/, ""), plain(one)]))
  }
}

/** Formats an instant for a request; `text` is the form that `plain` gives it. */
export const datetime = (text: string, secondsBefore = 0): object => {
  const millis = Date.parse(`${text.slice(0, 19)}Z`) - secondsBefore * 1000
  const at = new Date(millis)
  return {
    __class__: "datetime",
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: 0
  }
}

/** An id as a number with all its digits. */
export const number = (id: string): unknown => Json.parse(id)

export const isId = (id: string): boolean => /^[1-9]\d{0,18}$/.test(id)

/** The ids in a list, as texts; other elements are left out. */
export const ids = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map((one) => Json.nameOf(one) ?? "").filter(isId) : []

/** The same; an element that is not an id makes the record unfit. */
export const allIds = (fields: Json.Fields, path: string): ReadonlyArray<string> => {
  const value = fields.get(path)
  if (value === undefined) return []
  const found = ids(value)
  if (!Array.isArray(value) || found.length < value.length) throw new Json.Unfit(path, "is not a list of ids")
  return found
}
