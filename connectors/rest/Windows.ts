/**
 * Splits the time of a list that can be queried only for limited periods into consecutive windows, until now. Pure.
 *
 * The last window ends a day after this machine's time, in case its clock is wrong; the list's mark is never later than its
 * end.
 */
import type * as Http from "../Http.ts"
import type { Changes, Root } from "./Declaration.ts"

/** The current window and the end of the last one, in milliseconds since the epoch. */
export interface Window {
  readonly from: number
  readonly until: number
  readonly end: number
}

const AHEAD_MS = 86_400_000
/** Windows shorter than this are not halved. */
const LEAST_MS = 60_000

type Between = Extract<Changes, { between: unknown }>

const betweenOf = ({ changes }: Root<never>): Between | undefined =>
  typeof changes === "object" && "between" in changes ? changes : undefined

/** The first window of a list; undefined if it is not queried by time. */
export const first = (
  root: Root<never>,
  settings: never,
  mark: number | undefined,
  overlapSeconds: number,
  now: number
): Window | undefined => {
  const between = betweenOf(root)
  if (between === undefined) return undefined
  const since = Date.parse(String(root.from?.(settings) ?? ""))
  const oldest = Math.max(now - between.oldest * 1000, Number.isNaN(since) ? 0 : since)
  const from = mark === undefined ? oldest : Math.max(mark - overlapSeconds * 1000, now - between.oldest * 1000)
  const end = Math.max(now, from) + AHEAD_MS
  return { from, until: Math.min(from + between.within * 1000, end), end }
}

/** The next window, twice as long if the current one was halved; undefined after the last. */
export const next = (root: Root<never>, { end, from, until }: Window): Window | undefined => {
  const between = betweenOf(root)
  if (between === undefined || until >= end) return undefined
  const length = Math.min(between.within * 1000, 2 * (until - from))
  return { from: until, until: Math.min(until + length, end), end }
}

/** Half of the window, if the error message says that it has too many records. */
export const halved = (root: Root<never>, { end, from, until }: Window, said: string): Window | undefined => {
  const { tooMany } = betweenOf(root) ?? {}
  if (tooMany === undefined || !said.includes(tooMany) || until - from < 2 * LEAST_MS) return undefined
  return { from, until: Math.floor((from + until) / 2), end }
}

export const query = (root: Root<never>, { from, until }: Window): Http.Query =>
  betweenOf(root)?.between(iso(from), iso(until)) ?? {}

const iso = (millis: number) => new Date(millis).toISOString()
