/**
 * Builds the export's sheets: which sheets there are, their columns, and their rows straight from the state file.
 *
 * Independent of the file format. Rows are read one at a time on request, so a sheet uses no memory; money is an exact
 * decimal, a day is a calendar day, an instant is milliseconds UTC. Sheets must be read in the order of `reading`, because
 * the summary adds up the invoices while they are read.
 */
import * as Day from "../../core/wire/Day.ts"
import * as PayoutLines from "../matching/PayoutLines.ts"
import type { Db } from "../state/Database.ts"
import { payoutsSheet } from "./Payouts.ts"
import { invoices, payments, type TotalsByConnection } from "./sheets/Documents.ts"
import { attentionSheet, calls, completeness, quarantined } from "./sheets/Records.ts"
import { collections, coverSheet, deadlines, hasCover } from "./sheets/Cover.ts"
import { orders } from "./sheets/Orders.ts"
import type { Sheet } from "./sheets/Sheet.ts"
import { summary } from "./sheets/Summary.ts"

export type { Cell, Column, ColumnType, Row, Sheet } from "./sheets/Sheet.ts"

export interface Sheets {
  /** In the order for display. */
  readonly shown: ReadonlyArray<Sheet>
  /** In the order for reading, each to its end. */
  readonly reading: ReadonlyArray<Sheet>
}

export interface SheetOptions {
  /** Only these connections, in this order. */
  readonly connections: ReadonlyArray<string>
  /** Milliseconds since the epoch; its UTC day decides what is overdue. */
  readonly now: number
}

/** Of the ledger, each is found behind the subjects of the one before: reading them all would stop others. */
const CONNECTIONS = `WITH RECURSIVE one (connection) AS (
    SELECT connection FROM (SELECT connection FROM ledger ORDER BY subject LIMIT 1)
    UNION SELECT (SELECT connection FROM ledger WHERE subject >= one.connection || '0' ORDER BY subject LIMIT 1)
      FROM one WHERE one.connection IS NOT NULL)
  SELECT connection FROM one WHERE connection IS NOT NULL
  UNION SELECT connection FROM scan UNION SELECT id FROM connection ORDER BY 1`

/** Every connection in the books. */
export const connectionsOf = (db: Db): ReadonlyArray<string> =>
  db.raw.prepare(CONNECTIONS).pluck().all() as ReadonlyArray<string>

export const sheets = (db: Db, { connections, now }: SheetOptions): Sheets => {
  const totals: TotalsByConnection = new Map()
  const first = summary(db, connections, totals, now)
  const rest = [
    invoices(db, connections, Day.fromEpochMillis(now), totals),
    payments(db, connections),
    ...(PayoutLines.hasKind(db, "payout") ? [payoutsSheet(db, connections, Day.fromEpochMillis(now))] : []),
    ...(PayoutLines.hasKind(db, "order") ? [orders(db, connections)] : []),
    ...(hasCover(db)
      ? [coverSheet(db, connections), deadlines(db, connections, now), collections(db, connections, now)]
      : []),
    calls(db, connections),
    attentionSheet(db, connections),
    quarantined(db, connections),
    completeness(db, connections)
  ]
  return { shown: [first, ...rest], reading: [...rest, first] }
}
