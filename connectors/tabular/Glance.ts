/**
 * A table as it looks before anybody has said how it is to be read: its first rows, titles and headings among them, and how
 * to read the rest once it is known which row names the columns.
 */
import type { Row } from "./Row.ts"

export interface Glance {
  /** The sheet of a workbook. */
  readonly sheet?: string
  /** The sheet is not the workbook's first. */
  readonly further?: boolean
  /** The first rows as they stand; empty rows are left out. */
  readonly top: ReadonlyArray<Pick<Row, "cells" | "line">>
  /** As it was found from the bytes: `utf-8`, `windows-1252`. Workbooks have none. */
  readonly encoding?: string
  readonly separator?: string
  /** Dates are calendar days already. */
  readonly typed: boolean
  /** Its columns have no heading row: each record names its members. */
  readonly named?: boolean
  /** The table below the headings in this line. */
  readonly read: (line: number, most: number) => Promise<Glimpse>
}

export interface Glimpse {
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** These are all of its rows. */
  readonly whole: boolean
  /** What the reader takes for the separator of cells where nobody says it. */
  readonly separator?: string
}
