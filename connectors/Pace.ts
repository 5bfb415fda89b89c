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
