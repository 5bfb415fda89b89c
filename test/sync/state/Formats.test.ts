/**
 * A new state file, and those of every older format: brought up to date with all that is in them, and only looked at by who may not write.
 */
import Sqlite from "better-sqlite3"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SourceBindings from "../../../sync/plan/SourceBindings.ts"
import * as History from "../../../sync/reports/History.ts"
import { Database } from "../../../sync/state/Database.ts"
import { migrate, NEW_FILE_FORMAT, VERSION } from "../../../sync/state/migrations.ts"
import { identityOf } from "../../../sync/vault/Vault.ts"

/** As bodies were written before they were compact. */
const INVOICE =
  '{"kind":"invoice","id":"1","number":"No 1","status":"open","party":{"name":"Acme"},"currency":"GBP","issued":"2026-01-05","due":"2026-02-04","gross":"12050000000n"}'

const KEY = "books/invoice/1"
const VERSIONS = [
  { key: KEY, n: 1, deleted: false, read: 800, origin: "c", raw: "d", is: "1" },
  { key: KEY, n: 2, deleted: true, read: 850, origin: "c", raw: "d", is: "1" },
  { key: KEY, n: 3, deleted: false, read: 900, origin: "a", raw: "b", is: "1" }
]

/** A file as a program of that format left it: with a document, a call without an answer, and a bookmark. */
const older = (file: string, format: number): void => {
  const raw = new Sqlite(file)
  raw.pragma("journal_mode = WAL")
  raw.pragma(`application_id = ${0x44617962}`)
  migrate(raw, format)
  raw.exec(`
    INSERT INTO part (id, connection, name) VALUES (1, 'books', 'all');
    INSERT INTO document (id, key, part, n, gone, seen, origin, body, raw)
      VALUES (7, '${KEY}', 1, 3, 0, 900, 'a', '${INVOICE}', 'b');
    INSERT INTO version VALUES (7, 1, 0, 800, 'c', '${INVOICE}', 'd'), (7, 2, 1, 850, 'c', '${INVOICE}', 'd');
    INSERT INTO claim (run, subject, fact, rule, operation, request, because, claimed)
      VALUES (1, 'books/invoice/1', 'books/invoice/1', 'T2', 'transactions.create', '{}', 'new', 5);
    INSERT INTO bookmark VALUES ('books', '7', 1);
    INSERT INTO changed (subject) VALUES ('books/invoice/1');
  `)
  raw.close()
}

/** @param answered the column that says whether a call has an answer */
const content = (raw: Sqlite.Database, answered: string) =>
  [
    `SELECT subject, operation, claimed, ${answered} AS answered FROM claim`,
    "SELECT bookmark FROM bookmark",
    "SELECT subject FROM changed"
  ].map((sql) => raw.prepare(sql).all())

/** The last format in which tables and columns had their old names. */
const OLD_NAMES = 16

/** Every table, index and view, however its text is laid out, and what is in `state`. */
const made = (raw: Sqlite.Database) => {
  const plain = (sql: string | null) =>
    sql
      ?.replaceAll('"', "")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/ ?([(),]) ?/g, "$1")
  const found = raw.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").raw().all()
  return {
    schema: (found as Array<[string, string, string, string | null]>).map(([type, name, table, sql]) => [
      type,
      name,
      table,
      plain(sql)
    ]),
    state: raw.prepare("SELECT * FROM state").all(),
    version: raw.pragma("user_version", { simple: true })
  }
}

describe("a new state file", () => {
  for (const to of new Set([NEW_FILE_FORMAT, VERSION])) {
    it(`is what the steps make, though it skips the first ones: format ${to}`, () => {
      const [quick, slow] = [new Sqlite(":memory:"), new Sqlite(":memory:")]
      migrate(quick, to)
      for (let format = 1; format <= to; format++) migrate(slow, format)
      for (const raw of [quick, slow]) {
        assert.strictEqual(raw.prepare("SELECT length(id) FROM state").pluck().get(), 32)
        raw.exec("UPDATE state SET id = ''")
      }
      assert.deepStrictEqual(made(quick), made(slow))
      assert.isAbove(made(quick).schema.length, 50)
    })
  }
})

describe("a state file of an older format", () => {
  it.effect("stays as it is where a step fails half way", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "daybook-formats-"))
      const file = join(folder, "daybook.db")
      older(file, OLD_NAMES)
      const raw = new Sqlite(file)
      raw.exec("UPDATE version SET body = 'no document'")
      const all = (db: Sqlite.Database) => ({ ...made(db), rows: db.prepare("SELECT * FROM document, version").all() })
      const before = all(raw)
      yield* Effect.flip(Effect.provide(Database, Database.layer({ file, mode: "write" })))
      assert.deepStrictEqual(all(raw), before)
      raw.close()
      rmSync(folder, { recursive: true })
    })
  )

  it.effect("is brought up to date from each of them, and loses nothing", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "daybook-formats-"))
      for (let format = 1; format <= OLD_NAMES; format++) {
        const file = join(folder, `${format}.db`)
        older(file, format)
        const before = new Sqlite(file, { readonly: true })
        const old = content(before, "settled")
        before.close()
        // Who only looks says what to do, and changes nothing.
        const refused = yield* Effect.flip(Effect.provide(Database, Database.layer({ file, mode: "read" })))
        assert.match(refused.message, /written by an older Daybook .* run `daybook pull` once/)
        assert.doesNotThrow(() => SourceBindings.names(file))
        yield* Effect.gen(function* () {
          const db = yield* Database
          assert.strictEqual(db.raw.pragma("user_version", { simple: true }), VERSION)
          assert.deepStrictEqual(content(db.raw, "has_receipt"), old, `format ${format}`)
          assert.deepStrictEqual(
            History.versions(db, KEY).map(({ document, ...one }) => ({ ...one, is: document.id })),
            VERSIONS
          )
        }).pipe(Effect.provide(Database.layer({ file, mode: "write" })))
        assert.match(identityOf(file)!, /^[0-9a-f]{32}$/)
        yield* Effect.provide(Database, Database.layer({ file, mode: "read" }))
      }
      rmSync(folder, { recursive: true })
    })
  )
})
