/** The service's clock, as its answers state it, and what time it was there while something was read. */
import { Effect } from "effect"

/** The earliest time that was stated while something was read. */
interface Reading {
  stated?: number
}

/**
 * Compares this machine's clock with the service's, as the `Date` of its answers states it (RFC 9110, 6.6.1): what counts by
 * calendar month there must not depend on a clock that is set wrong here.
 */
export class ServiceClock {
  /** By how much this machine's clock is ahead, in milliseconds; negative: behind. Undefined until an answer stated a time. */
  ahead: number | undefined

  readonly #readings = new Set<Reading>()

  /**
   * Reads something, and says what time the service stated first meanwhile, in milliseconds: what was read is not newer than that, however
   * this machine's clock was set meanwhile. Undefined if it stated none.
   */
  readonly during = <A, E, R>(
    reading: Effect.Effect<A, E, R>
  ): Effect.Effect<{ readonly value: A; readonly stated: number | undefined }, E, R> =>
    Effect.suspend(() => {
      const seen: Reading = {}
      this.#readings.add(seen)
      return reading.pipe(
        Effect.map((value) => ({ value, stated: seen.stated })),
        Effect.ensuring(Effect.sync(() => this.#readings.delete(seen)))
      )
    })

  /** @param now by this machine's clock, in milliseconds since the epoch */
  note(date: unknown, now: number): void {
    const stated = typeof date === "string" ? Date.parse(date) : Number.NaN
    if (!Number.isFinite(stated)) return
    this.ahead = now - stated
    for (const one of this.#readings) one.stated = Math.min(one.stated ?? stated, stated)
  }
}
