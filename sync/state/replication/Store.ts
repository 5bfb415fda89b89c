/**
 * Where a replicated state file is kept: what it must be able to do, whatever it is. A tenure is one opening of one tenant by
 * one process. Whoever opens it next gets a higher epoch, and from then on nothing of an earlier tenure is accepted.
 */
import type { Effect } from "effect"
import type { Shipment } from "./Shipment.ts"

/** Another tenure has begun: nothing of this one is accepted any more. */
export class Fenced {
  readonly _tag = "Fenced"
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

/** Nobody answered, or what happened to a request is not known. Asking once more does no harm. */
export class StoreAway {
  readonly _tag = "StoreAway"
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

export type StoreError = Fenced | StoreAway

/** What is kept of a tenant at one moment. */
export interface Kept {
  /** 0: nothing was ever shipped. */
  readonly seq: number
  readonly size: number
  readonly pageSize: number
  readonly hash: Buffer
  /** Bytes of the log and of what it is a continuation of, packed. */
  readonly logBytes: number
  readonly baseBytes: number
  readonly vault: Buffer | undefined
}

export interface Tenure {
  readonly tenant: string
  readonly epoch: number
  /** Reads what is kept, part by part, each with the size of its pages; the newest first: of a page that is what counts. */
  readonly read: (onPart: (part: Buffer, pageSize: number) => void) => Effect.Effect<Kept, StoreError>
  /** Keeps a shipment. Done once more for the same one, it answers as if it were done once. */
  readonly ship: (shipment: Shipment) => Effect.Effect<void, StoreError>
  /** Replaces the log up to a shipment by the whole file as it was then; answers how many bytes that takes, packed. */
  readonly rebase: (seq: number, parts: AsyncIterable<Buffer>) => Effect.Effect<number, StoreError>
  /** Keeps the sealed secrets, as a whole. */
  readonly keepVault: (vault: Buffer) => Effect.Effect<void, StoreError>
  /** Fails unless this tenure could keep something now. */
  readonly check: Effect.Effect<void, StoreError>
}

/** The lease under which a process works: it says by itself when it is over. */
export interface Lease {
  /** Whether a request may leave now. */
  readonly isValid: () => boolean
  /** Milliseconds for which it is valid without being renewed. */
  readonly millis: number
}
