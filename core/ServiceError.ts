/**
 * Defines the one error type for requests to the service: it names the operation and contains the reason.
 *
 * Callers must treat `Unknown` differently from all other reasons: the request may have been applied, so it is never simply
 * sent again. With every other reason it is known to have changed nothing.
 */
import { Schema } from "effect"

/** 400, 402, or another 4xx: the service's final rejection of this request. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  status: Schema.Int,
  problems: Schema.Array(Schema.String)
}) {}

/** 401 or 403: the key is missing, wrong, or lacks the permission. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  status: Schema.Int,
  detail: Schema.String
}) {}

/** 404 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { detail: Schema.String }) {}

/** 409: the object's state does not allow the request. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { detail: Schema.String }) {}

/** 429. `retryAfter` is in seconds, as stated by the service; otherwise undefined. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfter: Schema.UndefinedOr(Schema.Finite)
}) {}

/** No connection was established, so nothing was sent. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { why: Schema.String }) {}

/**
 * Timed out, cut off, 5xx, or an answer that is not the service's own: the request may have been applied. `retryAfter` is in
 * seconds, if the answer states it.
 */
export class Unknown extends Schema.TaggedError<Unknown>()("Unknown", {
  why: Schema.String,
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {}

/** The request cannot be encoded. This is a bug on our side; nothing was sent. */
export class Unsendable extends Schema.TaggedError<Unsendable>()("Unsendable", { why: Schema.String }) {}

/** A lookup found more than one match, and nothing says which is meant. Nothing was changed. */
export class Ambiguous extends Schema.TaggedError<Ambiguous>()("Ambiguous", { why: Schema.String }) {}

export const Reason = Schema.Union([
  Refused,
  Unauthorized,
  NotFound,
  Conflict,
  RateLimited,
  Unreachable,
  Unknown,
  Unsendable,
  Ambiguous
])
export type Reason = typeof Reason.Type

/** Describes a reason in words that a user can act on. */
export const describe = (reason: Reason): string => {
  switch (reason._tag) {
    case "Refused":
      return `refused with ${reason.status}: ${reason.problems.join("; ")}`
    case "Unauthorized":
      return `the service does not accept the key (${reason.status}: ${reason.detail}); check service.key in the configuration`
    case "NotFound":
      return `not found: ${reason.detail}`
    case "Conflict":
      return `conflict: ${reason.detail}`
    case "RateLimited":
      return reason.retryAfter === undefined
        ? "the service asks to slow down"
        : `the service asks to wait ${reason.retryAfter} seconds`
    case "Unreachable":
      return `the service cannot be reached: ${reason.why}; check service.url and the network`
    case "Unknown":
      return `no certain answer: ${reason.why}`
    case "Unsendable":
      return `the request cannot be written: ${reason.why}`
    case "Ambiguous":
      return reason.why
  }
}

/** @property operation group and endpoint, `transactions.create` */
export class ServiceError extends Schema.TaggedError<ServiceError>()("ServiceError", {
  operation: Schema.String,
  reason: Reason
}) {
  override get message(): string {
    return `${this.operation}: ${describe(this.reason)}`
  }
}
