/**
 * `Retry-After` (DP 8): seconds, or an HTTP date. Anybody may have written it, so whatever it says, a number between zero
 * and a year comes out, or nothing.
 */

/** Seconds. Nobody waits that long: it is only shown. */
export const LONGEST_SECONDS = 366 * 86_400

/**
 * Seconds to wait, or undefined where it says nothing that can be understood.
 *
 * @param now milliseconds since the epoch, by the clock of whoever wrote the header where that is known
 */
export const seconds = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS)
  const until = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  const wait = Math.ceil((until - now) / 1000)
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_SECONDS)
}
