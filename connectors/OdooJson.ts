/** Odoo's JSON-2 API (Odoo 19 and later): settings, authorisation, and how records of a model are requested. */
import { Schema } from "effect"
import * as Http from "./Http.ts"
import * as Json from "./Json.ts"
import * as Rest from "./rest/index.ts"

/** Settings of every connector that reads Odoo. */
export const fields = {
  /** The server's address: https://acme.odoo.com */
  url: Http.Url,
  key: Rest.secret("ODOO_KEY"),
  /** The database, if the server has several. */
  database: Schema.optionalKey(Schema.NonEmptyString)
}

interface Settings {
  readonly url: string
  readonly key: { readonly env: string }
  readonly database?: string
}

/** What every declaration of a connector to Odoo has. */
export const declared = {
  identity: ({ database, url }: Settings) => `${database ?? "database"} of ${new URL(url).host}`,
  limits: { atOnce: 2, by: "server" as const },
  overlapSeconds: 600,
  base: ({ url }: Settings) => url,
  authorise: Rest.bearer(({ key }: Settings) => key),
  headers: ({ database }: Settings): Readonly<Record<string, string>> =>
    database === undefined ? {} : { "x-odoo-database": database },
  said: ["message"]
}

/** Odoo takes ids as numbers, of any length. */
const number = (id: unknown) => (/^\d+$/.test(String(id)) ? Json.parse(String(id)) : 0)

/** Odoo writes times in UTC, without a time zone. */
export const time = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace("T", " ")

/** The conditions for a page: records behind an id, or with these ids. */
export const domain = ({ after, ids }: Http.Query): ReadonlyArray<unknown> => [
  ...(after === undefined ? [] : [["id", ">", number(after)]]),
  ...(ids === undefined ? [] : [["id", "in", String(ids).split(",").map(number)]])
]

/** The query for records with these ids. */
export const several = (ids: ReadonlyArray<string>): Http.Query => ({ ids: ids.join(",") })

/** A specification of fields, as `web_search_read` takes it. */
export const named = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, {}]))

/** One of these conditions; Odoo writes the operator before them. */
export const either = (...conditions: ReadonlyArray<unknown>): ReadonlyArray<unknown> => [
  ...conditions.slice(1).map(() => "|"),
  ...conditions
]

/** A record without the members that are `false`, which is how Odoo writes that there is no value. */
export const present = (of: Json.Fields): Json.Fields => new Json.Fields(withoutFalse(of.record) as Json.Members)

const withoutFalse = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutFalse)
  if (!Json.isObject(value)) return value
  const members = Object.entries(value).filter(([, one]) => one !== false)
  return Object.fromEntries(members.map(([name, one]) => [name, withoutFalse(one)]))
}
