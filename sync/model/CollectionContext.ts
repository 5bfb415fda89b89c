/**
 * Defines the further input of the rules for collections, beside the invoice and the ledger: the time, the window, the
 * stored files, and a person's confirmation.
 */
import type { Schema } from "effect"
import type { Day } from "../../core/wire/Day.ts"
import type { CoverDocument } from "./Cover.ts"

/** A person's confirmation that an invoice may be handed over, with the digest of what they saw and what they said. */
export interface CollectionWord {
  readonly id: number
  readonly who: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The digest of what was shown, see `collectionDigest`. */
  readonly digest: string
  /** The state file was restored since: a later withdrawal is not in it, so it must be confirmed again. */
  readonly isOutdated?: true
  /** Those of `SAID` that they filled in. */
  readonly fields: Readonly<Record<string, Schema.Json>>
}

/** The fields of a collection that only a person knows (II 2.10); the service fills in none of them. */
export const SAID = [
  "disputed",
  "reasons",
  "comments",
  "actions_taken",
  "debtor_contact_name",
  "debtor_contact_email",
  "debtor_contact_phone",
  "debtor_website"
] as const

/** The account for recovered money: nothing of it is stored, wherever it is read. */
export const ACCOUNT: ReadonlyArray<string> = ["bank_account_sortcode", "bank_account_number"]

/** Every field of a collection that can be written (II 2.10), without its policy and the two declarations. */
export const COLLECTION_FIELDS: ReadonlyArray<string> = [
  "creditor_contact_name",
  "creditor_contact_email",
  "creditor_contact_phone",
  "debtor_address",
  "debtor_postcode",
  "debtor_city",
  "debtor_country",
  "bank_account_name",
  ...ACCOUNT,
  "bank_account_email",
  "collect_fees_from_debtor",
  "partial_payment",
  "other_invoices",
  ...SAID
]

/** What was gathered for the collection of one invoice. */
export interface Gathered {
  /** The files stored for it. */
  readonly documents: ReadonlyArray<CoverDocument>
  /** What could not be obtained, each with what to do about it. */
  readonly problems: ReadonlyArray<string>
  /** How many other invoices of this buyer are overdue. */
  readonly overdue: number
  /** Stands for the account of recovered money, and is another one with another account. */
  readonly account?: string
}

export interface CollectionContext {
  /** By the service's clock, milliseconds since the epoch. */
  readonly now: number
  /** Whether it was handed over is not known. */
  readonly unknown?: true
  /** The last day of the window, once it has begun. */
  readonly windowEnds?: Day
  /** Absent until its files have been gathered. */
  readonly gathered?: Gathered
  readonly word?: CollectionWord
  /** What says otherwise about the invoice; looked up where it would be handed over. */
  readonly contradictions: () => ReadonlyArray<string>
}
