/** Settings that were changed: what they would take back waits for a person, and only that. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Connection } from "../../../sync/model/Connection.ts"
import { stops } from "../../../sync/plan/Guards.ts"
import * as SettingChanges from "../../../sync/plan/SettingChanges.ts"
import { Tally } from "../../../sync/plan/Tally.ts"
import { Database } from "../../../sync/state/Database.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

const connection = (id: string, settings: object, pays?: Connection["pays"]) =>
  ({ id, settings, planning: {}, ...(pays === undefined ? {} : { pays }) }) as unknown as Connection

const bank = (settings: object, days?: number) =>
  connection("bank", settings, days === undefined ? undefined : { connection: "books", days })

/** Reads a connection with these settings, as a run does. */
const read = (db: Database["Service"], one: Connection) => {
  db.prepare("INSERT OR IGNORE INTO source (connection) VALUES (?)").run(one.id)
  SettingChanges.note(db, one)
}

describe("a changed setting", () => {
  it.effect("is known for the connection, and for the one that it paid, until its consequences were sent", () =>
    Effect.gen(function* () {
      const db = yield* Database
      db.prepare("INSERT INTO paying (connection, pays, days) VALUES ('bank', 'books', 30)").run()
      read(db, bank({ payments: { path: "b" } }, 30))
      read(db, bank({ payments: { path: "b" } }, 30))
      assert.deepStrictEqual(SettingChanges.of(db, "books"), [])
      read(db, bank({ payments: { path: "b" } }))
      assert.deepStrictEqual(SettingChanges.of(db, "books"), ["bank (pays, match)"])
      db.prepare("DELETE FROM paying").run()
      read(db, bank({ payments: { path: "b", where: { Type: "in" } } }))
      assert.deepStrictEqual(SettingChanges.of(db, "bank"), ["bank (pays, match)", "bank (source.payments)"])
      // What was not read to its end may still be taken back.
      db.prepare("INSERT INTO bookmark (connection, reading) VALUES ('books', 1)").run()
      SettingChanges.sent(db, ["books", "bank"])
      assert.deepStrictEqual([SettingChanges.of(db, "books").length, SettingChanges.of(db, "bank").length], [1, 0])
      db.prepare("UPDATE bookmark SET reading = 0").run()
      SettingChanges.sent(db, ["books"])
      assert.deepStrictEqual(SettingChanges.of(db, "books"), [])
    }).pipe(Effect.provide(memory))
  )

  it.effect("G11: stops a plan that takes something back, and no other", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const books = connection("books", { invoices: { path: "i.csv" } })
      read(db, books)
      const changed = connection("books", { invoices: { path: "i.csv", where: { State: "Sent" } } })
      read(db, changed)
      const summary = (reductions: number) => {
        const empty = new Tally().summary()
        const guarded = { changes: 1, invoices: 1, reductions: new Map(), oddities: new Map() }
        return {
          ...empty,
          guarded: new Map([["books", guarded]]),
          reductions: new Map([["books", reductions]])
        } as unknown as typeof empty
      }
      const found = (reductions: number) => stops(db, [changed], summary(reductions), "2026-03-01" as never)
      assert.deepStrictEqual(found(0), [])
      const [stop] = found(1)
      assert.strictEqual(stop?.guard, "G11")
      assert.match(
        stop?.why ?? "",
        /^settings were changed of books \(source\.invoices\), and this run would make 1 call/
      )
    }).pipe(Effect.provide(memory))
  )
})
