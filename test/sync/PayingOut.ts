/** Books, a processor that pays out, and a bank's lines, in one state file. */
import { Effect } from "effect"
import type { Document } from "../../connectors/Document.ts"
import * as Matching from "../../sync/matching/Run.ts"
import { Database } from "../../sync/state/Database.ts"
import { planning } from "../support/Documents.ts"
import { books, debits, take } from "./Paying.ts"
import { connection, whole } from "./Source.ts"

export const stripe = connection(
  whole(() => []),
  planning,
  "stripe"
)

export const payingOut = (
  payouts: ReadonlyArray<Document>,
  lines: ReadonlyArray<Document>,
  invoices: ReadonlyArray<Document> = []
) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, invoices)
    yield* take(stripe, payouts)
    yield* take(debits, lines)
    yield* Matching.run
    return db
  })

export const inMemory = <A>(work: Effect.Effect<A, unknown, Database>) =>
  Effect.provide(work, Database.layer({ file: ":memory:", mode: "write" }))
