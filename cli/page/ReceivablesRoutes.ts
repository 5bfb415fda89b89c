/** Receivables: what an address asks for, read from the books, as a page or as a file. */
import { Clock, Effect } from "effect"
import { isCurrency } from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Reports from "../../sync/reports/Receivables.ts"
import { Database } from "../../sync/state/Database.ts"
import { WEEKS } from "./Charts.ts"
import * as Downloads from "./Downloads.ts"
import { receivablesPage } from "./Receivables.ts"
import type { PageContext, PageHandler } from "./Response.ts"

const MOST = 100
const MOST_CUSTOMERS = 10

const oneOf = <const A extends string>(all: ReadonlyArray<A>, text: string | null): A | undefined =>
  all.find((one) => one === text)

/** What of an address is understood; the rest of it is as if it were not there. */
const wanted = (query: URLSearchParams, { connections }: PageContext) => {
  const [currency, text, week] = ["currency", "q", "week"].map((name) => query.get(name)?.trim() ?? "") as [
    string,
    string,
    string
  ]
  const filter: Reports.ReceivablesFilter = {
    connections: connections.map(({ id }) => id),
    currency: isCurrency(currency) ? currency : undefined,
    age: oneOf(Reports.AGES, query.get("age")),
    week: Day.isDay(week) ? Reports.mondayOf(Day.of(week)) : undefined,
    text: text === "" ? undefined : text
  }
  const skip = Number(query.get("skip") ?? "0")
  const sort = oneOf(Reports.SORTS, query.get("sort")) ?? ("due" as const)
  return { filter, sort, skip: Number.isSafeInteger(skip) && skip > 0 ? skip : 0 }
}

const today = Effect.map(Clock.currentTimeMillis, Day.fromEpochMillis)

export const show: PageHandler = ({ query }, around) =>
  Effect.gen(function* () {
    const db = yield* Database
    const day = yield* today
    const { filter, skip, sort } = wanted(query, around)
    const shown = yield* db.snapshot(() => {
      const rows = Reports.receivables(db, filter, { sort, skip, most: MOST + 1 }, day)
      const all = { connections: filter.connections }
      return {
        ...{ filter, sort, skip, more: rows.length > MOST, rows: rows.slice(0, MOST) },
        currencies: Reports.totals(db, all, day).map(({ currency }) => currency),
        totals: Reports.totals(db, filter, day),
        weeks: Reports.expected(db, all, day, WEEKS),
        customers: Reports.customers(db, all, day, MOST_CUSTOMERS)
      }
    })
    return { title: "Receivables", at: "/receivables", body: receivablesPage(shown, day) }
  })

/** What the address shows, all of it, in a file. */
export const download =
  (ending: Downloads.Ending): PageHandler =>
  ({ query }, around) =>
    Effect.gen(function* () {
      const day = yield* today
      const { filter, sort } = wanted(query, around)
      return yield* Downloads.asFile(`receivables-${day}`, ending, (books) =>
        Reports.receivablesSheet(books, filter, sort, day)
      )
    })
