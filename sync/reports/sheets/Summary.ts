/**
 * Builds the summary: the figures of every connection, by currency, and the totals over all of them.
 *
 * The amounts of invoices are added up while the sheet of invoices is read, so this one must be read after it. The open
 * amounts in source, books and service come from the completeness statement.
 */
import * as Decimal from "../../../core/money/Decimal.ts"
import * as InvoiceStatement from "../../reconciliation/InvoiceStatement.ts"
import type { Stepwise } from "../../state/Breathe.ts"
import { headOf } from "../../state/chain/Chain.ts"
import type { Db } from "../../state/Database.ts"
import { addUp, type Total, type TotalsByConnection } from "./Documents.ts"
import { type Cell, columns, type Row, type Sheet } from "./Sheet.ts"

const ALL = "All connections"

export const summary = (
  db: Db,
  connections: ReadonlyArray<string>,
  totals: TotalsByConnection,
  now: number
): Sheet => ({
  name: "Summary",
  currency: 1,
  columns: columns(`Connection text 18, Currency text 9, Invoices integer 10, Invoiced money 16, Credited money 14,
      Received money 16, Balance money 16, On the service integer 14, Source says open money 16,
      Open in books money 16, Open on service money 16, Credit balances money 16, Books less service money 18,
      Differences integer 12, Quarantined integer 11, Not settled yet integer 15, Generated at (UTC) instant 20,
      Latest entry of the chain text 26`),
  isTotal: (row) => row[0] === ALL,
  rows: function* () {
    const whole = new Map<string, Array<SummaryRow>>()
    let quarantined = 0
    let waiting = 0
    for (const connection of connections) {
      const counts = { quarantined: countQuarantined(db, connection), waiting: countWaiting(db, connection) }
      quarantined += counts.quarantined
      waiting += counts.waiting
      const standings = yield* summaryRows(db, connection, totals)
      // Counts per connection are only on its first row, so that the column adds up correctly.
      let place: typeof counts | undefined = counts
      for (const one of standings) {
        yield summaryRow(connection, one, place, now)
        place = undefined
        whole.set(one.currency, [...(whole.get(one.currency) ?? []), one])
      }
    }
    let place: { quarantined: number; waiting: number } | undefined = { quarantined, waiting }
    const chain = headOf(db)
    const head = chain && `${chain.entry}:${chain.hash}`
    const currencies = [...whole.keys()].filter((currency) => currency !== "").sort()
    for (const currency of currencies.length === 0 ? [""] : currencies) {
      yield [...summaryRow(ALL, sum(currency, whole.get(currency) ?? []), place, now), place && head]
      place = undefined
    }
  }
})

/** The figures of one connection, or of all, in one currency. Amounts in major units. */
interface SummaryRow extends Total {
  readonly currency: string
  readonly sent: number
  /** The open amount that the source itself states; null if it states none. */
  readonly source: Decimal.Decimal | null
  readonly credit: Decimal.Decimal
  readonly books: Decimal.Decimal
  readonly service: Decimal.Decimal
  readonly differences: number
}

const NOTHING: Total = { invoices: 0, invoiced: 0n, credited: 0n, received: 0n, balance: 0n }
const NOWHERE: Omit<SummaryRow, "currency"> = {
  ...NOTHING,
  sent: 0,
  source: null,
  credit: 0n,
  books: 0n,
  service: 0n,
  differences: 0
}

function* summaryRows(db: Db, connection: string, totals: TotalsByConnection): Stepwise<ReadonlyArray<SummaryRow>> {
  const statements = yield* InvoiceStatement.inParts(db, [connection])
  const summed = totals.get(connection)
  const currencies = new Set([...(summed?.keys() ?? []), ...statements.map(({ currency }) => currency)])
  if (currencies.size === 0) return [{ ...NOWHERE, currency: "" }]
  return [...currencies].sort().map((currency) => {
    const found = statements.find((one) => one.currency === currency)
    const open =
      found === undefined
        ? {}
        : {
            sent: found.invoices,
            source: found.sourceSays === undefined ? null : Decimal.of(found.sourceSays),
            credit: Decimal.of(found.credit.amount),
            books: Decimal.of(found.books),
            service: Decimal.of(found.service),
            differences: found.differences.length + found.more
          }
    return { ...NOWHERE, ...(summed?.get(currency) ?? NOTHING), ...open, currency }
  })
}

const sum = (currency: string, all: ReadonlyArray<SummaryRow>): SummaryRow =>
  all.reduce<SummaryRow>(
    (total, one) => ({
      currency,
      ...addUp(total, one),
      sent: total.sent + one.sent,
      source: one.source === null ? total.source : (total.source ?? 0n) + one.source,
      credit: total.credit + one.credit,
      books: total.books + one.books,
      service: total.service + one.service,
      differences: total.differences + one.differences
    }),
    { ...NOWHERE, currency }
  )

const summaryRow = (
  name: string,
  one: SummaryRow,
  counts: { readonly quarantined: number; readonly waiting: number } | undefined,
  now: number
): Row => {
  // Without a currency there is no amount, which is different from zero.
  const money = (amount: Decimal.Decimal): Cell => (one.currency === "" ? null : amount)
  return [
    name,
    one.currency,
    one.invoices,
    money(one.invoiced),
    money(one.credited),
    money(one.received),
    money(one.balance),
    one.sent,
    one.source === null ? null : money(one.source),
    money(one.books),
    money(one.service),
    money(one.credit),
    money(one.books - one.service),
    one.differences,
    counts?.quarantined,
    counts?.waiting,
    now
  ]
}

const countQuarantined = (db: Db, connection: string): number =>
  db.raw.prepare("SELECT count(*) FROM quarantine WHERE connection = ?").pluck().get(connection) as number

const countWaiting = (db: Db, connection: string): number =>
  db.raw
    .prepare("SELECT count(*) FROM changed WHERE subject > ? AND subject < ? AND subject NOT LIKE ? || '/buyer/%'")
    .pluck()
    .get(`${connection}/`, `${connection}0`, connection) as number
