/**
 * Authenticates requests with `Authorization: Token <key>`, or Basic with the key as user name (DP 5).
 */
import { Context, Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { BadRequestBody, TooManyRequests, Unauthorized } from "./Errors.ts"

/** The platform of a request, which is all that its key can see (DP 5, 6). */
export class Platform extends Context.Service<Platform, { readonly key: string }>()("daybook/core/Platform") {}

export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: Platform }>()(
  "daybook/core/Authentication",
  {
    requiredForClient: true,
    security: { token: HttpApiSecurity.http({ scheme: "Token" }), basic: HttpApiSecurity.basic },
    error: [Unauthorized, TooManyRequests]
  }
) {}

/** Answers a request that does not decode with the 400 of the specification. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("daybook/core/Validation", {
  error: BadRequestBody
}) {}

export type Scheme = "token" | "basic"

/** Authenticates one request. */
export const sign =
  (key: Redacted.Redacted, scheme: Scheme = "token") =>
  (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest =>
    scheme === "token"
      ? HttpClientRequest.setHeader(request, "authorization", `Token ${Redacted.value(key)}`)
      : HttpClientRequest.basicAuth(request, key, "")

/** Authenticates every outgoing request. */
export const layerClient = (key: Redacted.Redacted, scheme?: Scheme) => {
  const signed = sign(key, scheme)
  return HttpApiMiddleware.layerClient(Authentication, ({ next, request }) =>
    next(signed(request)).pipe(Effect.catchDefect(Effect.die))
  )
}
