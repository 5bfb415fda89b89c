/** Payments of one connection for the invoices of another by the customer's id, where both number customers alike. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import { invoice } from "../../support/Documents.ts"
import { BAKERY, books, debits, debitsById, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })
const one = invoice()

describe("by amount and customer id", () => {
  const matched = (
    invoices: ReadonlyArray<Document>,
    payments: ReadonlyArray<Document>,
    check: (db: Database["Service"]) => void,
    paying = debitsById
  ) =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, invoices)
      yield* take(paying, payments)
      yield* Matching.run
      check(db)
    }).pipe(Effect.provide(memory))
  const C1 = { party: { id: "c1", name: "H. L. Bakery, GB" } }

  it.effect(
    "M6: of the customer with that id, whatever it is called, where the configuration says that ids are the same",
    () =>
      matched([one], [received("P1", C1)], (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
        assert.deepStrictEqual(needs(db), [])
        const [fact] = Facts.invoiceFacts(db, "books/invoice/I1").payments
        assert.strictEqual(fact?.how, "customer")
      })
  )

  it.effect("an id counts for nothing where the configuration does not say so", () =>
    matched([one], [received("P1", C1)], (db) => assert.deepStrictEqual(matches(db), []), debits)
  )

  it.effect("a customer of the same name with another id is another one; without an id its name counts", () =>
    matched(
      [one, invoice({ id: "I2", number: "INV-2", gross: "50.00", party: { name: "Harbour Lane Bakery" } })],
      [received("P1", BAKERY), received("P2", { ...BAKERY, amount: "50.00" })],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P2 → I2 50.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/payment/P1 M6: 120.00 GBP received on 2026-01-31 from harbour-lane BAKERY: no reference, and no open invoice of customer CU1 has this amount"
        ])
      }
    )
  )

  it.effect("one candidate only: by id and by name they compete for the same invoice", () =>
    matched(
      [one],
      [received("P1", { party: { id: "c1" } }), received("P2", { party: { name: "Harbour Lane Bakery" } })],
      (db) => {
        assert.deepStrictEqual(matches(db), [])
        assert.deepStrictEqual(
          needs(db).map((line) => line.slice(0, 19)),
          ["debits/payment/P1 M", "debits/payment/P2 M"]
        )
      }
    )
  )

  it.effect("within the days, and again when the setting changes", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [one])
      yield* take(debits, [received("P1", C1), received("P2", { ...C1, date: "2026-05-01" })])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), [])
      yield* take(debitsById, [])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      yield* take(debits, [])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), [])
    }).pipe(Effect.provide(memory))
  )
})
