/** What a configuration says of a QuickBooks Online company, and how far its reading came. */
import { Schema } from "effect"
import * as Http from "../Http.ts"

const variable = Schema.Struct({ env: Schema.NonEmptyString }).annotate({
  message: 'a secret is not written here; name the variable that holds it, like { "env": "QUICKBOOKS_CLIENT_SECRET" }'
})

export const Settings = Schema.Struct({
  /** The company's id, which QuickBooks calls realm: digits, shown when the connection is authorised. */
  company: Schema.String.check(
    Schema.isPattern(/^\d+$/u, { message: "write the company's id (realm id) as QuickBooks shows it: digits only" })
  ),
  client_id: variable,
  client_secret: variable,
  /** The refresh token of the first authorisation; from then on the vault has the newest. */
  refresh_token: Schema.optionalKey(variable),
  environment: Schema.optionalKey(Schema.Literals(["production", "sandbox"])),
  /** The company's own currency, where its records name none. */
  currency: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/u, { message: "write GBP" }))),
  /** Another address than QuickBooks's own: a proxy, a test server. */
  url: Schema.optionalKey(Http.Url)
})
export type Settings = typeof Settings.Type

export const Bookmark = Schema.Struct({
  /** Milliseconds since the epoch: what changed from here on was not read yet. */
  since: Schema.optionalKey(Schema.Number),
  /** While every record is read for the first time: records of `list` created before `from` were read, and `skip` of then, up to `last`. */
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
