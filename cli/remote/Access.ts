/**
 * Who may ask what of the HTTP interface: the scopes of tokens, and the errors that every operation shares. Each operation
 * names its scope with `needs`, and the OpenAPI document lists it in `security`.
 */
import { Context, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { TokenScope } from "../../sync/library/config/DaemonSettings.ts"

/** The request has no token, or the token is not known. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()(
  "Unauthorized",
  { message: Schema.String },
  { httpApiStatus: 401 }
) {}

/** The token lacks the scope. */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

/** The connection, document or attention item does not exist. */
export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** It cannot be done as things are now, for instance because they changed since the caller looked; nothing was done. */
export class Conflict extends Schema.TaggedError<Conflict>()(
  "Conflict",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** A parameter or the body is not valid. */
export class Invalid extends Schema.TaggedError<Invalid>()(
  "Invalid",
  { message: Schema.String },
  { httpApiStatus: 422 }
) {}

/** A source or the service could not be asked, or its answer could not be used. */
export class Unreachable extends Schema.TaggedError<Unreachable>()(
  "Unreachable",
  { message: Schema.String },
  { httpApiStatus: 502 }
) {}

/** The token's name, with which decisions are recorded. */
export class Caller extends Context.Service<Caller, { readonly name: string }>()("daybook/Caller") {}

const bearer = { security: { bearer: HttpApiSecurity.bearer }, error: [Unauthorized, Forbidden] } as const

export class Reads extends HttpApiMiddleware.Service<Reads, { provides: Caller }>()("daybook/Reads", bearer) {}
export class Plans extends HttpApiMiddleware.Service<Plans, { provides: Caller }>()("daybook/Plans", bearer) {}
export class Decides extends HttpApiMiddleware.Service<Decides, { provides: Caller }>()("daybook/Decides", bearer) {}
export class Connects extends HttpApiMiddleware.Service<Connects, { provides: Caller }>()("daybook/Connects", bearer) {}
export class Explains extends HttpApiMiddleware.Service<Explains>()("daybook/Explains", { error: Invalid }) {}

/** The description of an operation with the scope that it needs, which its group's middleware checks. */
export const needs = (scope: TokenScope, description: string) =>
  OpenApi.annotations({ description, override: { security: [{ bearer: [scope] }] } })
