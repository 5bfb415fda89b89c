/** Invoices and payments of one customer, matched within limits that a person wrote down. */
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import type { MatchLimits } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice } from "../../support/Documents.ts"
import { books, DAYS, debits, received, take } from "../Paying.ts"

export const of = (id: string, gross: string, more: Parameters<typeof invoice>[0] = {}) =>
  invoice({ id, number: id, gross, party: { name: "Tern & Sons" }, ...more })
export const by = (id: string, amount: string, reference = "thanks", date = "2026-01-10") =>
  received(id, { amount, date, reference, party: { name: "TERN AND SONS" } })

/** The payments of each step in a run of its own. */
export const given = (
  limits: MatchLimits,
  invoices: ReadonlyArray<Document>,
  steps: ReadonlyArray<ReadonlyArray<Document>>,
  check: (db: Database["Service"]) => void
) =>
  Effect.gen(function* () {
    const db = yield* Database
    const paying = { ...debits, pays: { connection: "books", days: DAYS, limits } }
    yield* take(books, invoices)
    for (const payments of steps) {
      yield* take(paying, payments)
      yield* Matching.run
    }
    check(db)
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
