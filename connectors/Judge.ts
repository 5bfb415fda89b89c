/**
 * Classifies an answer of a source: usable, or an error with a sentence that says what to do and whether a retry may help.
 * Pure.
 */
import * as Bounds from "./Bounds.ts"
import { Misconfigured, type SourceError, Unavailable, Unreachable, Unreadable } from "./Connector.ts"
import * as Json from "./Json.ts"
import * as Waits from "./Waits.ts"

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Waits.Headers
}

/** Why one attempt failed. */
export interface Trouble {
  /** Whether a retry may help. `wait` is in milliseconds. */
  readonly again: boolean
  readonly wait?: number | undefined
  readonly error: SourceError["reason"]
  /** The credentials were rejected: newer ones may be accepted. */
  readonly unauthorised?: boolean
}

export interface Explained {
  readonly said?: string
  readonly hint?: string
  /** It is a rate limit, whatever the status says: a retry may help. */
  readonly busy?: boolean
  /** The record does not exist, even if the status is not 404. */
  readonly gone?: boolean
}

export interface Options {
  /** The base address, without a trailing slash. */
  readonly base: string
  /** What to do about a 401. */
  readonly refused: string
  readonly explain?: ((status: number, body: unknown, text: string) => Explained) | undefined
  readonly inspect?: ((body: unknown) => Trouble | undefined) | undefined
  /** Parses answers that are not JSON; throws an error that says what is wrong. */
  readonly read?: ((text: string) => unknown) | undefined
}

/** An answer as it arrived. */
export interface Heard {
  readonly path: string
  readonly status: number
  readonly headers: Waits.Headers
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A request without a complete answer. */
export interface Silence {
  /** The host answered, but its answer broke off. */
  readonly begun: boolean
  /** The network error in words, if it has a known meaning. */
  readonly why: string | undefined
}

const hostOf = ({ base }: Options): string => new URL(base).host

const CHECK_NETWORK = "check the network, then run again: nothing is lost"

export const silence = (options: Options, { begun, why }: Silence): Trouble => {
  const host = hostOf(options)
  return {
    again: true,
    error: begun
      ? new Unavailable({ why: `the answer of ${host} broke off; ${CHECK_NETWORK}` })
      : new Unreachable({ why: `${host} did not answer${why === undefined ? "" : `: ${why}`}; ${CHECK_NETWORK}` })
  }
}

/** Statuses without a body: not found (410 is treated as 404), not modified, no content. */
const WITHOUT_BODY: Readonly<Record<number, number>> = { 204: 204, 304: 304, 404: 404, 410: 404 }

const IN_BETWEEN = "check the address, and whether there is a proxy or a sign-in page in between"

interface Body {
  /** Which limit of `Bounds.ts` the body exceeds. */
  readonly beyond: string | undefined
  /** Undefined if it is not JSON. */
  readonly json: { readonly value: unknown } | undefined
  readonly why?: string
}

const BROKEN = "the JSON is cut off or broken"

const bodyOf = (text: string, read?: (text: string) => unknown): Body => {
  const beyond = Bounds.beyond(text)
  try {
    return { beyond, json: beyond === undefined ? { value: (read ?? Json.parse)(text) } : undefined }
  } catch (cause) {
    const why = read !== undefined && cause instanceof Error ? `${cause.message}, or is cut off or broken` : BROKEN
    return { beyond, json: undefined, why }
  }
}

/** The source is rate-limited or out of service. */
const limited = ({ headers, now, status }: Heard): Trouble => {
  const wait = status === 503 ? Waits.retryAfter(headers, now) : Waits.untilReset(headers, now)
  const until = wait === undefined ? "in a few minutes" : `after ${new Date(now + wait).toISOString().slice(0, 16)} UTC`
  const what = status === 503 ? "it is out of service" : "its request limit is used up"
  const why = `${what}; nothing is lost: run again ${until}, and the pull continues where it stopped`
  return { again: true, wait, error: new Unavailable({ why }) }
}

const faulty = ({ headers, now, path, status }: Heard): Trouble => ({
  again: true,
  wait: Waits.retryAfter(headers, now),
  error: new Unavailable({
    why: `it answered ${status} to ${path}; that is a fault of the source: run again later, nothing is lost`
  })
})

const successful = (
  { inspect }: Options,
  { headers, status, text }: Heard,
  { beyond, json, why: broken = BROKEN }: Body,
  where: string
): Answer | Trouble => {
  if (beyond !== undefined) {
    const why = `the answer ${beyond}, which is too much for a page of records; check the address, and any proxy in between`
    return { again: false, error: new Unreadable({ where, why }) }
  }
  if (json !== undefined) return inspect?.(json.value) ?? { status, body: json.value, headers }
  const why = /^\s*</.test(text)
    ? `a web page was received instead of JSON; ${IN_BETWEEN}`
    : `${broken}; run again, and ask the source's support if that does not help`
  return { again: true, error: new Unreadable({ where, why }) }
}

const refusal = (options: Options, { path, status }: Heard, { hint, said }: Explained, where: string): Trouble => {
  const quoted = said === undefined ? "" : ` (it says: ${said.slice(0, 200)})`
  const refuse = (what: string, otherwise: string, more: { readonly unauthorised?: true } = {}): Trouble => ({
    again: false,
    error: new Misconfigured({ what: `${what}${quoted}`, hint: hint ?? otherwise, ...more }),
    ...more
  })
  if (status === 401)
    return refuse("the source does not accept the credentials", options.refused, { unauthorised: true })
  if (status === 403) {
    const otherwise = "grant what is missing (a scope, a permission, access to this account), then run again"
    return refuse(`the credentials may not read ${path}`, otherwise)
  }
  if (status >= 300 && status < 400) {
    return refuse(`${where} has moved`, "check the address in the connection's settings")
  }
  return refuse(`the source refused ${path} with ${status}`, "check the connection's settings")
}

export const judge = (options: Options, heard: Heard): Answer | Trouble => {
  const { headers, path, status, text } = heard
  const where = `${path} of ${hostOf(options)}`
  // A web page in place of JSON comes from a proxy, and does not show whether the record exists.
  if ((status === 404 || status === 410) && /^\s*<(!doctype|html)\b/i.test(text)) {
    const why = `a web page was received with ${status} instead of JSON; ${IN_BETWEEN}`
    return { again: true, error: new Unreadable({ where, why }) }
  }
  const bare = WITHOUT_BODY[status]
  if (bare !== undefined) return { status: bare, body: undefined, headers }
  const body = bodyOf(text, status < 400 ? options.read : undefined)
  const words = body.beyond === undefined ? text : ""
  const explained = status < 400 ? {} : (options.explain?.(status, body.json?.value, words) ?? {})
  if (explained.gone === true) return { status: 404, body: undefined, headers }
  if (status === 429 || status === 503 || explained.busy === true) return limited(heard)
  if (status >= 500) return faulty(heard)
  if (status >= 200 && status < 300) return successful(options, heard, body, where)
  return refusal(options, heard, explained, where)
}
