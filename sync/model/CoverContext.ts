/**
 * What the rules of cover look at beside the invoice and the ledger: the time, the budget, the buyer's limit, and what
 * people said. Amounts in major units.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { CoverRejection } from "./Cover.ts"

/** What a person said of an offer. */
export interface OfferDecision {
  readonly id: number
  readonly decision: "buy" | "reject"
  /** Of the offer that they were shown, see `offerDigest`. */
  readonly digest: string
  readonly who: string
  /** They were shown that it exceeds the month's limit. */
  readonly beyondMonth: boolean
}

/** How much insured exposure a buyer may have, as the service last said. */
export interface BuyerLimit {
  readonly company: string
  readonly currency: string
  /** When it was read, in milliseconds. */
  readonly read: number
  readonly status: string
  readonly available?: string
  readonly used?: string
  readonly maximum?: string
  readonly rejection?: CoverRejection
  /** What was available at the reading before, where that was more. */
  readonly was?: string
}

/** What is covered, or may be, of one buyer. */
export interface BuyerExposure {
  /** Insured, and of invoices that wait for a quote or a purchase. */
  readonly insured: Decimal
  readonly waiting: Decimal
  /** Of those that are due before this invoice, or were bought since the limit was read. */
  readonly ahead: Decimal
  /** This invoice is the first of the buyer's: it speaks for all of them. */
  readonly first: boolean
  /** Other insured invoices, by key: the first few, and how many there are. */
  readonly others: ReadonlyArray<string>
  readonly count: number
}

export interface CoverContext {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Spent in this calendar month, calls without a known outcome included. */
  readonly spent: Decimal
  /** The prices of offers that are bought before this one. */
  readonly ahead: Decimal
  /** A payment failed, or it is not known what was spent this month: nothing is bought before a person says so. */
  readonly blocked?: { readonly by: "payment" | "spent"; readonly subject: string; readonly why: string }
  readonly limit?: BuyerLimit
  /** The buyer's company is known, and its limit was not asked for yet. */
  readonly limitUnread?: true
  /** It is among those that its buyer's limit is shared out to. */
  readonly listed: boolean
  readonly exposure: BuyerExposure
  readonly decision?: OfferDecision
  /** A person asked for a quote in place of this one (or of none: empty). */
  readonly wanted?: { readonly id: number; readonly about: string }
  /** When this buyer last paid anything. */
  readonly lastPaid?: Day
  /** Rejections of other invoices that are certain for this one, too. */
  readonly known: ReadonlyArray<CoverRejection>
  /**
   * It speaks for all of its connection that wait for the same: a payment method, a payment that works, or a budget in their
   * currency.
   */
  readonly speaks: boolean
}
