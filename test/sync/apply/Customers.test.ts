/** What is kept of customers beside the ledger: whose an invoice is, and when it was paid; the same in a file of before. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import type { Invoice } from "../../../connectors/Document.ts"
import * as CustomerStore from "../../../sync/apply/CustomerStore.ts"
import * as Body from "../../../sync/state/Body.ts"
import type { Database } from "../../../sync/state/Database.ts"
import { migrate } from "../../../sync/state/migrations.ts"
import { invoice, payment } from "../../support/Documents.ts"

type Db = Database["Service"]

const ROWS = `SELECT d.key, c.connection, c.party, c.name, c.country, i.currency, i.issued, i.due, i.gross, i.paid
  FROM customer_invoice i JOIN customer c ON c.id = i.customer JOIN document d ON d.id = i.document ORDER BY d.key`

const of = (raw: Sqlite.Database) => ({ prepare: (sql: string) => raw.prepare(sql) }) as unknown as Db

const books = (raw: Sqlite.Database) => {
  raw.exec("INSERT INTO scan (id, connection, name) VALUES (900, 'books', 'a')")
  const documents = raw.prepare(
    "INSERT INTO document (key, scan, n, deleted, read, record, body) VALUES (?, 900, 1, ?, NULL, 0, ?)"
  )
  const ledger = raw.prepare(
    "INSERT INTO ledger (subject, connection, currency, books_open, service_open) VALUES (?, 'books', 'GBP', ?, 0)"
  )
  const add = (id: string, open: number, changes: Parameters<typeof invoice>[0] = {}, deleted = 0): void => {
    documents.run(`books/invoice/${id}`, deleted, Body.write(invoice({ id, ...changes })))
    ledger.run(`books/invoice/${id}`, open)
  }
  const pay = (id: string, of: string, date: string, deleted = 0): void => {
    const { lastInsertRowid } = documents.run(
      `books/payment/${id}`,
      deleted,
      Body.write({ ...payment(id, "1"), date } as never)
    )
    raw.prepare("INSERT INTO allocation VALUES (?, ?, NULL)").run(`books/invoice/${of}`, lastInsertRowid)
  }
  add("open", 12_000)
  add("paid", 0, { gross: "12.34", party: { name: "No id", country: "DE" } as Invoice["party"] })
  add("over", -5, { paidOn: "2026-02-09" })
  add("yen", 0, { currency: "JPY", gross: "1200" })
  add("net", 0, { gross: undefined, net: "100" })
  add("draft", 0, { status: "draft" })
  add("void", 0, { status: "void" })
  add("deleted", 0, {}, 1)
  pay("P1", "paid", "2026-02-01")
  pay("P2", "paid", "2026-03-01")
  pay("P3", "paid", "2026-04-01", 1)
  pay("P4", "open", "2026-02-01")
}

const EXPECTED = [
  ["net", "c1", "GBP", 10_000, null],
  ["open", "c1", "GBP", 12_000, null],
  ["over", "c1", "GBP", 12_000, "2026-02-09"],
  ["paid", "No id|DE", "GBP", 1_234, "2026-03-01"],
  ["yen", "c1", "JPY", 1_200, null]
]

interface Row {
  readonly key: string
  readonly party: string
  readonly currency: string
  readonly gross: number
  readonly paid: string | null
}

const rows = (raw: Sqlite.Database) =>
  (raw.prepare(ROWS).all() as ReadonlyArray<Row>).map((row) => [
    row.key.slice(14),
    row.party,
    row.currency,
    row.gross,
    row.paid
  ])

describe("what is kept of customers", () => {
  it("is written with the ledger: invoices that count, whose they are and when they were paid", () => {
    const raw = new Sqlite(":memory:")
    migrate(raw)
    books(raw)
    const db = of(raw)
    const all = raw.prepare("SELECT subject, books_open AS open FROM ledger").all() as ReadonlyArray<{
      readonly subject: string
      readonly open: number
    }>
    for (const { open, subject } of all) CustomerStore.write(db, subject, BigInt(open), undefined)
    assert.deepStrictEqual(rows(raw), EXPECTED)
    const known = raw.prepare(ROWS).all()
    // Written once more it is the same; one that is deleted, or void, is taken out; a new name is the same customer's.
    for (const { open, subject } of all) CustomerStore.write(db, subject, BigInt(open), undefined)
    assert.deepStrictEqual(raw.prepare(ROWS).all(), known)
    raw.exec("UPDATE document SET deleted = 1 WHERE key = 'books/invoice/net'")
    CustomerStore.write(db, "books/invoice/net", 0n, undefined)
    raw
      .prepare("UPDATE document SET body = ? WHERE key = 'books/invoice/open'")
      .run(Body.write(invoice({ id: "open", party: { id: "c1", name: "New name", country: "FR" } })))
    CustomerStore.write(db, "books/invoice/open", 0n, undefined)
    const paid = ["open", "c1", "GBP", 12_000, "2026-02-01"]
    assert.deepStrictEqual(rows(raw), [paid, ...EXPECTED.slice(2)])
    assert.deepStrictEqual(raw.prepare("SELECT party, name, country FROM customer ORDER BY party").all(), [
      { party: "No id|DE", name: "No id", country: "DE" },
      { party: "c1", name: "New name", country: "FR" }
    ])
    raw.close()
  })
})
