/**
 * Reads from an answer's headers how long the source asks to wait. The headers are not trusted: the result is between zero
 * and a year, or undefined if they cannot be understood.
 */
import * as RetryAfter from "../core/wire/RetryAfter.ts"

export type Headers = Readonly<Record<string, string | undefined>>

/** Headers that give milliseconds where `Retry-After` gives seconds. */
const RETRY_AFTER_MS = ["retry-after-ms", "x-retry-after-ms", "x-ms-retry-after-ms"]

/**
 * Headers that say when a limit resets, in all known spellings: `RateLimit-Reset`, `X-RateLimit-Reset`,
 * `X-Rate-Limit-Reset`, `X-RateLimit-Reset-After`, `X-RateLimit-Minutely-Reset`, `X-Rate-Limit-Time-Reset-Ms`.
 */
const RESET = /^(?:x-)?rate-?limit-(?:[a-z]+-)*reset(-after|-ms)?$/

/** Xero names the limit that was exceeded, and for some limits says no more. */
const XERO_PROBLEMS: Readonly<Record<string, number>> = { minute: 60_000, appminute: 60_000, day: 86_400_000 }

/** A number from these on is not a duration but a timestamp, in seconds or milliseconds since the epoch. */
const EPOCH_SECONDS = 1e9
const EPOCH_MS = 1e12

const LONGEST_MS = RetryAfter.LONGEST_SECONDS * 1000

const NUMBER = /^\d{1,15}(\.\d+)?$/

/** The source's own time, from its `Date` header if present: its clock may differ from ours. */
const clockOf = (headers: Headers, now: number): number => {
  const said = Date.parse(headers["date"] ?? "")
  return Number.isNaN(said) ? now : said
}

const resetOf = (text: string, suffix: string | undefined, now: number): number | undefined => {
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(date)) return date - now
  if (!NUMBER.test(text)) return undefined
  const count = Number(text)
  if (count >= EPOCH_MS) return count - now
  if (suffix === "-ms") return count
  return count >= EPOCH_SECONDS ? count * 1000 - now : count * 1000
}

/** `RateLimit: limit=100, remaining=0, reset=50`, and the later form of the draft: `"default";r=0;t=50`. */
const structured = (text: string): ReadonlyArray<number> =>
  text.split(/,(?!\s*(?:remaining|reset)\s*=)/).flatMap((policy) => {
    const left = /[;,\s](?:r|remaining)\s*=\s*(\d+)/.exec(policy)?.[1]
    const reset = /[;,\s](?:t|reset)\s*=\s*(\d{1,9})\b/.exec(policy)?.[1]
    return reset === undefined || Number(left ?? 0) > 0 ? [] : [Number(reset) * 1000]
  })

const isLeft = (text: string | undefined): boolean => text !== undefined && NUMBER.test(text.trim()) && Number(text) > 0

/** The wait until all exhausted limits have reset. */
const resets = (headers: Headers, now: number): number | undefined => {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    const match = RESET.exec(name)
    if (match === null || value === undefined) return []
    const remaining = name.replace("reset", "remaining").replace(/-(after|ms)$/, "")
    return isLeft(headers[remaining]) ? [] : [resetOf(value.trim(), match[1], now) ?? []].flat()
  })
  const problem = XERO_PROBLEMS[headers["x-rate-limit-problem"]?.trim().toLowerCase() ?? ""]
  const all = [...waits, ...structured(headers["ratelimit"] ?? ""), ...(problem === undefined ? [] : [problem])]
  return all.length === 0 ? undefined : Math.max(...all)
}

const bounded = (millis: number | undefined): number | undefined =>
  millis === undefined ? undefined : Math.min(Math.max(Math.ceil(millis), 0), LONGEST_MS)

/** The requested wait in milliseconds. */
export const retryAfter = (headers: Headers, now: number): number | undefined => {
  const seconds = RetryAfter.seconds(headers["retry-after"], clockOf(headers, now))
  if (seconds !== undefined) return bounded(seconds * 1000)
  const said = RETRY_AFTER_MS.map((name) => headers[name]?.trim() ?? "").find((text) => NUMBER.test(text))
  return said === undefined ? undefined : bounded(Number(said))
}

/** The same for an answer about an exhausted limit: without a requested wait, the time until the limit resets. */
export const untilReset = (headers: Headers, now: number): number | undefined =>
  retryAfter(headers, now) ?? bounded(resets(headers, clockOf(headers, now)))
