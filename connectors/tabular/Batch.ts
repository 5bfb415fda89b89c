/**
 * Collects what the rows of a table produce, until a page takes it.
 */
import type { Notice, Read, QuarantinedRecord, StatedTotal } from "../Connector.ts"

/** The results of rows, in the form in which a page takes them. */
export interface Batch {
  rows: number
  readonly read: Array<Read>
  readonly quarantined: Array<QuarantinedRecord>
  readonly notices: Array<Notice>
  /** Texts that are not valid dates, with their column: used to tell a wrong format from a wrong row. */
  readonly badDates: Array<{ readonly column: string; readonly text: string }>
  /** How many running balances were compared with the amounts, and how many differed: used to detect a wrong mapping. */
  readonly balances: { checked: number; wrong: number }
  /** After the last row: the totals that the table itself states. */
  readonly stated: Array<StatedTotal>
}

export const batch = (): Batch => ({
  rows: 0,
  read: [],
  quarantined: [],
  notices: [],
  badDates: [],
  balances: { checked: 0, wrong: 0 },
  stated: []
})
