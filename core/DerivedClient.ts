/**
 * The client's operations (`Client.ts`), derived from the API definition. Loaded with the first request.
 */
import type * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Cause, Clock, Context, Duration, Effect, Redacted, Schema } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient, type HttpApiMiddleware } from "effect/http-api"
import * as Answers from "./Answers.ts"
import { ServiceApi } from "./Api.ts"
import { entryOf } from "./Entry.ts"
import { type ClientOptions, type Operations, operations, route, type Send, type Sent } from "./Operations.ts"
import * as Failure from "./ServiceError.ts"
import { ServiceError } from "./ServiceError.ts"
import { type Authentication, layerClient, sign } from "./wire/Auth.ts"
import * as Body from "./wire/Body.ts"
import { BadRequest } from "./wire/Errors.ts"
import * as Exchange from "./wire/Exchange.ts"
import { LeaseOver, permitted } from "./wire/MayLeave.ts"
import * as Network from "./wire/Network.ts"
import { DOUBT } from "./wire/Plainly.ts"
import * as RetryAfter from "./wire/RetryAfter.ts"
import { ServiceClock } from "./wire/ServiceClock.ts"

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
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "30 seconds")
  const clock = options.clock ?? new ServiceClock()
  const guarded = guard(timeout)
  const bare = yield* HttpClient.HttpClient
  const refusal = refusing(options.key)
  const httpClient = bare.pipe(
    HttpClient.mapRequest(HttpClientRequest.acceptJson),
    HttpClient.tapRequest(() => Effect.map(Started, (started) => void (started.yes = true))),
    HttpClient.tapRequest(() =>
      permitted(({ may }) =>
        may() ? Effect.void : Effect.fail<Failure.Reason>(new Failure.Unknown({ why: new LeaseOver().message }))
      )
    ),
    HttpClient.transform((response) =>
      Effect.gen(function* () {
        const answer = yield* response
        const { headers, status } = answer
        clock.note(headers["date"], yield* Clock.currentTimeMillis)
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
    HttpApiClient.makeWith(ServiceApi, { httpClient, baseUrl: options.url.replace(/(?<!\/)\/+$/, "") }).pipe(
      Effect.map(methodsOf),
      Effect.provideContext(yield* Effect.context<HttpApiMiddleware.ForClient<Authentication>>())
    )
  )
  const wrapped: Record<string, Record<string, unknown>> = {}
  for (const operation of operations()) {
    const [group = "", name = ""] = operation.split(".")
    const named = (wrapped[group] ??= {})
    named[name] = (request: unknown) => {
      const asked = Effect.flatMap(derived, (methods) => asking(operation, entryOf(methods, operation), request))
      return guarded(operation, Effect.provideService(asked, Operation, operation))
    }
  }
  const limits = { largest: Answers.largest, timeout }
  const exchange = shorter(Exchange.overHttp(bare, limits), limits)
  const methods = wrapped as unknown as Omit<Operations, "send" | "clock">
  return { ...methods, clock, send: makeSend(exchange, options, clock) } as Operations
})

/** The operations over undici. */
export const derive = (
  options: ClientOptions,
  http: HttpClient.HttpClient,
  dispatcher: NodeHttpClient.Dispatcher["Service"]
): Operations =>
  Effect.runSync(
    make(options, (forms, limits) => Exchange.overUndici(dispatcher, limits, forms)).pipe(
      Effect.provideService(HttpClient.HttpClient, http),
      Effect.provide(layerClient(options.key, options.scheme))
    )
  )

/** The operations over any `HttpClient`, for tests and simulations. */
export const deriveOver = (options: ClientOptions): Effect.Effect<Operations, never, HttpClient.HttpClient> =>
  Effect.provide(make(options), layerClient(options.key, options.scheme))

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

const makeSend = (exchange: Exchange.Exchange, options: ClientOptions, clock: ServiceClock): Send => {
  const base = options.url.replace(/(?<!\/)\/+$/, "")
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
      Effect.tap(({ headers }) => Effect.map(Clock.currentTimeMillis, (now) => clock.note(headers["date"], now))),
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

/** Lists are decoded the short way where their answer is plain; the schema decides about any other, see `Plainly.ts`. */
const asking = (operation: string, method: AnyMethod, request: unknown): Effect.Effect<unknown, unknown> => {
  const [group = "", endpoint = ""] = operation.split(".")
  const decode = endpoint.startsWith("list") ? Answers.decoderOf(operation) : undefined
  if (decode === undefined) return method(request)
  const answered = method({ ...(request as object), responseMode: "response-only" }) as Effect.Effect<
    HttpClientResponse.HttpClientResponse,
    unknown
  >
  return Effect.flatMap(answered, (answer) =>
    Effect.flatMap(answer.text, (text): Effect.Effect<unknown, unknown> => {
      const body = answer.status === 200 ? parsed(text) : undefined
      const found = body === undefined || body instanceof Failure.Unknown ? DOUBT : decode(body)
      if (found !== DOUBT) return Effect.succeed(found)
      const names = { group, endpoint } as { readonly group: "transactions"; readonly endpoint: "list" }
      return HttpApiClient.decodeResponse(ServiceApi, names)(answer)
    })
  )
}

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
