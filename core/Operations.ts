/**
 * The operations of both interfaces, each named by its group and endpoint (`transactions.create`): method, path and types.
 */
import type { ServiceClock } from "./wire/ServiceClock.ts"
import type { Duration, Effect, Redacted } from "effect"
import type { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { ServiceApi } from "./Api.ts"
import { type OperationRoute, routes } from "./Routes.ts"
import type { ServiceError } from "./ServiceError.ts"
import type { Scheme } from "./wire/Auth.ts"

export interface ClientOptions {
  /** Base address, with or without a trailing slash, without `/v1`. */
  readonly url: string
  readonly key: Redacted.Redacted
  readonly scheme?: Scheme
  /** Time limit of one request; 30 seconds by default. */
  readonly timeout?: Duration.Input
  /** Connections kept open to the service; 32 by default. */
  readonly connections?: number
  /** Is told the service's time by every answer. */
  readonly clock?: ServiceClock
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

/** The methods of both interfaces by group, and `send`. */
export type Operations = MethodsOf<typeof ServiceApi> & { readonly send: Send; readonly clock: ServiceClock }

/** The names of all operations. */
export const operations = (): Iterable<string> => Object.keys(routes)

/** An operation's method and path, with its parameters filled in. Throws a `RangeError` for an unknown operation. */
export const route = (operation: string, params: Readonly<Record<string, string>>): OperationRoute => {
  const found = Object.hasOwn(routes, operation) ? routes[operation] : undefined
  if (found === undefined) throw new RangeError(`no operation ${operation}`)
  return {
    method: found.method,
    path: found.path.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? `:${name}`)
  }
}
