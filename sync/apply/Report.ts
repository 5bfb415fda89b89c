/**
 * Defines the options of apply, and its report.
 */
import type { Effect } from "effect"
import type { Reason } from "../../core/ServiceError.ts"
import type { Call } from "../model/Call.ts"
import type { Guard } from "../model/Guard.ts"
import type { FirstSync } from "../plan/FirstSync.ts"
import type { Summary } from "../plan/Tally.ts"
import type * as Claims from "./Claims.ts"
import type { Secrets } from "./NamedSecrets.ts"

export interface SendingOptions {
  /** How many documents have calls in progress at once. Default 16. */
  readonly concurrency?: number
  /** The guards that a person lets this run pass. */
  readonly allow?: ReadonlyArray<Guard>
  /**
   * A person has seen what the first sync of these connections would send (`seen`), or has also decided otherwise about what
   * somebody said no to (`send`).
   */
  readonly firstSync?: "seen" | "send"
  /** Asks a person about the first sync, if there is one to ask. */
  readonly confirm?: (asked: FirstSync) => Effect.Effect<boolean>
  /** The digest of the approved plan; any other plan is rejected. */
  readonly digest?: string
  /** A person approved these documents of the plan with this digest: the others are not sent. */
  readonly only?: ReadonlySet<string>
  /** A person confirmed one collection: only this is sent, and nothing else of the plan. */
  readonly collection?: string
  /** Nothing is bought within the limits of these connections: nobody was shown it, see `CoverShown.ts`. */
  readonly unshown?: ReadonlySet<string>
  /** It goes on with a run that has sent already. */
  readonly goesOn?: true
  /** A reason found earlier why nothing may be sent: the run ends as if it was stopped by it. */
  readonly stopped?: Reason | undefined
  /** How long after a request its absence on the service is believed, in milliseconds. Default 5,000. */
  readonly settleAfter?: number
  /** Reads a secret that a call names, just before the request is sent. */
  readonly secrets?: Secrets
  /** Creates a span for each call, for programs that export traces. */
  readonly trace?: boolean
  /** Called with every receipt, after it is on disk. */
  readonly onReceipt?: (receipt: CallReceipt) => Effect.Effect<void>
  /** Called before the first call, with a summary of what is about to be sent. */
  readonly onStart?: (summary: Summary) => Effect.Effect<void>
}

export const concurrencyOf = ({ concurrency = 16 }: SendingOptions): number => concurrency

export interface CallReceipt {
  readonly n: number
  readonly call: Call
  readonly outcome: Claims.Outcome
  readonly status: number | undefined
  readonly remote: string | undefined
  /** The service's own words, if it rejected the call. */
  readonly why?: string
}

export interface Report {
  readonly run: number
  readonly done: number
  readonly failed: number
  /** Calls of earlier runs whose outcome was unknown and is now known. */
  readonly recovered: number
  /** Calls of this run whose outcome is still unknown. */
  readonly unknown: number
  readonly attention: number
  readonly stopped?: Reason
}
