/** Defines the facts that alerts are decided from: what the state file and the machine show, as values. */
import type { CoverDeadline } from "../reports/Cover.ts"
import type { DriftRow } from "../reports/Status.ts"

/** Connections are named by id. In a list with a member for each connection, a missing one is currently unknown. */
export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly runs: ReadonlyArray<RunFact>
  readonly attention: ReadonlyArray<AttentionFact>
  readonly approvals: ReadonlyArray<ApprovalFact>
  readonly deadlines: ReadonlyArray<DeadlineFact>
  /** Connections whose sources, and whose statements, were checked. */
  readonly looked: { readonly drift: ReadonlySet<string>; readonly difference: ReadonlySet<string> }
  readonly drift: ReadonlyArray<DriftRow>
  readonly differences: ReadonlyArray<DifferenceFact>
  /** Undefined: it could not be measured. */
  readonly disk?: DiskFact | undefined
  /** How far this machine's clock is ahead of the service's. Milliseconds; undefined if unknown. */
  readonly aheadMs?: number | undefined
  /** Connections by id, with the names that people use. */
  readonly names: ReadonlyMap<string, string>
}

export interface RunFact {
  readonly connection: string
  /** The number of consecutive failures. */
  readonly failures: number
  readonly message: string | null
  /** The message with which the source or the service rejected our credentials; null if they are accepted. */
  readonly unauthorised: string | null
  /** When the authorisation ends, in milliseconds since the epoch; null if unknown. */
  readonly authorisedUntil: number | null
}

export interface AttentionFact {
  readonly id: number
  readonly subject: string
  readonly why: string
  readonly todo: string
}

export interface ApprovalFact {
  readonly connection: string
  readonly calls: number
  readonly reductions: number
  /** Why a person is asked; null if the connection asks about every plan. */
  readonly why: string | null
}

/** A deadline for cover, with the instant at which it passes. */
export interface DeadlineFact extends CoverDeadline {
  readonly until: number
}

/** The differences in one statement. */
export interface DifferenceFact {
  readonly connection: string
  /** `GBP`, `orders in GBP`. */
  readonly what: string
  readonly count: number
  /** The first difference, in words. */
  readonly first: string
}

export interface DiskFact {
  readonly freeBytes: number
  readonly totalBytes: number
}
