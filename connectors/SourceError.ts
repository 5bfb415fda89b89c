/** How a source fails: one error, with the reason inside it. */
import { Schema } from "effect"

/** The source's host did not answer. Retrying may help. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { why: Schema.String }) {}

/** The source cannot be read now: a rate limit, a fault of its own, a lock. Retrying later may help. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { why: Schema.String }) {}

/** The source rejected the request, or the settings do not fit it. Retrying does not help; `hint` says what does. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  what: Schema.String,
  hint: Schema.String,
  /** The source no longer accepts the credentials: the connection must be authorised again. */
  unauthorised: Schema.optionalKey(Schema.Literal(true))
}) {}

/** The source as a whole cannot be decoded. (A single record that cannot be decoded is quarantined instead.) */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  where: Schema.String,
  why: Schema.String
}) {}

type Reason = Unreachable | Unavailable | Misconfigured | Unreadable

/** Applies `change` to every text of a reason, for example to redact a secret. */
export const reworded = (reason: Reason, change: (words: string) => string): Reason => {
  switch (reason._tag) {
    case "Unreachable":
      return new Unreachable({ why: change(reason.why) })
    case "Unavailable":
      return new Unavailable({ why: change(reason.why) })
    case "Misconfigured":
      return new Misconfigured({ ...reason, what: change(reason.what), hint: change(reason.hint) })
    case "Unreadable":
      return new Unreadable({ where: change(reason.where), why: change(reason.why) })
  }
}

/** After a question ("did you mean …?"), a new sentence begins. */
export const followedBy = (what: string, hint: string): string =>
  what.endsWith("?") ? `${what} ${hint.charAt(0).toUpperCase()}${hint.slice(1)}` : `${what}; ${hint}`

/** The one error type of connectors; `reason` says what went wrong. */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  /** The connector's name. */
  connector: Schema.String,
  /** The connection that was read; added by the caller. */
  connection: Schema.optionalKey(Schema.String),
  reason: Schema.Union([Unreachable, Unavailable, Misconfigured, Unreadable])
}) {
  override get message(): string {
    const { reason } = this
    switch (reason._tag) {
      case "Unreachable":
        return `${this.connector}: cannot be reached: ${reason.why}`
      case "Unavailable":
        return `${this.connector}: cannot be read now: ${reason.why}`
      case "Misconfigured":
        return `${this.connector}: ${followedBy(reason.what, reason.hint)}`
      case "Unreadable":
        return `${this.connector}: ${reason.where} cannot be read: ${reason.why}`
    }
  }
}

/** Makes the errors of a connector. */
export const failing = (connector: string) => {
  const fail = (reason: Reason) => new SourceError({ connector, reason })
  return {
    unreachable: (why: string) => fail(new Unreachable({ why })),
    unavailable: (why: string) => fail(new Unavailable({ why })),
    misconfigured: (what: string, hint: string) => fail(new Misconfigured({ what, hint })),
    unreadable: (where: string, why: string) => fail(new Unreadable({ where, why }))
  }
}
