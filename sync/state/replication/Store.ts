/**
 * Defines what a store for replicated state files must do. A tenure is one opening of one tenant by one process. The next
 * opening gets a higher epoch, and from then on nothing from an earlier tenure is accepted.
 */
import type { Effect } from "effect"
import type { LateAnswer } from "./LateAnswers.ts"
import type { Shipment } from "./Shipment.ts"

/** Another tenure has begun: nothing from this one is accepted any more. */
export class Fenced {
  readonly _tag = "Fenced"
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

/** The store did not answer, or the outcome of a request is unknown. Repeating the request does no harm. */
export class StoreAway {
  readonly _tag = "StoreAway"
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

export type StoreError = Fenced | StoreAway

/** A snapshot of a tenant's stored data. */
export interface Kept {
  /** 0: nothing was ever shipped. */
  readonly seq: number
  readonly size: number
  readonly pageSize: number
  readonly hash: Buffer
  /** The compressed size of what was read: of the log, and of the base that it continues. */
  readonly logBytes: number
  readonly baseBytes: number
  readonly vault: Buffer | undefined
}

export interface Tenure {
  readonly tenant: string
  readonly epoch: number
  /** Why the store may lack what it has confirmed; undefined: nothing says so. */
  readonly doubt?: string | undefined
  /**
   * Reads what is kept, part by part, each with the size of its pages; the newest first: of a page that is what counts.
   *
   * @param after the number of a shipment up to which the reader has everything: then only what follows is read, as long as that is kept
   */
  readonly read: (onPart: (part: Buffer, pageSize: number) => void, after?: number) => Effect.Effect<Kept, StoreError>
  /** Stores a shipment. Repeating it for the same shipment has the same result. */
  readonly ship: (shipment: Shipment) => Effect.Effect<void, StoreError>
  /** Replaces the log up to a shipment by the whole file as of then; returns its compressed size in bytes. */
  readonly rebase: (seq: number, parts: AsyncIterable<Buffer>) => Effect.Effect<number, StoreError>
  /** Stores the vault as a whole. */
  readonly keepVault: (vault: Buffer) => Effect.Effect<void, StoreError>
  /** Stores answers for whoever has the tenant next, also when another tenure has begun. */
  readonly late: (answers: ReadonlyArray<LateAnswer>) => Effect.Effect<void, StoreError>
  /** Fails unless this tenure could store something now: a write that changes nothing. */
  readonly check: Effect.Effect<void, StoreError>
}
