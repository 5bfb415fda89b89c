/**
 * What a bank's file says, whichever format it is in: statements with their balances, and the entries of each in order.
 * Readers of formats make these; what they mean for invoices is decided in `Facts.ts`.
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { Day } from "../../../core/wire/Day.ts"

/** The account that a statement is of, and which of its statements it is. */
export interface Head {
  readonly account: string
  readonly currency?: string
  /** The bank's own number of the statement, where it counts them. */
  readonly number?: string
  /** `interim` where another message says the same of the same day later: reports of a day, single notifications. */
  readonly kind: "statement" | "interim"
  /** Entries of one account are read from the messages with the most detail: the lower, the more. */
  readonly rank: number
  readonly from?: Day
  readonly to?: Day
}

/** One movement of money on an account, or one of several that were booked together. */
export interface Entry {
  /** Of the file's entries, counted from 1; all parts of one entry have the same. */
  readonly nth: number
  /** Which part of an entry that was booked as one sum, counted from 1. */
  readonly part?: number
  readonly line: number
  readonly raw: string
  readonly credit: boolean
  /** Never negative. */
  readonly amount: Decimal
  readonly currency: string
  readonly booked: boolean
  readonly day?: Day
  /** The bank's own reference of the entry, and of this part of it. */
  readonly reference?: string
  readonly partReference?: string
  /** It takes back an entry of the other sign. */
  readonly reversal: boolean
  /** Of how many movements it is the sum, where the file does not have them one by one. */
  readonly items?: number
  /** What was taken back, where the entry is that and the bank's charges. */
  readonly original?: Decimal
  /** The kind of movement in the bank's words; part of an entry's content. */
  readonly code: string
  readonly trace?: string
  /** What the payer wrote, and other references. */
  readonly text: string
  readonly payer: { readonly name?: string; readonly account?: string }
  readonly reason?: { readonly code?: string; readonly text?: string }
}

export interface Balance {
  readonly amount: Decimal
  readonly currency: string
}

export type Event =
  | { readonly type: "begin"; readonly head: Head; readonly line: number }
  /** One of several movements that an entry is the sum of; the entry itself comes behind them. */
  | { readonly type: "part"; readonly entry: Entry; readonly whole: Pick<Entry, "amount" | "credit"> }
  /** `sum` is what its parts come to; undefined where one of them has no amount. */
  | { readonly type: "entry"; readonly entry: Entry; readonly parts: number; readonly sum?: Decimal }
  /** An entry that could not be read. */
  | {
      readonly type: "fault"
      readonly line: number
      readonly raw: string
      readonly why: string
      readonly field?: string
    }
  | {
      readonly type: "end"
      readonly opening?: Balance
      readonly closing?: Balance
      /** The first characters of the statement. */
      readonly raw: string
      /** Why its balances cannot be compared with its entries, where they cannot. */
      readonly incomparable?: string
      /** Why nothing of it can be believed. */
      readonly wrong?: string
    }

export type Events = AsyncGenerator<Event>

/** The file as a whole is no bank file that can be read. */
export class NotABankFile extends Error {}

/** A member of an entry that cannot be read. */
export class Fault {
  readonly field: string
  readonly why: string
  constructor(field: string, why: string) {
    this.field = field
    this.why = why
  }
}

/** References that say there is none. */
const NONE = /^(?:non-?ref|not ?provided|notavail|not ?available|nonref|none|n\/?a|unknown|nicht angegeben|0*)$/i

/** A reference, without those that say there is none. */
export const referenceIn = (text: string | undefined): string | undefined => {
  const one = text?.trim().replace(/\s+/g, " ")
  return one === undefined || NONE.test(one) ? undefined : one
}

/** Characters of a record that are kept as its text. */
export const RAW_CHARACTERS = 1 << 14
