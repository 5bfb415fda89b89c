/** Keeps what each invoice adds to closing statements, and their sums, with its row of the ledger: in the same transaction. */
import type { MonthEntry } from "../plan/CloseEntries.ts"
import * as CloseEntries from "../plan/CloseEntries.ts"
import type { Db } from "../state/Database.ts"

interface Row {
  readonly ledger: number
  readonly account: number | null
  readonly moves: string
}

const ROW = `SELECT m.ledger, m.account, m.moves FROM ledger l JOIN ledger_month m ON m.ledger = l.id WHERE l.subject = ?`

const KEEP = "UPDATE ledger_month SET account = ?, moves = ?, apart = ?, until = ?, again = 0 WHERE ledger = ?"

const accountOf = (db: Db, ...of: readonly [connection: string, currency: string, party: string]): number =>
  (db
    .prepare("SELECT id FROM month_account WHERE connection = ? AND currency = ? AND party = ?")
    .pluck()
    .get(...of) as number | undefined) ??
  Number(
    db.prepare("INSERT INTO month_account (connection, currency, party) VALUES (?, ?, ?)").run(...of).lastInsertRowid
  )

/** @param by 1 to add, -1 to take back */
const book = (db: Db, account: number, entries: ReadonlyArray<MonthEntry>, by: bigint): void => {
  for (const [month, sum, amount] of entries) {
    const name = CloseEntries.SUMS[sum] ?? ""
    const add = db.prepare(
      `INSERT INTO month_sum (month, account, ${name}) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ${name} = ${name} + excluded.${name}`
    )
    for (const at of [month, 0]) add.run(at, account, by * amount)
  }
}

/** The row was just written: without this, a statement looks at the invoice itself. */
export const keep = (db: Db, connection: string, subject: string): void => {
  const kept = CloseEntries.keptOf(db, connection, subject)
  const row = db.prepare(ROW).get(subject) as Row | undefined
  if (kept === undefined || row === undefined) return
  const account = kept.entries.length === 0 ? null : accountOf(db, connection, kept.currency, kept.party)
  const moves = CloseEntries.writeMoves(kept.entries)
  if (account !== row.account || moves !== row.moves) {
    if (row.account !== null) book(db, row.account, CloseEntries.readMoves(row.moves), -1n)
    if (account !== null) book(db, account, kept.entries, 1n)
  }
  const [apart, until] = CloseEntries.differing(kept.entries) ?? [null, null]
  db.prepare(KEEP).run(account, moves, apart, until, row.ledger)
}
