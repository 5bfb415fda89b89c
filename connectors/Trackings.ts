/** Reads a parcel's tracking numbers. A missing or malformed one never keeps the parcel from being read. */
import * as Json from "./Json.ts"
import type { Tracking } from "./Tracking.ts"

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === "string" ? value : Json.isNumeral(value) ? value.rawJSON : ""
  return text.trim() === "" ? undefined : text.trim()
}

/** The entries with a tracking number, without duplicates; the member is left out if there are none. */
export const trackings = (
  all: ReadonlyArray<{ readonly [Member in keyof Tracking]?: unknown }>
): { readonly tracking?: ReadonlyArray<Tracking> } => {
  const found = new Map<string, Tracking>()
  for (const one of all) {
    const [number, carrier, url] = [textOf(one.number), textOf(one.carrier), textOf(one.url)]
    if (number === undefined || found.has(number)) continue
    found.set(number, { number, ...Json.present({ carrier, url }) })
  }
  return found.size === 0 ? {} : { tracking: [...found.values()] }
}

/** The same for records, given the members that may hold each value: the first that is present is used. */
export const tracked = (
  records: ReadonlyArray<Json.Fields>,
  members: { readonly [Member in keyof Required<Tracking>]: ReadonlyArray<string> }
) => {
  const first = (fields: Json.Fields, paths: ReadonlyArray<string>) =>
    paths.map((path) => fields.get(path)).find((value) => textOf(value) !== undefined)
  return trackings(
    records.map((fields) => ({
      number: first(fields, members.number),
      carrier: first(fields, members.carrier),
      url: first(fields, members.url)
    }))
  )
}
