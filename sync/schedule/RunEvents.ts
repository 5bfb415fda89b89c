/** Defines the results and events of runs, for the schedulers of one state file and of many tenants. */
import { Schema } from "effect"
import { StateError } from "../state/Database.ts"

export type { RunEvent } from "../model/reports/State.ts"

/** The result of a successful run. */
export interface Done {
  readonly outcome: string
  readonly message: string
  /** When the authorisation at the source ends, if known. Milliseconds since the epoch. */
  readonly authorisedUntil?: number
}

/** What went wrong in a run, in words; what was done before is kept. */
export class RunError extends Schema.TaggedError<RunError>()("RunError", {
  why: Schema.String,
  /** The message of the source or the service that no longer accepts our credentials. */
  unauthorised: Schema.optional(Schema.String)
}) {
  override get message(): string {
    return this.why
  }
}

/**
 * Any error with a message for people and a tag. A `StateError` that no retry can fix ends the runs of its state file.
 */
export type Failure = Error & { readonly _tag: string }

const LASTING: ReadonlyArray<StateError["kind"]> = ["foreign", "newer", "damaged", "other service", "replaced"]

/** Whether waiting cannot fix it. */
export const isFatal = (error: unknown): boolean => error instanceof StateError && LASTING.includes(error.kind)
