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
  /** Which cells were numbers in the file, where it tells: these have a decimal point and no grouping. */
  readonly numbers?: ReadonlyArray<boolean>
}

export interface Table {
  readonly header: ReadonlyArray<string>
  /** Batches of rows, in order. */
  readonly rows: AsyncIterable<ReadonlyArray<Row>>
  /** Lets go of the file, read to its end or not. */
  readonly close: () => Promise<unknown>
  /** Cells of a date column that are calendar days already are written so. */
  readonly typed: boolean
  /** Days between the serial numbers of this workbook and those of the 1900 system. */
  readonly serials?: number
  /** Where there is no header line: what the first rows have instead of these columns of the header. */
  readonly absent?: { readonly columns: ReadonlyArray<string>; readonly there: ReadonlyArray<string> }
}

/** Rows that are read together: few, because rows that live only briefly cost the least memory. */
export const BATCH = 100

/** Characters that no text has: all controls but tab, line feed, carriage return and next line. */
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** The file as a whole is no table. */
export class NotATable extends Error {}
