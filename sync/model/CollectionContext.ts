/**
 * What the rules of collections look at beside the invoice and the ledger: the time, the window, the files that are kept
 * for it, and what a person said.
 */
import type { Schema } from "effect"
import type { Day } from "../../core/wire/Day.ts"
import type { CoverDocument } from "./Cover.ts"

/** A person's word that an invoice may be handed over, with what they had been shown and what they said of it. */
export interface CollectionWord {
  readonly id: number
  readonly who: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Of what was shown, see `collectionDigest`. */
  readonly digest: string
  /** What only a person knows: `disputed`, `reasons`, `comments`, `actions_taken`, and the buyer's contact. */
  readonly fields: Readonly<Record<string, Schema.Json>>
}

/** What was gathered for the collection of one invoice. */
export interface Gathered {
  /** Files that are kept for it. */
  readonly documents: ReadonlyArray<CoverDocument>
  /** What could not be had, each with what to do. */
  readonly problems: ReadonlyArray<string>
  /** How many other invoices of this buyer are overdue. */
  readonly overdue: number
}

export interface CollectionContext {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The last day of the window, where it has begun. */
  readonly windowEnds?: Day
  /** Absent until its files were looked for. */
  readonly gathered?: Gathered
  readonly word?: CollectionWord
}
