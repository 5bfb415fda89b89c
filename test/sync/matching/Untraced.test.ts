/** What goes back with a trace, of a payment that was read in a format without traces: its invoice says which one it is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type * as Document from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice } from "../../support/Documents.ts"
import { books, debits, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

const returned = (id: string, date: string, amount = "120.00"): Document.Reversal => ({
  kind: "reversal",
  id,
  date: Day.of(date),
  currency: "GBP",
  shares: [],
  unallocated: of(amount),
  type: "error",
  trace: "E2E-1"
})

const collected = (id: string, date: string, more: Partial<Document.Payment> = {}): Document.Payment => ({
  ...received(id, { date, reference: "INV-1" }),
  trace: "E2E-1",
  ...more
})

/** Each of them in a run of its own. */
const inTurn = (
  steps: ReadonlyArray<{
    readonly now?: ReadonlyArray<Document.Document>
    readonly gone?: ReadonlyArray<Document.Document>
  }>,
  check: (db: Database["Service"]) => void
) =>
  Effect.gen(function* () {
    yield* take(books, [invoice(), invoice({ id: "I2", number: "INV-2", party: { name: "Tern & Sons" } })])
    for (const { gone = [], now = [] } of steps) {
      yield* take(debits, now, gone)
      yield* Matching.run
    }
    check(yield* Database)
  }).pipe(Effect.provide(memory))

const ofOf = (db: Database["Service"]) => db.prepare("SELECT of FROM matching WHERE back = 1").pluck().get()

const BOTH = ["P1 → I1 120.00", "R1 → I1 120.00"]

describe("a reversal with a trace", () => {
  it.effect("takes back the one that was read without traces and is for the invoice that it names, and no other", () =>
    Effect.gen(function* () {
      const untraced = received("P1", { date: "2026-01-31", reference: "INV-1" })
      const reversal = { ...returned("R1", "2026-02-09"), trace: "E2E-9", details: "MD06 INV-1" }
      const asks = (db: Database["Service"]) => {
        assert.isNull(ofOf(db))
        assert.include(needs(db).join(), "no payment of this amount with its trace E2E-9 was found")
      }
      yield* inTurn([{ now: [untraced, reversal] }], (db) => assert.deepStrictEqual(matches(db), BOTH))
      yield* inTurn([{ now: [reversal] }, { now: [untraced] }], (db) => assert.deepStrictEqual(matches(db), BOTH))
      yield* inTurn([{ now: [collected("P1", "2026-01-31"), reversal] }], asks)
      yield* inTurn([{ now: [untraced, { ...reversal, details: "MD06" }] }], asks)
      yield* inTurn([{ now: [{ ...untraced, unallocated: of("90.00") }, reversal] }], asks)
    })
  )
})
