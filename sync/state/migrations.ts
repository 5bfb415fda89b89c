/**
 * Defines the tables of the state file as a list of migrations: the tables of the first release, and what each later one
 * changes. A released migration is never edited.
 *
 * Amounts are text (exact decimals) inside `body`, and whole minor units in columns that are summed. Instants are milliseconds
 * since the epoch, UTC.
 */
import type { Database } from "better-sqlite3"
import { BOOKS } from "./tables/Books.ts"
import { CHAIN } from "./tables/Chain.ts"
import { COVER } from "./tables/Cover.ts"
import { DAEMON } from "./tables/Daemon.ts"
import { HISTORY } from "./tables/History.ts"
import { LEDGER } from "./tables/Ledger.ts"
import { LEDGER_SUMS } from "./tables/LedgerSums.ts"
import { MATCHING } from "./tables/Matching.ts"
import { PERSONS } from "./tables/Persons.ts"

/**
 * A migration that SQL alone cannot express is a function; it runs in the same transaction, with foreign keys not enforced.
 */
const STEPS: ReadonlyArray<string | ((db: Database) => void)> = [
  BOOKS + MATCHING + LEDGER + LEDGER_SUMS + COVER + DAEMON + PERSONS + CHAIN + HISTORY
]

/** The format that this program writes. */
export const VERSION = STEPS.length

/** Migrates the file in one transaction, so that other processes never see an intermediate state. */
export const migrate = (db: Database): void =>
  db
    .transaction(() => {
      const from = db.pragma("user_version", { simple: true }) as number
      for (const step of STEPS.slice(from)) {
        if (typeof step === "string") db.exec(step)
        else step(db)
      }
      if (from < VERSION) db.pragma(`user_version = ${VERSION}`)
    })
    .immediate()
