/**
 * Defines what every file reader produces: a header, and rows of text with their line number and raw text.
 */

import { told } from "../Refused.ts"
import type { Columns, Row } from "../tabular/Row.ts"

export type { Row } from "../tabular/Row.ts"

export interface Table extends Columns {
  /** Batches of rows, in order. */
  readonly rows: AsyncIterable<ReadonlyArray<Row>>
  /** Closes the file, whether or not it was read to its end. */
  readonly close: () => Promise<unknown>
  /** Set if there is no header line: the configured columns, and what the first rows have instead. */
  readonly absent?: { readonly columns: ReadonlyArray<string>; readonly there: ReadonlyArray<string> }
}

/** Rows that were read ahead, then those behind them. */
export async function* rejoined(
  ahead: ReadonlyArray<Row>,
  behind: AsyncIterable<ReadonlyArray<Row>>
): AsyncGenerator<ReadonlyArray<Row>> {
  if (ahead.length > 0) yield ahead
  yield* behind
}

/** Columns that a table may have: enough for every list, few enough that no row takes much more memory than its text. */
export const COLUMNS = 1024

/** Rows per batch: few, because short-lived rows cost the least memory. */
export const BATCH = 100

/** Characters that do not occur in text: all control characters but tab, line feed, carriage return and next line. */
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** The file as a whole cannot be read as a table. */
export class NotATable extends Error {
  constructor(why: string, advice = "export it again as CSV or Excel (.xlsx)") {
    super(told(why, advice))
  }
}
