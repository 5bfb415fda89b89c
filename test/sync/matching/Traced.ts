/** Payments and returns with a trace, each in a run of its own. */
import { Effect } from "effect"
import type * as Document from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice } from "../../support/Documents.ts"
import { books, debits, received, take } from "../Paying.ts"

export const memory = Database.layer({ file: ":memory:", mode: "write" })

export const returned = (id: string, date: string, amount = "120.00"): Document.Reversal => ({
  kind: "reversal",
  id,
  date: Day.of(date),
  currency: "GBP",
  shares: [],
  unallocated: of(amount),
  type: "error",
  trace: "E2E-1"
})

export const collected = (id: string, date: string, more: Partial<Document.Payment> = {}): Document.Payment => ({
  ...received(id, { date, reference: "INV-1" }),
  trace: "E2E-1",
  ...more
})

/** Each of them in a run of its own. */
export const inTurn = (
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

/** What the matching has the return as a return of. */
export const ofOf = (db: Database["Service"]) => db.prepare("SELECT of FROM matching WHERE back = 1").pluck().get()

export const BOTH = ["P1 → I1 120.00", "R1 → I1 120.00"]
