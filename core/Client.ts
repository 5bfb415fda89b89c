/**
 * A typed client of the service, derived from the API definition. One client serves both interfaces, because they share
 * companies, organisations, users, keys and one address, and no group name has two meanings.
 *
 * It authenticates with Token or Basic, uses HTTPS only (except for this machine), limits the time of every request, and
 * keeps connections open. Every method fails with `ServiceError`, which names the operation and says whether the outcome is
 * known. Nothing is retried here: only the caller knows whether a retry is safe.
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Cause, Clock, Context, Duration, Effect, Equal, Layer, Option, Redacted, Schema, Stream } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import {
  type HttpApi,
  HttpApiClient,
  type HttpApiEndpoint,
  type HttpApiGroup,
  type HttpApiMiddleware
} from "effect/http-api"
import * as Answers from "./Answers.ts"
import { ServiceApi } from "./Api.ts"
import * as Failure from "./ServiceError.ts"
import { ServiceError } from "./ServiceError.ts"
import { type Authentication, layerClient, type Scheme, sign } from "./wire/Auth.ts"
import { addressProblem } from "./Address.ts"
import { entryOf } from "./Entry.ts"
import * as Body from "./wire/Body.ts"
import * as Exchange from "./wire/Exchange.ts"
import { BadRequest } from "./wire/Errors.ts"
import { LeaseOver, MayLeave } from "./wire/MayLeave.ts"
import * as Network from "./wire/Network.ts"
import type { Page } from "./wire/Page.ts"
import * as RetryAfter from "./wire/RetryAfter.ts"
import * as Undici from "./wire/Undici.ts"

export interface ClientOptions {
  /** Base address, with or without a trailing slash, without `/v1`. */
  readonly url: string
  readonly key: Redacted.Redacted
  readonly scheme?: Scheme
  /** Time limit of one request; 30 seconds by default. */
  readonly timeout?: Duration.Input
  /** Connections kept open to the service; 32 by default. */
  readonly connections?: number
}

/** A method of the derived client, with `ServiceError` in place of its own error type. */
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

/** The service's answer, as JSON. */
export interface Sent {
  readonly status: number
  readonly body: unknown
}

/**
 * Sends a request that is already in its wire form: plans store such requests, so that exactly what was approved is sent.
 * Method and path come from the API definition.
 *
 * @param operation group and endpoint: `transactions.create`
 * @param params path parameters
 * @param body JSON, or a form with files
 * @param key the `Idempotency-Key`, if a retry must not act twice (DP 8)
 */
export type Send = (
  operation: string,
  params: Readonly<Record<string, string>>,
  body: unknown,
  key?: string
) => Effect.Effect<Sent, ServiceError>

export class Client extends Context.Service<Client, MethodsOf<typeof ServiceApi> & { readonly send: Send }>()(
  "daybook/core/Client"
) {
  static readonly layer = (options: ClientOptions): Layer.Layer<Client> =>
    Layer.effect(
      Client,
      Effect.flatMap(NodeHttpClient.Dispatcher, (dispatcher) =>
        make(options, (forms, limits) => Exchange.overUndici(dispatcher, limits, forms))
      )
    ).pipe(
      Layer.provide(layerClient(options.key, options.scheme)),
      Layer.provide(NodeHttpClient.layerUndiciNoDispatcher),
      Layer.provide(Undici.layerDispatcher({ connections: options.connections ?? 32 }))
    )

  /** The same over any `HttpClient`, for tests and simulations. */
  static readonly layerHttp = (options: ClientOptions): Layer.Layer<Client, never, HttpClient.HttpClient> =>
    Layer.effect(Client, make(options)).pipe(Layer.provide(layerClient(options.key, options.scheme)))
}

/** Whether a call has reached the network: a failure before that has changed nothing. */
const Started = Context.Reference<{ yes: boolean }>("daybook/core/Client/Started", {
  defaultValue: () => ({ yes: false })
})

/** The operation of a typed call; undefined for a request in wire form, whose answer is not decoded by status. */
const Operation = Context.Reference<string | undefined>("daybook/core/Client/Operation", {
  defaultValue: () => undefined
})

/** Limits the time of a call, including reading the answer's body, and converts every failure to `ServiceError`. */
const guard =
  (timeout: Duration.Duration) =>
  <A, E>(operation: string, call: Effect.Effect<A, E>): Effect.Effect<A, ServiceError> =>
    Effect.suspend(() => {
      const started = { yes: false }
      return call.pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(new Failure.Unknown({ why: `no whole answer within ${Duration.format(timeout)}` }))
        }),
        Effect.provideService(Started, started),
        Exchange.untraced,
        Effect.mapError((error) => new ServiceError({ operation, reason: reasonOf(error, started.yes) }))
      )
    })

/** @param shorter sends requests in wire form directly, without the `HttpClient` */
const make = Effect.fnUntraced(function* (
  options: ClientOptions,
  shorter: (forms: Exchange.Exchange, limits: Exchange.Limits) => Exchange.Exchange = (forms) => forms
) {
  const problem = addressProblem(options.url)
  if (problem !== undefined) return yield* Effect.die(new RangeError(problem))
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "30 seconds")
  const guarded = guard(timeout)
  const bare = yield* HttpClient.HttpClient
  const refusal = refusing(options.key)
  const httpClient = bare.pipe(
    HttpClient.mapRequest(HttpClientRequest.acceptJson),
    HttpClient.tapRequest(() => Effect.map(Started, (started) => void (started.yes = true))),
    HttpClient.tapRequest(() =>
      Effect.flatMap(MayLeave, (may) =>
        may() ? Effect.void : Effect.fail<Failure.Reason>(new Failure.Unknown({ why: new LeaseOver().message }))
      )
    ),
    HttpClient.transform((response) =>
      Effect.gen(function* () {
        const answer = yield* response
        const { headers, status } = answer
        if (status < 300) {
          const operation = yield* Operation
          const as = operation === undefined ? status : Answers.readAs(operation, status)
          const whole = yield* Body.within(answer, Answers.LARGEST_BYTES, as)
          return whole ?? (yield* Effect.fail<Failure.Reason>(Answers.tooLarge(status)))
        }
        // Always read to the end, so that the connection can be reused.
        const text = yield* Body.text(answer, Answers.largest(status))
        return yield* Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.fail(refusal({ headers, status, text }, now))
        )
      })
    )
  )
  // Created on first use: there are dozens of methods, and a run without requests needs none.
  const derived = yield* Effect.cached(
    HttpApiClient.makeWith(ServiceApi, { httpClient, baseUrl: options.url.replace(/\/+$/, "") }).pipe(
      Effect.map(methodsOf),
      Effect.provideContext(yield* Effect.context<HttpApiMiddleware.ForClient<Authentication>>())
    )
  )
  const wrapped: Record<string, Record<string, unknown>> = {}
  for (const operation of routes.keys()) {
    const [group = "", name = ""] = operation.split(".")
    const named = (wrapped[group] ??= {})
    named[name] = (request: unknown) => {
      const asked = Effect.flatMap(derived, (methods) => entryOf(methods, operation)(request))
      return guarded(operation, Effect.provideService(asked, Operation, operation))
    }
  }
  const limits = { largest: Answers.largest, timeout }
  const exchange = shorter(Exchange.overHttp(bare, limits), limits)
  return { ...(wrapped as unknown as MethodsOf<typeof ServiceApi>), send: makeSend(exchange, options) }
})

/** Fails with the reason that an answer with a status of 300 or more states. */
const refusing =
  (key: Redacted.Redacted) =>
  ({ headers, status, text }: Exchange.WholeAnswer, now: number): Failure.Reason => {
    if (text === undefined) return Answers.tooLarge(status)
    const { date, "content-type": type, "retry-after": header } = headers as Readonly<Record<string, string>>
    const retryAfter = RetryAfter.seconds(header, Date.parse(date ?? "") || now)
    // The message may repeat the key.
    const secret = Redacted.value(key)
    const said = secret === "" ? text : text.replaceAll(secret, "…")
    return Answers.reasonOf({ status, type, text: said, retryAfter })
  }

interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
}

const routes = new Map<string, Route>()
for (const [group, { endpoints }] of Object.entries(ServiceApi.groups)) {
  for (const [name, { method, path }] of Object.entries(endpoints as Record<string, Route>)) {
    routes.set(`${group}.${name}`, { method, path })
  }
}

/** An operation's method and path, with its parameters filled in. Throws a `RangeError` for an unknown operation. */
export const route = (operation: string, params: Readonly<Record<string, string>>): Route => {
  const found = routes.get(operation)
  if (found === undefined) throw new RangeError(`no operation ${operation}`)
  return {
    method: found.method,
    path: found.path.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? `:${name}`)
  }
}

const makeSend = (exchange: Exchange.Exchange, options: ClientOptions): Send => {
  const base = options.url.replace(/\/+$/, "")
  const refusal = refusing(options.key)
  const { headers: signed } = sign(options.key, options.scheme)(HttpClientRequest.acceptJson(HttpClientRequest.empty))
  const headers = { ...signed }
  const read = (answer: Exchange.WholeAnswer, operation: string): Effect.Effect<Sent, Failure.Reason> => {
    const { status, text } = answer
    if (status >= 300) return Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(refusal(answer, now)))
    if (text === undefined) return Effect.fail(Answers.tooLarge(status))
    const body = status === 204 ? undefined : parsed(text)
    const strange = body instanceof Failure.Unknown ? body : Answers.strange(operation, status, body)
    return strange === undefined ? Effect.succeed({ status, body }) : Effect.fail(strange)
  }
  return (operation, params, body, key) => {
    const { method, path } = route(operation, encoded(params))
    const keyed = key === undefined ? headers : { ...headers, "idempotency-key": key }
    return exchange({ method, url: base + path, headers: keyed, body }).pipe(
      Effect.flatMap((answer) => read(answer, operation)),
      Effect.mapError((error) => {
        const reason = error instanceof Exchange.Late ? new Failure.Unknown({ why: error.why }) : reasonOf(error, true)
        return new ServiceError({ operation, reason })
      })
    )
  }
}

const encoded = (params: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]))

const parsed = (text: string): unknown => {
  try {
    return text === "" ? null : JSON.parse(text)
  } catch (cause) {
    return new Failure.Unknown({ why: `the answer cannot be read: ${Network.causes(cause).why}` })
  }
}

type AnyMethod = (request: unknown) => Effect.Effect<unknown, unknown>

/** The methods of the derived client, by operation. */
const methodsOf = (client: object): ReadonlyMap<string, AnyMethod> =>
  new Map(
    Object.entries(client).flatMap(([group, methods]) =>
      Object.entries(methods as Readonly<Record<string, AnyMethod>>).map(
        ([name, method]) => [`${group}.${name}`, method] as const
      )
    )
  )

const isReason = Schema.is(Failure.Reason)

const reasonOf = (error: unknown, started: boolean): Failure.Reason => {
  if (isReason(error)) return error
  if (error instanceof BadRequest) return new Failure.Refused({ status: 400, problems: error.problems })
  if (HttpClientError.isHttpClientError(error)) {
    const { codes, why } = Network.causes(error)
    const { _tag } = error.reason
    if (_tag === "EncodeError" || _tag === "InvalidUrlError") return new Failure.Unsendable({ why })
    // Only network error codes are shown: an answer may contain any text, and has been acted on.
    const said = _tag === "TransportError" ? codes : []
    if (Network.neverConnected(said)) {
      const words = Network.words(codes)
      const { url } = error.request
      return new Failure.Unreachable({ why: words === undefined ? why : `${URL.parse(url)?.origin ?? url}: ${words}` })
    }
    return Network.neverWritten(said) ? new Failure.Unsendable({ why }) : new Failure.Unknown({ why })
  }
  if (!started) return new Failure.Unsendable({ why: error instanceof Error ? error.message : String(error) })
  if (Schema.isSchemaError(error)) return new Failure.Unknown({ why: `the answer cannot be read: ${error.message}` })
  return new Failure.Unknown({ why: Cause.pretty(Cause.fail(error)) })
}

/**
 * Reads every item of a list, page after page. Follows `next` as the service states it, and stops when a page has nothing
 * new, in case the service repeats its last page.
 *
 * @param list reads one page from `offset`, with at most `limit` items
 */
export const pages = <A, R>(
  list: (query: { readonly limit: number; readonly offset: number }) => Effect.Effect<Page<A>, ServiceError, R>,
  limit = 100
): Stream.Stream<A, ServiceError, R> =>
  Stream.paginate({ offset: 0, before: undefined as A | undefined }, ({ before, offset }) =>
    Effect.map(list({ limit, offset }), ({ count, next, results }) => {
      const [first] = results
      if (offset > 0 && Equal.equals(first, before)) return [[], Option.none()]
      const at = offset + results.length
      const more = next !== null && results.length > 0 && at < count
      return [results, more ? Option.some({ offset: at, before: first }) : Option.none()]
    })
  )
