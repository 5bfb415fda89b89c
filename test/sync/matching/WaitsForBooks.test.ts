/** What nothing explains, where the books had others of the same list: they may have it later, and nobody is asked until then. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Document } from "../../../connectors/Document.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { agrees } from "../../../sync/reconciliation/Proof.ts"
import * as PaymentStatement from "../../../sync/reconciliation/PaymentStatement.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { BAKERY, books, debits, needs, received, take } from "../Paying.ts"

const on = (day: string) => TestClock.setTime(Date.parse(day))

const run = (own: ReadonlyArray<Document>, others: ReadonlyArray<Document>, paying = debits) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, own)
    yield* take(paying, others)
    yield* Matching.run
    const payments = PaymentStatement.statements(db, [debits.id])
    const isAgreed = agrees({ completeness: [], cover: [], orders: [], payments } as never)
    return { asks: needs(db), waiting: payments[0]?.waiting, isAgreed }
  })

const memory = Database.layer({ file: ":memory:", mode: "write" })

const TWO = invoice({ id: "I2", number: "INV-2", gross: "75.00" })
/** The books have the first line, which its number joins. */
const HAD = [invoice(), TWO, payment("P1", "120.00", "2026-01-31")]
const FIRST = received("D1", { ...BAKERY, reference: "INV-1" })
const ODD = { ...BAKERY, date: "2026-02-10", amount: "33.00" }

describe("a payment that nothing explains", () => {
  for (const reference of ["thanks", "INV-1"])
    it.effect(`is asked about after 35 days, and counted as waiting before: "${reference}"`, () =>
      Effect.gen(function* () {
        const others = [FIRST, received("D2", { ...ODD, reference })]
        yield* on("2026-02-11")
        const soon = yield* run(HAD, others)
        assert.deepStrictEqual(soon, { asks: [], waiting: "33.00", isAgreed: true })
        yield* on("2026-03-16")
        assert.deepStrictEqual((yield* run(HAD, others)).asks, [])
        yield* on("2026-03-18")
        const late = yield* run(HAD, others)
        assert.lengthOf(late.asks, 1)
        assert.deepStrictEqual([late.waiting, late.isAgreed], ["0.00", false])
      }).pipe(Effect.provide(memory))
    )

  it.effect("is never asked about where the books have it by then", () =>
    Effect.gen(function* () {
      const others = [FIRST, received("D2", { ...ODD, amount: "75.00", reference: "thanks", date: "2026-02-10" })]
      const open = [
        ...HAD.slice(0, 1),
        { ...TWO, due: "2025-06-01" as never, issued: "2025-05-01" as never },
        ...HAD.slice(2)
      ]
      yield* on("2026-02-11")
      assert.deepStrictEqual((yield* run(open, others)).asks, [])
      yield* on("2026-02-20")
      const had = yield* run([...open, payment("P2", { I2: "75.00" }, "2026-02-19")], others)
      assert.deepStrictEqual(had, { asks: [], waiting: "0.00", isAgreed: true })
      yield* on("2026-06-01")
      assert.deepStrictEqual((yield* run([...open, payment("P2", { I2: "75.00" }, "2026-02-19")], others)).asks, [])
    }).pipe(Effect.provide(memory))
  )

  it.effect("is asked about at once where the books had none of its list, and waits once they have one", () =>
    Effect.gen(function* () {
      const others = [received("D2", { ...ODD, reference: "thanks" })]
      yield* on("2026-02-11")
      assert.lengthOf((yield* run(HAD.slice(0, 2), others)).asks, 1)
      assert.deepStrictEqual((yield* run(HAD, [FIRST, ...others])).asks, [])
    }).pipe(Effect.provide(memory))
  )

  it.effect("is asked about at once where somebody wrote so", () =>
    Effect.gen(function* () {
      yield* on("2026-02-11")
      const others = [FIRST, received("D2", { ...ODD, reference: "thanks" })]
      assert.deepStrictEqual((yield* run(HAD, others)).asks, [])
      const asking = { ...debits, pays: { connection: books.id, days: 30, limits: { wait: 0 } } }
      assert.lengthOf((yield* run(HAD, others, asking)).asks, 1)
    }).pipe(Effect.provide(memory))
  )
})
