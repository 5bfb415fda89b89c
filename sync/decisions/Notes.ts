/** What people write down: a note about a customer, and who changed the configuration, how. */
import { Clock, Effect } from "effect"
import type { Customer } from "../reports/Customers.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as Undoable from "../state/Undoable.ts"

/** Adds a note about a customer. */
export const about = (
  { connection, party }: Pick<Customer, "connection" | "party">,
  who: string,
  words: string
): Effect.Effect<void, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const work = db.transaction(() => {
      const { lastInsertRowid } = db
        .prepare("INSERT INTO customer_note (connection, party, written, who, words) VALUES (?, ?, ?, ?, ?)")
        .run(connection, party, now, who, words)
      Undoable.keep(db, { kind: "note", id: Number(lastInsertRowid) }, now)
    })
    yield* db.hold(work)
  })

/** Keeps a change of the configuration, in words. Without a connection it is about all of them. */
export const changed = (
  who: string,
  words: string,
  connection: string | undefined
): Effect.Effect<void, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const work = db.transaction(() => {
      db.prepare("INSERT INTO config_change (changed, who, connection, words) VALUES (?, ?, ?, ?)").run(
        now,
        who,
        connection ?? null,
        words
      )
    })
    yield* db.hold(work)
  })
