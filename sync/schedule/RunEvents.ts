/** Defines the results and events of runs, for the schedulers of one state file and of many tenants. */
import { StateError } from "../state/Database.ts"
import type { Trigger } from "./RunState.ts"

/** The result of a successful run. */
export interface Done {
  readonly outcome: string
  readonly message: string
  /** When the authorisation at the source ends, if known. Milliseconds since the epoch. */
  readonly authorisedUntil?: number
}

/**
 * Any error with a message for people. A `StateError` that no retry can fix ends the runs of its state file. `unauthorised`:
 * the message with which the source or the service rejected our credentials.
 */
export type Failure = Error & { readonly unauthorised?: string | undefined }

export type RunEvent =
  | { readonly type: "began"; readonly connection: string; readonly why: Trigger }
  | ({
      readonly type: "ended"
      readonly connection: string
      readonly why: Trigger
      readonly millis: number
    } & Pick<Done, "outcome" | "message">)
  | {
      readonly type: "failed"
      readonly connection: string
      readonly why: Trigger
      readonly millis: number
      readonly message: string
      readonly failures: number
    }
  /** Its plan needs no approval any more: the waiting or approved plan is dropped. */
  | { readonly type: "approval dropped"; readonly connection: string; readonly message: string }
  | { readonly type: "waits"; readonly connection: string; readonly message: string }

const LASTING: ReadonlyArray<StateError["kind"]> = ["foreign", "newer", "damaged", "other service", "replaced"]

/** Whether waiting cannot fix it. */
export const isFatal = (error: unknown): boolean => error instanceof StateError && LASTING.includes(error.kind)
