/** The chain: every fact is in it as it was written, and whatever was changed behind Daybook's back is named. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { NEW } from "../../../../sync/books/DocumentRow.ts"
import { CHAINED } from "../../../../sync/state/chain/Chained.ts"
import { verify } from "../../../../sync/state/chain/Verify.ts"
import { Database } from "../../../../sync/state/Database.ts"
import { migrate } from "../../../../sync/state/migrations.ts"
import { inMemory } from "../../../support/InMemory.ts"

type Db = Database["Service"]

const KEEPING = "PRAGMA foreign_keys = OFF"

const file = () => join(mkdtempSync(join(inMemory(), "daybook-chain-")), "daybook.db")

const opened = (at: string, work: (db: Db) => void) =>
  Effect.flatMap(Database, (db) => {
    // Rows are put in without those that they refer to.
    db.raw.exec(KEEPING)
    return db.transaction(() => work(db))
  }).pipe(Effect.provide(Database.layer({ file: at, mode: "write" }), { local: true }), Effect.scoped)

/** Does something to the file with another program. */
const outside = <A>(at: string, work: (db: Sqlite.Database) => A): A => {
  const db = new Sqlite(at)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

const problems = (at: string) => outside(at, (db) => verify(db).problems)

interface Column {
  readonly name: string
  readonly type: string
}

/** Inserts a row whose values say its number, whatever the table has. */
const insertRow = (db: Pick<Db, "prepare">, table: string, n: number) => {
  const columns = db.prepare("SELECT name, type FROM pragma_table_info(?)").all(table) as ReadonlyArray<Column>
  const values = columns.map(({ name, type }) =>
    name === "has_receipt"
      ? 0
      : name === "held"
        ? `{"n":${n}}`
        : type === "INTEGER"
          ? n
          : type === "BLOB"
            ? Buffer.from([n, 0, 255])
            : `${name} ${n}`
  )
  const names = columns.map(({ name }) => name).join(", ")
  db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`).run(values)
}

/** Tables that are not in the chain, and why not. A new table is in one list or in the other. */
const NOT_CHAINED: Readonly<Record<string, ReadonlyArray<string>>> = {
  "chained as documents": ["document", "version"],
  "the chain itself": ["chain"],
  "claims and receipts, chained as such": ["call_page"],
  "of this file": ["state"],
  "made again from documents, claims and receipts": [
    ...["allocation", "control", "stated", "stated_total", "entry", "coverage", "sighting", "several_lists", "posted"],
    ...["payout_line", "paying", "payable", "asked", "matching", "mention", "unreadable", "standing", "customer"],
    ...[
      "customer_invoice",
      "ledger_sum",
      "ledger_month",
      "month_account",
      "month_sum",
      "unnamed",
      "unnamed_sum",
      "unbooked",
      "call_of",
      "ledger_was",
      "cover_was",
      "statement",
      "cover",
      "cover_unread",
      "schema_drift",
      "strange_scan",
      "chunk"
    ]
  ],
  "a queue": [
    ...["changed", "to_join", "to_match", "to_group", "to_explain", "to_report", "wake", "webhook_queue", "delivery"]
  ],
  "how far something was read or done, or with which settings": [
    ...["scan", "bookmark", "source", "connection", "setting_change", "first_send", "first_sync", "run", "run_state"],
    ...["requests_made", "collection_gathered", "sent_whole", "cover_shown", "bank_account"]
  ],
  "what could not be read, with its text in the record's page": ["quarantine", "notice"],
  "how what a decision wrote can be taken back; what it wrote is chained": ["undoable"],
  "a copy; its digest is in the claim that handed it over": ["collection_file", "collection_file_piece"],
  "a request or a message, and no fact of the books": [
    ...["api_request", "connect_link", "alert", "alert_message", "alert_notice"]
  ]
}

describe("the chain", () => {
  it.effect("is ready before a transaction begins, so that one that fails does not have to make it ready again", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* Effect.flip(
        db.transaction(() => {
          throw new Error("no")
        })
      )
      assert.strictEqual(db.raw.prepare("SELECT count(*) FROM temp.to_chain").pluck().get(), 0)
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )

  it("has every table of facts: a new table is chained, or stands in the list of those that are not, with the reason", () => {
    const db = new Sqlite(":memory:")
    migrate(db)
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all()
    const known = [...CHAINED.map(({ table }) => table), ...Object.values(NOT_CHAINED).flat()]
    assert.deepStrictEqual(tables, known.toSorted())
    for (const { columns, key, table } of CHAINED) {
      const has = db.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(table)
      const named = [...(typeof key === "string" ? [key] : key), ...columns]
      const ours = ["has_receipt", "refused_state"]
      assert.sameMembers(named, has.filter((name) => !ours.includes(String(name))) as Array<string>, table)
    }
  })

  for (const { key, table, when } of CHAINED) {
    it.effect(`names a row of ${table} that was changed, removed or added with another program`, () =>
      Effect.gen(function* () {
        const at = file()
        yield* opened(at, (db) => {
          for (const n of [1, 2, 3]) insertRow(db, table, n)
        })
        if (table !== "receipt") assert.deepStrictEqual(problems(at), [])
        const row = `${table} ${typeof key === "string" ? 2 : key.map((name) => (name === "chosen" ? 2 : `${name} 2`)).join(" ")}`
        const column = table === "attention" ? "how" : table === "other_transaction" ? "id" : undefined
        const columns = CHAINED.find((one) => one.table === table)!.columns
        const changing = column ?? columns.find((name) => !["connection", "subject"].includes(name)) ?? "subject"
        const where = typeof key === "string" ? `${key} = 2` : `${key[0]} = '${key[0]} 2'`
        const value = changing === "content" ? "x'00'" : `CAST(${changing} AS TEXT) || '7'`
        const restored = (sql: string, expected: (found: ReadonlyArray<string>) => boolean) => {
          const found = outside(at, (db) => {
            db.exec(`${KEEPING}; SAVEPOINT s; ${sql}`)
            const { problems } = verify(db)
            db.exec("ROLLBACK TO s")
            return problems
          })
          assert.isTrue(expected(found), `${sql}: ${found.join("; ")}`)
        }
        const named = (found: ReadonlyArray<string>) =>
          found.some((why) => why.startsWith(row) && /is not what|was removed/.test(why))
        restored(`UPDATE ${table} SET ${changing} = ${value} WHERE ${where}`, named)
        restored(`DELETE FROM ${table} WHERE ${where}`, named)
        if (when === undefined && typeof key === "string")
          restored(`DELETE FROM ${table} WHERE ${key} = 3`, (found) =>
            found.some((why) => why.startsWith(`${table} 3 was removed`))
          )
        if (when === undefined) {
          const found = outside(at, (db) => {
            db.exec(KEEPING)
            insertRow(db, table, 9)
            return verify(db).problems
          })
          assert.isTrue(
            found.some((why) => why.startsWith(`${table} `) && why.endsWith("9 has no entry")),
            found.join("; ")
          )
        }
      })
    )
  }

  it.effect("keeps what is replaced, written in the same transaction, and nothing of a transaction that failed", () =>
    Effect.gen(function* () {
      const at = file()
      yield* opened(at, (db) => insertRow(db, "pause", 1))
      yield* opened(at, (db) => db.prepare("UPDATE pause SET who = 'another'").run())
      yield* opened(at, (db) => db.prepare("DELETE FROM pause").run())
      yield* Effect.flip(
        opened(at, (db) => {
          insertRow(db, "pause", 2)
          throw new Error("no")
        })
      )
      const contents = outside(at, (db) => db.prepare("SELECT content FROM chain ORDER BY n").pluck().all())
      assert.deepStrictEqual(contents, [
        '[[["connection 1"],["connection 1",1,"who 1"]]]',
        '[[["connection 1"],["connection 1",1,"another"]]]',
        '[[["connection 1"],null]]'
      ])
      assert.deepStrictEqual(problems(at), [])
    })
  )
})

/** Documents: 300, of which some changed and one was deleted since. */
const documents = (db: Db) => {
  db.raw.exec("INSERT INTO scan (id, connection, name) VALUES (1, 'books', '')")
  for (let n = 1; n <= 300; n++)
    db.prepare(NEW.one).run(`books/invoice/INV-${n}`, 1, 4096 + n, `[1,"INV-${n}","GBP","é\\n${n}"]`)
}

const change = (id: number) => (db: Db) => {
  db.prepare("INSERT INTO version SELECT id, n, deleted, read, record, body FROM document WHERE id = ?").run(id)
  db.prepare("UPDATE document SET n = n + 1, body = '[1,\"new\"]' WHERE id = ?").run(id)
}

describe("documents in the chain", () => {
  it.effect("are what their entries say, each version; one that was changed, removed or added is named", () =>
    Effect.gen(function* () {
      const at = file()
      yield* opened(at, documents)
      for (const id of [7, 150, 150, 299]) yield* opened(at, change(id))
      assert.deepStrictEqual(problems(at), [])
      const tampered = (sql: string) =>
        outside(at, (db) => {
          db.exec(`${KEEPING}; SAVEPOINT s; ${sql}`)
          const { problems } = verify(db)
          db.exec("ROLLBACK TO s")
          return problems.join("; ")
        })
      assert.strictEqual(
        tampered("UPDATE document SET body = replace(body, 'GBP', 'GBQ') WHERE id = 64"),
        "books/invoice/INV-64 is not what entry 1 says"
      )
      assert.strictEqual(
        tampered("UPDATE document SET key = 'books/invoice/X' WHERE id = 200"),
        "books/invoice/X is not what entry 1 says"
      )
      assert.strictEqual(tampered("DELETE FROM document WHERE id = 1"), "document 1 is not what entry 1 says")
      assert.match(
        tampered("UPDATE document SET body = '[]' WHERE id = 150"),
        /^version 3 of books\/invoice\/INV-150 is not what/
      )
      assert.match(
        tampered("UPDATE version SET body = '[]' WHERE document = 150 AND n = 2"),
        /^version 2 of books\/invoice\/INV-150/
      )
      assert.strictEqual(
        tampered("UPDATE version SET body = '[]' WHERE document = 150 AND n = 1"),
        "books/invoice/INV-150 is not what entry 1 says"
      )
      assert.strictEqual(
        tampered("INSERT INTO document VALUES (NULL, 'books/invoice/Y', 1, 1, 0, NULL, 5000, '[]')"),
        "books/invoice/Y has no entry"
      )
      assert.match(
        tampered("UPDATE document SET n = 2 WHERE id = 20"),
        /the versions of books\/invoice\/INV-20 have no entry/
      )
      assert.match(
        tampered("UPDATE document SET deleted = 1 WHERE id = 7"),
        /^version 2 of books\/invoice\/INV-7 is not/
      )
      assert.match(tampered("DELETE FROM chain WHERE n = (SELECT max(n) FROM chain)"), /INV-299/)
    })
  )
})
