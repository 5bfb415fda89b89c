/**
 * Decides when an alert is sent: at once, at the end of quiet hours, or with the day's digest. Uses the wall-clock time of a
 * zone, so that quiet hours end at the same local time also on days on which the clocks change. Pure.
 */
import type { Digest, QuietHours } from "../model/AlertSettings.ts"
import * as Schedule from "../model/Schedule.ts"

const MINUTE_MS = 60_000

/** Caches formatters: there are few zones, and they are used often. */
const known = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  let made = known.get(zone)
  if (made === undefined) {
    const how = { timeZone: zone, hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const
    known.set(zone, (made = new Intl.DateTimeFormat("en-GB", how)))
  }
  return made
}

/** `07:30`: the wall-clock time. Such texts sort by time. */
const wall = (now: number, zone = "UTC"): string => formatOf(zone).format(now)

export const isQuiet = ({ from, to, zone }: QuietHours, now: number): boolean => {
  const time = wall(now, zone)
  return from < to ? from <= time && time < to : from <= time || time < to
}

/**
 * The first moment that is not quiet: searched minute by minute, because a clock change may skip the hour at which they end.
 */
const afterQuiet = (quiet: QuietHours, now: number): number => {
  let time = now
  while (isQuiet(quiet, time)) time = (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS
  return time
}

/** The next digest, strictly later than now. */
const nextDigest = ({ at, zone }: Digest, now: number): number => {
  const [hour, minute] = at.split(":").map(Number)
  return Schedule.next({ cron: `${minute} ${hour} * * *`, ...(zone === undefined ? {} : { zone }) }, now)
}

/** A digest comes at its chosen hour, even in quiet hours. */
export const dueAt = (
  { digest, quiet }: { readonly digest?: Digest; readonly quiet?: QuietHours },
  now: number
): number => (digest !== undefined ? nextDigest(digest, now) : quiet !== undefined ? afterQuiet(quiet, now) : now)
