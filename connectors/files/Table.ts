/**
 * What every reader makes of its file: a header and rows of text, each with its line and its own text.
 */

export interface Row {
  readonly cells: ReadonlyArray<string>
  /** Where it begins, counted from 1. */
  readonly line: number
  readonly raw: string
  /** Why it is no row, where it is none. */
  readonly problem?: string
}

export interface Table {
  readonly header: ReadonlyArray<string>
  /** Batches of rows, in order. */
  readonly rows: AsyncIterable<ReadonlyArray<Row>>
  /** Cells of a date column that are calendar days already are written so. */
  readonly typed: boolean
}

export const BATCH = 1000

/** The file as a whole is no table. */
export class NotATable extends Error {}
