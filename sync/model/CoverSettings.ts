/**
 * What a connection's configuration says about cover: which invoices, for how much, paid with what, and what goes to the
 * collections partner. Without it nothing is asked for and nothing is bought.
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

/** Invoices that are selected: all that it says must be so. */
export const Selection = Schema.Struct({
  /** Of the buyer. */
  countries: maybe(Schema.NonEmptyArray(CountryCode)),
  /** The net amount is at least, or at most, this, in `price.currency`. */
  min: maybe(Amount),
  max: maybe(Amount),
  /** From its issue to its due date there are at most so many days. */
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

/** Not whether it exists: only what the service would refuse when an invoice is about to be handed over. */
const Email = Schema.String.check(
  Schema.isPattern(/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+$/u, {
    message: 'write an email address, like "jo@acme.example"'
  })
)

const Contact = Schema.Struct({ name: Name, email: Email, phone: maybe(text) })

/** Where recovered money goes. The account is a secret, and is put in as the request leaves. */
const Bank = Schema.Struct({
  name: Name,
  sortcode: secret("BANK_SORTCODE"),
  number: secret("BANK_NUMBER"),
  email: maybe(Email)
})

/** A file of each invoice: without what tells them apart, one invoice's would go with every other. */
const Pattern = Schema.String.check(
  Schema.isPattern(/\{(number|id)\}/u, { message: 'write {number} or {id} in it, like "invoices/{number}.pdf"' })
)

/** Files under the configuration's folder; `{number}` and `{id}` stand for the invoice's. */
const Patterns = Schema.Struct({
  /** The copy of the invoice. */
  invoice: maybe(Pattern),
  /** Where there is one: the order, the proof of its delivery, and what else came of shipping it. */
  order: maybe(Pattern),
  delivery: maybe(Pattern),
  shipping: maybe(Pattern)
})
export type Patterns = typeof Patterns.Type

export const Handover = Schema.Struct({
  contact: maybe(Contact),
  bank: maybe(Bank),
  /** The copy of an invoice, or files of several kinds, as `patterns` has them. */
  documents: maybe(Schema.Union([Pattern, Patterns])),
  /** The connection with the orders that invoices are for, by the same number; their own unless given. */
  orders: maybe(text),
  /** Days before the window closes on which it is announced; 30, 14, 7, 3 and 1 unless given. */
  remind: maybe(Schema.NonEmptyArray(Days)),
  /** How long the window is, where the service does not say; 30 days unless given. */
  window_days: maybe(Days),
  collect_fees_from_debtor: maybe(Schema.Boolean)
})
export type Handover = typeof Handover.Type

export const CoverSettings = Schema.Struct({
  select: Schema.NonEmptyArray(Selection),
  price: PriceLimits,
  /** A token of the card processor (II 4). Without it nothing is bought. */
  pay_with: maybe(secret("COVER_PAYMENT")),
  /** `above` unless given: a person is asked about what exceeds `price`. */
  approve: maybe(Schema.Literals(["always", "above", "never"])),
  limits: maybe(Schema.Struct({ read_every: maybe(DurationText) })),
  handover: maybe(Handover)
})
export type CoverSettings = typeof CoverSettings.Type

/** Where the user's own files of an invoice are. */
export const patterns = ({ handover }: CoverSettings): Patterns => {
  const { documents = {} } = handover ?? {}
  return typeof documents === "string" ? { invoice: documents } : documents
}

/** How long what was read of a buyer's limit counts, in milliseconds. */
export const readEveryMs = ({ limits }: CoverSettings): number =>
  Duration.toMillis(Duration.fromInputUnsafe((limits?.read_every ?? "7 days") as Duration.Input))

export const WINDOW_DAYS = 30
export const REMIND_DAYS: ReadonlyArray<number> = [30, 14, 7, 3, 1]
