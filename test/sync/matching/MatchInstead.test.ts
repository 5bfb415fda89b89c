/** What names an invoice that another payment of its payer has by its amount: it is for the next one, where the oldest may be taken. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { MatchLimits } from "../../../sync/model/Connection.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice } from "../../support/Documents.ts"
import { books, DAYS, debits, matches, needs, received, take } from "../Paying.ts"

const TERN = { party: { name: "Tern & Sons" } }
const by = (id: string, reference: string, date: string) => received(id, { ...TERN, amount: "120.00", reference, date })

describe("an invoice that a payment names, and that another payment has by its amount", () => {
  const equal = ["10", "11", "25"].map((day) => {
    const id = `INV-10${day}`
    return invoice({ id, number: id, gross: "120.00", due: `2026-01-${day}`, ...TERN })
  })
  /** As it is once the service has everything. */
  const sent = (db: Database["Service"]) =>
    db
      .prepare(
        `INSERT OR IGNORE INTO standing SELECT d.key, a.invoice, a.amount, 1, 0 FROM allocation a JOIN document d ON d.id = a.document
          WHERE a.amount IS NOT NULL`
      )
      .run()
  const found = (limits: MatchLimits) =>
    Effect.gen(function* () {
      const db = yield* Database
      const paying = { ...debits, pays: { connection: "books", days: DAYS, limits } }
      yield* take(books, equal.slice(0, 2))
      for (const one of [by("P1", "thanks", "2026-01-10"), by("P2", "INV-1010", "2026-01-12")]) {
        yield* take(paying, [one])
        yield* Matching.run
        sent(db)
      }
      // Later ones of the same amount move nothing that is reported.
      yield* take(books, equal)
      yield* Matching.run
      yield* Matching.run
      return { placed: matches(db), asked: needs(db).length }
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

  it.effect("leaves the next one of that amount to it, where the oldest may be taken", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found({ undesignated: "oldest" }), {
        placed: ["P1 → INV-1010 120.00", "P2 → INV-1011 120.00"],
        asked: 0
      })
      assert.deepStrictEqual((yield* found({})).placed, ["P1 → INV-1011 120.00", "P2 → INV-1010 120.00"])
    })
  )
})
