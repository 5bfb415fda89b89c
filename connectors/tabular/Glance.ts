/**
 * Describes a table that is not configured yet: its first rows, including titles and headings, and a way to read the rest
 * once the heading row is known.
 */
import type { Row } from "./Row.ts"

export interface Glance {
  /** The sheet of a workbook. */
  readonly sheet?: string
  /** Whether the sheet is not the workbook's first. */
  readonly further?: boolean
  /** Whether the sheet is hidden. */
  readonly hidden?: boolean
  /** The first rows, unchanged; empty rows are left out. */
  readonly top: ReadonlyArray<Pick<Row, "cells" | "line">>
  /** The encoding detected from the bytes: `utf-8`, `windows-1252`. Absent for workbooks. */
  readonly encoding?: string
  readonly separator?: string
  /** Whether dates are calendar days already. */
  readonly typed: boolean
  /** Whether records name their members, so that there is no heading row. */
  readonly named?: boolean
  /** Reads the table below the headings in this line. */
  readonly read: (line: number, most: Room) => Promise<Glimpse>
}

/** How much of a table is kept to be examined. A table of few rows may still have more cells or text than fits into memory. */
export interface Room {
  readonly rows: number
  readonly cells: number
  readonly characters: number
}

export interface Glimpse {
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** Whether these are all of its rows. */
  readonly whole: boolean
  /** The separator that the reader uses if none is configured. */
  readonly separator?: string
}
