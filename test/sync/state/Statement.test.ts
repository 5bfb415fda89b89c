/** Statements of the state file: their parameters are the same as SQLite's own. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../sync/state/Database.ts"

const layer = Database.layer({ file: ":memory:", mode: "write" })

describe("a statement", () => {
  it.effect("takes its parameters as they are, and leaves what stands in quotes alone", () =>
    Effect.flatMap(Database, (db) =>
      Effect.sync(() => {
        const sql = "SELECT ? AS value, typeof(?) AS type"
        for (const value of [null, "7", 7, 2n ** 60n, 0.5]) {
          const ours = db.prepare(sql).safeIntegers().get(value, value)
          assert.deepStrictEqual(ours, db.raw.prepare(sql).safeIntegers().get(value, value))
        }
        const quoted = db.prepare("SELECT '?' AS a, 'it''s at :b' AS b, ? AS c, :d || 'x' AS d").get("c", { d: "d" })
        assert.deepStrictEqual(quoted, { a: "?", b: "it's at :b", c: "c", d: "dx" })
        db.raw.exec("CREATE TABLE t (a TEXT UNIQUE, b INTEGER) STRICT")
        db.prepare("INSERT INTO t VALUES (?, ?)").run("1", 10n)
        // A column's kind still says how it is compared.
        assert.strictEqual(db.prepare("SELECT b FROM t WHERE a = ? LIMIT ?").pluck().get(1n, 1), 10)
        assert.strictEqual(db.prepare("SELECT a FROM t WHERE b = ?").pluck().get("10"), "1")
      })
    ).pipe(Effect.provide(layer))
  )
})
