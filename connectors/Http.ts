/**
 * Sends a connector's HTTP requests: authenticated, within the source's limits, retried where that may help. Every
 * rejection becomes a sentence that says what to do (`Judge.ts`). Answers are JSON with exact numbers (`Json.ts`).
 *
 * Requests only read, even where a source takes them as POST, so retrying is always safe.
 */
import { Cause, Clock, Context, Duration, Effect, Schema, Semaphore, Stream } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { addressProblem } from "../core/Address.ts"
import * as Body from "../core/wire/Body.ts"
import * as Network from "../core/wire/Network.ts"
import * as Bounds from "./Bounds.ts"
import { type DocumentFile, failing, type Limits, reworded, SourceError, Unreadable } from "./Connector.ts"
import * as Json from "./Json.ts"
import { type Answer, type Explained, judge, silence, type Trouble } from "./Judge.ts"
import * as LimitWaits from "./LimitWaits.ts"
import type * as Pace from "./Pace.ts"
import type { Spent } from "./Daily.ts"
import { notSet } from "./Secrets.ts"
import { turnsOf } from "./Turns.ts"

export type { Answer, Explained, Trouble } from "./Judge.ts"

/**
 * The `url` setting of every HTTP connector: the source, or a proxy, a regional host or a test server in its place. Must be
 * https, because the key is sent with each request; http is allowed for this machine only.
 */
export const Url = Schema.String.check(
  Schema.makeFilter((url: string) => addressProblem(url, "in its own setting, by the name of its variable") ?? true)
)

/** Provides the secret of a request. `renew` is called once when the source rejects it. */
export interface Authority {
  readonly headers: Effect.Effect<Readonly<Record<string, string>>, SourceError, HttpClient.HttpClient>
  readonly renew?: Effect.Effect<void, SourceError, HttpClient.HttpClient>
  /** What to do about a 401. */
  readonly refused: string
}

/** Headers that authenticate a request. */
type Signed = Readonly<Record<string, string>>

export interface Options {
  /** The connector's name, for messages. */
  readonly connector: string
  readonly base: string
  readonly authority: Authority
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: Limits
  /** The id of the app or client, which is not secret, and what account is read: limits may be counted by them. */
  readonly app?: Effect.Effect<string, SourceError>
  readonly account?: string
  /**
   * Extracts the source's error message from a rejection, and what to do about it if that is known. `text` is for sources
   * whose errors are not JSON; `body` is undefined then.
   */
  readonly explain?: (status: number, body: unknown, text: string) => Explained
  /** Parses answers that are not JSON; throws an error that says what is wrong. */
  readonly read?: (text: string) => unknown
  /** For sources that answer 200 to rejected requests: what is wrong with such an answer, if anything. */
  readonly inspect?: (body: unknown) => Trouble | undefined
}

export type Query = Readonly<Record<string, string | number | undefined>>

/** What is present of a query, as texts. */
export const texts = (query: Query): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  )

export interface Http {
  /** Returns a JSON answer. 204, 304 and 404 return no body, and 410 becomes 404. Any other unsuccessful status fails. */
  readonly get: (
    path: string,
    query?: Query,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<Answer, SourceError, HttpClient.HttpClient>
  /** The same, with a JSON request body. */
  readonly post: (path: string, body: unknown) => Effect.Effect<Answer, SourceError, HttpClient.HttpClient>
  /** Downloads a file of this media type; undefined if there is none. Fails if it has more than `largest` bytes. */
  readonly file: (
    path: string,
    type: string,
    largest: number
  ) => Effect.Effect<Uint8Array | undefined, SourceError, HttpClient.HttpClient>
}

/** Called before each request; fails when the daily request cap is reached. Says whose requests of today are counted. */
export interface RequestQuota {
  readonly spend: Effect.Effect<Spent | undefined, SourceError>
}

/** The request quota of the current pull; unlimited by default. */
export const RequestQuota = Context.Reference<RequestQuota>("daybook/connectors/RequestQuota", {
  defaultValue: () => ({ spend: Effect.succeed(undefined) })
})

/** Attempts per request, and the longest wait that a source may ask for; longer ones are left to the next run. */
const ATTEMPTS = 6
const PATIENCE_MS = 5 * 60_000
const TIMEOUT_SECONDS = 60

/** Encodes an id, whatever characters it contains, as a path segment. */
export const segment = (id: string): string => encodeURIComponent(id.toWellFormed())

/** The secrets in an authentication header: the whole value, the part after the scheme, and what that part encodes. */
const secretsIn = (header: string): ReadonlyArray<string> => {
  const [word = "", rest = header] = header.split(/ (.*)/s)
  const pair = /^(basic|session)$/i.test(word) ? Buffer.from(rest, "base64").toString("utf8").split(":") : []
  return [header, rest, ...pair.slice(word === "Basic" ? 0 : -1)].filter((one) => one.length >= 4)
}

/** Redacts secrets that a source repeats in its error messages. */
const hiding = (outcome: Answer | Trouble, signed: Signed): Answer | Trouble => {
  if ("status" in outcome) return outcome
  const secrets = Object.values(signed).flatMap(secretsIn)
  const hide = (text: string) => secrets.reduce((text, one) => text.replaceAll(one, "…"), text)
  return { ...outcome, error: reworded(outcome.error, hide) }
}

/** Describes a network failure by its codes alone: the error may contain the request, and so the secret. */
const wordsOf = (cause: Cause.Cause<unknown>): string | undefined => {
  const error = Cause.squash(cause)
  if (Cause.isTimeoutError(error)) return `nothing came within ${TIMEOUT_SECONDS} seconds`
  return Network.words(Network.causes(error).codes)
}

/** A request; for a file, also the most bytes that it may have. */
interface Question {
  readonly path: string
  readonly request: HttpClientRequest.HttpClientRequest
  readonly largest?: number
}

type Heard = { readonly status: number; readonly headers: Answer["headers"] } & (
  | { readonly text: string }
  /** Undefined if the file is too large. */
  | { readonly file: Uint8Array | undefined }
)

/** Reads a file as bytes, and everything else, including an error in place of a file, as text. */
const hear = (
  response: HttpClientResponse.HttpClientResponse,
  largest: number | undefined
): Effect.Effect<Heard, HttpClientError.HttpClientError> => {
  const { headers, status } = response
  if (largest !== undefined && status === 200)
    return Effect.map(Body.bytes(response, largest), (file) => ({ status, headers, file }))
  return Effect.map(Bounds.textOf(response), (text) => ({ status, headers, text }))
}

const tooLarge = (path: string, largest: number): Trouble => ({
  again: false,
  error: new Unreadable({ where: path, why: `the file is larger than ${largest / 2 ** 20} MB` })
})

/** Sends one request and classifies its outcome; never fails. */
const exchange = (options: Options, { largest, path, request }: Question) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const about = { ...options, refused: options.authority.refused }
    let begun = false
    const heard = yield* client.execute(request).pipe(
      Effect.tap(() => Effect.sync(() => void (begun = true))),
      Effect.flatMap((response) => hear(response, largest)),
      Effect.timeout(Duration.seconds(TIMEOUT_SECONDS)),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.succeed({ begun, why: wordsOf(cause) })
      )
    )
    const now = yield* Clock.currentTimeMillis
    if ("begun" in heard) return silence(about, heard)
    if ("text" in heard) return judge(about, { ...heard, path, now })
    const { file: body, headers, status } = heard
    return body === undefined ? tooLarge(path, largest ?? 0) : { status, body, headers }
  })

/** Renews the secret once when several concurrent requests are rejected because of it. */
const renewing = ({ headers, renew }: Authority) => {
  const alone = Semaphore.makeUnsafe(1)
  if (renew === undefined) return undefined
  return (signed: Signed) =>
    alone.withPermits(1)(
      Effect.flatMap(headers, (now) =>
        Object.entries(signed).every(([name, value]) => now[name] === value) ? renew : Effect.void
      )
    )
}

export const make = (options: Options): Http => made({ ...options, base: options.base.replace(/(?<!\/)\/+$/, "") })

const made = (options: Options): Http => {
  const { authority, base, connector } = options
  const turned = turnsOf(options)
  const renewed = renewing(authority)

  const attempt = (question: Question, turns: ReadonlyArray<Pace.Turns>) =>
    Effect.gen(function* () {
      const signed = yield* authority.headers
      const { spend } = yield* RequestQuota
      yield* turns.reduce((counted, { day }) => day?.count(counted, failing(connector).unavailable) ?? counted, spend)
      for (const { pace } of turns) yield* pace
      const request = HttpClientRequest.setHeaders(question.request, signed)
      const outcome = yield* exchange(options, { ...question, request })
      return { outcome: hiding(outcome, signed), signed }
    })

  const ask = (question: Question) =>
    Effect.flatMap(turned, (turns) => {
      const asking = Effect.gen(function* () {
        let isRenewed = false
        for (let n = 1; ; n++) {
          const { outcome, signed } = yield* attempt(question, turns)
          if ("status" in outcome) return outcome
          const { again, error, unauthorised, wait = 0 } = outcome
          if (unauthorised === true && renewed !== undefined && !isRenewed) {
            isRenewed = true
            yield* renewed(signed)
            continue
          }
          if (!again || n >= ATTEMPTS || wait > PATIENCE_MS) return yield* new SourceError({ connector, reason: error })
          yield* wait > 0 ? LimitWaits.wait(wait) : Effect.sleep(Duration.millis(500 * 2 ** n))
        }
      })
      // First among those of the account, so that whoever waits for it keeps nobody else of the app waiting.
      return turns.reduceRight((inner, { among }) => among(inner), asking)
    })

  const headers = { accept: "application/json", ...options.headers }
  const get: Http["get"] = (path, query = {}, extra = {}) => {
    const request = HttpClientRequest.get(`${base}${path}`).pipe(HttpClientRequest.setUrlParams(texts(query)))
    return ask({ path, request: HttpClientRequest.setHeaders(request, { ...headers, ...extra }) })
  }
  const post: Http["post"] = (path, body) =>
    ask({
      path,
      request: HttpClientRequest.post(`${base}${path}`).pipe(
        HttpClientRequest.setHeaders(headers),
        HttpClientRequest.bodyText(JSON.stringify(body), "application/json")
      )
    })
  const file: Http["file"] = (path, type, largest) => {
    const request = HttpClientRequest.get(`${base}${path}`).pipe(
      HttpClientRequest.setHeaders({ ...headers, accept: type })
    )
    return Effect.map(ask({ path, request, largest }), ({ body }) => body as Uint8Array | undefined)
  }

  return { file, get, post }
}

/**
 * Returns the records of a list. Fails if the answer lacks the list: taking that for an empty list would move the bookmark
 * past records that were not read. 204 means that there are no records, 304 that nothing changed.
 */
export const records = (
  connector: string,
  path: string,
  { body, status }: Answer,
  member: string
): Effect.Effect<ReadonlyArray<unknown>, SourceError> => {
  if (status === 204 || status === 304) return Effect.succeed([])
  const list = Json.isObject(body) ? body[member] : undefined
  if (Array.isArray(list)) return Effect.succeed(list)
  const { misconfigured, unreadable } = failing(connector)
  return Effect.fail(
    status === 404
      ? misconfigured(`the source has no ${path}`, "check the address in the connection's settings")
      : unreadable(path, `the answer has no list ${member}; the source may have changed its interface`)
  )
}

/**
 * Returns a record that was requested by id; undefined only if the source says that it does not exist. An answer without
 * the record may come from a proxy in between, so it is an error.
 *
 * @param member the member of the answer that holds the record; by default the answer itself is the record
 */
export const record = (
  connector: string,
  path: string,
  { body, status }: Answer,
  member?: string
): Effect.Effect<Json.Members | undefined, SourceError> => {
  if (status === 404) return Effect.succeed(undefined)
  const its = member === undefined ? body : Json.isObject(body) ? body[member] : undefined
  if (Json.isObject(its)) return Effect.succeed(its)
  const why = "the answer contains no records; check the address, and any proxy in between"
  return Effect.fail(failing(connector).unreadable(path, why))
}

/** The file, as the list of at most one file that `documents` returns. */
export const fileOf = <E, R>(
  file: Effect.Effect<Uint8Array | undefined, E, R>,
  name: string
): Stream.Stream<DocumentFile, E, R> =>
  Stream.flatMap(Stream.fromEffect(file), (bytes) =>
    bytes === undefined ? Stream.empty : Stream.make({ name, bytes })
  )

/** Reads the environment variable that a setting names; fails with what to do if it is not set. */
export const secret = (
  connector: string,
  environment: Readonly<Record<string, string | undefined>> | undefined,
  variable: string
): Effect.Effect<string, SourceError> =>
  Effect.suspend(() => {
    const value = environment?.[variable]?.trim()
    if (value !== undefined && value !== "") return Effect.succeed(value)
    return Effect.fail(failing(connector).misconfigured(notSet(variable), "set it to the key of the source"))
  })

/** Authenticates with a key that never changes. */
export const key = (
  value: Effect.Effect<string, SourceError>,
  variable: string,
  headers: (key: string) => Readonly<Record<string, string>>
): Authority => ({
  headers: Effect.map(value, (held) => headers(held)),
  refused: `the key in ${variable} is wrong or was revoked: make a new one in the source and set ${variable} to it`
})
