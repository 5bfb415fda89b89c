/**
 * What rows of a table gave, until a page takes it.
 */
import type { Notice, Read, QuarantinedRecord, StatedTotal } from "../Connector.ts"

/** What rows gave, as a page takes it. */
export interface Batch {
  rows: number
  readonly read: Array<Read>
  readonly quarantined: Array<QuarantinedRecord>
  readonly notices: Array<Notice>
  /** What failed as a date, of which column: to distinguish a wrong format from a wrong row. */
  readonly badDates: Array<{ readonly column: string; readonly text: string }>
  /** Running balances that were held against the amounts, and those that did not fit: to notice a wrong mapping. */
  readonly balances: { checked: number; wrong: number }
  /** Once all rows were read: what the table itself says that they come to. */
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
