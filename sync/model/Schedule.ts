/**
 * When a connection is due: `every: "15 minutes"`, or a cron expression in a time zone. Pure: what is due follows from
 * when the last run was due and from what time it is, so that a pause, a restart or a change of clocks neither skips a
 * due run nor makes it twice. Several that were missed are made up for by one.
 *
 * A fixed time that the clocks jump over (02:30 in spring) is due right after the jump, one that comes twice in autumn
 * is due once; a time with wildcards follows the clock's hands.
 */
import { Cron } from "croner"
import { Duration, Schema } from "effect"
import { given } from "../../core/Entry.ts"

/** Shorter ones would only keep sources busy. */
const SHORTEST_MS = 10_000
const LONGEST_MS = 366 * 86_400_000

const millis = (text: string): number | undefined => {
  const read = Duration.fromInput(text as Duration.Input)
  return read._tag === "Some" ? Duration.toMillis(read.value) : undefined
}

/** Of an interval that was decoded. */
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

/** Expressions and zones are few and met again and again. */
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

/** Why it is not a time zone, or undefined. */
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
  /** UTC unless given. */
  zone: Schema.optionalKey(Schema.String.check(Schema.makeFilter((zone: string) => zoneProblem(zone) ?? true)))
})

/** As a configuration says it. */
export const Schedule = Schema.Union([Interval, Expression])
export type Schedule = typeof Schedule.Type

/** How far a clock that is set back may make a cron expression wait: what ran by the wrong clock does not run again. */
const BACK_MS = 25 * 3_600_000

/** The mark of a connection that has never run: due at once with an interval, at its next time with an expression. */
export const begin = (schedule: Schedule, now: number): number =>
  typeof schedule === "string" ? now - intervalOf(schedule) : now

/**
 * The mark as it counts now. One that lies ahead was made before the clock was set back: an interval then begins anew;
 * an expression waits for what has not run yet, unless the clock had been wrong by more than a day.
 */
export const mend = (schedule: Schedule, mark: number, now: number): number =>
  mark <= now ? mark : typeof schedule === "string" || mark - now > BACK_MS ? now : mark

/** The first due time behind a mark, in milliseconds since the epoch. */
export const next = (schedule: Schedule, mark: number): number => {
  if (typeof schedule === "string") return mark + intervalOf(schedule)
  const run = cronOf(schedule).nextRun(new Date(mark))
  return run === null ? Number.POSITIVE_INFINITY : run.getTime()
}

/** The new mark, when a run is due by now; undefined when none is. */
export const due = (schedule: Schedule, mark: number, now: number): number | undefined => {
  if (next(schedule, mark) > now) return undefined
  if (typeof schedule !== "string") return now
  // On the grid of the first run, so that a run that began late does not push the next ones.
  const length = intervalOf(schedule)
  return mark + length * Math.floor((now - mark) / length)
}

/** In words: `every 15 minutes`, `0 6 * * 1-5 (Europe/Paris)`. */
export const words = (schedule: Schedule): string =>
  typeof schedule === "string" ? `every ${schedule}` : `${schedule.cron} (${schedule.zone ?? "UTC"})`

/** After so many failures in a row, how long it takes to the next attempt: a minute, two, four, an hour at most. */
export const backoff = (failures: number): number => Math.min(60_000 * 2 ** Math.max(0, failures - 1), 3_600_000)
