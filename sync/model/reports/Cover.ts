/** Answers about cover and collections. */
import { Schema } from "effect"
import { COVER_STATES } from "../CoverStanding.ts"
import { Day } from "../../../core/wire/Day.ts"
import { CoverPrice, CoverRejection, InsuredCompany } from "../Cover.ts"
import {
  amount,
  integer,
  currency,
  day,
  digestText,
  flag,
  instant,
  key,
  list,
  maybe,
  record,
  next,
  anyJson,
  type InMillis,
  orNull,
  string
} from "./Fields.ts"

const state = Schema.Literals(COVER_STATES)
/** An absent part is zero. */
const parts = Schema.Struct({
  insured: maybe(amount),
  offered: maybe(amount),
  waiting: maybe(amount),
  declined: maybe(amount),
  collection: maybe(amount),
  lapsed: maybe(amount),
  unselected: maybe(amount),
  closed: maybe(amount)
})
export type CoverParts = typeof parts.Type

/** A buyer's limit at the insurer, as last read. */
const LimitShown = record("BuyerLimit", {
  company: string,
  currency,
  read: instant,
  status: string,
  available: maybe(amount),
  used: maybe(amount),
  maximum: maybe(amount),
  rejection: maybe(CoverRejection),
  was: maybe(
    amount.annotate({ description: "What the reading before found could be insured in all, if that was more" })
  )
})
export type BuyerLimit = InMillis<typeof LimitShown.Type, "read">

/** The open amounts of one buyer in one currency, by the state of their cover. */
const ExposureShown = record("Exposure", {
  connection: string,
  buyer: string.annotate({ description: "The buyer's name in the source" }),
  name: string,
  company: orNull(string),
  currency,
  invoices: integer,
  open: amount.annotate({ description: "In the books" }),
  byState: parts,
  declined: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Declined amounts, by the service's code"
  }),
  insured: amount.annotate({ description: "The exposure that is insured" }),
  waiting: amount.annotate({ description: "What is offered or waits for a quote" }),
  limit: orNull(LimitShown)
})
export type ExposureShown = typeof ExposureShown.Type
export type BuyerCover = Omit<ExposureShown, "limit"> & { readonly limit: BuyerLimit | null }

/** What is open in one currency, in books and on the service. */
const CoverTotal = record("CoverTotal", {
  connection: string,
  currency,
  invoices: integer,
  books: amount,
  service: amount,
  inBooks: parts,
  onService: parts
})
export type CoverTotal = typeof CoverTotal.Type

/** This month's budget (UTC) and what was spent of it. */
const CoverBudget = record("CoverBudget", {
  connection: string,
  currency,
  month: string.annotate({ examples: ["2026-03"] }),
  limit: amount,
  spent: amount.annotate({ description: "Including calls without a known outcome" }),
  left: amount,
  blocked: orNull(string).annotate({
    description: "Why nothing is bought: a payment failed, what was spent is not known, or the clock is wrong"
  })
})
export type CoverBudget = typeof CoverBudget.Type

/** An offer as shown to a person. */
const offer = {
  quote: string,
  digest: digestText,
  rejected: maybe(
    Schema.Struct({ who: string, on: Day }).annotate({
      description: "Who rejected it: whoever buys it decides otherwise"
    })
  ),
  price: CoverPrice,
  /** To be reviewed before it is paid for (II 4). */
  company: orNull(InsuredCompany).annotate({
    description: "The company that the service would insure; null: it matched nobody, or does not say"
  }),
  validUntil: maybe(string),
  exceeds: maybe(string.annotate({ description: "The limits of `cover.price` that it exceeds, in words" })),
  beyondMonth: flag.annotate({ description: "It exceeds the month's limit, and would be bought nevertheless" })
}
const ShownOffer = Schema.Struct(offer)
export type ShownOffer = typeof ShownOffer.Type

/**
 * `asks`: a person must decide. `next`: the next sync buys it. `waits`: for what `why` says. `unknown`: whether it was bought is not
 * known yet.
 */
export const OFFER_STANDINGS = ["asks", "next", "waits", "rejected", "unknown"] as const

/** An offer that was not bought. `digest` identifies it for a decision. */
const WaitingOffer = record("Offer", {
  subject: key,
  connection: string,
  number: string,
  name: string,
  currency,
  due: day,
  net: amount,
  standing: Schema.Literals(OFFER_STANDINGS),
  why: orNull(string).annotate({ description: "Why it is bought, or is not bought now" }),
  decided: orNull(string).annotate({ description: "Who decided about exactly this offer" }),
  ...offer
})
export type WaitingOffer = typeof WaitingOffer.Type

/** A day on which an invoice's cover changes. */
const CoverDeadline = record("CoverDeadline", {
  subject: key,
  connection: string,
  number: string,
  name: string,
  day,
  daysLeft: integer,
  what: Schema.Literals(["due", "offer ends", "window closes"]),
  open: amount.annotate({ description: "What is open of the invoice in the books" }),
  currency,
  status: orNull(string),
  remind: list(integer).annotate({ description: "How many days before it is announced, if the window closes" })
})
export type CoverDeadline = typeof CoverDeadline.Type

/** An invoice that is selected for cover, or was covered: its quote, its policy and what they cost. */
const CoverRow = record("CoveredInvoice", {
  subject: key,
  connection: string,
  number: string,
  buyer: string,
  name: string,
  currency,
  due: day,
  state,
  open: amount,
  insured: amount,
  quote: orNull(string),
  policy: orNull(string),
  status: orNull(string),
  code: orNull(string),
  why: orNull(string),
  price: orNull(amount),
  priceCurrency: orNull(string)
})
export type CoverRow = typeof CoverRow.Type

export const CoverShown = record("CoverReport", {
  exposure: list(ExposureShown),
  totals: list(CoverTotal),
  budgets: list(CoverBudget),
  offers: list(WaitingOffer),
  deadlines: list(CoverDeadline),
  invoices: list(CoverRow)
})
export type CoverShown = typeof CoverShown.Type
export type CoverReport = Omit<CoverShown, "exposure"> & { readonly exposure: ReadonlyArray<BuyerCover> }

export const Offers = Schema.Struct({ offers: list(WaitingOffer), budgets: list(CoverBudget), total: integer, next })
export const Exposures = Schema.Struct({
  exposure: list(ExposureShown),
  totals: list(CoverTotal),
  total: integer,
  next
})
export const Deadlines = Schema.Struct({ deadlines: list(CoverDeadline), total: integer, next })
export const CoveredInvoices = Schema.Struct({ invoices: list(CoverRow), total: integer, next })
export const LimitPage = Schema.Struct({
  limits: list(
    Schema.Struct({
      connection: string,
      buyer: string,
      name: string,
      insured: amount,
      waiting: amount,
      limit: LimitShown
    })
  ),
  total: integer,
  next
})

/** A decision as it was recorded. */
export const CoverDecided = Schema.Struct({
  document: key,
  decision: Schema.Literals(["buy", "reject", "quote"]),
  by: string,
  offer: orNull(WaitingOffer).annotate({ description: "The offer as it is now; the next run carries the decision out" })
})

const CollectionRow = record("CollectionRow", {
  document: key,
  connection: string,
  number: string,
  name: string,
  currency,
  due: day,
  open: amount,
  insured: amount,
  policy: string,
  status: string,
  since: orNull(string),
  windowEnds: orNull(Day),
  daysLeft: orNull(integer).annotate({ description: "While it can be handed over" }),
  documents: list(string).annotate({ description: "Files that would be handed over with it, or were" }),
  confirmed: orNull(string).annotate({ description: "Who confirmed it" }),
  confirmedAt: orNull(instant),
  said: orNull(anyJson).annotate({ description: "What the person said in addition to the declarations" }),
  shown: orNull(string).annotate({ description: "The digest of what they were shown" }),
  sent: orNull(string),
  unknown: flag.annotate({ description: "Whether it was handed over is not known yet" }),
  recovered: orNull(string)
})
export type CollectionRow = typeof CollectionRow.Type

export const CollectionPage = Schema.Struct({ collections: list(CollectionRow), total: integer, next })

const FileShown = record("CollectionFile", {
  slot: string,
  type: string,
  digest: string,
  name: string,
  mime: string,
  origin: string,
  read: instant,
  size: integer
})
export type StoredFile = InMillis<typeof FileShown.Type, "read">

/** What would be handed over for an unpaid insured invoice. `digest` identifies all of it, for the confirmation. */
export const CollectionShown = record("Collection", {
  subject: key,
  number: string,
  buyer: string,
  regnum: maybe(string.annotate({ description: "The buyer's registration number, if the source states it" })),
  currency,
  issued: Day,
  due: Day,
  net: orNull(amount),
  gross: orNull(amount),
  credited: amount,
  received: amount,
  open: amount,
  policy: Schema.Struct({ id: string, number: maybe(string), status: string, since: maybe(Day) }),
  windowEnds: maybe(Day).annotate({ description: "The last day on which it can be handed over, while it can" }),
  daysLeft: maybe(integer),
  fields: anyJson.annotate({ description: "Fields of the collection; secrets are named, not shown" }),
  prefilled: anyJson.annotate({
    description: "The other fields that the service holds: it filled them in by itself, or others wrote them"
  }),
  documents: list(FileShown),
  others: list(
    Schema.Struct({ id: string, type: string, description: string }).annotate({
      description: "A document that others attached on the service; it is handed over too"
    })
  ),
  closed: maybe(string.annotate({ description: "Why it cannot be handed over now" })),
  lacking: list(string.annotate({ description: "What is missing, and what to do" })),
  digest: digestText,
  word: maybe(Schema.Struct({ who: string, at: instant, fields: anyJson, isVoid: flag })).annotate({
    description: "The confirmation. `isVoid`: something has changed since"
  }),
  withdrawn: maybe(
    Schema.Struct({ who: string, at: instant }).annotate({ description: "Who took the confirmation back" })
  ),
  sent: maybe(string.annotate({ description: "When it was handed over" })),
  unknown: maybe(Schema.Literal(true).annotate({ description: "Whether it was handed over is not known yet" })),
  unread: maybe(
    string.annotate({ description: "Why the service could not be read just now; until it can, nothing is confirmed" })
  )
})
export type CollectionShown = typeof CollectionShown.Type
