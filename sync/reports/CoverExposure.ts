/**
 * Reports open amounts by buyer and currency, split by the state of their cover. Every open invoice counts in exactly one
 * part, so that the parts add up to the open amount, both in the books and on the service.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { CoverState } from "../model/CoverStanding.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import { PARTY_KEY } from "../plan/PartyKey.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { type Stood, stoodAt } from "../state/tables/History.ts"
import type { BuyerCover, CoverParts, CoverTotal } from "../model/reports/Cover.ts"

export type { BuyerCover, CoverParts, CoverTotal }

interface Row {
  readonly buyer: string
  readonly name: string | null
  readonly company: string | null
  readonly currency: string
  readonly state: CoverState
  readonly code: string | null
  readonly books: bigint
  readonly service: bigint
  readonly exposure: bigint
  readonly invoices: bigint
}

const member = (name: string): string => Body.at("invoice", name, "d.body")

const rowsOf = (db: Db, connection: string, stood?: Stood): ReadonlyArray<Row> =>
  db
    .prepare(
      `${stoodAt(stood)} SELECT coalesce(c.buyer, ${PARTY_KEY}, '') AS buyer, max(${member("party.name")}) AS name, max(c.company) AS company,
          l.currency AS currency, coalesce(c.state, 'unselected') AS state, iif(c.state = 'declined', c.code, NULL) AS code,
          sum(l.books_open) AS books, sum(l.service_open) AS service, count(*) AS invoices,
          coalesce(sum(c.insured), 0) AS exposure
        FROM ledger l LEFT JOIN document d ON d.key = l.subject LEFT JOIN cover c ON c.subject = l.subject
        WHERE l.subject > ? AND l.subject < ? AND (l.service_open <> 0 OR l.books_open <> 0)
        GROUP BY 1, l.currency, 5, 6`
    )
    .safeIntegers()
    .all(`${connection}/invoice/`, `${connection}/invoice0`) as ReadonlyArray<Row>

type Amount = "books" | "service" | "exposure"

const sum = (rows: ReadonlyArray<Row>, what: Amount): bigint => rows.reduce((all, row) => all + row[what], 0n)

const say = (rows: ReadonlyArray<Row>, what: Amount, currency: string): string =>
  Currency.format(Currency.ofMinor(sum(rows, what), currency), currency)

const parts = (rows: ReadonlyArray<Row>, what: Amount, currency: string): CoverParts =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ state }) => state)].map(([state, of]) => [state, say(of, what, currency)])
  )

const count = (rows: ReadonlyArray<Row>): number => rows.reduce((all, { invoices }) => all + Number(invoices), 0)

const buyerOf = (
  db: Db,
  connection: string,
  currency: string,
  rows: ReadonlyArray<Row>,
  isNow: boolean
): BuyerCover => {
  const company = rows.find((row) => row.company !== null)?.company ?? null
  const buyer = rows[0]?.buyer ?? ""
  const of = (...states: ReadonlyArray<CoverState>) => rows.filter(({ state }) => states.includes(state))
  const codes = Map.groupBy(of("declined"), ({ code }) => code ?? "unknown")
  return {
    connection,
    buyer,
    name: rows.find(({ name }) => name !== null)?.name ?? buyer,
    company,
    currency,
    invoices: count(rows),
    open: say(rows, "books", currency),
    byState: parts(rows, "books", currency),
    declined: Object.fromEntries([...codes].map(([code, some]) => [code, say(some, "books", currency)])),
    insured: say(of("insured", "collection"), "exposure", currency),
    waiting: say(of("offered", "waiting"), "exposure", currency),
    limit: (company === null || !isNow ? undefined : CoverFacts.limitOf(db, company, currency)) ?? null
  }
}

/**
 * By buyer and currency, largest open amounts first; and the totals. Limits are known as they are now only.
 *
 * @param stood as it was after an earlier run; undefined: now
 */
export const exposure = (
  db: Db,
  connection: string,
  stood?: Stood
): { readonly buyers: ReadonlyArray<BuyerCover>; readonly totals: ReadonlyArray<CoverTotal> } => {
  const byCurrency = Map.groupBy(rowsOf(db, connection, stood), ({ currency }) => currency)
  const groups = [...byCurrency].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    totals: groups.map(([currency, rows]) => ({
      connection,
      currency,
      invoices: count(rows),
      books: say(rows, "books", currency),
      service: say(rows, "service", currency),
      inBooks: parts(rows, "books", currency),
      onService: parts(rows, "service", currency)
    })),
    buyers: groups.flatMap(([currency, rows]) =>
      [...Map.groupBy(rows, ({ buyer }) => buyer).values()]
        .map((own) => ({ own, open: sum(own, "books") }))
        .toSorted((a, b) => (a.open > b.open ? -1 : a.open < b.open ? 1 : 0))
        .map(({ own }) => buyerOf(db, connection, currency, own, stood === undefined))
    )
  }
}
