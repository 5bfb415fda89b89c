/** What a payer sent in the invoice's currency and the bank exchanged: that amount says which invoice it is for, and nobody is asked. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { books, debits, matches, needs, received, take } from "../Paying.ts"

const TERN = { party: { name: "Tern & Sons" } }
const IN_DOLLARS = invoice({ id: "I1", number: "INV-101", gross: "1000.00", currency: "USD", ...TERN })
const OTHER = invoice({ id: "I2", number: "INV-102", gross: "250.00", currency: "USD", ...TERN })

const line = (sent: string, reference: string, currency = "USD") => ({
  ...received("D1", { amount: "790.12", reference, date: "2026-01-31", ...TERN }),
  instructed: { currency, amount: Decimal.of(sent) }
})

const outcome = (one: ReturnType<typeof line>, own: ReadonlyArray<ReturnType<typeof payment>> = []) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, [IN_DOLLARS, OTHER, ...own])
    yield* take(debits, [one])
    yield* Matching.run
    const { payments, waiting = [] } = invoiceFacts(db, "books/invoice/I1")
    return {
      counts: payments.map(({ amount, seen = [] }) => [Decimal.format(amount, 2), seen.length]),
      waits: waiting.length,
      placed: matches(db),
      asked: needs(db).length
    }
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

describe("a payment that a bank exchanged", () => {
  it.effect("is for what its text names, where that is what was sent", () =>
    Effect.gen(function* () {
      const found = yield* outcome(line("1000.00", "INV-101"))
      assert.deepStrictEqual(found, { counts: [["1000.00", 0]], waits: 0, placed: ["D1 → I1 1000.00"], asked: 0 })
      assert.deepStrictEqual((yield* outcome(line("1250.00", "INV-101 INV-102"))).placed, [
        "D1 → I1 1000.00",
        "D1 → I2 250.00"
      ])
    })
  )

  it.effect("is asked about where it is another amount or another customer's, or names nothing", () =>
    Effect.gen(function* () {
      const others = [line("900.00", "INV-101"), line("1000.00", "thanks"), line("1000.00", "INV-101", "CHF")]
      const foreign = { ...line("1000.00", "INV-101"), party: { name: "Otto Ltd" } }
      for (const one of [...others, foreign]) {
        const { asked, placed } = yield* outcome(one)
        assert.deepStrictEqual([asked, placed], [1, []])
      }
    })
  )

  it.effect("is the books' payment of that amount in that currency, and counts once", () =>
    Effect.gen(function* () {
      const entry = { ...payment("P1", { I1: "1000.00" }, "2026-02-02"), currency: "USD" }
      for (const text of ["INV-101", "thanks"]) {
        const { asked, counts, waits } = yield* outcome(line("1000.00", text), [entry])
        assert.deepStrictEqual([counts, waits, asked], [[["1000.00", 1]], 0, 0], text)
      }
    })
  )
})
