/**
 * Compares this machine's clock with the service's, as the `Date` of its answers states it (RFC 9110, 6.6.1): what counts by
 * calendar month there must not depend on a clock that is set wrong here.
 */
export class ServiceClock {
  /** By how much this machine's clock is ahead, in milliseconds; negative: behind. Undefined until an answer stated a time. */
  ahead: number | undefined

  /** @param now by this machine's clock, in milliseconds since the epoch */
  note(date: unknown, now: number): void {
    const stated = typeof date === "string" ? Date.parse(date) : Number.NaN
    if (Number.isFinite(stated)) this.ahead = now - stated
  }
}
