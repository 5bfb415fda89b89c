/**
 * Defines what every table reader produces: named columns, and rows of text with their line number and raw text.
 */
import type { Unreadable } from "./Unreadable.ts"

export interface Row {
  readonly cells: ReadonlyArray<string>
  /** The line on which it begins, counted from 1. */
  readonly line: number
  readonly raw: string
  /** Why it cannot be read as a row, if so. */
  readonly problem?: string
  /** Which cells were numbers in the source, if it says so: these have a decimal point and no grouping. */
  readonly numbers?: ReadonlyArray<boolean>
  /** What a cell shows, and what it holds, if it was read as it is shown. */
  readonly rounded?: readonly [shown: string, held: string]
  /** Why cells combined from several columns could not be computed. */
  readonly faults?: ReadonlyMap<number, Unreadable>
}

export const filledOf = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.map((text) => text.trim()).filter((text) => text !== "")

export interface Columns {
  readonly header: ReadonlyArray<string>
  /** Whether date columns hold calendar days in ISO format already. */
  readonly typed: boolean
  /** Days between this workbook's serial numbers and those of the 1900 system; `none` if numbers are not days. */
  readonly serials?: number | "none"
  /** What to do about a text that is not a date, if setting `date_format` is not the first thing to try. */
  readonly advice?: string
}
