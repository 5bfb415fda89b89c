/**
 * What decides when and where a tenant runs: a queue of jobs in PostgreSQL. Nothing rests on it: a run that is begun twice, or by a process
 * that was thought dead, is fenced by its epoch when it stores something, and its requests leave by age (`state/replication/FreshClaims.ts`).
 * The truth is in the tenants' rows: whoever loses the queue delays runs by a minute.
 */
import type { Effect } from "effect"
import type { StoreAway } from "../state/replication/Store.ts"

/**
 * The jobs of tenants that ended a run within a minute before, those of the others, those that only workers of the next version run, and what
 * was given up.
 */
export type QueueName = "run" | "long" | "next" | "held"

export interface TenantJob {
  readonly id: string
  readonly queue: QueueName
  /** The tenant's identity, and the name that people know. */
  readonly tenant: string
  readonly name: string
  /** How often it was begun and not finished before. */
  readonly retryCount: number
  /** When it was due. Milliseconds since the epoch. */
  readonly due: number
  /** Of one that was given up: why, and whether its process ended with it. */
  readonly why?: string | undefined
  readonly isDead?: boolean
}

/** Why an attempt failed. */
export interface Failed {
  readonly why: string
  /** Its process ended, or said nothing any more. */
  readonly isDead: boolean
}

/** How a job ended. */
export interface Ended {
  /** The opening of the tenant, so that nobody ends another's; undefined: it was not opened. */
  readonly epoch?: number | undefined
  /** When the tenant is to run next. Milliseconds since the epoch; null: never; undefined: as it was. */
  readonly due?: number | null | undefined
  /** Milliseconds. */
  readonly took?: number | undefined
  /** Why nothing runs it until a person asks for it. */
  readonly held?: string | undefined
}

export interface Engine {
  /** Makes jobs of the tenants that are due; any process may, at any time. Returns how many. */
  readonly schedule: Effect.Effect<number, StoreAway>
  /** Takes jobs, which nobody else is given while they are `kept`. */
  readonly take: (queue: QueueName, most: number) => Effect.Effect<ReadonlyArray<TenantJob>, StoreAway>
  /** Ends a job, and says when its tenant is due next, in one transaction. */
  readonly finish: (job: TenantJob, ended: Ended) => Effect.Effect<void, StoreAway>
  /** A job failed: it is begun again, and given up after its last attempt. */
  readonly fail: (job: TenantJob, failed: Failed) => Effect.Effect<void, StoreAway>
  /** Holds the tenant of a job that was given up back. Returns whether it is: not if a person asked for it meanwhile, or it was removed. */
  readonly hold: (job: TenantJob, why: string) => Effect.Effect<boolean, StoreAway>
  /** These are still being worked on. Returns those that were taken away meanwhile. */
  readonly kept: (jobs: ReadonlyArray<TenantJob>) => Effect.Effect<ReadonlyArray<TenantJob>, StoreAway>
  /** Puts right what a lost queue or a clock that was set back left behind. Returns how many tenants. */
  readonly heal: Effect.Effect<number, StoreAway>
}
