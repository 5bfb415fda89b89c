/**
 * How long, and how deeply nested, an answer of a source may be. A source that was taken over, or a proxy in its place,
 * may send what unpacks to more than there is memory; reading ends as soon as that shows.
 */
import { Effect } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import * as Body from "../core/wire/Body.ts"

/** Bytes of one answer, unpacked. The largest pages of any source are a few megabytes. */
export const LARGEST_BYTES = 64 * 2 ** 20

/** Bytes of an answer that gives a token. */
export const LARGEST_TOKEN_BYTES = 2 ** 20

/** Lists within lists. Records of sources have about ten. */
export const DEEPEST = 100

export const TOO_LARGE = "\u0000too large"

/** The text of an answer, or `TOO_LARGE`. */
export const textOf = (
  response: HttpClientResponse.HttpClientResponse,
  largest = LARGEST_BYTES
): Effect.Effect<string, HttpClientError.HttpClientError> =>
  Effect.map(Body.text(response, largest), (text) => text ?? TOO_LARGE)

const [QUOTE, BACKSLASH] = ['"'.charCodeAt(0), "\\".charCodeAt(0)]
const OPENS = new Set(["[", "{"].map((one) => one.charCodeAt(0)))
const CLOSES = new Set(["]", "}"].map((one) => one.charCodeAt(0)))

/** Whether JSON is nested deeper than anybody means it, decided before it is parsed. */
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

/** What of an answer is beyond anything that a page of records is: `is nested too deeply`. */
export const beyond = (text: string): string | undefined =>
  text === TOO_LARGE
    ? `is larger than ${LARGEST_BYTES / 2 ** 20} MB`
    : isTooDeep(text)
      ? "is nested too deeply"
      : undefined
