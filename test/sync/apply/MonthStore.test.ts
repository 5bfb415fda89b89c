/** What is kept of closing statements with the ledger's rows: always the same as looking at every invoice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Document } from "../../../connectors/Document.ts"
import * as LedgerStore from "../../../sync/apply/LedgerStore.ts"
import * as MonthStore from "../../../sync/apply/MonthStore.ts"
import { digestOf } from "../../../sync/decisions/Months.ts"
import * as CloseEntries from "../../../sync/plan/CloseEntries.ts"
import * as Plan from "../../../sync/plan/Plan.ts"
import * as Close from "../../../sync/reports/Close.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { books, take } from "../Paying.ts"

const KEYS = ["books/invoice/A", "books/invoice/B"]

/** As a run that sends nothing leaves the ledger. */
const written = (db: Database["Service"]) =>
  db.transaction(() => {
    for (const key of KEYS) LedgerStore.write(db, Plan.planOne(db, books, key), undefined)
    db.raw.exec("DELETE FROM changed")
  })

const MONTHS = ["2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2027-01"]

/** Each month with what is kept, and from all invoices. */
const bothWays = (db: Database["Service"]) =>
  Effect.forEach(MONTHS, (month) =>
    Effect.gen(function* () {
      const asked = { connections: ["books"], month, days: Close.daysOf(month)! }
      const kept = yield* Close.inParts(db, asked)
      const all = yield* Close.inParts(db, { ...asked, all: true })
      assert.deepStrictEqual(kept, all, month)
      assert.strictEqual(digestOf(kept), digestOf(all))
      return kept.accounts[0]?.books.closing
    })
  )

const again = (db: Database["Service"]) => db.prepare("SELECT count(*) FROM ledger_month WHERE again = 1").pluck().get()

describe("the sums that are kept for closing statements", () => {
  it.effect("are what its invoices come to, whatever changes", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const a = (gross: string, name = "Anna Ltd"): Document =>
        invoice({ id: "A", issued: "2026-01-20", gross, party: { name, country: "GB" } })
      yield* take(books, [a("120.00"), invoice({ id: "B", issued: "2026-03-02", gross: "50.00" })])
      yield* db.transaction(() => Plan.rememberSettings(db, [books]))
      yield* written(db)
      // A run that is killed here leaves both to the next: the statement looks at the invoices themselves.
      assert.strictEqual(again(db), 2)
      assert.deepStrictEqual(yield* bothWays(db), [undefined, "120.00", "120.00", "170.00", "170.00", "170.00"])
      yield* MonthStore.keepAll(db)
      assert.strictEqual(again(db), 0)
      assert.deepStrictEqual(yield* bothWays(db), [undefined, "120.00", "120.00", "170.00", "170.00", "170.00"])
      // Changed, and not planned yet: the statement looks at the invoice itself.
      yield* take(books, [a("90.00", "Otto GmbH")])
      assert.deepStrictEqual(yield* bothWays(db), [undefined, "90.00", "90.00", "140.00", "140.00", "140.00"])
      yield* written(db)
      yield* MonthStore.keepAll(db)
      assert.deepStrictEqual(yield* bothWays(db), [undefined, "90.00", "90.00", "140.00", "140.00", "140.00"])
      yield* take(books, [payment("P1", { A: "90.00" }, "2026-02-10")])
      yield* written(db)
      yield* MonthStore.keepAll(db)
      assert.strictEqual(again(db), 0)
      assert.deepStrictEqual(yield* bothWays(db), [undefined, "90.00", "0.00", "50.00", "50.00", "50.00"])
      yield* take(books, [], [invoice({ id: "B" })])
      yield* written(db)
      yield* MonthStore.keepAll(db)
      yield* bothWays(db)
      // A row that is gone, or was written by hand, is looked at.
      db.raw.exec("UPDATE ledger SET service_open = 1; DELETE FROM ledger WHERE subject = 'books/invoice/B'")
      yield* bothWays(db)
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )

  it("are read as they were written", () => {
    const entry = fc.tuple(
      fc.constantFrom(1, 202512, 202601),
      fc.nat({ max: CloseEntries.SUMS.length - 1 }),
      fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
    )
    const entries = fc.uniqueArray(entry, { selector: ([month, sum]) => `${month} ${sum}`, maxLength: 8 })
    fc.assert(
      fc.property(entries, (all) => {
        const plain = (some: ReadonlyArray<CloseEntries.MonthEntry>) => some.map((one) => one.join(" ")).toSorted()
        assert.deepStrictEqual(plain(CloseEntries.readMoves(CloseEntries.writeMoves(all))), plain(all))
      })
    )
  })
})
