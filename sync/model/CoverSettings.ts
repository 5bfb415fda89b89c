/**
 * The configuration of cover: which invoices, at what price, paid with what, and what goes to the collections partner.
 * Without it no quotes are requested and nothing is bought.
 */
import { Duration, Schema } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { secret } from "./Secret.ts"

const text = Schema.NonEmptyString
const maybe = Schema.optionalKey

const Amount = Schema.String.check(
  Schema.makeFilter(
    (amount: string) => /^\d{1,12}(\.\d{1,8})?$/.test(amount) || 'write an amount as text, like "250.00"'
  )
)

const Share = Schema.String.check(
  Schema.makeFilter(
    (share: string) =>
      (/^(0|1)(\.\d{1,8})?$/.test(share) && Decimal.of(share) <= Decimal.of("1")) ||
      'write a share from 0 to 1 as text, like "0.02" for two percent'
  )
)

const CurrencyCode = Schema.String.check(
  Schema.makeFilter((code: string) => Currency.isCurrency(code) || 'write an ISO 4217 code, like "GBP"')
)

const CountryCode = Schema.String.check(
  Schema.isPattern(/^[A-Z]{2}$/u, { message: 'write an ISO 3166 code of two capital letters, like "GB"' })
)

const DurationText = Schema.String.check(
  Schema.makeFilter((one: string) => Duration.fromInput(one as Duration.Input)._tag === "Some", {
    message: 'write a duration like "7 days"'
  })
)

const Days = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 366 }, { message: "write a number of days, like 30; at most 366" })
)

/** Selects invoices that meet all of its conditions. */
export const Selection = Schema.Struct({
  /** Countries of the buyer. */
  countries: maybe(Schema.NonEmptyArray(CountryCode)),
  /** Limits of the net amount, in `price.currency`. */
  min: maybe(Amount),
  max: maybe(Amount),
  /** The longest time from issue to due date, in days. */
  terms_days: maybe(Days),
  /** Only these buyers, or all but these: by the source's id of the buyer, or by name. */
  buyers: maybe(Schema.NonEmptyArray(text)),
  except: maybe(Schema.NonEmptyArray(text))
})
export type Selection = typeof Selection.Type

/** What may be spent, with tax. */
export const PriceLimits = Schema.Struct({
  currency: CurrencyCode,
  per_invoice: maybe(Amount),
  /** As a share of the invoice's net amount. */
  of_net: maybe(Share),
  /** In a calendar month, UTC. */
  per_month: Amount
})
export type PriceLimits = typeof PriceLimits.Type

const Name = Schema.String.check(Schema.isPattern(/\S/u, { message: "must not be empty" }))

/** Does not check that the address exists, only what the service would reject when an invoice is about to be handed over. */
const Email = Schema.String.check(
  Schema.isPattern(/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+$/u, {
    message: 'write an email address, like "jo@acme.example"'
  })
)

const Contact = Schema.Struct({ name: Name, email: Email, phone: maybe(text) })

/** Where recovered money goes. The account is a secret, which is filled in just before the request is sent. */
const Bank = Schema.Struct({
  name: Name,
  sortcode: secret("BANK_SORTCODE"),
  number: secret("BANK_NUMBER"),
  email: maybe(Email)
})

/** The path of a file for each invoice. It must contain `{number}` or `{id}`: otherwise every invoice would get the same file. */
export const Pattern = Schema.String.check(
  Schema.isPattern(/\{(number|id)\}/u, { message: 'write {number} or {id} in it, like "invoices/{number}.pdf"' })
)

/** Paths under the configuration's folder; `{number}` and `{id}` stand for the invoice's. */
const Patterns = Schema.Struct({
  /** The copy of the invoice. */
  invoice: maybe(Pattern),
  /** If they exist: the order, the proof of its delivery, and other shipping documents. */
  order: maybe(Pattern),
  delivery: maybe(Pattern),
  shipping: maybe(Pattern)
})
export type Patterns = typeof Patterns.Type

export const Handover = Schema.Struct({
  contact: maybe(Contact),
  bank: maybe(Bank),
  /** The path of an invoice's copy, or paths of several kinds of files as in `patterns`. */
  documents: maybe(Schema.Union([Pattern, Patterns])),
  /** The connection whose orders have the same numbers as the invoices; default: the invoices' own. */
  orders: maybe(text),
  /** How many days before the window closes to announce it; default 30, 14, 7, 3 and 1. */
  remind: maybe(Schema.NonEmptyArray(Days)),
  /** The length of the window if the service does not state it; default 30 days. */
  window_days: maybe(Days),
  collect_fees_from_debtor: maybe(Schema.Boolean)
})
export type Handover = typeof Handover.Type

export const CoverSettings = Schema.Struct({
  select: Schema.NonEmptyArray(Selection),
  price: PriceLimits,
  /** A token of the card processor (II 4). Without it nothing is bought. */
  pay_with: maybe(secret("COVER_PAYMENT")),
  /** Default `above`: a person decides about what exceeds `price`. */
  approve: maybe(Schema.Literals(["always", "above", "never"])),
  /** Default `name`: which matches of the insured company nobody needs to review, see `isMatched`. */
  match: maybe(Schema.Literals(["name", "registration_number", "review"])),
  /** How far this machine's clock may be from the service's before nothing is bought; default five minutes. */
  clock_tolerance: maybe(DurationText),
  limits: maybe(Schema.Struct({ read_every: maybe(DurationText) })),
  handover: maybe(Handover)
})
export type CoverSettings = typeof CoverSettings.Type

/** The paths of the user's own files for an invoice. */
export const patterns = ({ handover }: CoverSettings): Patterns => {
  const { documents = {} } = handover ?? {}
  return typeof documents === "string" ? { invoice: documents } : documents
}

/** How long a buyer's limit is valid after it was read, in milliseconds. */
export const readEveryMs = ({ limits }: CoverSettings): number =>
  Duration.toMillis(Duration.fromInputUnsafe((limits?.read_every ?? "7 days") as Duration.Input))

export const WINDOW_DAYS = 30
export const REMIND_DAYS: ReadonlyArray<number> = [30, 14, 7, 3, 1]

/**
 * How covered invoices are treated whose connection has no cover in the configuration any more: nothing is asked for and nothing
 * is bought, and what is covered is watched to its end.
 */
export const WATCHED: CoverSettings = {
  select: [{ buyers: ["\u0000"] }],
  price: { currency: "XXX", per_month: "0" },
  approve: "never"
}
