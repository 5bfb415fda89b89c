/**
 * What a connection is bound to: which changes of its source stop, and which do not.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SourceBindings from "../../../sync/plan/SourceBindings.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"

const connection = (
  id: string,
  {
    connector = "xero",
    owner = "acme",
    settings = {}
  }: { readonly connector?: string; readonly owner?: string; readonly settings?: { readonly tenant?: string } } = {}
): Connection =>
  ({
    id,
    connector: { name: connector, identity: ({ tenant }: { readonly tenant?: string }) => tenant },
    settings,
    planning: { owner: { organisation: { unique_id: owner } } }
  }) as unknown as Connection

const inFile = (test: (db: Database["Service"]) => void) =>
  Effect.map(Database, test).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

/** It has read a document, and sent it to the service. */
const used = (db: Database["Service"], id: string, sent = true) => {
  db.prepare("INSERT INTO scan (connection, name) VALUES (?, 'all')").run(id)
  const part = db.prepare("SELECT id FROM scan WHERE connection = ?").pluck().get(id)
  const key = `${id}/invoice/1`
  db.prepare("INSERT INTO document (key, scan, n, deleted, read, record, body) VALUES (?, ?, 1, 0, 0, 0, '[]')").run(
    key,
    part
  )
  if (!sent) return
  db.prepare(
    "INSERT INTO claim (run, subject, fact, rule, operation, request, reason, claimed) VALUES (1, ?, ?, 'T2', 'transactions.create', '{}', '', 0)"
  ).run(key, key)
}

const bind = (db: Database["Service"], one: Connection, ...others: ReadonlyArray<Connection>) =>
  SourceBindings.bind(db, one, [one, ...others])

const A = { settings: { tenant: "a" } }
const B = { settings: { tenant: "b" } }

describe("a connection", () => {
  it.effect("that is bound as it was is not written down again", () =>
    inFile((db) => {
      const written = () => db.prepare("SELECT total_changes()").pluck().get()
      bind(db, connection("books", A))
      const before = written()
      bind(db, connection("books", A))
      assert.strictEqual(written(), before)
      bind(db, connection("books", B))
      assert.notStrictEqual(written(), before)
    })
  )

  it.effect("stops at another source, connector or owner, once something hangs on it", () =>
    inFile((db) => {
      bind(db, connection("books", A))
      // Nothing was read yet.
      bind(db, connection("books", B))
      bind(db, connection("books", A))
      used(db, "books", false)
      assert.throws(() => bind(db, connection("books", B)), /was read from a, and the configuration says b/)
      assert.throws(() => bind(db, connection("books", { ...A, connector: "files" })), /with the connector xero/)
      bind(db, connection("books", { ...A, owner: "other" }))
      bind(db, connection("books", A))
      db.prepare("DELETE FROM document").run()
      db.prepare("DELETE FROM scan").run()
      used(db, "books")
      assert.throws(() => bind(db, connection("books", { ...A, owner: "other" })), /belongs to organisation acme/)
      // What the settings do not say any more is remembered.
      bind(db, connection("books"))
      assert.throws(() => SourceBindings.verify(db, connection("books", B)), /connections accept books/)
      SourceBindings.accept(db, { id: "books" })
      bind(db, connection("books", { ...B, owner: "other" }))
      assert.throws(() => SourceBindings.verify(db, connection("books", A)), /was read from b/)
    })
  )

  it.effect("that is new stops where it has the source and owner of one that is named no longer", () =>
    inFile((db) => {
      bind(db, connection("books", A))
      used(db, "books")
      assert.throws(() => bind(db, connection("ledger", A)), /connections rename books ledger/)
      const second = connection("second", A)
      assert.throws(() => bind(db, second, connection("books", A)), /reads the same.*connections accept second/)
      SourceBindings.accept(db, { id: "second" })
      bind(db, second, connection("books", A))
      bind(db, connection("third", B))
      bind(db, connection("fourth", { ...A, owner: "other" }))
      bind(db, connection("fifth", { ...A, connector: "files" }))
      SourceBindings.accept(db, { id: "ledger" })
      bind(db, connection("ledger", A))
    })
  )

  it.effect(
    "stops where another one has read the same file for the same owner, until a person says that both are meant",
    () =>
      inFile((db) => {
        const files = (id: string, path: string, owner = "acme") =>
          ({ ...connection(id, { connector: "files", owner }), settings: { invoices: { path } } }) as Connection
        const all = [files("books", "a.csv"), files("second", "a.csv")] as const
        bind(db, all[0], all[1])
        // Both may begin at once, before a document of either is in the books.
        assert.throws(() => bind(db, all[1], all[0]), /second reads the same .*books \(invoices of a\.csv\)/)
        used(db, "books", false)
        const third = files("third", "a.csv")
        assert.throws(() => bind(db, third, ...all), /third reads the same .*books \(invoices of a\.csv\)/)
        bind(db, files("other", "a.csv", "other"), ...all)
        bind(db, files("next", "b.csv"), ...all)
        SourceBindings.accept(db, { id: "third" })
        bind(db, third, ...all)
      })
  )

  it.effect("keeps its key through any number of names", () =>
    inFile((db) => {
      used(db, "books")
      used(db, "shop")
      assert.deepStrictEqual(SourceBindings.rename(db, "books", "ledger"), { key: "books" })
      assert.deepStrictEqual(SourceBindings.rename(db, "ledger", "main"), { key: "books" })
      assert.match(
        (SourceBindings.rename(db, "main", "shop") as { why: string }).why,
        /two connections cannot be merged/
      )
      assert.match(
        (SourceBindings.rename(db, "shop", "main") as { why: string }).why,
        /two connections cannot be merged/
      )
      assert.deepStrictEqual(SourceBindings.rename(db, "main", "books"), { key: "books" })
      assert.deepStrictEqual(SourceBindings.rename(db, "shop", "main"), { key: "shop" })
    })
  )
})
