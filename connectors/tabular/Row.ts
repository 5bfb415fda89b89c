/**
 * What every reader of a table makes of it: named columns and rows of text, each with its place and its own text.
 */
import type { Unreadable } from "./Unreadable.ts"

export interface Row {
  readonly cells: ReadonlyArray<string>
  /** Where it begins, counted from 1. */
  readonly line: number
  readonly raw: string
  /** Why it is no row, where it is none. */
  readonly problem?: string
  /** Which cells were numbers at the source, where it says so: these have a decimal point and no grouping. */
  readonly numbers?: ReadonlyArray<boolean>
  /** Why cells that are made of others could not be. */
  readonly faults?: ReadonlyMap<number, Unreadable>
}

export interface Columns {
  readonly header: ReadonlyArray<string>
  /** Cells of a date column that are calendar days already are written so. */
  readonly typed: boolean
  /** Days between the serial numbers of this workbook and those of the 1900 system; or that numbers are no days. */
  readonly serials?: number | "none"
  /** What to do about a text that is no date, where setting date_format is not the first thing to do. */
  readonly advice?: string
}
