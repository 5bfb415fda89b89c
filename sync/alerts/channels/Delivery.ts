/** Defines how a channel answers: the message was accepted, or why not, and whether a retry may help. */
import { Schema } from "effect"

/** The message was not accepted, as far as is known. `why` contains no secret. */
export class NotDelivered extends Schema.TaggedError<NotDelivered>()("NotDelivered", {
  why: Schema.String,
  /** A retry may help. */
  again: Schema.Boolean,
  /** How many milliseconds to wait at least. */
  wait: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return this.why
  }
}

/** The time limit of one attempt. Milliseconds. */
export const DELIVERY_TIMEOUT_MS = 30_000
