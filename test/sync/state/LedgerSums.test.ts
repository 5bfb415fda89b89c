/** The sums of the ledger that a statement is made of: whatever rows came, changed and went, they are what the rows come to. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import * as fc from "fast-check"
import { migrate } from "../../../sync/state/migrations.ts"

/** The same, added up from the rows. */
const ADDED = `SELECT connection, currency, count(*) AS invoices, sum(books_open) AS books, sum(service_open) AS service,
    count(remote) AS sent, coalesce(sum(max(source_open, 0)), 0) AS says, count(source_open) AS stated,
    count(balance) AS counted, coalesce(sum(max(source_follows, 0) - books_open), 0) AS explained,
    coalesce(sum(max(-balance, 0)), 0) AS credit, count(iif(balance < 0, 1, NULL)) AS creditors
  FROM ledger WHERE subject < connection || '/order/' AND currency <> '' GROUP BY connection, currency`

const KEPT = "SELECT * FROM ledger_sum WHERE invoices > 0 ORDER BY connection, currency"

const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
const figure = fc.option(amount, { nil: null })

/** A row of the ledger, by its number; none: it is taken out. */
const change = fc.record({
  n: fc.nat({ max: 6 }),
  row: fc.option(
    fc.record({
      currency: fc.constantFrom("GBP", "EUR", ""),
      remote: fc.option(fc.constant("trns-1"), { nil: null }),
      amounts: fc.tuple(amount, amount, figure, figure, figure)
    }),
    { nil: null, freq: 5 }
  )
})

const SUBJECTS = ["a/invoice/1", "a/invoice/2", "a/order/1", "b/invoice/1", "b/invoice/2", "b/buyer/x", "b/order/9"]

type Figures = readonly [bigint, bigint, bigint | null, bigint | null, bigint | null]

interface Change {
  readonly n: number
  readonly row: { readonly currency: string; readonly remote: string | null; readonly amounts: Figures } | null
}

const apply = (db: Sqlite.Database, { n, row }: Change): void => {
  const subject = SUBJECTS[n]!
  if (row === null) db.prepare("DELETE FROM ledger WHERE subject = ?").run(subject)
  else
    db.prepare(
      `INSERT INTO ledger (subject, connection, remote, currency, books_open, service_open, balance, source_open, source_follows)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE SET remote = excluded.remote,
          currency = excluded.currency, books_open = excluded.books_open, service_open = excluded.service_open,
          balance = excluded.balance, source_open = excluded.source_open, source_follows = excluded.source_follows`
    ).run(subject, subject[0], row.remote, row.currency, ...row.amounts)
}

describe("the sums of the ledger", () => {
  it("are what its rows come to, whatever comes, changes and goes", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const db = new Sqlite(":memory:")
        migrate(db)
        for (const one of changes) apply(db, one)
        assert.deepStrictEqual(db.prepare(KEPT).all(), db.prepare(ADDED).all())
        db.close()
      }),
      { numRuns: 60 }
    )
  })
})
