/**
 * A typed client of the service, derived from the API's definition.
 *
 * Token or Basic; HTTPS only, except to this machine; a time limit on every request; connections are kept.
 * Every method fails with `ServiceError`, which names the operation and says whether the outcome is known.
 * Nothing is retried here: whoever calls knows whether a repetition is safe.
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Cause, Context, Duration, Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { InsuranceApi } from "./insurance/Api.ts"
import * as Failure from "./ServiceError.ts"
import { ServiceError } from "./ServiceError.ts"
import { layerClient, type Scheme } from "./wire/Auth.ts"
import { BadRequest, flatten } from "./wire/Errors.ts"
import type { Page } from "./wire/Page.ts"

export interface ClientOptions {
  /** Base address, with or without a trailing slash, without `/v1`. */
  readonly url: string
  readonly key: Redacted.Redacted
  readonly scheme?: Scheme
  /** Time limit of one request, 30 seconds unless given. */
  readonly timeout?: Duration.Input
  /** Connections kept open to the service, 32 unless given. */
  readonly connections?: number
}

/** A method of the derived client, with our error in place of its own. */
type Method<E extends HttpApiEndpoint.ConstraintRequest> = (
  request: HttpApiEndpoint.ClientRequest<E["~Params"], E["~Query"], E["~Payload"], E["~Headers"], "decoded-only", never>
) => Effect.Effect<HttpApiClient.SuccessType<E["~Success"]>, ServiceError>

type Methods<Groups extends HttpApiGroup.Constraint> = {
  readonly [Group in Groups as HttpApiGroup.Identifier<Group>]: {
    readonly [E in Extract<
      HttpApiGroup.Endpoints<Group>,
      HttpApiEndpoint.ConstraintRequest
    > as E["identifier"]]: Method<E>
  }
}

type MethodsOf<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups> ? Methods<Groups> : never

/** What a service answered, as JSON. */
export interface Sent {
  readonly status: number
  readonly body: unknown
}

/**
 * Sends a request that is in the shape of the wire already: plans hold such requests, so that what was approved is
 * what is sent. Method and path come from the API's definition.
 *
 * @param operation group and endpoint, `transactions.create`
 * @param params members of the path
 */
export type Send = (
  operation: string,
  params: Readonly<Record<string, string>>,
  body: unknown
) => Effect.Effect<Sent, ServiceError>

export class Client extends Context.Service<Client, MethodsOf<typeof InsuranceApi> & { readonly send: Send }>()(
  "daybook/core/Client"
) {
  static readonly layer = (options: ClientOptions): Layer.Layer<Client> =>
    Client.layerHttp(options).pipe(
      Layer.provide(NodeHttpClient.layerUndiciOptions({ connections: options.connections ?? 32 }))
    )

  /** The same over any `HttpClient`: tests and simulations bring their own. */
  static readonly layerHttp = (options: ClientOptions): Layer.Layer<Client, never, HttpClient.HttpClient> =>
    Layer.effect(Client, make(options)).pipe(Layer.provide(layerClient(options.key, options.scheme)))
}

/** Why an address cannot be used, or undefined: HTTPS only, except to this machine (DP 5). */
export const addressProblem = (address: string): string | undefined => {
  if (!URL.canParse(address))
    return `${JSON.stringify(address)} is not an address; write it like https://api.example.com`
  const url = new URL(address)
  if (url.protocol === "https:") return undefined
  if (url.protocol !== "http:") return `${address} is neither https nor http`
  return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
    ? undefined
    : `${address} would send the key in the clear; use https (plain http is accepted to this machine only)`
}

const make = Effect.fnUntraced(function* (options: ClientOptions) {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "30 seconds")
  const httpClient = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.acceptJson),
    HttpClient.transform((response, request) =>
      Effect.gen(function* () {
        const answer = yield* response
        if (answer.status < 400) return answer
        if (answer.status === 429) {
          const seconds = retryAfter(answer.headers["retry-after"])
          return yield* Effect.fail<Failure.Reason>(new Failure.RateLimited({ retryAfter: seconds }))
        }
        const text = yield* answer.text
        return yield* Effect.fail(reasonOfStatus(answer.status, text))
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () =>
            Effect.fail(
              new Failure.Unknown({ why: `no answer to ${request.method} within ${Duration.format(timeout)}` })
            )
        })
      )
    )
  )
  const raw = yield* HttpApiClient.makeWith(InsuranceApi, { httpClient, baseUrl: options.url.replace(/\/+$/, "") })
  const wrapped: Record<string, Record<string, unknown>> = {}
  for (const [group, methods] of Object.entries(raw)) {
    const named: Record<string, unknown> = (wrapped[group] = {})
    for (const [name, method] of Object.entries(methods as unknown as Record<string, AnyMethod>)) {
      const operation = `${group}.${name}`
      named[name] = (request: unknown) =>
        Effect.mapError(method(request), (error) => new ServiceError({ operation, reason: reasonOf(error) }))
    }
  }
  return { ...(wrapped as unknown as MethodsOf<typeof InsuranceApi>), send: makeSend(httpClient, options) }
})

interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
}

const routes = new Map<string, Route>()
for (const [group, { endpoints }] of Object.entries(InsuranceApi.groups)) {
  for (const [name, { method, path }] of Object.entries(endpoints as Record<string, Route>)) {
    routes.set(`${group}.${name}`, { method, path })
  }
}

/** Method and path of an operation, with its members filled in. Throws a `RangeError` for one that does not exist. */
export const route = (operation: string, params: Readonly<Record<string, string>>): Route => {
  const found = routes.get(operation)
  if (found === undefined) throw new RangeError(`no operation ${operation}`)
  return {
    method: found.method,
    path: found.path.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? `:${name}`)
  }
}

const makeSend = (
  httpClient: HttpClient.HttpClient.With<HttpClientError.HttpClientError | Failure.Reason>,
  options: ClientOptions
): Send => {
  const base = options.url.replace(/\/+$/, "")
  const key = Redacted.value(options.key)
  const authorization = options.scheme === "basic" ? `Basic ${btoa(`${key}:`)}` : `Token ${key}`
  return (operation, params, body) => {
    const encoded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]))
    const { method, path } = route(operation, encoded)
    const bare = HttpClientRequest.make(method)(base + path, { headers: { authorization } })
    const request =
      body === undefined ? bare : HttpClientRequest.bodyText(bare, JSON.stringify(body), "application/json")
    return httpClient.execute(request).pipe(
      Effect.flatMap(
        (answer): Effect.Effect<Sent, HttpClientError.HttpClientError> =>
          answer.status === 204
            ? Effect.succeed({ status: 204, body: undefined })
            : Effect.map(answer.json, (body) => ({ status: answer.status, body }))
      ),
      Effect.mapError((error) => new ServiceError({ operation, reason: reasonOf(error) }))
    )
  }
}

type AnyMethod = (request: unknown) => Effect.Effect<unknown, unknown>

/** Seconds, or an HTTP date. */
const retryAfter = (header: string | undefined): number | undefined => {
  if (header === undefined) return undefined
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The reason for a status of 400 and above. */
const reasonOfStatus = (status: number, text: string): Failure.Reason => {
  const body = Option.getOrUndefined(Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))(text))
  const problems = body === undefined ? [] : flatten(body)
  const detail = problems.length > 0 ? problems.join("; ") : `status ${status}`
  if (status === 401 || status === 403) return new Failure.Unauthorized({ status, detail })
  if (status === 404) return new Failure.NotFound({ detail })
  if (status === 409) return new Failure.Conflict({ detail })
  if (status >= 500 || status === 408) return new Failure.Unknown({ why: `the service answered ${status}` })
  return new Failure.Refused({ status, problems: problems.length > 0 ? problems : [detail] })
}

const NEVER_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS/

const reasonOf = (error: unknown): Failure.Reason => {
  if (Schema.is(Failure.Reason)(error)) return error
  if (error instanceof BadRequest) return new Failure.Refused({ status: 400, problems: error.problems })
  if (HttpClientError.isHttpClientError(error)) {
    const why = causes(error)
    const { _tag } = error.reason
    if (_tag === "EncodeError" || _tag === "InvalidUrlError") return new Failure.Unsendable({ why })
    return NEVER_SENT.test(why) ? new Failure.Unreachable({ why }) : new Failure.Unknown({ why })
  }
  if (Schema.isSchemaError(error)) return new Failure.Unknown({ why: `the answer cannot be read: ${error.message}` })
  return new Failure.Unknown({ why: Cause.pretty(Cause.fail(error)) })
}

/** The messages and codes of an error and what caused it, outermost first. */
const causes = (error: unknown): string => {
  const seen: Array<string> = []
  let at: unknown = error
  while (at instanceof Error && seen.length < 6) {
    const code = (at as { code?: unknown }).code
    const text = [code, at.message].filter((part) => typeof part === "string" && part !== "").join(" ")
    if (text !== "" && !seen.includes(text)) seen.push(text)
    at = (at as { reason?: unknown }).reason ?? at.cause
  }
  return seen.join(": ")
}

/**
 * Every item of a list, page after page. Follows `next` as the service states it, and stops when a page brings
 * nothing new, so that a service that repeats its last page ends.
 *
 * @param list one page from `offset`, of `limit` items at most
 */
export const pages = <A, R>(
  list: (query: { readonly limit: number; readonly offset: number }) => Effect.Effect<Page<A>, ServiceError, R>,
  limit = 100
): Stream.Stream<A, ServiceError, R> =>
  Stream.paginate(0, (offset) =>
    Effect.map(list({ limit, offset }), (page) => {
      const next = offset + page.results.length
      const more = page.next !== null && page.results.length > 0 && next < page.count
      return [page.results, more ? Option.some(next) : Option.none<number>()] as const
    })
  )
