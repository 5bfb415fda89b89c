/** The sheets of a month's closing statement: accounts with their customers, differences, and what was read late. */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Instant from "../../core/wire/Instant.ts"
import { remarks, type MonthAccount, type MonthReport, type Roll } from "./CloseReport.ts"
import type { Sheets } from "./Sheets.ts"
import { type Cell, column, columns, type Column, type Row, type Sheet } from "./sheets/Sheet.ts"

const money = (amount: string | null): Cell => (amount === null ? null : Decimal.of(amount))

const ROLL: ReadonlyArray<readonly [keyof Roll, string]> = [
  ["opening", "opening"],
  ["invoices", "+ invoices"],
  ["creditNotes", "- credit notes"],
  ["payments", "- payments"],
  ["reversals", "+ reversals"],
  ["closing", "= closing"]
]

const rolls = (side: string): ReadonlyArray<Column> => ROLL.map(([, words]) => column(`${side} ${words}`, "money", 18))

const row = (name: string, customer: string, one: MonthAccount): Row => [
  name,
  one.currency,
  customer,
  ...ROLL.map(([part]) => money(one.books[part])),
  ...ROLL.map(([part]) => money(one.service[part])),
  money(one.source),
  one.unchecked
]

const sheet = (name: string, columns: ReadonlyArray<Column>, rows: () => Iterable<Row>): Sheet => ({
  name,
  currency: 1,
  columns,
  rows: function* () {
    yield* rows()
  }
})

const ALL = "All customers"
const NAMED = [column("Connection", "text", 18), column("Currency", "text", 9)]

const closing = (report: MonthReport): Sheet => ({
  ...sheet(
    "Closing",
    [
      ...NAMED,
      column("Customer", "text", 28),
      ...rolls("Books"),
      ...rolls("Service"),
      ...columns("Source says money 18, Without the source's balance integer 14")
    ],
    () => [
      ...report.accounts.map((one) => row(one.connection, ALL, one)),
      ...report.customers.map((one) => row(one.connection, one.customer, one))
    ]
  ),
  isTotal: (one) => one[2] === ALL
})

const DIFFERENCES = [
  ...NAMED,
  ...columns(`Document text 30, Customer text 28, Source money 14, Books money 14, Service money 14, Why text 44,
    Decided text 44`)
]

const differences = ({ differences: all }: MonthReport): Sheet =>
  sheet("Differences", DIFFERENCES, () =>
    all.map((one) => [
      one.connection,
      one.currency,
      one.document,
      one.customer,
      money(one.source),
      money(one.books),
      money(one.service),
      one.why,
      one.decided.map(({ at, what, who }) => `${at.slice(0, 10)} ${who ?? ""} ${what}`).join("; ")
    ])
  )

const LATE = [
  ...NAMED,
  ...columns("Document text 30, Date date 11, When closed money 14, Now money 14, Read (UTC) instant 20")
]

const late = ({ late: all }: MonthReport): Sheet =>
  sheet("Read late", LATE, () =>
    all.map((one) => [
      one.connection,
      one.currency,
      one.document,
      one.date,
      money(one.was),
      money(one.now),
      Instant.toEpochMillis(one.read)
    ])
  )

const left = (report: MonthReport): Sheet => ({
  ...sheet("Remarks", [column("Remark", "text", 100)], () => remarks(report).map((one) => [one])),
  currency: -1
})

export const sheetsOf = (report: MonthReport): Sheets => {
  const shown = [closing(report), differences(report), late(report), left(report)]
  return { shown, reading: shown }
}
