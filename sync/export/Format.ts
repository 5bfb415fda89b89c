/**
 * Defines what a file format does for an export. Sheets arrive one after another, their rows in batches; nothing has its
 * final name before `commit`.
 */
import type { Row, Sheet } from "../reports/Sheets.ts"

export interface SheetWriter {
  readonly begin: (sheet: Sheet) => Promise<void>
  readonly write: (rows: ReadonlyArray<Row>) => Promise<void>
  readonly end: () => Promise<void>
  /** All sheets are written; returns the files. `shown` has the names in the order for display. */
  readonly commit: (shown: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
  /** Removes everything that was not committed. */
  readonly discard: () => Promise<void>
}

export interface Format {
  /** `.xlsx` */
  readonly ending: string
  readonly open: (file: string) => Promise<SheetWriter>
}
