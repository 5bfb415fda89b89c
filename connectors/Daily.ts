/**
 * Counts the requests of a day that several connections have together, by UTC days, for as long as this program runs, and those of
 * other machines. What a connection asked earlier on the day, before the program began, it says with its first request.
 */
import { Clock, Effect } from "effect"
import { grouped } from "../core/Plural.ts"
import * as Day from "../core/wire/Day.ts"
import * as OtherMachines from "./OtherMachines.ts"

/** Who asked, in words that no other connection has, and how often today, this request included. */
export interface Spent {
  readonly whose: string
  readonly today: number
}

export interface Daily {
  /** Counts a request that `spend` allows; fails with `usedUp` and sends nothing if the day's are used up. */
  readonly count: <E, R>(
    spend: Effect.Effect<Spent | undefined, E, R>,
    usedUp: (why: string) => E
  ) => Effect.Effect<Spent | undefined, E, R>
  /** Whether nothing has to be kept of it on this day. */
  readonly isOver: (now: number) => boolean
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, one) => all + one, 0)

/** @param whose what they are counted by, if others may have them too */
export const daily = (perDay: number, whose?: string): Daily => {
  let day = ""
  let counts = new Map<string, number>()
  /** Requests that are about to leave, and those of nobody in particular. */
  let others = 0
  const take = (now: Day.Day): boolean => {
    if (now !== day) [day, counts, others] = [now, new Map(), 0]
    if (sum(counts.values()) + others >= perDay) return false
    others += 1
    return true
  }
  const elsewhere = whose === undefined ? Effect.succeed(true) : OtherMachines.day(whose, perDay)
  return {
    count: (spend, usedUp) =>
      Effect.gen(function* () {
        const now = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
        if (!take(now) || !(yield* elsewhere))
          return yield* Effect.fail(
            usedUp(
              `the ${grouped(perDay)} requests of ${now} that its connections have together are used up; what was read is kept: run again after ${Day.addDays(now, 1)} 00:00 UTC, and the pull continues where it stopped`
            )
          )
        const spent = yield* Effect.tapCause(spend, () => Effect.sync(() => void (others -= 1)))
        if (spent !== undefined && now === day) {
          others -= 1
          counts.set(spent.whose, Math.max(counts.get(spent.whose) ?? 0, spent.today))
        }
        return spent
      }),
    isOver: (now) => day !== Day.fromEpochMillis(now)
  }
}
