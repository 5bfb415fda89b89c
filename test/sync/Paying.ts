/** Two connections in one state file, `books` with invoices and `debits` that pays for them, and what was matched. */
import { Effect } from "effect"
import type { Connection } from "../../sync/model/Connection.ts"
import * as Document from "../../connectors/Document.ts"
import { format, of } from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { Intake } from "../../sync/books/DocumentStore.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Matching from "../../sync/matching/Run.ts"
import { planning } from "../support/Documents.ts"
import { connection, read, whole } from "./Source.ts"

type Db = Database["Service"]

export const DAYS = 30

export const books: Connection = {
  ...connection(
    whole(() => []),
    planning,
    "books"
  ),
  paid: true
}
export const debits: Connection = {
  ...connection(
    whole(() => []),
    planning,
    "debits"
  ),
  pays: { connection: "books", days: DAYS }
}
/** The same, where customers have the same ids in both. */
export const debitsById: Connection = { ...debits, pays: { connection: "books", days: DAYS, byId: true } }

/** Takes documents in as one page, and what is gone. */
export const take = (
  { id, ...rest }: Connection,
  documents: ReadonlyArray<Document.Document>,
  deleted: ReadonlyArray<Document.Document> = []
) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* db.transaction(() => Matching.rememberSettings(db, { id, ...rest }))
    yield* new Intake(db, id, Matching.roleOf({ id, ...rest })).keep(
      {
        read: documents.map(read),
        quarantined: [],
        bookmark: {},
        deleted: deleted.map(({ id, kind }) => ({ id, kind }))
      },
      "{}"
    )
  })

/** Which documents are matched with which invoices, one line each. */
export const matches = (db: Db): ReadonlyArray<string> =>
  (
    db
      .prepare(
        "SELECT d.key, a.invoice, a.amount FROM allocation a JOIN document d ON d.id = a.document WHERE a.amount IS NOT NULL AND d.deleted = 0 ORDER BY 1, 2"
      )
      .all() as ReadonlyArray<{ readonly key: string; readonly invoice: string; readonly amount: string }>
  ).map(
    ({ amount, invoice, key }) =>
      `${Document.parseKey(key).id} → ${Document.parseKey(invoice).id} ${format(BigInt(amount), 2)}`
  )

export const needs = (db: Db): ReadonlyArray<string> =>
  db
    .prepare("SELECT subject || ' ' || rule || ': ' || why FROM attention WHERE closed IS NULL ORDER BY 1")
    .pluck()
    .all() as ReadonlyArray<string>

interface Received extends Partial<Omit<Document.Payment, "date">> {
  readonly date?: string
  readonly amount?: string
  /** What the source calls its invoice. */
  readonly link?: string
}

/** Money of 120.00 received on the due date of an invoice as `invoice()` makes it, unless it says otherwise. */
export const received = (
  id: string,
  { amount = "120.00", date = "2026-01-31", link, ...rest }: Received = {}
): Document.Payment => ({
  kind: "payment",
  id,
  date: Day.of(date),
  currency: "GBP",
  shares: link === undefined ? [] : [{ invoice: link, amount: of(amount) }],
  ...(link === undefined ? { unallocated: of(amount) } : {}),
  ...rest
})

export const back = (
  id: string,
  payment: string,
  { amount = "120.00", date = "2026-02-05" } = {}
): Document.Reversal => ({
  kind: "reversal",
  id,
  payment,
  date: Day.of(date),
  currency: "GBP",
  shares: [],
  unallocated: of(amount),
  type: "error"
})

export const BAKERY = { party: { id: "CU1", name: "harbour-lane BAKERY" } }

/** What is matched of these invoices and these payments, in a state file of its own. */
export const given = (
  invoices: ReadonlyArray<Document.Document>,
  payments: ReadonlyArray<Document.Document>,
  check: (db: Db) => void
) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, invoices)
    yield* take(debits, payments)
    yield* Matching.run
    check(db)
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
