/** Queries lists for what changed since their marks, by the source's clock. */
import { Clock, Effect } from "effect"
import type * as Http from "../Http.ts"
import * as Instant from "../../core/wire/Instant.ts"
import * as Json from "../Json.ts"
import type { Answer } from "../Judge.ts"
import type { Source } from "./Asking.ts"
import type { Changes, Declaration, Root } from "./Declaration.ts"
import * as Turn from "./Turn.ts"

// biome-ignore lint/suspicious/noExplicitAny: any source
export type Any = Declaration<string, any>

export interface Reading {
  readonly declaration: Any
  readonly settings: never
  readonly source: Source
  /** For a preview: the number of records of each list that are needed. */
  readonly wanted: number | undefined
}

/** By how much this machine's clock may be wrong; used if the source does not state its time. */
const MARGIN_MS = 86_400_000

/** The time of an answer by the source's clock, less a second, because the data was read before the answer was sent. */
export const clock = (d: Any, answer: Answer): Effect.Effect<number> => {
  const said = Turn.said(answer, d.clock ?? "header:date")
  const at = said === undefined ? Number.NaN : Math.max(Date.parse(said), -1)
  if (at > 0) return Effect.succeed(at - 1000)
  return Effect.map(Clock.currentTimeMillis, (now) => now - MARGIN_MS)
}

const formatted = (millis: number, format: Extract<Changes, { since: unknown }>["format"]): string => {
  if (typeof format === "function") return format(millis)
  return format === "seconds" ? String(Math.floor(millis / 1000)) : new Date(millis).toISOString()
}

/** The query for changes since a list's mark; without a mark, for everything, or since the time in the settings. */
export const changesOf = (
  { declaration: d, settings }: Reading,
  { changes, from: begin }: Root<never>,
  mark: number | undefined
): Http.Query => {
  if (typeof changes === "object" && "above" in changes)
    return changes.query(String(mark === undefined ? (begin?.(settings) ?? 0) : Math.max(0, mark - changes.back)))
  if (typeof changes !== "object" || !("since" in changes)) return {}
  const { format, inclusive, look, resolution = 1, since } = changes
  if (mark === undefined) {
    const first = begin?.(settings)
    return first === undefined ? {} : typeof since === "string" ? { [since]: first } : since(String(first))
  }
  const unit = resolution * 1000
  const behind = mark - (d.overlapSeconds + (look?.back ?? 0)) * 1000
  const from = formatted(Math.floor(behind / unit) * unit - (inclusive ? 0 : unit), format)
  return typeof since === "string" ? { [since]: from } : since(from)
}

/** For a ledger, the highest number of these records and of those before; undefined for any other list. */
export const highest = (
  { changes }: Root<never>,
  records: ReadonlyArray<unknown>,
  before: number | undefined
): number | undefined => {
  if (typeof changes !== "object" || !("above" in changes)) return undefined
  const numbers = records.map((record) => Json.nameAt(record, changes.above) ?? "")
  return numbers.reduce((most, one) => (/^\d{1,15}$/.test(one) ? Math.max(most, Number(one)) : most), before ?? 0)
}

/** Whether a list that comes newest first has reached records that were read before and are too old to change. */
export const isBehind = (
  { changes }: Root<never>,
  mark: number | undefined,
  records: ReadonlyArray<unknown>
): boolean => {
  if (mark === undefined || typeof changes === "string" || !("newest" in changes) || records.length === 0) return false
  return records.every((record) => {
    const said = Json.isObject(record) ? Json.nameOf(new Json.Fields(record).get(changes.newest)) : undefined
    return Instant.toEpochMillis(said ?? "") < mark - changes.reach * 1000
  })
}

/** The queried records in which something happened since the list's mark. */
export const happened = (
  d: Any,
  { changes }: Root<never>,
  mark: number | undefined,
  records: ReadonlyArray<unknown>
) => {
  const look = typeof changes === "object" && "since" in changes ? changes.look : undefined
  if (look === undefined || mark === undefined) return records
  const from = mark - d.overlapSeconds * 1000 - 1000
  return records.filter((record) => {
    try {
      // A record with an unreadable time is included.
      return (
        !Json.isObject(record) || look.times(new Json.Fields(record)).some((at) => !(Instant.toEpochMillis(at) < from))
      )
    } catch (cause) {
      if (cause instanceof Json.Unfit) return true
      throw cause
    }
  })
}
