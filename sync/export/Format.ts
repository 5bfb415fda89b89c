/**
 * What a file format does for an export. Sheets arrive one after another, rows in batches; nothing that was written
 * stands under its final name before `commit`.
 */
import type { Row, Sheet } from "../reports/Sheets.ts"

export interface SheetWriter {
  readonly begin: (sheet: Sheet) => Promise<void>
  readonly write: (rows: ReadonlyArray<Row>) => Promise<void>
  readonly end: () => Promise<void>
  /** All sheets are written; answers the files. `shown` are the names in the order in which people look at them. */
  readonly commit: (shown: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
  /** Leaves nothing behind of what was not committed. */
  readonly discard: () => Promise<void>
}

export interface Format {
  /** `.xlsx` */
  readonly ending: string
  readonly open: (file: string) => Promise<SheetWriter>
}
