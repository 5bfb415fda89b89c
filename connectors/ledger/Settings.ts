/** The settings of ledger and audit files: where they are, and what they leave open. */
import { Schema } from "effect"

const maybe = Schema.optionalKey
const Accounts = Schema.NonEmptyArray(Schema.String.check(Schema.isPattern(/^\d{1,12}$/)))

export const Settings = Schema.Struct({
  /** A file, a folder or a glob, relative to the configuration's folder. */
  path: Schema.NonEmptyString,
  /** Days from issue to due date, because these files state none. */
  terms_days: maybe(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 365 }))),
  /** Country of customers for whom the file states none (ISO 3166-1 alpha-2). */
  country: maybe(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))),
  /** `payments`: another connection has the invoices, and only payments and money that went back are read. */
  only: maybe(Schema.Literal("payments")),
  /** How the accounts of customers begin. */
  customers: maybe(Accounts),
  /** How the accounts of money begin. */
  money: maybe(Accounts),
  /** Of an invoice in another currency: the amount of the document, or the one in the currency of the books. */
  foreign: maybe(Schema.Literals(["document", "ledger"]))
})
export type Settings = typeof Settings.Type
