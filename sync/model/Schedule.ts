/**
 * Decides when a connection is due: `every: "15 minutes"`, or a cron expression in a time zone. Pure: it depends only on when
 * the last run was due and on the current time, so that a pause, a restart or a change of clocks neither skips a due run nor
 * repeats it. Several missed runs are made up for by one.
 *
 * A fixed time that the clocks skip (02:30 in spring) is due right after the change, one that occurs twice in autumn is due
 * once; a time with wildcards follows the local clock.
 */
import { Cron } from "croner"
import { Duration, Schema } from "effect"
import { given } from "../../core/Entry.ts"

/** A shorter interval would only burden the sources. */
const SHORTEST_MS = 10_000
const LONGEST_MS = 366 * 86_400_000

const millis = (text: string): number | undefined => {
  const read = Duration.fromInput(text as Duration.Input)
  return read._tag === "Some" ? Duration.toMillis(read.value) : undefined
}

/** The length of an interval that was already decoded. */
const intervalOf = (text: string): number => given(millis(text), `the length of ${text}`)

const Interval = Schema.String.check(
  Schema.makeFilter(
    (text: string) => {
      const length = millis(text)
      return length !== undefined && length >= SHORTEST_MS && length <= LONGEST_MS
    },
    {
      message:
        'write how often, like "15 minutes" (10 seconds at least), or { "cron": "0 6 * * 1-5", "zone": "Europe/Paris" }'
    }
  )
)

/** Caches parsed expressions: there are few, and they are used often. */
const known = new Map<string, Cron>()

const cronOf = ({ cron, zone = "UTC" }: { readonly cron: string; readonly zone?: string }): Cron => {
  const key = `${zone} ${cron}`
  let made = known.get(key)
  if (made === undefined) {
    known.set(
      key,
      (made = new Cron(cron, { paused: true, timezone: zone, mode: "5-part", fixedTimeRule: "no-wildcard" }))
    )
  }
  return made
}

/** Why this is not a time zone, or undefined. */
export const zoneProblem = (zone: string): string | undefined => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone })
    return undefined
  } catch {
    return `there is no time zone ${JSON.stringify(zone)}; write one like "Europe/Paris" or "UTC"`
  }
}

const cronProblem = (cron: string): string | undefined => {
  try {
    return cronOf({ cron }).nextRun() === null ? `${JSON.stringify(cron)} never comes` : undefined
  } catch {
    return `${JSON.stringify(cron)} is not a cron expression; write minute, hour, day, month and weekday, like "0 6 * * 1-5"`
  }
}

const Expression = Schema.Struct({
  cron: Schema.String.check(Schema.makeFilter((cron: string) => cronProblem(cron) ?? true)),
  /** Default UTC. */
  zone: Schema.optionalKey(Schema.String.check(Schema.makeFilter((zone: string) => zoneProblem(zone) ?? true)))
})

/** The schedule as written in the configuration. */
export const Schedule = Schema.Union([Interval, Expression])
export type Schedule = typeof Schedule.Type

/** How long a clock that is set back may delay a cron expression: runs made under the wrong clock are not repeated. */
const BACK_MS = 25 * 3_600_000

/** The mark of a connection that has never run: an interval is due at once, an expression at its next time. */
export const begin = (schedule: Schedule, now: number): number =>
  typeof schedule === "string" ? now - intervalOf(schedule) : now

/**
 * Corrects a mark that lies in the future because the clock was set back since. An interval starts again from now; an
 * expression waits for its next unrun time, unless the clock was wrong by more than a day.
 */
export const mend = (schedule: Schedule, mark: number, now: number): number =>
  mark <= now ? mark : typeof schedule === "string" || mark - now > BACK_MS ? now : mark

/** The first due time after a mark, in milliseconds since the epoch. */
export const next = (schedule: Schedule, mark: number): number => {
  if (typeof schedule === "string") return mark + intervalOf(schedule)
  const run = cronOf(schedule).nextRun(new Date(mark))
  return run === null ? Number.POSITIVE_INFINITY : run.getTime()
}

/** The new mark, when a run is due by now; undefined when none is. */
export const due = (schedule: Schedule, mark: number, now: number): number | undefined => {
  if (next(schedule, mark) > now) return undefined
  if (typeof schedule !== "string") return now
  // Counted from the first run, so that a late run does not delay the next ones.
  const length = intervalOf(schedule)
  return mark + length * Math.floor((now - mark) / length)
}

/** In words: `every 15 minutes`, `every hour`, `0 6 * * 1-5 (Europe/Paris)`. */
export const words = (schedule: Schedule): string =>
  typeof schedule === "string" ? `every ${schedule.replace(/^1 /, "")}` : `${schedule.cron} (${schedule.zone ?? "UTC"})`

/** The delay before the next attempt after this many failures in a row: a minute, two, four, at most an hour. */
export const backoff = (failures: number): number => Math.min(60_000 * 2 ** Math.max(0, failures - 1), 3_600_000)
