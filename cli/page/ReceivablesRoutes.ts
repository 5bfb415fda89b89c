/** Serves receivables: reads what an address asks for from the books, as a page or a file. */
import { Clock, Effect } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import * as DaysOutstanding from "../../sync/reports/DaysOutstanding.ts"
import * as Expected from "../../sync/reports/Expected.ts"
import * as FailedDebits from "../../sync/reports/FailedDebits.ts"
import { invoiceNamed } from "../../sync/reports/News.ts"
import { failedPage } from "./FailedDebits.ts"
import { remembered } from "./Remembered.ts"
import * as Reports from "../../sync/reports/Receivables.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { WEEKS } from "./Charts.ts"
import * as Downloads from "./Downloads.ts"
import { receivablesPage } from "./Receivables.ts"
import type { ReadContext, ReadingHandler } from "./Response.ts"
import { t } from "./language/Texts.ts"

const MOST = 100
const MOST_CUSTOMERS = 10
/** How many months of payments that came back are shown. */
const MONTHS = 12

const oneOf = <const A extends string>(all: ReadonlyArray<A>, text: string | null): A | undefined =>
  all.find((one) => one === text)

/** Parses the address; unknown parameters are ignored. */
const wanted = (query: URLSearchParams, { connections }: ReadContext) => {
  const [currency, text, week] = ["currency", "q", "week"].map((name) => query.get(name)?.trim() ?? "") as [
    string,
    string,
    string
  ]
  const filter: Reports.ReceivablesFilter = {
    connections: connections.map(({ id }) => id),
    currency: Currency.isCurrency(currency) ? currency : undefined,
    age: oneOf(Reports.AGES, query.get("age")),
    week: Day.isDay(week) ? Reports.mondayOf(Day.of(week)) : undefined,
    text: text === "" ? undefined : text
  }
  const skip = Number(query.get("skip") ?? "0")
  const sort = oneOf(Reports.SORTS, query.get("sort")) ?? ("due" as const)
  return { filter, sort, skip: Number.isSafeInteger(skip) && skip > 0 ? skip : 0 }
}

const today = Effect.map(Clock.currentTimeMillis, Day.fromEpochMillis)

/** Keeps what is read of a list that ends when enough was read. */
function* noting<A>(all: Iterable<A>, kept: Array<A>): Generator<A> {
  for (const one of all) {
    kept.push(one)
    yield one
  }
}

/** The parts that do not depend on a filter, calculated once for each state of the books. */
const whole = remembered((db, key) => {
  const [text = "", ...connections] = key.split(" ")
  const day = Day.of(text)
  const open = Expected.openInvoices(db, connections)
  const totals = Expected.totalsOf(open, day)
  const times = new Map<number, Expected.PayingTime | undefined>()
  const lateOf = (customer: number) => {
    if (!times.has(customer)) times.set(customer, Expected.usual(Expected.lateness(db, customer)))
    return times.get(customer)
  }
  const back = FailedDebits.monthsTo(day, MONTHS)
  const failed = FailedDebits.failedDebits(db, connections, { from: `${back[0]}-01`, to: day })
  const outstanding = totals.map(({ currency, open: amount, overdue }) => {
    const months: Array<DaysOutstanding.MonthOfSales> = []
    const all = DaysOutstanding.countBack(
      Currency.toMinor(amount, currency),
      noting(DaysOutstanding.sales(db, connections, currency, day), months)
    )
    // What is not due yet is less, so that it is covered by the same months.
    const notDue = DaysOutstanding.countBack(Currency.toMinor(amount - overdue, currency), months)
    return [currency, { all, notDue }] as const
  })
  return {
    weeks: Expected.expectedByWeek(open, () => undefined, day, WEEKS),
    customers: Expected.topCustomers(db, open, day, MOST_CUSTOMERS),
    usual: Expected.expectedByWeek(open, lateOf, day, WEEKS),
    ageing: Expected.ageing(open, day),
    totals,
    currencies: totals.map(({ currency }) => currency),
    outstanding: new Map(outstanding),
    failed: [...new Set(failed.map(({ currency }) => currency))]
      .filter(Currency.isCurrency)
      .toSorted()
      .map((currency) => ({ currency, months: FailedDebits.byMonth(failed, currency, day, MONTHS) }))
  }
})

const wholeOf = (db: Db, { connections }: ReadContext, day: Day.Day) =>
  whole(db, [day, ...connections.map(({ id }) => id)].join(" "))

/** Adds the invoices whose payment is expected in a week by payment habits, if the address asks for them. */
const narrowed = (
  filter: Reports.ReceivablesFilter,
  query: URLSearchParams,
  usual: ReadonlyArray<Expected.ExpectedAmount>
): Reports.ReceivablesFilter => {
  const week = query.get("expected")
  if (week === null || week === "") return filter
  const own = usual.filter((one) => one.week === week && (filter.currency ?? one.currency) === one.currency)
  return { ...filter, documents: own.flatMap(({ documents }) => documents) }
}

const isFiltered = (filter: Reports.ReceivablesFilter): boolean =>
  Object.entries(filter).some(([name, value]) => name !== "connections" && value !== undefined)

export const show: ReadingHandler = ({ query }, around) =>
  Effect.gen(function* () {
    const db = yield* Database
    const day = yield* today
    const { filter: stated, skip, sort } = wanted(query, around)
    const shown = yield* db.snapshot(() => {
      const all = wholeOf(db, around, day)
      const filter = narrowed(stated, query, all.usual)
      const rows = Reports.receivables(db, filter, { sort, skip, most: MOST + 1 }, day)
      return {
        ...all,
        ...{ filter, sort, skip, more: rows.length > MOST, rows: rows.slice(0, MOST) },
        expected: filter.documents === undefined ? undefined : (query.get("expected") ?? undefined),
        totals: isFiltered(filter) ? Reports.totals(db, filter, day) : all.totals
      }
    })
    return { title: t`Receivables`, at: "/receivables", body: receivablesPage(shown, day) }
  })

/** Downloads the whole list that the address shows. */
export const download =
  (ending: Downloads.Ending): ReadingHandler =>
  ({ query }, around) =>
    Effect.gen(function* () {
      const day = yield* today
      const { filter, sort } = wanted(query, around)
      return yield* Downloads.asFile(`receivables-${day}`, ending, (books) =>
        Reports.receivablesSheet(books, narrowed(filter, query, wholeOf(books, around, day).usual), sort, day)
      )
    })

/** Payments that came back in a month, or in the last twelve. */
const failedOf = (query: URLSearchParams, { connections }: ReadContext, day: Day.Day) => {
  const month = query.get("month") ?? ""
  const currency = query.get("currency") ?? ""
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(month)
  const range = isMonth
    ? { from: `${month}-01`, to: `${month}-31` }
    : { from: `${FailedDebits.monthsTo(day, MONTHS)[0]}-01`, to: day }
  return {
    month: isMonth ? month : undefined,
    currency: Currency.isCurrency(currency) ? currency : undefined,
    read: (db: Db) =>
      FailedDebits.failedDebits(
        db,
        connections.map(({ id }) => id),
        range
      ).filter((one) => !Currency.isCurrency(currency) || one.currency === currency)
  }
}

export const failed: ReadingHandler = ({ query }, around) =>
  Effect.gen(function* () {
    const db = yield* Database
    const day = yield* today
    const { currency, month, read } = failedOf(query, around, day)
    const body = yield* db.read(() => {
      const all = read(db)
      const shown = all
        .slice(0, MOST)
        .map((one) => ({ ...one, ...invoiceNamed(db, { key: one.key, document: one.reversal }) }))
      return failedPage({ shown, all: all.length, month, currency })
    })
    return { title: t`Payments that came back`, at: "/receivables", body }
  })

export const downloadFailed =
  (ending: Downloads.Ending): ReadingHandler =>
  ({ query }, around) =>
    Effect.gen(function* () {
      const day = yield* today
      const { read } = failedOf(query, around, day)
      return yield* Downloads.asFile(`failed-debits-${day}`, ending, (books) =>
        FailedDebits.failedSheet(books, read(books))
      )
    })
