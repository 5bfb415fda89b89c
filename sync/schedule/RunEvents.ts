/** What runs end with and what is said of them, for whoever schedules runs: the daemon of one state file, or of many tenants. */
import { StateError } from "../state/Database.ts"
import type { Trigger } from "./RunState.ts"

/** How a run went that did not fail. */
export interface Done {
  readonly outcome: string
  readonly message: string
  /** When the authorisation at the source ends, where that is known. Milliseconds since the epoch. */
  readonly authorisedUntil?: number
}

/**
 * Any error with a message for people; a `StateError` that no retry mends ends the runs of its state file. `unauthorised`:
 * what was said by the source, or the service, as it no longer accepted us.
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
  /** Its plan needs no approval any more: what was waiting or approved is dropped. */
  | { readonly type: "approval dropped"; readonly connection: string; readonly message: string }
  | { readonly type: "waits"; readonly connection: string; readonly message: string }

const LASTING: ReadonlyArray<StateError["kind"]> = ["foreign", "newer", "damaged", "other service", "replaced"]

/** Whether no waiting mends it. */
export const isFatal = (error: unknown): boolean => error instanceof StateError && LASTING.includes(error.kind)
