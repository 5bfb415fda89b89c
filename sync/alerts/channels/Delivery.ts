/** How a channel answers: a message was taken, or why not, and whether another attempt may help. */
import { Schema } from "effect"

/** The message was not taken, as far as is known. `why` holds no secret. */
export class NotDelivered extends Schema.TaggedError<NotDelivered>()("NotDelivered", {
  why: Schema.String,
  /** Another attempt may help. */
  again: Schema.Boolean,
  /** Not before so many milliseconds. */
  wait: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return this.why
  }
}

/** So long may one attempt take. Milliseconds. */
export const DELIVERY_TIMEOUT_MS = 30_000
