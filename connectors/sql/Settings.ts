/**
 * Declares the settings of a database: where it is, and for each stream a query and the meaning of its columns.
 */
import { Duration, Schema } from "effect"
import { isSettledOnce } from "../tabular/Settled.ts"
import * as Streams from "../tabular/Streams.ts"
import * as Statement from "./Statement.ts"

const maybe = Schema.optionalKey
const text = Schema.NonEmptyString

const each = Streams.streams({
  /** One SELECT. Its columns are used by name. */
  query: Streams.said('one SELECT, like "SELECT * FROM invoices"').check(
    Schema.makeFilter((query: string) => Statement.notOne(query) ?? true)
  ),
  /**
   * The column that grows with every change: a time, or an integer. Without it, every pull reads the whole query, and rows
   * that are missing count as deleted.
   */
  cursor: maybe(text),
  /** How far before the last value each pull begins: in seconds, or for an integer column in units of it. */
  overlap: maybe(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0, { message: "write a whole number, 0 or more, like 600" }))
  ),
  /** A column that marks deleted rows, by any value other than NULL, empty, 0 and false. */
  deleted: maybe(text)
})

/** A statement whose rows keep coming may take longer. */
export const PATIENCE = "60 seconds"

const isPatience = (text: string): boolean => {
  const duration = Duration.fromInput(text as Duration.Input)
  if (duration._tag === "None") return false
  const seconds = Duration.toSeconds(duration.value)
  return seconds >= 1 && seconds <= 86_400
}

export const Settings = Schema.Struct({
  /** The environment variable with the database's address, including the password. */
  url: maybe(
    Schema.Struct({ env: text }).annotate({
      message: 'the address is not written here; name the variable that holds it, like { "env": "BOOKS_DATABASE" }'
    })
  ),
  /** A SQLite file, relative to the configuration's folder. */
  file: maybe(text),
  /** How long a server may send nothing while an answer is waited for; 60 seconds by default. */
  timeout: maybe(
    Schema.String.check(
      Schema.makeFilter(isPatience, { message: 'write a duration from 1 second to 1 day, like "5 minutes"' })
    )
  ),
  /** Rows per page; 500 by default. */
  page: maybe(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 100_000 }, { message: "write a number of rows, from 1 to 100000" })
    )
  ),
  invoices: maybe(each.invoices),
  payments: maybe(each.payments),
  credit_notes: maybe(each.credit_notes),
  orders: maybe(each.orders),
  fulfilments: maybe(each.fulfilments),
  cancellations: maybe(each.cancellations),
  returns: maybe(each.returns)
}).check(
  Streams.named,
  isSettledOnce,

  Schema.makeFilter((settings: { readonly [name: string]: unknown }) => {
    if ((settings["url"] === undefined) === (settings["file"] === undefined))
      return 'say where the database is: url ({ "env": "BOOKS_DATABASE" }) or file ("books.db"), one of the two'
    const made = Streams.STREAMS.find((name) => {
      const one = settings[name] as { readonly columns: { readonly id: unknown } } | undefined
      return one !== undefined && typeof one.columns.id !== "string"
    })
    if (made !== undefined) return `${made}: write one column for id, and put its parts together in the query`
    const above = Streams.STREAMS.find(
      (name) => typeof (settings[name] as { year?: unknown } | undefined)?.year === "object"
    )
    if (above !== undefined) return `${above}.year: write the year itself; a query has no lines above its headings`
    const lines = ["orders", "fulfilments", "cancellations", "returns"]
    const wrong = lines.find(
      (name) => (settings[name] as { readonly deleted?: string } | undefined)?.deleted !== undefined
    )
    return wrong === undefined
      ? true
      : `${wrong}: its rows are lines, so leave deleted out and leave such rows out of the query`
  })
)
export type Settings = typeof Settings.Type

/** The settings of any one stream. */
export type StreamSettings = NonNullable<Settings[Streams.Stream]>
