/** Answers about cover and collections. */
import { Schema } from "effect"
import { COVER_STATES } from "../../../sync/model/CoverStanding.ts"
import { OFFER_STANDINGS } from "../../../sync/reports/Cover.ts"
import {
  amount,
  count,
  currency,
  day,
  digestText,
  flag,
  moment,
  key,
  list,
  maybe,
  record,
  next,
  open,
  orNull,
  string
} from "./Basics.ts"

const state = Schema.Literals(COVER_STATES)
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

/** A buyer's limit at the insurer, as last read. */
const BuyerLimit = record("BuyerLimit", {
  company: string,
  currency,
  read: moment,
  status: string,
  available: maybe(amount),
  used: maybe(amount),
  maximum: maybe(amount),
  rejection: maybe(Schema.Struct({ code: string, detail: maybe(string), params: maybe(open) })),
  was: maybe(amount)
})

const Exposure = record("Exposure", {
  connection: string,
  buyer: string,
  name: string,
  company: orNull(string),
  currency,
  invoices: count,
  open: amount,
  byState: parts,
  declined: Schema.Record(Schema.String, Schema.String),
  insured: amount,
  waiting: amount,
  limit: orNull(BuyerLimit)
})

const Total = record("CoverTotal", {
  connection: string,
  currency,
  invoices: count,
  books: amount,
  service: amount,
  inBooks: parts,
  onService: parts
})

/** This month's budget (UTC) and what was spent of it. */
const MonthBudget = record("CoverBudget", {
  connection: string,
  currency,
  month: string,
  limit: amount,
  spent: amount,
  left: amount,
  blocked: orNull(string)
})

const Price = Schema.Struct({
  currency,
  total: amount.annotate({ description: "With tax" }),
  premium: maybe(amount),
  tax: maybe(amount),
  insured: maybe(amount)
})

/** Who is insured: to be reviewed before it is paid for (II 4). */
const InsuredCompany = orNull(
  Schema.Struct({
    id: string,
    name: maybe(string),
    country: maybe(string),
    numbers: maybe(list(string)),
    unread: maybe(flag)
  }).annotate({ description: "The company that the service would insure; null: it matched nobody, or does not say" })
)

/** An offer that was not bought. `digest` identifies it for a decision. */
const Offer = record("Offer", {
  subject: key,
  connection: string,
  number: string,
  name: string,
  currency,
  due: day,
  net: amount,
  standing: Schema.Literals(OFFER_STANDINGS),
  why: orNull(string),
  decided: orNull(string),
  quote: string,
  digest: digestText,
  rejected: maybe(
    Schema.Struct({ who: string, on: day }).annotate({
      description: "Who rejected it: whoever buys it decides otherwise"
    })
  ),
  price: Price,
  company: InsuredCompany,
  validUntil: maybe(string),
  exceeds: maybe(string),
  beyondMonth: flag
})

const Deadline = record("CoverDeadline", {
  subject: key,
  connection: string,
  number: string,
  name: string,
  day,
  daysLeft: count,
  what: Schema.Literals(["due", "offer ends", "window closes"]),
  open: amount,
  currency,
  status: orNull(string),
  remind: list(count)
})

/** An invoice that is selected for cover, or was covered: its quote, its policy and what they cost. */
const CoveredInvoice = record("CoveredInvoice", {
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

export const CoverReport = record("CoverReport", {
  exposure: list(Exposure),
  totals: list(Total),
  budgets: list(MonthBudget),
  offers: list(Offer),
  deadlines: list(Deadline),
  invoices: list(CoveredInvoice)
})

export const Offers = Schema.Struct({ offers: list(Offer), budgets: list(MonthBudget), total: count, next })
export const Exposures = Schema.Struct({ exposure: list(Exposure), totals: list(Total), total: count, next })
export const Deadlines = Schema.Struct({ deadlines: list(Deadline), total: count, next })
export const CoveredInvoices = Schema.Struct({ invoices: list(CoveredInvoice), total: count, next })
export const Limits = Schema.Struct({
  limits: list(
    Schema.Struct({
      connection: string,
      buyer: string,
      name: string,
      insured: amount,
      waiting: amount,
      limit: BuyerLimit
    })
  ),
  total: count,
  next
})

/** A decision as it was recorded. */
export const CoverDecided = Schema.Struct({
  document: key,
  decision: Schema.Literals(["buy", "reject", "quote"]),
  by: string,
  offer: orNull(Offer).annotate({ description: "The offer as it is now; the next run carries the decision out" })
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
  windowEnds: orNull(day),
  daysLeft: orNull(count),
  documents: list(string),
  confirmed: orNull(string),
  confirmedAt: orNull(moment),
  said: orNull(open),
  shown: orNull(string),
  sent: orNull(string),
  unknown: flag.annotate({ description: "Whether it was handed over is not known yet" }),
  recovered: orNull(string)
})

export const CollectionPage = Schema.Struct({ collections: list(CollectionRow), total: count, next })

const StoredFile = record("CollectionFile", {
  slot: string,
  type: string,
  digest: string,
  name: string,
  mime: string,
  origin: string,
  read: moment,
  size: count
})

/** What would be handed over for an unpaid insured invoice. `digest` identifies all of it, for the confirmation. */
export const Collection = record("Collection", {
  subject: key,
  number: string,
  buyer: string,
  regnum: maybe(string),
  currency,
  issued: day,
  due: day,
  net: orNull(amount),
  gross: orNull(amount),
  credited: amount,
  received: amount,
  open: amount,
  policy: Schema.Struct({ id: string, number: maybe(string), status: string, since: maybe(day) }),
  windowEnds: maybe(day),
  daysLeft: maybe(count),
  fields: open,
  prefilled: open,
  documents: list(StoredFile),
  others: list(
    Schema.Struct({ id: string, type: string, description: string }).annotate({
      description: "A document that others attached on the service; it is handed over too"
    })
  ),
  closed: maybe(string.annotate({ description: "Why it cannot be handed over now" })),
  lacking: list(string.annotate({ description: "What is missing, and what to do" })),
  digest: digestText,
  word: maybe(Schema.Struct({ who: string, at: moment, fields: open, isVoid: flag })),
  withdrawn: maybe(
    Schema.Struct({ who: string, at: moment }).annotate({ description: "Who took the confirmation back" })
  ),
  sent: maybe(string),
  unknown: maybe(flag.annotate({ description: "Whether it was handed over is not known yet" })),
  unread: maybe(
    string.annotate({ description: "Why the service could not be read just now; until it can, nothing is confirmed" })
  )
})
