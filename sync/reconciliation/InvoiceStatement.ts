/**
 * The completeness statement of invoices (of orders: `OrderStatement.ts`): what is open in the source, in the books and on the service, per connection and
 * currency, with every difference named. All three are equal when nothing was lost and nothing was sent twice.
 *
 *   source   what is open in the books, plus what was read of the source and is not in the books
 *   books    gross less credit notes, payments and reversals, of the invoices in scope
 *   service  what the service itself answered as due, less what was reported as received
 *
 * The books are what their documents say now. An invoice that did not change since it was planned is added up from the
 * ledger, as it was reckoned then; one that did is reckoned again here, so that what was read and not sent is a
 * difference. The cost grows with the change. The source is added up while it is read, so that a lost record shows.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Planning } from "../model/Connection.ts"
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import type { Database } from "../state/Database.ts"

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
  /** Invoices of this connection, of any currency, that changed since they were last planned. */
  readonly pending: number
  /** More of them than were to be looked at: the books are those of the last run. */
  readonly stale?: true
  /** Records that could not be read; what they say is in none of the sums. */
  readonly quarantined: number
}

const MOST = 100

interface Sums {
  readonly currency: string
  readonly books: bigint
  readonly service: bigint
  readonly sent: bigint
}

/**
 * In one snapshot of the state file.
 *
 * @param most where more invoices than this changed, none of them is reckoned again, and the statement is `stale`
 */
export const statements = (
  db: Db,
  connections: ReadonlyArray<string>,
  most = Number.POSITIVE_INFINITY
): ReadonlyArray<Statement> =>
  connections.flatMap((connection) => {
    const found = new Map(
      (
        db
          .prepare(
            `SELECT currency, sum(books_open) AS books, sum(service_open) AS service, count(remote) AS sent
              FROM ledger WHERE connection = ? AND subject < connection || '/order/' AND currency <> '' GROUP BY currency`
          )
          .safeIntegers()
          .all(connection) as ReadonlyArray<Sums>
      ).map((sums) => [sums.currency, sums])
    )
    const lost = unread(db, connection)
    const quarantined = db
      .prepare("SELECT count(*) FROM quarantine WHERE connection = ?")
      .pluck()
      .get(connection) as number
    const pending = db
      .prepare("SELECT count(*) FROM changed WHERE subject > ? AND subject < ?")
      .pluck()
      .get(`${connection}/invoice/`, `${connection}/invoice0`) as number
    const planning = OpenInBooks.settingsOf(db, connection)
    const again = planning === undefined || pending > most ? undefined : new Reckoned(db, connection, planning)
    const currencies = new Set([...found.keys(), ...(again?.currencies() ?? []), ...lost.keys()])
    return [...currencies].toSorted().map((currency): Statement => {
      const sums = found.get(currency) ?? { books: 0n, service: 0n, sent: 0n }
      const missing = lost.get(currency) ?? []
      const { differences, more } = differing(db, connection, currency, again)
      const books = Currency.ofMinor(sums.books + (again?.correction(currency) ?? 0n), currency)
      const source = books + Decimal.sum(missing.map(({ amount }) => amount))
      return {
        connection,
        currency,
        source: Currency.format(source, currency),
        books: Currency.format(books, currency),
        service: Currency.format(Currency.ofMinor(sums.service, currency), currency),
        invoices: Number(sums.sent),
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
        ...(pending > most ? { stale: true } : {}),
        quarantined
      }
    })
  })

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
      `SELECT p.name, c.* FROM control c JOIN scan p ON p.id = c.scan
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

/** Where an invoice stands in one currency. */
export interface Differing {
  readonly subject: string
  readonly books: bigint
  readonly service: bigint
  readonly remote: string | null
}

/** Of an invoice that changed: in the currency in which the ledger has it, and in another that it is in now. */
const standings = ({
  now,
  row,
  subject
}: OpenInBooks.Changed): ReadonlyArray<Differing & { readonly currency: string }> => {
  const { remote, service } = row ?? { remote: null, service: 0n }
  const before = row === undefined || row.currency === now?.currency ? [] : [{ ...row, subject, books: 0n }]
  const own = row?.currency === now?.currency ? service : 0n
  return [...before, ...(now === undefined ? [] : [{ ...now, subject, remote, service: own }])]
}

/** The invoices that changed since they were last planned, reckoned from their documents. */
class Reckoned {
  readonly #corrections = new Map<string, bigint>()
  readonly #differing = new Map<string, { readonly first: Array<Differing>; count: number }>()

  constructor(db: Db, connection: string, planning: Planning) {
    for (const one of OpenInBooks.changed(db, connection, planning)) {
      const { now, row } = one
      if (row !== undefined) this.#correct(row.currency, -row.books)
      if (now !== undefined) this.#correct(now.currency, now.books)
      for (const { currency, ...standing } of standings(one)) this.#hold(currency, standing)
    }
  }

  #correct(currency: string, by: bigint): void {
    this.#corrections.set(currency, this.correction(currency) + by)
  }

  #hold(currency: string, one: Differing): void {
    if (one.books === one.service) return
    const found = this.#differing.get(currency) ?? { first: [], count: 0 }
    this.#differing.set(currency, found)
    if (found.count++ <= MOST) found.first.push(one)
  }

  currencies(): Iterable<string> {
    return this.#corrections.keys()
  }

  /** What the books have more than the ledger was told. */
  correction(currency: string): bigint {
    return this.#corrections.get(currency) ?? 0n
  }

  /** The first hundred and one of those on which books and service do not agree, by key, and how many there are. */
  differing(currency: string): { readonly first: ReadonlyArray<Differing>; readonly count: number } {
    return this.#differing.get(currency) ?? { first: [], count: 0 }
  }
}

/** Of the ledger, those that did not change since it was written, or all of them. */
const ledgerDiffers = (all: boolean): string =>
  `FROM ledger l WHERE connection = ? AND subject < connection || '/order/' AND currency = ? AND books_open <> service_open${
    all ? "" : " AND NOT EXISTS (SELECT 1 FROM changed c WHERE c.subject = l.subject)"
  }`

const COLUMNS = "SELECT subject, books_open AS books, service_open AS service, remote"

/** Why they do not agree, as far as it is known. */
export const whyOf = (db: Db, { remote, subject }: Pick<Differing, "remote" | "subject">): string => {
  const why = db.prepare("SELECT why FROM attention WHERE subject = ? AND closed IS NULL LIMIT 1").pluck().get(subject)
  if (typeof why === "string") return why
  return remote === null ? "not sent yet" : "not everything has been sent yet"
}

/** The invoices on which books and service do not agree, by key, with the reason where one is known. */
const differing = (db: Db, connection: string, currency: string, again: Reckoned | undefined) => {
  const of = ledgerDiffers(again === undefined)
  const rows = db
    .prepare(`${COLUMNS} ${of} ORDER BY subject LIMIT ${MOST + 1}`)
    .safeIntegers()
    .all(connection, currency) as ReadonlyArray<Differing>
  const count = () => db.prepare(`SELECT count(*) ${of}`).pluck().get(connection, currency) as number
  const settled = rows.length <= MOST ? rows.length : count()
  const changed = again?.differing(currency) ?? { first: [], count: 0 }
  const first = [...rows, ...changed.first].toSorted((a, b) => (a.subject < b.subject ? -1 : 1)).slice(0, MOST)
  return {
    differences: first.map(
      (row): Difference => ({
        document: row.subject,
        amount: Currency.format(Currency.ofMinor(row.books - row.service, currency), currency),
        why: whyOf(db, row)
      })
    ),
    more: settled + changed.count - first.length
  }
}

/** All of them, none held: first those that did not change since the last run, then the others, each by key. */
export function* everyDifference(db: Db, connection: string, currency: string): Generator<Differing> {
  const planning = OpenInBooks.settingsOf(db, connection)
  yield* db.raw
    .prepare(`${COLUMNS} ${ledgerDiffers(planning === undefined)} ORDER BY subject`)
    .safeIntegers()
    .iterate(connection, currency) as IterableIterator<Differing>
  if (planning === undefined) return
  for (const one of OpenInBooks.changed(db, connection, planning))
    for (const standing of standings(one))
      if (standing.currency === currency && standing.books !== standing.service) yield standing
}
