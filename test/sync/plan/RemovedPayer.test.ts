/** A connection that paid for another and left the configuration before it was read to its end. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Surroundings } from "../../../sync/plan/Surroundings.ts"
import { Database } from "../../../sync/state/Database.ts"
import { received, take, debits } from "../Paying.ts"

const removed = Effect.gen(function* () {
  const db = yield* Database
  db.prepare("INSERT INTO paying (connection, pays, days, removed) VALUES ('debits', 'books', 30, 1)").run()
  db.prepare("INSERT INTO bookmark (connection, reading) VALUES ('debits', 1)").run()
  return db
})

const given = <E>(work: Effect.Effect<void, E, Database>) =>
  Effect.provide(work, Database.layer({ file: ":memory:", mode: "write" }))

describe("a paying connection that is gone", () => {
  it.effect("holds nothing back if nothing of it was ever read", () =>
    given(Effect.map(removed, (db) => assert.isUndefined(new Surroundings(db).readingPayer("books"))))
  )

  it.effect("holds back what it may have paid, if some of it was read", () =>
    given(
      Effect.gen(function* () {
        yield* take(debits, [received("D1")])
        const db = yield* Database
        db.prepare("UPDATE paying SET removed = 1").run()
        db.prepare(
          "INSERT INTO bookmark (connection, reading) VALUES ('debits', 1) ON CONFLICT DO UPDATE SET reading = 1"
        ).run()
        db.prepare("DELETE FROM to_match").run()
        assert.strictEqual(new Surroundings(db).readingPayer("books")?.connection, "debits")
      })
    )
  )

  it.effect("holds it back also if a record of it could not be read", () =>
    given(
      Effect.map(removed, (db) => {
        db.prepare(
          "INSERT INTO quarantine VALUES ('debits', '', 'a.csv:2', 'payment', NULL, NULL, 'no date', '', 0)"
        ).run()
        assert.strictEqual(new Surroundings(db).readingPayer("books")?.connection, "debits")
      })
    )
  )
})
