/** The sweep: open and insured invoices are read again by id, a few in each run, and none is forgotten. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Connector } from "../../../connectors/Connector.ts"
import * as Document from "../../../connectors/Document.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import { Database } from "../../../sync/state/Database.ts"
import { sweep } from "../../../sync/pull/Sweep.ts"
import { invoice } from "../../support/Documents.ts"
import { connection, connector, read } from "../Source.ts"

const layer = Layer.mergeAll(
  Database.layer({ file: ":memory:", mode: "write" }),
  NodeFileSystem.layer,
  FetchHttpClient.layer
)

/** Knows these invoices, and notes what it was asked for. */
const source = (known: () => ReadonlyArray<Document.Document>, asked: Array<ReadonlyArray<string>>): Connector => ({
  ...connector(() => Stream.empty),
  reread: (_, ids) => {
    asked.push(ids)
    const there = known().filter(({ id }) => ids.includes(id))
    const deleted = ids
      .filter((id) => !there.some((one) => one.id === id))
      .map((id) => ({ kind: "invoice" as const, id }))
    return Stream.make({ read: there.map((one, n) => read(one, n)), quarantined: [], deleted })
  }
})

const stored = (id: string) =>
  Effect.map(
    Database,
    (db) =>
      db.prepare("SELECT deleted, body FROM document WHERE key = ?").get(Document.key("books", "invoice", id)) as {
        readonly deleted: number
        readonly body: string
      }
  )

/** Books with these invoices, each sent: open, or closed and insured, or closed. */
const booksOf = (invoices: ReadonlyArray<Document.Invoice>, open: (n: number) => readonly [number, boolean]) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* new Intake(db, "books").keep(
      { read: invoices.map((one, n) => read(one, n)), quarantined: [], bookmark: undefined },
      "{}"
    )
    for (const [n, { id }] of invoices.entries()) {
      const [left, insured] = open(n)
      db.prepare(
        "INSERT INTO ledger (id, subject, connection, remote, held, reason, currency, books_open, service_open) VALUES (NULL, ?, 'books', 'trns-1', ?, NULL, 'GBP', ?, ?)"
      ).run(Document.key("books", "invoice", id), JSON.stringify({ insured }), left, left)
    }
  })

describe("the sweep", () => {
  it.effect("reads what is open or insured, so many at a time, one after the other", () =>
    Effect.gen(function* () {
      const invoices = Array.from({ length: 6 }, (_, n) => invoice({ id: `A${n}` }))
      yield* booksOf(invoices, (n) => (n === 1 ? [0, false] : n === 2 ? [0, true] : [100, false]))
      const asked: Array<ReadonlyArray<string>> = []
      const one = connection(source(() => invoices, asked))
      for (let run = 0; run < 3; run++) yield* sweep(one, { folder: ".", limit: 3 })
      assert.deepStrictEqual(asked, [
        ["A0", "A2", "A3"],
        ["A4", "A5", "A0"],
        ["A2", "A3", "A4"]
      ])
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.effect("finds an edit that no bookmark shows, and what was deleted", () =>
    Effect.gen(function* () {
      const [first, second] = [invoice({ id: "A" }), invoice({ id: "B" })]
      yield* booksOf([first, second], () => [100, false])
      const edited = { ...first, due: "2026-12-31" as typeof first.due }
      const swept = yield* sweep(connection(source(() => [edited], [])), { folder: ".", limit: 9 })
      assert.deepInclude(swept, { asked: 2, changed: 1, deleted: 1 })
      assert.include((yield* stored("A")).body, "2026-12-31")
      assert.strictEqual((yield* stored("B")).deleted, 1)
      // What was swept is no less in the statement of what was read.
      const db = yield* Database
      const sums = db.prepare("SELECT * FROM control").all() as ReadonlyArray<Record<string, unknown>>
      for (const row of sums) assert.strictEqual(row["source_count"], row["books_count"])
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.effect("leaves documents in the part that a later scan looks for them in", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const [first, second] = [invoice({ id: "A" }), invoice({ id: "B" })]
      const scan = (all: ReadonlyArray<Document.Invoice>) =>
        new Intake(db, "books").keep(
          { read: all.map(read), quarantined: [], bookmark: {}, scan: { name: "list", begins: true, ends: true } },
          "{}"
        )
      yield* scan([first, second])
      for (const { id } of [first, second]) {
        const key = Document.key("books", "invoice", id)
        db.prepare(
          "INSERT INTO ledger (id, subject, connection, remote, held, reason, currency, books_open, service_open) VALUES (NULL, ?, 'books', 'trns-1', '{}', NULL, 'GBP', 1, 1)"
        ).run(key)
      }
      const edited = { ...second, due: "2026-12-31" as typeof first.due }
      yield* sweep(connection(source(() => [first, edited], [])), { folder: ".", limit: 9 })
      assert.include((yield* stored("B")).body, "2026-12-31")
      yield* scan([first])
      assert.deepStrictEqual([(yield* stored("A")).deleted, (yield* stored("B")).deleted], [0, 1])
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.effect("leaves connectors alone that cannot read by id", () =>
    Effect.gen(function* () {
      yield* booksOf([invoice({ id: "A" })], () => [100, false])
      const swept = yield* sweep(connection(connector(() => Stream.empty)), { folder: ".", limit: 9 })
      assert.strictEqual(swept.asked, 0)
    }).pipe(Effect.provide(layer, { local: true }))
  )
})
