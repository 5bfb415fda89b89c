/**
 * Calculates days sales outstanding by the count-back method: subtracts the open amount from the sales of this month so far,
 * then of the month before, and so on. A month that is covered completely counts with all its days, the last one with the
 * covered share. Sales are the gross amounts of invoices, by day of issue.
 */
import type * as Decimal from "../../core/money/Decimal.ts"
import * as DecimalOf from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Db } from "../state/Database.ts"

/** How many months back to look; amounts that they do not cover are older. */
const MOST_MONTHS = 24

/** Sales of a month, or of its part so far. Minor units. */
export interface MonthOfSales {
  readonly days: number
  readonly sales: bigint
}

export interface DaysOutstanding {
  /** Rounded to a tenth. */
  readonly days: Decimal.Decimal
  /** The sales in these months are less than the open amount, so the true figure is higher. */
  readonly more: boolean
}

/**
 * @param open minor units
 * @param months latest first
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

/** Sales in one currency by month, read lazily. */
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
