/**
 * Defines the content of a bank file, independent of its format: statements with their balances, and their entries in
 * order. Format readers produce these; `Facts.ts` decides what they mean for invoices.
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { Day } from "../../../core/wire/Day.ts"
import type { Reversal, ReversalType } from "../../Document.ts"
import { followedBy } from "../../SourceError.ts"

/** Identifies a statement and its account. */
export interface Head {
  readonly account: string
  /** As the file has it, where that is another way to write it. */
  readonly written?: string
  readonly currency?: string
  /** The bank's own statement number, if it has one. */
  readonly number?: string
  /** Its numbers count the account's statements, so that one that is missing shows. */
  readonly isNumbered?: true
  /**
   * `interim` if a later message repeats the entries of the same day: intraday reports, single notifications. `report` if it
   * says which debits failed: statements may have them under another day, in a sum, or as money that went out.
   */
  readonly kind: "statement" | "interim" | "report"
  /** It names no account; the collector's own number, or nothing, stands in its place. */
  readonly isAccountless?: true
  /** The kind of message, as its format has it; set where the file is opened. */
  readonly series?: string
  /** Level of detail: lower means more. Each entry of an account is read from the most detailed message. */
  readonly rank: number
  readonly from?: Day
  readonly to?: Day
}

/** One movement of money on an account, or one of several that were booked as a sum. */
export interface Entry {
  /** Position among the file's entries, counted from 1; equal for all parts of an entry. */
  readonly nth: number
  /** For entries booked as a sum: the position of this part, counted from 1. */
  readonly part?: number
  readonly line: number
  readonly raw: string
  readonly credit: boolean
  /** Never negative. */
  readonly amount: Decimal
  readonly currency: string
  readonly booked: boolean
  readonly day?: Day
  /** The bank's own references of the entry, and of this part of it. */
  readonly reference?: string
  readonly partReference?: string
  /** Whether it reverses an entry of the opposite sign. */
  readonly reversal: boolean
  /** The number of movements in a sum that the file does not itemise. */
  readonly items?: number
  /** For a reversal that includes the bank's charges: the amount without them. */
  readonly original?: Decimal
  /** The kind of movement, in the bank's own code; part of an entry's content. */
  readonly code: string
  readonly trace?: string
  /** What the payer sent, in another currency than the account's. */
  readonly instructed?: Balance
  /** The payer's text, and other references. */
  readonly text: string
  readonly payer: { readonly name?: string; readonly account?: string }
  readonly reason?: { readonly code?: string; readonly text?: string }
  /** Why it went back, where the kind of message says so. */
  readonly why?: ReversalType
  /** What is said of the payment that it takes back. */
  readonly collected?: Reversal["collected"]
}

export interface Balance {
  readonly amount: Decimal
  readonly currency: string
}

/** What several entries come to on a day. */
export type Sum = Pick<Entry, "amount" | "credit" | "day">

export type Event =
  | { readonly type: "begin"; readonly head: Head; readonly line: number }
  /** One of the movements that an entry is the sum of; parts come before their entry. */
  | { readonly type: "part"; readonly entry: Entry; readonly whole: Pick<Entry, "amount" | "credit"> }
  /** `sum` is the total of its parts; undefined if one of them has no amount. */
  | { readonly type: "entry"; readonly entry: Entry; readonly parts: number; readonly sum?: Decimal }
  /** An entry that could not be read. */
  | {
      readonly type: "fault"
      readonly line: number
      readonly raw: string
      readonly why: string
      readonly field?: string
    }
  /** Something that people should know about the file, not about one statement. */
  | { readonly type: "notice"; readonly what: string }
  | {
      readonly type: "end"
      readonly opening?: Balance
      readonly closing?: Balance
      /** The statement's first characters. */
      readonly raw: string
      /** Why its balances cannot be compared with its entries, if so. */
      readonly incomparable?: string
      /** Why the whole statement is rejected, if so. */
      readonly wrong?: string
      /** Where a statement does not say what it opens with: the day of its closing balance, and since when it has all entries. */
      readonly balanced?: { readonly since: Day; readonly asOf: Day }
      /** The sums under which others may have its entries. */
      readonly sums?: ReadonlyArray<Sum>
    }

export type Events = AsyncGenerator<Event>

/** The file as a whole cannot be read as a bank file. */
export class NotABankFile extends Error {
  constructor(why: string, advice = "ask the bank for the file again") {
    super(followedBy(why, advice))
  }
}

/** A member of an entry that cannot be decoded. */
export class Fault {
  readonly field: string
  readonly reason: string
  /** The reason, and what to do. */
  readonly why: string
  constructor(field: string, reason: string, advice = "ask the bank for the file again") {
    this.field = field
    this.reason = reason
    this.why = followedBy(reason, advice)
  }
}

/** Placeholders that banks write when there is no reference. */
const NONE = /^(?:non-?ref|not ?provided|notavail|not ?available|nonref|none|n\/?a|unknown|nicht angegeben|0*)$/i

/** The reference, or undefined if it is a placeholder. */
export const referenceIn = (text: string | undefined): string | undefined => {
  const one = text?.trim().replace(/\s+/g, " ")
  return one === undefined || NONE.test(one) ? undefined : one
}

/** How many characters of a record are kept as its raw text. */
export const RAW_CHARACTERS = 1 << 14
