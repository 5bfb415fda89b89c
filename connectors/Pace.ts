/**
 * Limits requests per minute, counted over a sliding window of sixty seconds, as sources count them, and requests on the way at
 * once. (Effect's rate limiter uses fixed windows: around the boundary of two windows it lets nearly twice as many requests
 * through.)
 */
import { Clock, Effect, Semaphore } from "effect"
import type { Limits } from "./Connector.ts"
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

/** What requests take turns by. */
export interface Turns {
  /** Waits for the next minute if this one is used up. */
  readonly pace: Effect.Effect<void>
  /** Runs a request, with its repetitions, among those on the way at once. */
  readonly among: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const turns = ({ atOnce, perMinute }: Pick<Limits, "atOnce" | "perMinute">): Turns => ({
  pace: make(perMinute),
  among: atOnce === undefined ? (request) => request : Semaphore.makeUnsafe(atOnce).withPermits(1)
})

/** What is counted together, by the clock that it is counted with: one of this program, and others in tests. */
const counted = new WeakMap<Clock.Clock, Map<string, Turns>>()

/** The same, for everything in this program that has this key: what connections share. */
export const together = (key: string, limits: Pick<Limits, "atOnce" | "perMinute">): Effect.Effect<Turns> =>
  Effect.map(Clock.Clock, (clock) => {
    const all = counted.get(clock) ?? new Map<string, Turns>()
    counted.set(clock, all)
    const held = all.get(key) ?? turns(limits)
    all.set(key, held)
    return held
  })
