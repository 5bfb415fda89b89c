/**
 * Keeps requests within what a source allows in a minute, counted over any sixty seconds, as sources count it. (Effect's
 * rate limiter counts by windows that begin anew: across the border of two it lets nearly twice as many leave.)
 */
import { Clock, Effect } from "effect"
import * as LimitWaits from "./LimitWaits.ts"

const WINDOW_MS = 60_000

/** Waits until one more request may leave, and counts it. */
export const make = (perMinute: number | undefined): Effect.Effect<void> => {
  if (perMinute === undefined) return Effect.void
  /** When the last requests left, the oldest first, `perMinute` of them at most. */
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
