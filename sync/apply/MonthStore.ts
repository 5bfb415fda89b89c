/**
 * Keeps what invoices add to closing statements, and their sums. The ledger's triggers mark each row that is written, and statements
 * look at a marked row's invoice itself: so this is done once at the end of a run, and a run that was killed leaves it to the next.
 */
import { Effect } from "effect"
import type { Planning } from "../model/Connection.ts"
import type { MonthEntry } from "../plan/CloseEntries.ts"
import * as CloseEntries from "../plan/CloseEntries.ts"
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import { Surroundings } from "../plan/Surroundings.ts"
import { breathe } from "../state/Breathe.ts"
import type { StateError, Db } from "../state/Database.ts"

interface Row {
  readonly ledger: number
  readonly connection: string
  readonly subject: string
  readonly account: number | null
  readonly moves: string
}

/** How many rows are kept in one transaction: others wait for it. */
const PART = 250

/** Of connections whose statements are kept. */
const NEXT = `SELECT m.ledger, l.connection, l.subject, m.account, m.moves FROM ledger_month m CROSS JOIN ledger l ON l.id = m.ledger
  WHERE m.again = 1 AND m.ledger > ? AND l.connection IN (SELECT id FROM connection WHERE id NOT IN (SELECT connection FROM paying))
  ORDER BY m.ledger LIMIT ${PART}`

const KEEP = "UPDATE ledger_month SET account = ?, moves = ?, apart = ?, until = ?, again = 0 WHERE ledger = ?"

const BOOK = `INSERT INTO month_sum (month, account, ${CloseEntries.SUMS.join(", ")}) VALUES (?, ?${", ?".repeat(CloseEntries.SUMS.length)})
  ON CONFLICT DO UPDATE SET ${CloseEntries.SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`

/** The rows of one transaction. */
class KeptRows {
  readonly #db: Db
  readonly #around: Surroundings
  readonly #planning = new Map<string, Planning | undefined>()
  readonly #accounts = new Map<string, number>()
  /** What is added, by account and month, in minor units. */
  readonly #sums = new Map<
    string,
    { readonly of: readonly [month: number, account: number]; readonly by: Array<bigint> }
  >()

  constructor(db: Db, subjects: ReadonlyArray<string>) {
    this.#db = db
    this.#around = new Surroundings(db)
    this.#around.load(subjects)
  }

  #planningOf(connection: string): Planning | undefined {
    if (!this.#planning.has(connection)) this.#planning.set(connection, OpenInBooks.settingsOf(this.#db, connection))
    return this.#planning.get(connection)
  }

  #account(...of: readonly [connection: string, currency: string, party: string]): number {
    const name = JSON.stringify(of)
    const known = this.#accounts.get(name)
    if (known !== undefined) return known
    const select = "SELECT id FROM month_account WHERE connection = ? AND currency = ? AND party = ?"
    const insert = "INSERT INTO month_account (connection, currency, party) VALUES (?, ?, ?)"
    const id =
      (this.#db
        .prepare(select)
        .pluck()
        .get(...of) as number | undefined) ?? Number(this.#db.prepare(insert).run(...of).lastInsertRowid)
    this.#accounts.set(name, id)
    return id
  }

  /** @param by 1 to add, -1 to take back */
  #book(account: number, entries: ReadonlyArray<MonthEntry>, by: bigint): void {
    for (const [month, sum, amount] of entries)
      for (const at of [month, 0]) {
        const name = `${account} ${at}`
        const sums = this.#sums.get(name) ?? { of: [at, account], by: CloseEntries.SUMS.map(() => 0n) }
        sums.by[sum] = (sums.by[sum] ?? 0n) + by * amount
        this.#sums.set(name, sums)
      }
  }

  keep(row: Row): void {
    const planning = this.#planningOf(row.connection)
    const kept = planning && CloseEntries.keptOf(this.#db, row.subject, planning, this.#around)
    if (kept === undefined) return
    const account = kept.entries.length === 0 ? null : this.#account(row.connection, kept.currency, kept.party)
    const moves = CloseEntries.writeMoves(kept.entries)
    if (account !== row.account || moves !== row.moves) {
      if (row.account !== null) this.#book(row.account, CloseEntries.readMoves(row.moves), -1n)
      if (account !== null) this.#book(account, kept.entries, 1n)
    }
    const [apart, until] = CloseEntries.differing(kept.entries) ?? [null, null]
    this.#db.prepare(KEEP).run(account, moves, apart, until, row.ledger)
  }

  end(): void {
    for (const { by, of } of this.#sums.values()) this.#db.prepare(BOOK).run(...of, ...by)
  }
}

/** @returns the last row that was looked at; undefined if there are no more */
const keepPart = (db: Db, after: number): number | undefined => {
  const rows = db.prepare(NEXT).all(after) as ReadonlyArray<Row>
  const part = new KeptRows(
    db,
    rows.map(({ subject }) => subject)
  )
  for (const row of rows) part.keep(row)
  part.end()
  return rows.length < PART ? undefined : rows.at(-1)?.ledger
}

/** Keeps every row that was written since. Those that cannot be kept stay marked. */
export const keepAll = (db: Db): Effect.Effect<void, StateError> =>
  Effect.gen(function* () {
    for (let after: number | undefined = 0; after !== undefined; yield* breathe)
      after = yield* db.transaction(() => keepPart(db, after ?? 0))
  })
