/**
 * What every reader makes of its file: a header and rows of text, each with its line and its own text.
 */

import type { Columns, Row } from "../tabular/Row.ts"

export type { Row } from "../tabular/Row.ts"

export interface Table extends Columns {
  /** Batches of rows, in order. */
  readonly rows: AsyncIterable<ReadonlyArray<Row>>
  /** Lets go of the file, read to its end or not. */
  readonly close: () => Promise<unknown>
  /** Where there is no header line: what the first rows have instead of these columns of the header. */
  readonly absent?: { readonly columns: ReadonlyArray<string>; readonly there: ReadonlyArray<string> }
}

/** Rows that are read together: few, because rows that live only briefly cost the least memory. */
export const BATCH = 100

/** Characters that no text has: all controls but tab, line feed, carriage return and next line. */
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** The file as a whole is no table. */
export class NotATable extends Error {}
