/**
 * Waits until a request cannot be on its way any more. Wall clocks are not trusted, neither another process's nor our own,
 * which may be set meanwhile: the time counts from when this process began to look, by a monotonic clock.
 */
import { Clock, Effect } from "effect"
import type { Db } from "../state/Database.ts"

/** How long after a request its absence on the service is believed, by default. */
export const SETTLE_AFTER_MS = 5000

/** Monotonic milliseconds, independent of the wall clock. */
export const monotonic = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

/** Waits until this long after `since`, by the monotonic clock; returns at once if that has passed. */
export const waitUntil = (since: number, millis: number): Effect.Effect<void> =>
  Effect.flatMap(monotonic, (now) => (now - since < millis ? Effect.sleep(millis - (now - since)) : Effect.void))

/**
 * Waits for the last requests of a lost or replaced state file, sent before this program began: they may still be on their
 * way. If the service was read without waiting, they would be sent again.
 */
export const lastArrivals = (
  { othersEnded }: Pick<Db, "othersEnded">,
  settleAfter = SETTLE_AFTER_MS
): Effect.Effect<void> =>
  Effect.andThen(
    othersEnded,
    Effect.flatMap(monotonic, (since) => waitUntil(since, settleAfter))
  )
