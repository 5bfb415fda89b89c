/**
 * Who may ask what of the HTTP interface: the scopes of tokens, and the errors that every operation shares. Each operation
 * names its scope with `needs`, and the OpenAPI document lists it in `security`.
 */
import { Context, Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { TokenScope } from "../../sync/model/Roles.ts"
import type { Person } from "../../sync/model/Person.ts"
import { type Right, SCOPES } from "../../sync/model/Roles.ts"

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

/** The state file could not be used: another process holds it, its disk is full, or it is another's by now. */
export class Unavailable extends Schema.TaggedError<Unavailable>()(
  "Unavailable",
  { message: Schema.String },
  { httpApiStatus: 503 }
) {}

/** Who has the token; with the name decisions are recorded. */
export class Caller extends Context.Service<Caller, Person>()("daybook/Caller") {}

/**
 * The right that each operation of the scope `approve` needs; those of another scope need its one right. A token of the scope has
 * all of them, unless it belongs to a person who has fewer.
 */
const DECIDING: Readonly<Record<string, Right>> = {
  decide: "decide",
  decideCover: "decide",
  sync: "work",
  resolve: "work",
  retry: "work",
  assign: "work",
  sameMoney: "work",
  ask: "work",
  unassign: "work",
  undo: "work",
  match: "work",
  accept: "set_up",
  fix: "set_up",
  pause: "set_up",
  resume: "set_up",
  remove: "administer",
  prepare: "collect",
  attach: "collect",
  detach: "collect",
  confirm: "declare",
  withdraw: "declare",
  testAlerts: "administer",
  retryAlerts: "administer",
  backup: "administer"
}

/** The right that an operation needs; undefined: it is not listed, and nobody may use it. */
export const rightOf = (scope: TokenScope, operation: string): Right | undefined =>
  scope === "approve" ? DECIDING[operation] : SCOPES[scope][0]

const bearer = { security: { bearer: HttpApiSecurity.bearer }, error: [Unauthorized, Forbidden, Unavailable] } as const

export class Reads extends HttpApiMiddleware.Service<Reads, { provides: Caller }>()("daybook/Reads", bearer) {}
export class Plans extends HttpApiMiddleware.Service<Plans, { provides: Caller }>()("daybook/Plans", bearer) {}
export class Decides extends HttpApiMiddleware.Service<Decides, { provides: Caller }>()("daybook/Decides", bearer) {}
export class Connects extends HttpApiMiddleware.Service<Connects, { provides: Caller }>()("daybook/Connects", bearer) {}
export class Explains extends HttpApiMiddleware.Service<Explains>()("daybook/Explains", { error: Invalid }) {}

/** The description of an operation with the scope that it needs, which its group's middleware checks. */
export const needs = (scope: TokenScope, description: string) =>
  OpenApi.annotations({ description, override: { security: [{ bearer: [scope] }] } })
