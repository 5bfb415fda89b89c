/** What a connector says of parts of a source that may state the same: copies of a list, and statements of a bank's account. */

/**
 * An entry of a bank's account, as one statement has it. Statements overlap, and nothing that banks write identifies an entry: their
 * references are missing, begin anew, or are shared. So the books find out which entries of several statements are the same.
 */
export interface StatementEntry {
  readonly account: string
  readonly day: string
  /** With its sign and currency: `-400.00 EUR`. */
  readonly amount: string
  /** Its statement is the last word on its days, as opposed to an intraday report. */
  readonly isFinal: boolean
  /** A report of what failed has it: statements may date it otherwise, and do not deny it. */
  readonly isReport?: true
  /** Letters and digits only, in upper case; the name may be cut off. */
  readonly payer: string
  readonly isCut: boolean
  readonly iban?: string
  readonly text: string
  readonly trace?: string
  /** The bank's own reference. */
  readonly reference?: string
  /** The kind of message: references are compared within one. */
  readonly series: string
  /** The account's balance before and after what its statement has of this day. */
  readonly segment?: readonly [before: string, after: string]
}

/** Days of an account of which a statement has every entry. */
export interface Coverage {
  readonly account: string
  readonly first: string
  readonly last: string
}

/** What is known of a part that was written at some time and then stays, like a file: others may state the same otherwise. */
export interface Copy {
  /** The day as of which it was written, or the last day of the period that it is about. */
  readonly asOf?: string
  /** The first day of that period. */
  readonly from?: string
  /** Whether old records leave it as new ones come; by default, that is learnt. */
  readonly window?: boolean
}
