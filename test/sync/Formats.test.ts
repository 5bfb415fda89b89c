/**
 * State files of every older format: brought up to date with all that is in them, and only looked at by who may not write.
 */
import Sqlite from "better-sqlite3"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SourceBindings from "../../sync/plan/SourceBindings.ts"
import { Database } from "../../sync/state/Database.ts"
import { migrate, VERSION } from "../../sync/state/migrations.ts"
import { identityOf } from "../../sync/vault/Vault.ts"

/** A file as a program of that format left it: with a document, a call without an answer, and a bookmark. */
const older = (file: string, format: number): void => {
  const raw = new Sqlite(file)
  raw.pragma("journal_mode = WAL")
  raw.pragma(`application_id = ${0x44617962}`)
  migrate(raw, format)
  raw.exec(`
    INSERT INTO part (id, connection, name) VALUES (1, 'books', 'all');
    INSERT INTO document (key, part, n, gone, seen, origin, body, raw) VALUES ('books/invoice/1', 1, 1, 0, 0, 'a', '{}', 'b');
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
    "SELECT key, body, raw FROM document",
    `SELECT subject, operation, claimed, ${answered} AS answered FROM claim`,
    "SELECT bookmark FROM bookmark",
    "SELECT subject FROM changed"
  ].map((sql) => raw.prepare(sql).all())

/** The last format in which tables and columns had their old names. */
const OLD_NAMES = 16

describe("a state file of an older format", () => {
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
        }).pipe(Effect.provide(Database.layer({ file, mode: "write" })))
        assert.match(identityOf(file)!, /^[0-9a-f]{32}$/)
        yield* Effect.provide(Database, Database.layer({ file, mode: "read" }))
      }
      rmSync(folder, { recursive: true })
    })
  )
})
