/** What the rules for cover share: the shape of their decisions, their wording, and the digests that people approve. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { Invoice } from "../../connectors/Document.ts"
import type { Attention, InvoiceCall } from "../model/Call.ts"
import type { CoverContext, OfferDecision } from "../model/CoverContext.ts"
import type { CoverPrice, CoverQuote } from "../model/Cover.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { Rule } from "../model/Rule.ts"
import { shownDigest } from "../model/ShownDigest.ts"

export const DAY_MS = 86_400_000

/** The input for one decision: an invoice that the service has. */
export interface Covered {
  readonly facts: InvoiceFacts
  readonly invoice: Invoice
  /** The remote after the earlier calls of the plan. */
  readonly remote: RemoteInvoice
  readonly settings: CoverSettings
  readonly context: CoverContext
  /** When the owner was registered on the platform, an instant. */
  readonly registered?: string
  /** The earlier calls of the plan expire an offer (II 3.2). */
  readonly edited?: boolean
}

export interface CoverDecision {
  readonly calls: ReadonlyArray<InvoiceCall>
  readonly attention: ReadonlyArray<Attention>
  /** Why nothing is requested or bought now. */
  readonly why?: string
  /** When to plan it again even if nothing changes, in milliseconds. */
  readonly wakeAt?: number
  /** The approval that is void from now on. */
  readonly voids?: OfferDecision
}

export const about = ({ facts }: Covered, rule: Rule) =>
  ({ kind: "invoice", subject: facts.key, fact: facts.key, rule, destructive: false }) as const

export const needs = ({ facts }: Covered, rule: Rule, why: string, todo: string): Attention => ({
  subject: facts.key,
  fact: facts.key,
  rule,
  why,
  todo
})

/** Nothing is done, for a reason. */
export const nothing = (why: string, wakeAt?: number): CoverDecision => ({
  calls: [],
  attention: [],
  why,
  ...(wakeAt === undefined ? {} : { wakeAt })
})

/** The earliest of them. */
export const earliest = (...times: ReadonlyArray<number | undefined>): number | undefined => {
  const known = times.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

export const millisOf = (instant: string | undefined): number | undefined => {
  const millis = instant === undefined ? Number.NaN : Instant.toEpochMillis(instant)
  return Number.isFinite(millis) ? millis : undefined
}

export const isOffered = (quote: CoverQuote | undefined, now: number): boolean =>
  quote?.status === "offered" && (millisOf(quote.validUntil) ?? Number.POSITIVE_INFINITY) > now

const say = (amount: string | undefined, currency: string): string | undefined =>
  amount === undefined ? undefined : Currency.say(Decimal.of(amount), currency)

/** `24.50 GBP (premium 21.88 GBP, tax 2.62 GBP) for 900.00 GBP insured` */
export const sayPrice = ({ currency, insured, premium, tax, total }: CoverPrice, of: string): string => {
  const parts = [
    ...(premium === undefined ? [] : [`premium ${say(premium, currency)}`]),
    ...(tax === undefined ? [] : [`tax ${say(tax, currency)}`])
  ]
  const covers = insured === undefined ? "" : ` for ${say(insured, of)} insured`
  return `${say(total, currency)}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}${covers}`
}

/** `insures Harbour Lane Bakery Ltd (GB, 01234567)`; who is insured must be reviewed before it is paid for (II 4). */
export const sayCompany = ({ company }: Pick<CoverQuote, "company">): string => {
  if (company === undefined) return "the service does not say who is insured"
  if (company === null) return "the service matched no company"
  const { country, id, name, numbers = [] } = company
  return `insures ${name ?? id}${name === undefined ? "" : ` (${[country, ...numbers].filter((part) => part !== undefined && part !== "").join(", ")})`}`
}

/** A digest of an offer with everything that a person is shown: only what was approved is bought. */
export const offerDigest = ({ company, id, price }: CoverQuote, beyondMonth: boolean): string =>
  shownDigest(
    "sha1",
    JSON.stringify([
      id,
      company?.id,
      // Whom that is: what was shown may have been the id alone.
      company?.name,
      company?.country,
      company?.numbers,
      price?.currency,
      price?.total,
      price?.premium,
      price?.tax,
      price?.insured,
      beyondMonth
    ])
  )

/** The calendar month, UTC, of an instant: its first instant, and that of the next month. */
export const monthOf = (now: number): readonly [number, number] => {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return [Date.UTC(year, month), Date.UTC(year, month + 1)]
}
