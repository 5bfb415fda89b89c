/**
 * How connectors speak to a source over HTTP: authorised, within its limits, tried again where that may help, and with
 * every refusal turned into a sentence that says what to do. Answers are JSON with exact numbers (`Json.ts`).
 *
 * Only reading requests are sent, so that trying again is always safe.
 */
import { Cause, Clock, Context, Duration, Effect, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { type Limits, Misconfigured, SourceError, Unreachable, Unreadable } from "./Connector.ts"
import * as Json from "./Json.ts"

/** Where a request's secret comes from. `renew` is asked once when the source no longer takes it. */
export interface Authority {
  readonly headers: Effect.Effect<Readonly<Record<string, string>>, SourceError, HttpClient.HttpClient>
  readonly renew?: Effect.Effect<void, SourceError, HttpClient.HttpClient>
  /** What to do about a 401. */
  readonly refused: string
}

export interface Options {
  /** The connector's name, for messages. */
  readonly connector: string
  /** Address without a slash at its end. */
  readonly base: string
  readonly authority: Authority
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: Limits
  /** The source's own words of a refusal, from what it answered, and what to do about it where that is known. */
  readonly explain?: (status: number, body: unknown) => { readonly said?: string; readonly hint?: string }
}

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface Http {
  /** A JSON answer. 304 and 404 are answers as well, with no body; all else that is no success fails. */
  readonly get: (
    path: string,
    query?: Query,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<Answer, SourceError, HttpClient.HttpClient>
}

/** Asked before each request leaves; fails where no more may leave today. */
export interface Budget {
  readonly spend: Effect.Effect<void, SourceError>
}

/** What is left of a day's requests; without limit unless whoever pulls says otherwise. */
export const Budget = Context.Reference<Budget>("daybook/connectors/Budget", {
  defaultValue: () => ({ spend: Effect.void })
})

/** Attempts of one request, and how long a source may have us wait before that is left to the next run. */
const ATTEMPTS = 6
const PATIENCE = 5 * 60_000
const TIMEOUT = Duration.seconds(60)

/** Milliseconds that `Retry-After` asks for, in seconds or as a date. */
export const retryAfter = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** What is wrong with one attempt: `wait` where another may help. */
interface Trouble {
  readonly again: boolean
  readonly wait?: number | undefined
  readonly error: SourceError["reason"]
}

export const make = (options: Options): Http => {
  const { authority, base, connector, explain, limits = {} } = options
  const lanes = Semaphore.makeUnsafe(limits.atOnce ?? 4)
  /** When the last requests left, the oldest first, `perMinute` of them at most. */
  const left: Array<number> = []
  const fail = (reason: SourceError["reason"]) => new SourceError({ connector, reason })

  /** Waits until the source's limit allows one more request. */
  const pace: Effect.Effect<void> = Effect.gen(function* () {
    const { perMinute } = limits
    if (perMinute === undefined) return
    const now = yield* Clock.currentTimeMillis
    while (left.length > 0 && left[0]! <= now - 60_000) left.shift()
    if (left.length >= perMinute) {
      yield* Effect.sleep(Duration.millis(left[0]! + 60_000 - now))
      return yield* pace
    }
    left.push(now)
  })

  const attempt = (
    path: string,
    query: Query,
    extra: Readonly<Record<string, string>>
  ): Effect.Effect<Answer | Trouble, SourceError, HttpClient.HttpClient> =>
    Effect.gen(function* () {
      const signed = yield* authority.headers
      yield* (yield* Budget).spend
      yield* pace
      const params = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as const]
      )
      const request = HttpClientRequest.get(`${base}${path}`).pipe(
        HttpClientRequest.setUrlParams(params),
        HttpClientRequest.setHeaders({ accept: "application/json", ...options.headers, ...extra, ...signed })
      )
      const client = yield* HttpClient.HttpClient
      const answered = yield* client.execute(request).pipe(
        Effect.flatMap((response) =>
          Effect.map(response.text, (text) => ({ status: response.status, headers: response.headers, text }))
        ),
        Effect.timeout(TIMEOUT),
        // A cause may hold the request, and with it the secret: only its kind is told.
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.succeed({ status: 0, headers: {}, text: "" } as const)
        )
      )
      const now = yield* Clock.currentTimeMillis
      const headers: Readonly<Record<string, string | undefined>> = answered.headers
      return judge(answered.status, headers, answered.text, now, path)
    })

  const judge = (
    status: number,
    headers: Readonly<Record<string, string | undefined>>,
    text: string,
    now: number,
    path: string
  ): Answer | Trouble => {
    const where = `${path} of ${new URL(base).host}`
    if (status === 0) {
      const why = `${new URL(base).host} gave no whole answer; check the network, then run again: nothing is lost`
      return { again: true, error: new Unreachable({ why }) }
    }
    if (status === 304 || status === 404) return { status, body: undefined }
    const wait = retryAfter(headers["retry-after"], now)
    if (status === 429 || status === 503) {
      const until =
        wait === undefined ? "in a few minutes" : `after ${new Date(now + wait).toISOString().slice(0, 16)} UTC`
      const what = status === 429 ? "its limit of requests is used up" : "it is out of service"
      const why = `${what}; nothing is lost: run again ${until}, and the pull goes on where it stopped`
      return { again: true, wait, error: new Unreachable({ why }) }
    }
    if (status >= 500) {
      const why = `it answered ${status} to ${path}; that is a fault of the source: run again later, nothing is lost`
      return { again: true, wait, error: new Unreachable({ why }) }
    }
    let body: unknown
    let json = true
    try {
      body = Json.parse(text)
    } catch {
      json = false
    }
    if (status >= 200 && status < 300) {
      if (json) return { status, body }
      const page = /^\s*</.test(text)
      return {
        again: true,
        error: new Unreadable({
          where,
          why: page
            ? "a web page came instead of JSON; check the address, and whether a proxy or a sign-in page stands in between"
            : "the JSON is cut off or broken; run again, and ask the source's support if it stays so"
        })
      }
    }
    const { hint, said } = json ? (explain?.(status, body) ?? {}) : {}
    const words = said === undefined ? "" : ` (it says: ${said.slice(0, 200)})`
    const refuse = (what: string, otherwise: string): Trouble => ({
      again: false,
      error: new Misconfigured({ what: `${what}${words}`, hint: hint ?? otherwise })
    })
    if (status === 401) return refuse("the source does not accept the credentials", authority.refused)
    if (status === 403) {
      const otherwise = "grant what is missing (a scope, a permission, access to this account), then run again"
      return refuse(`the credentials may not read ${path}`, otherwise)
    }
    if (status >= 300 && status < 400) {
      return refuse(`${where} has moved`, "check the address in the connection's settings")
    }
    return refuse(`the source refused ${path} with ${status}`, "check the connection's settings")
  }

  const get: Http["get"] = (path, query = {}, extra = {}) =>
    lanes.withPermits(1)(
      Effect.gen(function* () {
        let renewed = false
        for (let n = 1; ; n++) {
          const outcome = yield* attempt(path, query, extra)
          if ("status" in outcome) return outcome
          const { again, error, wait } = outcome
          const unauthorised = error._tag === "Misconfigured" && error.what.startsWith("the source does not accept")
          if (unauthorised && authority.renew !== undefined && !renewed) {
            renewed = true
            yield* authority.renew
            continue
          }
          if (!again || n >= ATTEMPTS || (wait ?? 0) > PATIENCE) return yield* fail(error)
          yield* Effect.sleep(Duration.millis(wait ?? 500 * 2 ** n))
        }
      })
    )

  return { get }
}

/**
 * The records of a list. An answer without that list is no empty list: it would move the bookmark past what it hides. 304
 * says that nothing changed.
 */
export const records = (
  connector: string,
  path: string,
  { body, status }: Answer,
  member: string
): Effect.Effect<ReadonlyArray<unknown>, SourceError> => {
  if (status === 304) return Effect.succeed([])
  const list = Json.isObject(body) ? body[member] : undefined
  if (Array.isArray(list)) return Effect.succeed(list)
  const reason =
    status === 404
      ? new Misconfigured({
          what: `the source knows no ${path}`,
          hint: "check the address in the connection's settings"
        })
      : new Unreadable({
          where: path,
          why: `the answer has no list ${member}; the source may have changed its interface`
        })
  return Effect.fail(new SourceError({ connector, reason }))
}

/** The value of a variable that settings name, or what to do about its absence. */
export const secret = (
  connector: string,
  environment: Readonly<Record<string, string | undefined>> | undefined,
  variable: string
): Effect.Effect<string, SourceError> =>
  Effect.suspend(() => {
    const value = environment?.[variable]?.trim()
    if (value !== undefined && value !== "") return Effect.succeed(value)
    const what = `the environment variable ${variable} is not set`
    return Effect.fail(
      new SourceError({ connector, reason: new Misconfigured({ what, hint: "set it to the key of the source" }) })
    )
  })

/** A key that never changes. */
export const key = (
  value: Effect.Effect<string, SourceError>,
  variable: string,
  headers: (key: string) => Readonly<Record<string, string>>
): Authority => ({
  headers: Effect.map(value, (held) => headers(held)),
  refused: `the key in ${variable} is wrong or was revoked: make a new one in the source and set ${variable} to it`
})
