/**
 * Defines the further input of the rules for cover, beside the invoice and the ledger: the time, the budget, the buyer's
 * limit, and people's decisions. Amounts are in major units.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { CoverRejection } from "./Cover.ts"
import type { BuyerLimit } from "./reports/Cover.ts"

export type { BuyerLimit }

/** A person's decision about an offer. */
export interface OfferDecision {
  readonly id: number
  readonly decision: "buy" | "reject"
  /** The digest of the offer that they were shown, see `offerDigest`. */
  readonly digest: string
  readonly who: string
  /** They were shown that the price exceeds the month's limit. */
  readonly beyondMonth: boolean
}

/** What people said about the offers of one invoice. */
export interface OfferDecisions {
  /** The latest decision about its present offer. */
  readonly decision?: OfferDecision
  /** Who approved its present offer before the configuration stopped selecting the invoice: that is void, and stays so. */
  readonly voided?: string
  /** Somebody rejected an offer for the invoice as it still is, and nobody has said anything else since. */
  readonly refused?: { readonly who: string; readonly at: number }
  /** There was an offer before the state file was restored: what was decided about it since then may be lost. */
  readonly restored?: true
}

/** What is covered, or may be, for one buyer. */
export interface BuyerExposure {
  /** The insured exposure, including invoices that wait for a quote or a purchase. */
  readonly insured: Decimal
  readonly waiting: Decimal
  /** The part of it that is due before this invoice, or was bought since the limit was read. */
  readonly ahead: Decimal
  /** This invoice is the buyer's first: its attention item stands for all of them. */
  readonly first: boolean
  /** Other insured invoices: the keys of the first few, and their number. */
  readonly others: ReadonlyArray<string>
  readonly count: number
}

export interface CoverContext {
  /** By the service's clock, milliseconds since the epoch. */
  readonly now: number
  /** Whether cover was bought for it is not known. */
  readonly unknown?: true
  /** What was spent in this calendar month, including calls without a known outcome. */
  readonly spent: Decimal
  /** The prices of offers that are bought before this one, as far as the month has room for them. */
  readonly ahead: Decimal
  /** A payment failed, this month's spending is unknown, or the clock is wrong: nothing is bought. */
  readonly blocked?: { readonly by: "payment" | "spent" | "clock"; readonly why: string }
  readonly limit?: BuyerLimit
  /** The buyer's company is known, but its limit has not been requested yet. */
  readonly limitUnread?: true
  /** It is one of the invoices among which its buyer's limit is shared out. */
  readonly listed: boolean
  readonly exposure: BuyerExposure
  readonly standing: OfferDecisions
  /** A person requested a quote in place of this one (empty: there was none). */
  readonly wanted?: { readonly id: number; readonly about: string }
  /** When this buyer last paid an invoice. */
  readonly lastPaid?: Day
  /** Rejections of other invoices that certainly apply to this one, too. */
  readonly known: ReadonlyArray<CoverRejection>
  /**
   * Its attention item stands for all invoices of its connection that wait for the same thing: a payment method, a working
   * payment, or a budget in their currency.
   */
  readonly speaks: boolean
  /** What says otherwise about the invoice; looked up where cover would be bought for it. */
  readonly contradictions: () => ReadonlyArray<string>
}
