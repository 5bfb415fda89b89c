/** The settings of electronic invoices: where the files are, whose they are, and what to make of what they leave open. */
import { Schema } from "effect"

const maybe = Schema.optionalKey

export const Settings = Schema.Struct({
  /** A file, a folder or a glob, relative to the configuration's folder. */
  path: Schema.NonEmptyString,
  /** The seller whose books these are: VAT numbers or names. By default whoever issued nearly all of the files. */
  seller: maybe(Schema.NonEmptyArray(Schema.NonEmptyString)),
  /** Days from issue to due date, for invoices that state none. */
  terms_days: maybe(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 365 }))),
  /** What an amount is that was paid before the invoice: a payment on the day of issue, or a lower amount asked for. */
  prepaid: maybe(Schema.Literals(["quarantine", "payment", "deduct"])),
  /** What a corrected invoice (384) does to the one that it names: takes its place, or adds to it. */
  corrected_invoices: maybe(Schema.Literals(["quarantine", "replace", "add"])),
  /** What a credit note with a negative amount is: a credit all the same, or a charge. */
  negative_credit_notes: maybe(Schema.Literals(["quarantine", "credit", "charge"])),
  /** Tax that the buyer pays to the tax office for the seller: part of what is owed, or not. */
  withheld: maybe(Schema.Literals(["deduct", "keep"]))
})
export type Settings = typeof Settings.Type
