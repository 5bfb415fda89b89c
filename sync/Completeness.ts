/**
 * The completeness statement of invoices (of orders: `OrderCompleteness.ts`): what is open in the source, in the books and on the service, per connection and
 * currency, with every difference named. All three are equal when nothing was lost and nothing was sent twice.
 *
 *   source   what is open in the books, plus what was read of the source and is not in the books
 *   books    gross less credit notes, payments and reversals, of the invoices in scope
 *   service  what the service itself answered as due, less what was reported as received
 *
 * Between a pull and the plan that follows it, books and service are those of the last run, and `pending` says so.
 * The source is added up while it is read and the books while they are written, so that a lost record shows.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Database } from "./state/Database.ts"

type Db = Database["Service"]

export interface Difference {
  /** The document that it is about, or the part of the source. */
  readonly document: string
  /** Books less service, or source less books, with the currency's decimals. */
  readonly amount: string
  readonly why: string
}

export interface Statement {
  readonly connection: string
  readonly currency: string
  /** Amounts in major units with the currency's decimals. */
  readonly source: string
  readonly books: string
  readonly service: string
  /** Invoices that the service has been told of. */
  readonly invoices: number
  readonly differences: ReadonlyArray<Difference>
  /** Differences beyond the first hundred. */
  readonly more: number
  /** Invoices of this connection, of any currency, that changed since the last run and are in none of the sums yet. */
  readonly pending: number
  /** Records that could not be read; what they say is in none of the sums. */
  readonly setAside: number
}

const MOST = 100

interface Sums {
  readonly currency: string
  readonly books: bigint
  readonly service: bigint
  readonly told: bigint
}

export const statements = (db: Db, connections: ReadonlyArray<string>): ReadonlyArray<Statement> =>
  connections.flatMap((connection) => {
    const sums = db
      .prepare(
        `SELECT currency, sum(books_open) AS books, sum(service_open) AS service, count(remote) AS told
          FROM ledger WHERE connection = ? AND subject < connection || '/order/' AND currency <> '' GROUP BY currency ORDER BY currency`
      )
      .safeIntegers()
      .all(connection) as ReadonlyArray<Sums>
    const lost = unread(db, connection)
    const setAside = db.prepare("SELECT count(*) FROM set_aside WHERE connection = ?").pluck().get(connection) as number
    const pending = db
      .prepare("SELECT count(*) FROM changed WHERE subject > ? AND subject < ?")
      .pluck()
      .get(`${connection}/invoice/`, `${connection}/invoice0`) as number
    const currencies = new Set([...sums.map(({ currency }) => currency), ...lost.keys()])
    return [...currencies].map((currency): Statement => {
      const found = sums.find((one) => one.currency === currency) ?? { books: 0n, service: 0n, told: 0n }
      const missing = lost.get(currency) ?? []
      const { differences, more } = differing(db, connection, currency)
      const books = fromMinor(found.books, currency)
      const source = books + Decimal.sum(missing.map(({ amount }) => amount))
      return {
        connection,
        currency,
        source: Currency.format(source, currency),
        books: Currency.format(books, currency),
        service: Currency.format(fromMinor(found.service, currency), currency),
        invoices: Number(found.told),
        differences: [
          ...missing.map(({ amount, part, records }) => ({
            document: `${connection}: ${part}`,
            amount: Currency.format(amount, currency),
            why: `${records} records were read that are not in the books; read the source again`
          })),
          ...differences
        ],
        more,
        pending,
        setAside
      }
    })
  })

const fromMinor = (minor: bigint, currency: string): Decimal.Decimal =>
  minor * 10n ** BigInt(Decimal.PLACES - Currency.decimals(currency))

interface Control {
  readonly name: string
  readonly currency: string
  readonly source_count: number
  readonly source_sum: string
  readonly books_count: number
  readonly books_sum: string
}

/** What was read of each part and is not in the books, by currency. */
const unread = (db: Db, connection: string) => {
  const rows = db
    .prepare(
      `SELECT p.name, c.* FROM control c JOIN part p ON p.id = c.part
        WHERE p.connection = ? AND (c.source_sum <> c.books_sum OR c.source_count <> c.books_count)`
    )
    .all(connection) as ReadonlyArray<Control>
  const lost = new Map<string, Array<{ readonly part: string; readonly amount: bigint; readonly records: number }>>()
  for (const row of rows) {
    const missing = {
      part: row.name,
      amount: BigInt(row.source_sum) - BigInt(row.books_sum),
      records: row.source_count - row.books_count
    }
    lost.set(row.currency, [...(lost.get(row.currency) ?? []), missing])
  }
  return lost
}

interface Differing {
  readonly subject: string
  readonly books_open: bigint
  readonly service_open: bigint
  readonly remote: string | null
  readonly why: string | null
}

/** The invoices on which books and service do not agree, with the reason where one is known. */
const differing = (db: Db, connection: string, currency: string) => {
  const rows = db
    .prepare(
      `SELECT l.subject, l.books_open, l.service_open, l.remote,
          (SELECT a.why FROM attention a WHERE a.subject = l.subject AND a.closed IS NULL LIMIT 1) AS why
        FROM ledger l WHERE l.connection = ? AND l.subject < l.connection || '/order/' AND l.currency = ?
          AND l.books_open <> l.service_open
        ORDER BY l.subject LIMIT ${MOST + 1}`
    )
    .safeIntegers()
    .all(connection, currency) as ReadonlyArray<Differing>
  const count = () =>
    db
      .prepare(
        `SELECT count(*) FROM ledger WHERE connection = ? AND subject < connection || '/order/' AND currency = ?
          AND books_open <> service_open`
      )
      .pluck()
      .get(connection, currency) as number
  return {
    differences: rows.slice(0, MOST).map(
      (row): Difference => ({
        document: row.subject,
        amount: Currency.format(fromMinor(row.books_open - row.service_open, currency), currency),
        why: row.why ?? (row.remote === null ? "the service has not been told yet" : "not everything has been sent yet")
      })
    ),
    more: rows.length > MOST ? count() - MOST : 0
  }
}
