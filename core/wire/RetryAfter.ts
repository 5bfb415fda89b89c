/**
 * Parses `Retry-After` (DP 8): seconds, or an HTTP date. The header is not trusted: the result is between zero and a year, or
 * undefined.
 */

/** In seconds. No code waits that long; the value is only shown. */
export const LONGEST_SECONDS = 366 * 86_400

/**
 * Seconds to wait; undefined if the header cannot be understood.
 *
 * @param now milliseconds since the epoch, by the clock of the header's author if known
 */
export const seconds = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS)
  const until = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  const wait = Math.ceil((until - now) / 1000)
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_SECONDS)
}
