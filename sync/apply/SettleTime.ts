/**
 * How long a request may be on its way. A process cannot trust another's wall clock, nor its own, which may be set
 * meanwhile: it counts from when it began to look, by a clock that only goes forward.
 */
import { Clock, Effect } from "effect"

/** How long after a request its absence on the service is believed, unless the configuration says another time. */
export const SETTLE_AFTER_MS = 5000

/** Milliseconds that only grow, however the clock is set. */
export const monotonic = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

/** Waits until this long after `since`, by the monotonic clock; not at all where that is over. */
export const waitUntil = (since: number, millis: number): Effect.Effect<void> =>
  Effect.flatMap(monotonic, (now) => (now - since < millis ? Effect.sleep(millis - (now - since)) : Effect.void))

/**
 * Waits for what a state file that is lost or replaced sent last, before this program began: it may still be on its way.
 * Read without it, the service would be sent it once more.
 */
export const lastArrivals = (settleAfter = SETTLE_AFTER_MS): Effect.Effect<void> =>
  Effect.flatMap(monotonic, (since) => waitUntil(since, settleAfter))
