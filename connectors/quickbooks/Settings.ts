/** Declares the settings of a QuickBooks Online company, and the bookmark. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import { JOURNALS } from "./Mapping.ts"

export const Settings = Schema.Struct({
  /** The company's id (QuickBooks calls it realm): digits, shown when the connection is authorised. */
  company: Schema.String.check(
    Schema.isPattern(/^\d+$/u, { message: "write the company's id (realm id) as QuickBooks shows it: digits only" })
  ),
  ...Rest.app("QUICKBOOKS"),
  environment: Schema.optionalKey(Schema.Literals(["production", "sandbox"])),
  /** The company's own currency, for records that name none. */
  currency: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/u, { message: "write GBP" }))),
  /** What journal entries are that payments apply to invoices; without it, such payments are quarantined. */
  journal_entries: Schema.optionalKey(Schema.Literals(JOURNALS)),
  /** Replaces QuickBooks's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
export type Settings = typeof Settings.Type

export const Bookmark = Schema.Struct({
  /** Milliseconds since the epoch: later changes were not read yet. */
  since: Schema.optionalKey(Schema.Number),
  /** The position of the first pull: records of `list` created before `from` were read, and `skip` of that time, up to `last`. */
  now: Schema.optionalKey(
    Schema.Struct({
      began: Schema.Number,
      list: Schema.Int,
      from: Schema.optionalKey(Schema.String),
      skip: Schema.optionalKey(Schema.Int),
      last: Schema.optionalKey(Schema.String)
    })
  )
})
export type Bookmark = typeof Bookmark.Type
