/** What goes back with a trace, of a payment that was read in a format without traces: its invoice says which one it is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { of } from "../../../core/money/Decimal.ts"
import type { Database } from "../../../sync/state/Database.ts"
import { matches, needs, received } from "../Paying.ts"
import { BOTH, collected, inTurn, ofOf, returned } from "./Traced.ts"

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
