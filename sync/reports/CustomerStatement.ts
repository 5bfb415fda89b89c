/** Writes the statement of account of one customer, for that customer, as a PDF. */
import { Effect, Semaphore } from "effect"
import type { Planning } from "../model/Connection.ts"
import { openItems } from "../collections/Account.ts"
import type { Day } from "../../core/wire/Day.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { readInParts } from "../state/Snapshot.ts"
import type { Customer } from "./Customers.ts"
import * as Receivables from "./Receivables.ts"

/** Pages are kept in memory: 200 of them need about 200 MB. */
const MOST_INVOICES = 5000

const oneAtATime = Semaphore.makeUnsafe(1)

export type StatementPdf = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly why: string }

/** The currencies in which the customer has open invoices. */
export const currencies = (db: Db, { connection, id }: Customer, today: Day): ReadonlyArray<string> =>
  Receivables.totals(db, { connections: [connection], customer: id }, today).map(({ currency }) => currency)

/** The statement, or why there is none. */
export const statementPdf = (
  planning: Planning,
  { connection, id, name }: Customer,
  currency: string,
  today: Day
): Effect.Effect<StatementPdf, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const statement = yield* readInParts(
      db,
      () => true,
      function* (books) {
        const filter = { connections: [connection], customer: id, currency }
        const found = Receivables.receivables(books, filter, { sort: "due", skip: 0, most: MOST_INVOICES + 1 }, today)
        if (found.length > MOST_INVOICES) return "many"
        const keys = found.map(({ key }) => key)
        return yield* openItems(books, planning, keys, currency, today)
      }
    )
    if (statement === undefined) return { why: `nothing is open of ${name} in ${currency}` }
    if (statement === "many")
      return { why: `more than ${MOST_INVOICES} invoices of ${name} are open: take the spreadsheet instead` }
    const { statementFile } = yield* Effect.promise(() => import("../collections/StatementFile.ts"))
    const made = yield* Effect.promise(() => statementFile(statement))
    return "why" in made ? made : { bytes: new Uint8Array(made.bytes) }
  }).pipe(oneAtATime.withPermits(1))
