/**
 * How connectors speak to a source over HTTP: authorised, within its limits, tried again where that may help, and with
 * every refusal turned into a sentence that says what to do. Answers are JSON with exact numbers (`Json.ts`).
 *
 * Only questions are sent, also where a source takes them with POST, so that trying again is always safe.
 */
import { Cause, Clock, Context, Duration, Effect, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as RetryAfter from "../core/wire/RetryAfter.ts"
import * as Bounds from "./Bounds.ts"
import { type Limits, Misconfigured, SourceError, Unreachable, Unreadable } from "./Connector.ts"
import * as Json from "./Json.ts"
import { notSet } from "./Secrets.ts"

/** Where a request's secret comes from. `renew` is asked once when the source no longer takes it. */
export interface Authority {
  readonly headers: Effect.Effect<Readonly<Record<string, string>>, SourceError, HttpClient.HttpClient>
  readonly renew?: Effect.Effect<void, SourceError, HttpClient.HttpClient>
  /** What to do about a 401. */
  readonly refused: string
}

/** What a request was signed with, by header. */
type Signed = Readonly<Record<string, string>>

export interface Options {
  /** The connector's name, for messages. */
  readonly connector: string
  /** Address without a slash at its end. */
  readonly base: string
  readonly authority: Authority
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: Limits
  /**
   * The source's own words of a refusal, from what it answered, and what to do about it where that is known. `text` is
   * for sources whose refusals are no JSON; `body` is undefined then.
   */
  readonly explain?: (status: number, body: unknown, text: string) => Explained
  /** For a source that answers 200 to what it refuses: what is wrong with such an answer, if anything. */
  readonly inspect?: (body: unknown) => Trouble | undefined
}

export interface Explained {
  readonly said?: string
  readonly hint?: string
  /** It is a limit, whatever the status says: another attempt may help. */
  readonly busy?: boolean
}

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What is wrong with one attempt. */
export interface Trouble {
  /** Another attempt may help, after so many milliseconds. */
  readonly again: boolean
  readonly wait?: number | undefined
  readonly error: SourceError["reason"]
}

export interface Http {
  /** A JSON answer. 304 and 404 are answers as well, with no body, and 410 is answered as 404; all else that is no success fails. */
  readonly get: (
    path: string,
    query?: Query,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<Answer, SourceError, HttpClient.HttpClient>
  /** Likewise, with the question in a body of JSON. */
  readonly post: (path: string, body: unknown) => Effect.Effect<Answer, SourceError, HttpClient.HttpClient>
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

/** An id as a part of a path, whatever the source put into it. */
export const segment = (id: string): string => encodeURIComponent(id.toWellFormed())

/** Milliseconds that `Retry-After` asks for, in seconds or as a date. */
export const retryAfter = (text: string | undefined, now: number): number | undefined => {
  const seconds = RetryAfter.seconds(text, now)
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000)
}

/** The secrets in what a request is signed with: a header, what stands behind its first word, and what that may hide. */
const secretsIn = (header: string): ReadonlyArray<string> => {
  const [word = "", rest = header] = header.split(/ (.*)/s)
  const pair = /^(basic|session)$/i.test(word) ? Buffer.from(rest, "base64").toString("utf8").split(":") : []
  return [header, rest, ...pair.slice(word === "Basic" ? 0 : -1)].filter((one) => one.length >= 4)
}

/** A source may repeat a secret in what it says of it. */
const hiding = (outcome: Answer | Trouble, signed: ReadonlyArray<string>): Answer | Trouble => {
  if ("status" in outcome) return outcome
  const secrets = signed.flatMap(secretsIn)
  const hide = (text: string) => secrets.reduce((text, one) => text.replaceAll(one, "…"), text)
  const { error } = outcome
  switch (error._tag) {
    case "Misconfigured":
      return { ...outcome, error: new Misconfigured({ what: hide(error.what), hint: error.hint }) }
    case "Unreachable":
      return { ...outcome, error: new Unreachable({ why: hide(error.why) }) }
    case "Unreadable":
      return { ...outcome, error: new Unreadable({ where: error.where, why: hide(error.why) }) }
  }
}

export const make = (options: Options): Http => {
  const { authority, base, connector, explain, inspect, limits = {} } = options
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
    question: HttpClientRequest.HttpClientRequest
  ): Effect.Effect<
    { readonly outcome: Answer | Trouble; readonly signed: Signed },
    SourceError,
    HttpClient.HttpClient
  > =>
    Effect.gen(function* () {
      const signed = yield* authority.headers
      yield* (yield* Budget).spend
      yield* pace
      const request = HttpClientRequest.setHeaders(question, signed)
      const client = yield* HttpClient.HttpClient
      const answered = yield* client.execute(request).pipe(
        Effect.flatMap((response) =>
          Effect.map(Bounds.textOf(response), (text) => ({ status: response.status, headers: response.headers, text }))
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
      return {
        outcome: hiding(judge(answered.status, headers, answered.text, now, path), Object.values(signed)),
        signed
      }
    })

  const renewals = Semaphore.makeUnsafe(1)
  /** Several requests may be refused for one secret: it is renewed once, for all of them. */
  const renewed = (signed: Signed, renew: Exclude<Authority["renew"], undefined>) =>
    renewals.withPermits(1)(
      Effect.flatMap(authority.headers, (now) =>
        Object.entries(signed).every(([name, value]) => now[name] === value) ? renew : Effect.void
      )
    )

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
    // A web page in its place is of somebody in between, and says nothing of what is there.
    if ((status === 404 || status === 410) && /^\s*<(!doctype|html)\b/i.test(text)) {
      const why = `a web page came with ${status} instead of JSON; check the address, and whether a proxy or a sign-in page stands in between`
      return { again: true, error: new Unreadable({ where, why }) }
    }
    // What is there no longer is not there.
    if (status === 304 || status === 404 || status === 410)
      return { status: status === 410 ? 404 : status, body: undefined, headers }
    const wait = retryAfter(headers["retry-after"], now)
    const beyond = Bounds.beyond(text)
    let body: unknown
    let json = beyond === undefined
    try {
      if (json) body = Json.parse(text)
    } catch {
      json = false
    }
    const words = beyond === undefined ? text : ""
    const { busy = false, hint, said } = status < 400 ? {} : (explain?.(status, body, words) ?? {})
    if (status === 429 || status === 503 || busy) {
      const until =
        wait === undefined ? "in a few minutes" : `after ${new Date(now + wait).toISOString().slice(0, 16)} UTC`
      const what = status === 503 ? "it is out of service" : "its limit of requests is used up"
      const why = `${what}; nothing is lost: run again ${until}, and the pull goes on where it stopped`
      return { again: true, wait, error: new Unreachable({ why }) }
    }
    if (status >= 500) {
      const why = `it answered ${status} to ${path}; that is a fault of the source: run again later, nothing is lost`
      return { again: true, wait, error: new Unreachable({ why }) }
    }
    if (status >= 200 && status < 300) {
      if (beyond !== undefined) {
        const why = `the answer ${beyond}, which no page of records is; check the address, and what stands in between`
        return { again: false, error: new Unreadable({ where, why }) }
      }
      if (json) return inspect?.(body) ?? { status, body, headers }
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
    const quoted = said === undefined ? "" : ` (it says: ${said.slice(0, 200)})`
    const refuse = (what: string, otherwise: string): Trouble => ({
      again: false,
      error: new Misconfigured({ what: `${what}${quoted}`, hint: hint ?? otherwise })
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

  const ask = (path: string, question: HttpClientRequest.HttpClientRequest) =>
    lanes.withPermits(1)(
      Effect.gen(function* () {
        let isRenewed = false
        for (let n = 1; ; n++) {
          const { outcome, signed } = yield* attempt(path, question)
          if ("status" in outcome) return outcome
          const { again, error, wait } = outcome
          const unauthorised = error._tag === "Misconfigured" && error.what.startsWith("the source does not accept")
          if (unauthorised && authority.renew !== undefined && !isRenewed) {
            isRenewed = true
            yield* renewed(signed, authority.renew)
            continue
          }
          if (!again || n >= ATTEMPTS || (wait ?? 0) > PATIENCE) return yield* fail(error)
          yield* Effect.sleep(Duration.millis(wait ?? 500 * 2 ** n))
        }
      })
    )

  const headers = { accept: "application/json", ...options.headers }
  const get: Http["get"] = (path, query = {}, extra = {}) => {
    const params = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const]
    )
    const request = HttpClientRequest.get(`${base}${path}`).pipe(HttpClientRequest.setUrlParams(params))
    return ask(path, HttpClientRequest.setHeaders(request, { ...headers, ...extra }))
  }
  const post: Http["post"] = (path, body) =>
    ask(
      path,
      HttpClientRequest.post(`${base}${path}`).pipe(
        HttpClientRequest.setHeaders(headers),
        HttpClientRequest.bodyText(JSON.stringify(body), "application/json")
      )
    )

  return { get, post }
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
    const reason = new Misconfigured({ what: notSet(variable), hint: "set it to the key of the source" })
    return Effect.fail(new SourceError({ connector, reason }))
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
