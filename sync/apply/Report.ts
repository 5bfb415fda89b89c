/**
 * What apply is asked for, and what it reports.
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
  /** Invoices in work at once. Default 16. */
  readonly concurrency?: number
  /** The guards that a person has allowed to be passed in this run. */
  readonly allow?: ReadonlyArray<Guard>
  /** A person has seen what the first sync of these connections would send. */
  readonly firstSync?: "send"
  /** Asks a person about the first sync, where there is one to be asked. */
  readonly confirm?: (asked: FirstSync) => Effect.Effect<boolean>
  /** The digest of the plan that was approved; another one is refused. */
  readonly digest?: string
  /** A person gave their word for one collection: it is sent alone, and nothing else of the plan. */
  readonly collection?: string
  /** Why nothing may be sent, met before: the run ends as one that is stopped by it. */
  readonly stopped?: Reason | undefined
  /** How long after a request its absence on the service is believed, in milliseconds. Default 5,000. */
  readonly settleAfter?: number
  /** Reads a secret that a call names, as the request leaves. */
  readonly secrets?: Secrets
  /** A span for each call, for programs whose traces go somewhere. */
  readonly trace?: boolean
  /** Called with every receipt, after it is on disk. */
  readonly onReceipt?: (receipt: CallReceipt) => Effect.Effect<void>
  /** Called with what is about to be done, before the first call. */
  readonly onStart?: (summary: Summary) => Effect.Effect<void>
}

export interface CallReceipt {
  readonly n: number
  readonly call: Call
  readonly outcome: Claims.Outcome
  readonly status: number | undefined
  readonly remote: string | undefined
  /** The service's own words, when it refused. */
  readonly why?: string
}

export interface Report {
  readonly run: number
  readonly done: number
  readonly failed: number
  /** Calls of earlier runs whose outcome was not known and now is. */
  readonly recovered: number
  /** Calls of this run whose outcome is still not known. */
  readonly unknown: number
  readonly attention: number
  readonly stopped?: Reason
}
