/**
 * Days sales outstanding by the count-back method: what is open is taken off the sales of this month so far, then of the month
 * before, and so on. A month that it covers whole counts all its days; the last one counts as many as its share. Sales are the
 * gross amounts of invoices by the day on which they were issued.
 */
import type * as Decimal from "../../core/money/Decimal.ts"
import * as DecimalOf from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Database } from "../state/Database.ts"

type Db = Database["Service"]

/** Months that are looked back; what they do not cover is older than that. */
const MOST_MONTHS = 24

/** Sales of a month, or of the part of it that has passed. Minor units. */
export interface MonthOfSales {
  readonly days: number
  readonly sales: bigint
}

export interface DaysOutstanding {
  /** To a tenth. */
  readonly days: Decimal.Decimal
  /** The sales that were looked at do not come to what is open: it is more than that. */
  readonly more: boolean
}

/**
 * @param open minor units
 * @param months the latest first
 */
export const countBack = (open: bigint, months: Iterable<MonthOfSales>): DaysOutstanding => {
  let rest = open
  let days = 0
  for (const month of months) {
    if (rest <= 0n) break
    if (month.sales >= rest) {
      const tenths = (rest * BigInt(month.days) * 20n + month.sales) / (month.sales * 2n)
      return { days: DecimalOf.fromInteger(BigInt(days)) + (tenths * DecimalOf.one) / 10n, more: false }
    }
    if (month.sales > 0n) rest -= month.sales
    days += month.days
  }
  return { days: DecimalOf.fromInteger(BigInt(days)), more: rest > 0n }
}

const SALES = `SELECT sum(gross) FROM customer_invoice INDEXED BY customer_invoice_issued
  WHERE issued >= :from AND issued < :to AND currency = :currency
  AND customer IN (SELECT id FROM customer WHERE connection IN (SELECT value FROM json_each(:connections)))`

/** Sales of one currency by month, read as far as somebody asks. */
export function* sales(
  db: Db,
  connections: ReadonlyArray<string>,
  currency: string,
  today: Day.Day
): Generator<MonthOfSales> {
  const sum = db.prepare(SALES).pluck().safeIntegers()
  let to = Day.addDays(today, 1)
  for (let n = 0; n < MOST_MONTHS; n++) {
    const from = Day.of(`${Day.addDays(to, -1).slice(0, 7)}-01`)
    const found = sum.get({ from, to, currency, connections: JSON.stringify(connections) }) as bigint | null
    yield { days: Day.between(from, to), sales: found ?? 0n }
    to = from
  }
}
