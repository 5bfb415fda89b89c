/** What alerts are decided by: what the state file and the machine say, as values. */
import type { CoverDeadline } from "../reports/Cover.ts"
import type { DriftRow } from "../reports/Status.ts"

/** Connections go by their ids; where a list has a member for each connection, one that is not in it is not known now. */
export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly runs: ReadonlyArray<RunFact>
  readonly attention: ReadonlyArray<AttentionFact>
  readonly approvals: ReadonlyArray<ApprovalFact>
  readonly deadlines: ReadonlyArray<DeadlineFact>
  /** Connections whose sources, and whose statements, were looked at. */
  readonly looked: { readonly drift: ReadonlySet<string>; readonly difference: ReadonlySet<string> }
  readonly drift: ReadonlyArray<DriftRow>
  readonly differences: ReadonlyArray<DifferenceFact>
  /** Undefined: it could not be measured. */
  readonly disk?: DiskFact | undefined
  /** How far this machine's clock is ahead of the service's. Milliseconds; undefined: it is not known. */
  readonly aheadMs?: number | undefined
  /** Connections by their ids, with what people call them. */
  readonly names: ReadonlyMap<string, string>
}

export interface RunFact {
  readonly connection: string
  /** In a row. */
  readonly failures: number
  readonly message: string | null
  /** What the source, or the service, said as it no longer accepted us; null where it does. */
  readonly unauthorised: string | null
  /** When the authorisation ends, in milliseconds since the epoch; null where nobody says. */
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
  /** Why a person is asked; null where the connection asks about every plan. */
  readonly why: string | null
}

/** A deadline of cover, with the instant at which it has passed. */
export interface DeadlineFact extends CoverDeadline {
  readonly until: number
}

/** What does not agree in one statement. */
export interface DifferenceFact {
  readonly connection: string
  /** `GBP`, `orders in GBP`. */
  readonly what: string
  readonly count: number
  /** The first of them, in words. */
  readonly first: string
}

export interface DiskFact {
  readonly freeBytes: number
  readonly totalBytes: number
}
