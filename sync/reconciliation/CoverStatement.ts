/**
 * Creates the statement of cover: open amounts in books and service, per connection and currency, by how they are covered.
 * In both columns the parts add up to the total open amount, and no invoice is in two of them: what the ledger says is
 * insured is only in insured parts, and the other way round.
 *
 * open = insured + offered + waiting + declined + not selected + in collection + lapsed + ended
 *
 * `waiting` is selected and has no valid quote yet; `ended` is the open amount of a policy that ended in another way, such
 * as paid by the service.
 */
import * as Currency from "../../core/money/Currency.ts"
import { COVER_STATES, type CoverState } from "../model/CoverStanding.ts"
import type { CoverStatement } from "../model/reports/Statement.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import type { Db } from "../state/Database.ts"
import { countQuarantined } from "./InvoiceStatement.ts"

const MOST = 100

interface Row {
  readonly currency: string
  readonly state: CoverState
  readonly invoices: bigint
  readonly books: bigint
  readonly service: bigint
}

interface Contradiction {
  readonly subject: string
  readonly currency: string
  readonly books: bigint
  readonly state: CoverState
  readonly insured: bigint
}

const OF =
  "FROM ledger l LEFT JOIN cover c ON c.subject = l.subject WHERE l.connection = ? AND l.subject > l.connection || '/invoice/' AND l.subject < l.connection || '/invoice0' AND l.currency <> ''"

/** The row says insured and the ledger's entry does not, or the other way round; or they name different policies. */
const CONTRADICTS = `l.remote IS NOT NULL AND ((l.held ->> '$.insured' IS 1) <> (coalesce(c.state, 'unselected') IN ('insured', 'collection', 'lapsed')
    OR (c.state = 'closed' AND l.held ->> '$.insured' IS 1))
  OR coalesce(l.held ->> '$.cover.policy.id', '') <> coalesce(c.policy, ''))`

/** Whether a connection has, or had, cover. */
const hasCover = (db: Db, connection: string): boolean =>
  db.prepare("SELECT 1 FROM connection WHERE id = ? AND planning ->> '$.cover' IS NOT NULL").get(connection) !==
    undefined || db.prepare("SELECT 1 FROM cover WHERE connection = ? LIMIT 1").get(connection) !== undefined

/** Takes connections by id; those without cover have no statement. */
export const statements = (db: Db, connections: ReadonlyArray<string>, now: number): ReadonlyArray<CoverStatement> =>
  connections.filter((id) => hasCover(db, id)).flatMap((id) => ofConnection(db, id, now))

/** How old a reading may be for a statement. Milliseconds. */
const OLDEST_READING_MS = 2 * 86_400_000

/** By currency, how many covered invoices were last read too long ago, or at a time that has not come yet. */
const unreadOf = (db: Db, connection: string, now: number): ReadonlyMap<string, number> =>
  new Map(
    (
      db
        .prepare(
          `SELECT currency, count(*) AS n FROM cover WHERE connection = ? AND state IN ('insured', 'collection')
            AND (read < ? OR read > ?) GROUP BY 1`
        )
        .all(connection, now - OLDEST_READING_MS, now) as ReadonlyArray<{
        readonly currency: string
        readonly n: number
      }>
    ).map(({ currency, n }) => [currency, n])
  )

const ofConnection = (db: Db, connection: string, now: number): ReadonlyArray<CoverStatement> => {
  const unread = unreadOf(db, connection, ServiceTime.of(db, now))
  const rows = db
    .prepare(
      `SELECT l.currency, coalesce(c.state, 'unselected') AS state, sum(l.books_open <> 0 OR l.service_open <> 0) AS invoices,
          sum(l.books_open) AS books, sum(l.service_open) AS service ${OF} GROUP BY 1, 2`
    )
    .safeIntegers()
    .all(connection) as ReadonlyArray<Row>
  const contradictions = db
    .prepare(
      `SELECT l.subject, l.currency, l.books_open AS books, coalesce(c.state, 'unselected') AS state, coalesce(l.held ->> '$.insured', 0) AS insured
        ${OF} AND ${CONTRADICTS} ORDER BY l.subject`
    )
    .safeIntegers()
    .all(connection) as ReadonlyArray<Contradiction>
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, parts]) => ({
      ...statement(
        connection,
        currency,
        parts,
        contradictions.filter((one) => one.currency === currency)
      ),
      unread: unread.get(currency) ?? 0,
      quarantined: countQuarantined(db, connection)
    }))
}

const statement = (
  connection: string,
  currency: string,
  rows: ReadonlyArray<Row>,
  contradictions: ReadonlyArray<Contradiction>
): Omit<CoverStatement, "unread" | "quarantined"> => {
  const say = (minor: bigint) => Currency.format(Currency.ofMinor(minor, currency), currency)
  const sum = (what: "books" | "service") => rows.reduce((total, row) => total + row[what], 0n)
  const parts = COVER_STATES.flatMap((state) => {
    const row = rows.find((one) => one.state === state)
    const empty = row === undefined || (row.invoices === 0n && row.books === 0n && row.service === 0n)
    return empty ? [] : [{ state, invoices: Number(row.invoices), books: say(row.books), service: say(row.service) }]
  })
  return {
    connection,
    currency,
    books: say(sum("books")),
    service: say(sum("service")),
    parts,
    differences: contradictions.slice(0, MOST).map(({ books, insured, state, subject }) => ({
      document: subject,
      amount: say(books),
      why: `the service has it ${insured === 1n ? "insured" : "not insured"}, and its cover is kept as ${state}; daybook reconcile --fix reads it again`
    })),
    more: Math.max(0, contradictions.length - MOST)
  }
}
