/**
 * A typed client of the service, derived from the API's definition: one for both interfaces, because they share
 * companies, organisations, users, keys and one address, and no name of a group means two things.
 *
 * Token or Basic; HTTPS only, except to this machine; a time limit on every request; connections are kept.
 * Every method fails with `ServiceError`, which names the operation and says whether the outcome is known.
 * Nothing is retried here: whoever calls knows whether a repetition is safe.
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
 * @param body JSON, or a form with files
 * @param key the `Idempotency-Key`, where a repetition must be no second one (DP 8)
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

  /** The same over any `HttpClient`: tests and simulations bring their own. */
  static readonly layerHttp = (options: ClientOptions): Layer.Layer<Client, never, HttpClient.HttpClient> =>
    Layer.effect(Client, make(options)).pipe(Layer.provide(layerClient(options.key, options.scheme)))
}

/** Whether a call has got as far as the network: what fails before has changed nothing. */
const Started = Context.Reference<{ yes: boolean }>("daybook/core/Client/Started", {
  defaultValue: () => ({ yes: false })
})

/** The operation that a typed call is for; none for one that is written already, whose answer nobody decodes by its status. */
const Operation = Context.Reference<string | undefined>("daybook/core/Client/Operation", {
  defaultValue: () => undefined
})

/** Gives a call its time limit, which covers the answer's body too, and turns whatever fails into our error. */
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

/** @param shorter a shorter way for requests that are written already than the one over the `HttpClient` */
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
        // Read to its end whatever it says, so that the connection can carry the next request.
        const text = yield* Body.text(answer, Answers.largest(status))
        return yield* Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.fail(refusal({ headers, status, text }, now))
        )
      })
    )
  )
  // Made when the first of them is used: there are dozens, and a run that has nothing to ask uses none.
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

/** Why a request was not done, as an answer with a status of 300 and above says. */
const refusing =
  (key: Redacted.Redacted) =>
  ({ headers, status, text }: Exchange.WholeAnswer, now: number): Failure.Reason => {
    if (text === undefined) return Answers.tooLarge(status)
    const { date, "content-type": type, "retry-after": header } = headers as Readonly<Record<string, string>>
    const retryAfter = RetryAfter.seconds(header, Date.parse(date ?? "") || now)
    // It may repeat the key in what it says of it.
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

/** Method and path of an operation, with its members filled in. Throws a `RangeError` for one that does not exist. */
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

/** The methods of the derived client by operation. */
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
    // Only what the network says of itself: an answer may hold any text, and has been acted on.
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
 * Every item of a list, page after page. Follows `next` as the service states it, and stops when a page brings
 * nothing new, so that a service that repeats its last page ends.
 *
 * @param list one page from `offset`, of `limit` items at most
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
