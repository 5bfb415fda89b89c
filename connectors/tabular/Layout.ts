/**
 * Handles tables laid out for people: which rows are records, which are skipped, group headings, cells filled down from the
 * row above, totals and footers.
 */
import { Schema } from "effect"
import * as Expressions from "./Expressions.ts"
import type { Row } from "./Row.ts"
import type { Cells } from "./Shape.ts"
import * as Where from "./Where.ts"

const maybe = Schema.optionalKey

/** Fields that may be added up over the rows of one invoice. */
export const SUMMED = ["net", "gross", "tax_amount", "amount", "balance", "paid", "credited"] as const

/** Settings for such tables, in addition to the meaning of their columns. */
export const SETTINGS = {
  /** Which rows are read; all by default. */
  where: maybe(Where.Where),
  /** Rows that are not read on purpose. Others that no stream reads need attention. */
  leave_out: maybe(Where.Where),
  /** What stands below the rows under other headings is not read on purpose. Otherwise it needs attention. */
  other_tables: maybe(Schema.Literal("leave_out")),
  /** Columns that are written once for several rows: an empty cell takes its value from the row above. */
  fill_down: maybe(Schema.Array(Schema.NonEmptyString)),
  /**
   * How adjacent rows with one id are combined: `sum` adds up their net and gross amounts (or the named fields), `same`
   * means that each row repeats the whole document. By default, such rows are quarantined if they differ.
   */
  lines: maybe(
    Schema.Union([Schema.Literals(["sum", "same"]), Schema.Struct({ sum: Schema.Array(Schema.Literals([...SUMMED])) })])
  )
}

/** The same settings in the form in which rows are read. */
export interface Settings {
  readonly where?: Where.Where
  readonly leave_out?: Where.Where
  readonly other_tables?: "leave_out"
  readonly fill_down?: ReadonlyArray<string>
}

/** Headings that these settings use, each with its setting. */
export const headingsOf = ({ fill_down = [], leave_out, where }: Settings) => [
  ...Where.columnsOf(where).map((heading) => ({ by: "where", field: "", heading })),
  ...Where.columnsOf(leave_out).map((heading) => ({ by: "leave_out", field: "", heading })),
  ...fill_down.map((heading) => ({ by: "fill_down", field: "", heading }))
]

/** Headings of amounts. */
export const amountsOf = (columns: Readonly<Record<string, Expressions.Expression>>): ReadonlyArray<string> =>
  SUMMED.flatMap((field) => {
    const expression = columns[field]
    if (expression === undefined) return []
    const { minus, plus } = Expressions.sumOf(expression as Expressions.Amount)
    return [...plus, ...minus]
  })

/** Fills cells from the rows above. Returns undefined for a row that is only a heading for the rows below it. */
export const filler = (headings: ReadonlyArray<string>, { cell, find }: Pick<Cells, "cell" | "find">) => {
  const at = headings.map(find)
  const above: Array<string> = at.map(() => "")
  return (row: Row): Row | undefined => {
    if (at.length === 0 || row.problem !== undefined) return row
    at.forEach((index, n) => {
      const text = cell(row, index)
      if (text === "") return
      if (text !== above[n]) above.fill("", n + 1)
      above[n] = text
    })
    if (row.cells.every((text, index) => text.trim() === "" || at.includes(index))) return undefined
    const cells = [...row.cells]
    at.forEach((index, n) => {
      while (cells.length <= index) cells.push("")
      if (cell(row, index) === "") cells[index] = above[n] ?? ""
    })
    return { ...row, cells }
  }
}
