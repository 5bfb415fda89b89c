/** With what a month opens: otherwise than the month before was closed, or with payments that wait for an invoice and are in no sum. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Db } from "../state/Database.ts"
import type { MonthAccount, MonthReport, Moved, Unmatched } from "./CloseReport.ts"

/** A closing balance in books and on the service, as it is stored. */
export type Balance = readonly [currency: string, books: string, service: string]

/** What a connection closes at, by currency. */
export const balancesOf = ({ accounts }: Pick<MonthReport, "accounts">, connection: string): ReadonlyArray<Balance> =>
  accounts.flatMap((one) =>
    one.connection === connection ? [[one.currency, one.books.closing, one.service.closing] as const] : []
  )

/** Where the month opens otherwise than the month before was closed, and how much of that was read late. */
export const movedSince = (
  db: Db,
  connections: ReadonlyArray<string>,
  month: string,
  accounts: ReadonlyArray<MonthAccount>,
  late: ReadonlyMap<string, Decimal.Decimal>
): ReadonlyArray<Moved> =>
  (
    db
      .prepare(
        `SELECT connection, balances FROM closed_month
          WHERE month = ? AND connection IN (SELECT value FROM json_each(?)) ORDER BY connection`
      )
      .all(month, JSON.stringify(connections)) as ReadonlyArray<{
      readonly connection: string
      readonly balances: string
    }>
  ).flatMap(({ balances, connection }) => {
    const closed = new Map(
      (JSON.parse(balances) as ReadonlyArray<Balance>).map(([currency, books, service]) => [
        currency,
        { books, service }
      ])
    )
    const opening = new Map(
      accounts.flatMap((one) =>
        one.connection === connection
          ? [[one.currency, { books: one.books.opening, service: one.service.opening }] as const]
          : []
      )
    )
    return [...new Set([...closed.keys(), ...opening.keys()])].toSorted().flatMap((currency): ReadonlyArray<Moved> => {
      const none = { books: Currency.format(0n, currency), service: Currency.format(0n, currency) }
      const [was, opens] = [closed.get(currency) ?? none, opening.get(currency) ?? none]
      if (was.books === opens.books && was.service === opens.service) return []
      const read = late.get(`${connection} ${currency}`) ?? 0n
      const rest = Decimal.of(opens.books) - Decimal.of(was.books) - read
      const say = (amount: Decimal.Decimal) => Currency.format(amount, currency)
      return [{ connection, currency, closed: was, opens, late: say(read), rest: say(rest) }]
    })
  })

/** Payments until a day that wait for an invoice. What of a reversal waits is open, and counts. */
export const unmatchedOn = (db: Db, connections: ReadonlyArray<string>, last: Day): ReadonlyArray<Unmatched> =>
  (
    db
      .prepare(
        `SELECT connection, currency, count(*) AS payments, CAST(sum(amount - matched) AS TEXT) AS amount FROM matching
          WHERE back = 0 AND amount > matched AND currency <> '' AND date <= ? AND connection IN (SELECT value FROM json_each(?))
          GROUP BY connection, currency ORDER BY connection, currency`
      )
      .all(last, JSON.stringify(connections)) as ReadonlyArray<Unmatched>
  ).map((one) => ({
    ...one,
    amount: Currency.format(Currency.ofMinor(BigInt(one.amount), one.currency), one.currency)
  }))
