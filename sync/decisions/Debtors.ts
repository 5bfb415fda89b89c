/**
 * What a person decides about a debtor that the service did not recognise: which company it is, or that a choice was wrong.
 * The command, the page and the library all call this.
 */
import { Clock, Effect } from "effect"
import type { CompanyId } from "../../core/wire/Ids.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import { PARTY_KEY } from "../plan/PartyKey.ts"
import type { Debtor } from "../reports/Debtors.ts"
import * as Body from "../state/Body.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { alone, type Whose, locksFor } from "./ConnectionLocks.ts"
import * as Undoable from "../state/Undoable.ts"

export type DebtorKey = Pick<Debtor, "connection" | "party">

/** The invoices that the choice is about are planned again. Returns how many there are. */
const touch = (db: Db, { connection, party }: DebtorKey): number => {
  const keys = db
    .prepare(
      `SELECT d.key FROM document d WHERE d.key > ? AND d.key < ? AND ${PARTY_KEY} = ? AND ${Body.at("invoice", "party.company", "d.body")} IS NULL`
    )
    .pluck()
    .all(`${connection}/invoice/`, `${connection}/invoice0`, party) as ReadonlyArray<string>
  for (const key of keys) ChangedDocuments.touch(db, key)
  return keys.length
}

/**
 * Stores which company a debtor is, or removes the choice (null): what was sent to the service then stays there until the
 * invoice changes. Returns how many invoices it is about.
 */
export const store = (db: Db, debtor: DebtorKey, company: CompanyId | null, now: number): number => {
  if (company === null)
    db.prepare("DELETE FROM match WHERE connection = ? AND party = ?").run(debtor.connection, debtor.party)
  else
    db.prepare(
      "INSERT INTO match VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET company = excluded.company, chosen = excluded.chosen"
    ).run(debtor.connection, debtor.party, company, now)
  return touch(db, debtor)
}

/** The same as a decision: alone with the debtor's connection. */
export const match = (
  connections: ReadonlyArray<Whose>,
  debtor: DebtorKey,
  company: CompanyId | null
): Effect.Effect<number, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const work = db.transaction(() => {
      const { connection, party } = debtor
      const before = db.prepare("SELECT company FROM match WHERE connection = ? AND party = ?").pluck()
      const earlier = (before.get(connection, party) as CompanyId | undefined) ?? null
      const invoices = store(db, debtor, company, now)
      Undoable.keep(db, { kind: "company", connection, party, before: earlier }, now)
      return invoices
    })
    return yield* db.hold(alone(db, locksFor(connections, `${debtor.connection}/`), work))
  })
