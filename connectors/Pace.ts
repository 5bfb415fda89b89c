/**
 * Limits requests per minute, counted over a sliding window of sixty seconds, as sources count them. (Effect's rate limiter
 * uses fixed windows: around the boundary of two windows it lets nearly twice as many requests through.)
 */
import { Clock, Effect } from "effect"
import * as LimitWaits from "./LimitWaits.ts"

const WINDOW_MS = 60_000

/** Waits until another request may be sent, and counts it. */
export const make = (perMinute: number | undefined): Effect.Effect<void> => {
  if (perMinute === undefined) return Effect.void
  /** When the most recent requests were sent, oldest first; at most `perMinute` entries. */
  const left: Array<number> = []
  const next: Effect.Effect<void> = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    let [oldest] = left
    while (oldest !== undefined && oldest <= now - WINDOW_MS) {
      left.shift()
      oldest = left[0]
    }
    if (oldest !== undefined && left.length >= perMinute) {
      yield* LimitWaits.wait(oldest + WINDOW_MS - now)
      return yield* next
    }
    left.push(now)
  })
  return next
}

/** What is counted together, by the clock that it is counted with: one of this program, and others in tests. */
const counted = new WeakMap<Clock.Clock, Map<string, Effect.Effect<void>>>()

/** The same, for everything in this program that has this key: what the connections of one app share. */
export const together = (key: string, perMinute: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const all = counted.get(clock) ?? new Map<string, Effect.Effect<void>>()
    counted.set(clock, all)
    const held = all.get(key) ?? make(perMinute)
    all.set(key, held)
    return held
  })
