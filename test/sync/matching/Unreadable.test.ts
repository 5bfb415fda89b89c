/** Payments that name an invoice whose record cannot be read wait for it, whichever of them is read first. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice } from "../../support/Documents.ts"
import { books, debits, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })
const of = (id: string, name: string) => invoice({ id, number: id, gross: "120.00", party: { name } })
const by = (id: string, name: string, reference: string) =>
  received(id, { amount: "120.00", date: "2026-01-31", reference, party: { name } })

describe("an invoice whose record cannot be read", () => {
  const quarantine = (id: string, raw = "{}") =>
    Effect.map(
      Database,
      (db) =>
        void db
          .prepare("INSERT INTO quarantine VALUES (?, '', 'line 3', 'invoice', ?, 'issued', 'no date', ?, 0)")
          .run(books.id, id, raw)
    )
  const read = Effect.map(Database, (db) => void db.prepare("DELETE FROM quarantine").run())
  const found = Effect.map(Database, (db) => ({
    matches: matches(db),
    why: needs(db).map((line) => line.slice(line.indexOf("it names")))
  }))

  for (const [how, id, raw] of [
    ["its number", "INV-2", "{}"],
    ["the number in its raw record", "9f31", '{"InvoiceID":"9f31","InvoiceNumber":"INV-2"}'],
    ["the number in its row of a table", "9003", "9003,INV-2,Ben Ltd,2026-05-26,31/02,825.00"]
  ] as const)
    it.effect(`is waited for by a payment that names it by ${how}: no other of its amount is paid meanwhile`, () =>
      Effect.gen(function* () {
        yield* take(books, [of("INV-1", "Ben Ltd")])
        yield* quarantine(id, raw)
        yield* take(debits, [by("P1", "Ben Ltd", "PAYMENT INV-2 BEN")])
        yield* Matching.run
        assert.deepStrictEqual(yield* found, { matches: [], why: ["it names INV2, whose record cannot be read"] })
        // Mended, it is another invoice's number or nobody's: the payment is looked at again.
        yield* read
        yield* take(books, [of("INV-2", "Ben Ltd")])
        yield* Matching.run
        assert.deepStrictEqual(yield* found, { matches: ["P1 → INV-2 120.00"], why: [] })
      }).pipe(Effect.provide(memory))
    )

  it.effect("is heard of by payments that were read before", () =>
    Effect.gen(function* () {
      yield* take(debits, [by("P1", "Ben Ltd", "PAYMENT INV-2 BEN")])
      yield* Matching.run
      yield* quarantine("INV-2")
      yield* take(books, [of("INV-1", "Ben Ltd")])
      yield* Matching.run
      assert.deepStrictEqual((yield* found).matches, [])
      yield* read
      yield* Matching.run
      assert.deepStrictEqual((yield* found).matches, ["P1 → INV-1 120.00"])
    }).pipe(Effect.provide(memory))
  )
})
