/**
 * Limits the size and the nesting depth of a source's answers. A compromised source, or a proxy in its place, may send a
 * small body that unpacks to more than fits into memory; reading stops as soon as a limit is exceeded.
 */
import { Context, Effect } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import * as Body from "../core/wire/Body.ts"

/** Maximum size of one answer, unpacked. The largest pages of any source are a few megabytes. */
export const LARGEST_BYTES = 64 * 2 ** 20

/** The same for a source whose address somebody else entered. */
export const LARGEST_ENTERED_BYTES = 16 * 2 ** 20

/** Maximum size of a token answer. */
export const LARGEST_TOKEN_BYTES = 2 ** 20

/** Maximum nesting depth. Real records have about ten levels. */
export const DEEPEST = 100

export const TOO_LARGE = "\u0000too large"

/** A lower limit, for sources of others: what is larger is read elsewhere, or not at all. */
export interface Shared {
  readonly largest: number
  /** Whether an answer was larger. */
  exceeded: boolean
}

export const Shared = Context.Reference<Shared | undefined>("daybook/connectors/Shared", {
  defaultValue: () => undefined
})

/** The text of an answer, or `TOO_LARGE` with the limit. */
export const textOf = (
  response: HttpClientResponse.HttpClientResponse,
  largest = LARGEST_BYTES
): Effect.Effect<string, HttpClientError.HttpClientError> =>
  Effect.flatMap(Shared, (shared) => {
    const most = Math.min(largest, shared?.largest ?? largest)
    return Effect.map(Body.text(response, most), (text) => {
      if (text === undefined && shared !== undefined) shared.exceeded = true
      return text ?? `${TOO_LARGE}${most}`
    })
  })

const [QUOTE, BACKSLASH] = ['"'.charCodeAt(0), "\\".charCodeAt(0)]
const OPENS = new Set(["[", "{"].map((one) => one.charCodeAt(0)))
const CLOSES = new Set(["]", "}"].map((one) => one.charCodeAt(0)))

/** Whether JSON is nested more deeply than `deepest`, decided before it is parsed. */
export const isTooDeep = (text: string, deepest = DEEPEST): boolean => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
    } else if (OPENS.has(code)) {
      if (++depth > deepest) return true
    } else if (CLOSES.has(code)) depth--
  }
  return false
}

/** Which limit an answer exceeds, as the end of a sentence (`is nested too deeply`); undefined when it is within them. */
export const beyond = (text: string): string | undefined =>
  text.startsWith(TOO_LARGE)
    ? `is larger than ${Number(text.slice(TOO_LARGE.length)) / 2 ** 20} MB`
    : isTooDeep(text)
      ? "is nested too deeply"
      : undefined
