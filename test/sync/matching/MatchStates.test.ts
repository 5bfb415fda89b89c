/** What matching finds when it begins: much at once, a run before it that was killed, a configuration that was another. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Connection } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice } from "../../support/Documents.ts"
import { BAKERY, books, debits, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

describe("much at once", () => {
  const indexes = (db: Database["Service"]) =>
    db
      .prepare("SELECT name FROM sqlite_schema WHERE name IN ('payable_open', 'matching_free') ORDER BY name")
      .pluck()
      .all()
  const BOTH = ["matching_free", "payable_open"]
  const many = Array.from({ length: 10_001 }, (_, n) => `${1000 + n}.00`)

  it.effect("is matched as little is, and leaves its tables as they were", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(
        books,
        many.map((gross, n) => invoice({ id: `I${n}`, number: `INV-${n}`, gross }))
      )
      yield* take(
        debits,
        many.map((amount, n) => received(`P${n}`, { ...BAKERY, amount, ...(n % 2 === 0 ? { link: `I${n}` } : {}) }))
      )
      yield* Matching.run
      assert.sameMembers(
        [...matches(db)],
        many.map((amount, n) => `P${n} → I${n} ${amount}`)
      )
      assert.deepStrictEqual(needs(db), [])
      assert.deepStrictEqual(indexes(db), BOTH)
      assert.strictEqual(db.raw.pragma("temp_store", { simple: true }), 2)
    }).pipe(Effect.provide(memory))
  )

  it.effect("that was killed before its amounts were indexed is gone on with", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [invoice()])
      yield* take(debits, [received("P1", BAKERY)])
      db.raw.exec("DROP INDEX payable_open; DROP INDEX matching_free")
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      assert.deepStrictEqual(indexes(db), BOTH)
    }).pipe(Effect.provide(memory))
  )

  it.effect("that was killed is gone on with where payments wait", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [])
      yield* take(debits, [received("P1", BAKERY)])
      yield* Matching.run
      db.raw.exec("DROP INDEX payable_open; DROP INDEX matching_free")
      yield* take(books, [invoice()])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      assert.deepStrictEqual(indexes(db), BOTH)
    }).pipe(Effect.provide(memory))
  )
})

describe("little", () => {
  it.effect("is matched without telling SQLite to keep elsewhere what is temporary, which drops it", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [invoice()])
      yield* take(debits, [received("P1", BAKERY)])
      db.raw.exec("CREATE TEMP TABLE stays (n)")
      yield* Matching.run
      assert.strictEqual(db.raw.prepare("SELECT count(*) FROM temp.stays").pluck().get(), 0)
    }).pipe(Effect.provide(memory))
  )
})

describe("a connection that was paid by another, and pays by now", () => {
  it.effect("is matched by the numbers of its own invoices, though what paid it was never read again", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const bank: Connection = { ...debits, id: "bank", pays: { connection: "debits", days: 30 } }
      yield* take(bank, [])
      yield* take(books, [invoice(), invoice({ id: "I2", number: "INV-2" })])
      yield* take(debits, [invoice({ id: "in_1", number: "INV-1" }), received("P1", { link: "in_1" })])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      yield* take(debits, [invoice({ id: "in_1", number: "INV-2" })])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I2 120.00"])
    }).pipe(Effect.provide(memory))
  )
})

describe("a connection that pays no longer, and later does again", () => {
  it.effect("leaves nothing of what it paid: a payment of what is open by then is matched", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { pays: _, ...alone } = debits
      yield* take(books, [invoice()])
      yield* take(debits, [received("P1", { ...BAKERY, amount: "60.00", link: "I1" })])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I1 60.00"])
      yield* take(alone, [])
      yield* Matching.run
      yield* take(debits, [received("P1", { amount: "60.00", reference: "standing order" }), received("P2", BAKERY)])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P2 → I1 120.00"])
    }).pipe(Effect.provide(memory))
  )
})
