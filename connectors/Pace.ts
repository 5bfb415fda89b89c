/**
 * Limits requests per minute, counted over a sliding window of sixty seconds, as sources count them, and requests on the way at
 * once. (Effect's rate limiter uses fixed windows: around the boundary of two windows it lets nearly twice as many requests
 * through.)
 */
import { Clock, Effect, Semaphore } from "effect"
import type { Limits } from "./Connector.ts"
import { type Daily, daily } from "./Daily.ts"
import * as LimitWaits from "./LimitWaits.ts"
import * as OtherMachines from "./OtherMachines.ts"

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
  /** The requests of a day, if they are limited. */
  readonly day?: Daily
  /** Whether nobody asks, and nothing that was asked counts any more. */
  readonly isIdle: (now: number) => boolean
}

type Shared = Pick<Limits, "atOnce" | "perDay" | "perMinute">

/** @param whose what they are counted by, if others may have them too */
export const turns = ({ atOnce, perDay, perMinute }: Shared, whose?: string): Turns => {
  let asking = 0
  let last = 0
  const own = make(perMinute)
  const isAlone = whose === undefined || perMinute === undefined
  const paced = isAlone ? own : Effect.andThen(own, OtherMachines.minute(whose, perMinute))
  const at = atOnce === undefined ? undefined : Semaphore.makeUnsafe(atOnce)
  const day = perDay === undefined ? undefined : daily(perDay, whose)
  const counting = <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => void (asking += 1)),
      () => (at === undefined ? request : at.withPermits(1)(request)),
      () =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          asking -= 1
          last = now
        })
    )
  return {
    pace: paced,
    among: counting,
    ...(day === undefined ? {} : { day }),
    isIdle: (now) => asking === 0 && last <= now - WINDOW_MS && day?.isOver(now) !== false
  }
}

/** What is counted together, by the clock that it is counted with: one of this program, and others in tests. */
const counted = new WeakMap<Clock.Clock, { readonly held: Map<string, Turns>; looked: number }>()

/** How many accounts are counted, of which some may be idle. */
export const held = (clock: Clock.Clock): number => counted.get(clock)?.held.size ?? 0

/**
 * The same, for everything in this program that has this key: what connections share. Asked for before each request, so that what
 * is idle can be let go: at most once a minute, all of them are looked at.
 */
export const together = (key: string, limits: Shared): Effect.Effect<Turns> =>
  Effect.clockWith((clock) =>
    Effect.sync(() => {
      const now = clock.currentTimeMillisUnsafe()
      const all = counted.get(clock) ?? { held: new Map<string, Turns>(), looked: now }
      counted.set(clock, all)
      if (all.looked <= now - WINDOW_MS) {
        for (const [one, its] of all.held) if (its.isIdle(now)) all.held.delete(one)
        all.looked = now
      }
      const found = all.held.get(key) ?? turns(limits, key)
      all.held.set(key, found)
      return found
    })
  )
