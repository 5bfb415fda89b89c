/**
 * Handles tables laid out for people: which rows are records, which are skipped, group headings, cells filled down from the
 * row above, totals and footers.
 */
import { Schema } from "effect"
import * as Expressions from "./Expressions.ts"
import type { Batch } from "./Batch.ts"
import type { Row } from "./Row.ts"
import type { Cells } from "./Shape.ts"
import { Unreadable } from "./Unreadable.ts"
import * as Where from "./Where.ts"

const maybe = Schema.optionalKey

/** Fields that may be added up over the rows of one invoice. */
export const SUMMED = ["net", "gross", "amount", "balance", "paid", "credited"] as const

/** Settings for such tables, in addition to the meaning of their columns. */
export const SETTINGS = {
  /** Which rows are read; all by default. */
  where: maybe(Where.Where),
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
  readonly fill_down?: ReadonlyArray<string>
}

/** Headings that these settings use, each with its setting. */
export const headingsOf = ({ fill_down = [], where }: Settings) => [
  ...Where.columnsOf(where).map((heading) => ({ by: "where", field: "", heading })),
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

/** Selects the rows to read; and counts the rows that no stream reads, by their content. */
export const chooser = (
  where: Where.Where | undefined,
  others: ReadonlyArray<Where.Where | undefined> | undefined,
  cells: Cells
) => {
  if (where === undefined) return { takes: (row: Row) => row as Row | undefined, end: () => {} }
  const fits = Where.compile(where, cells)
  const chosen = others?.filter((one) => one !== undefined)
  // A stream without `where` takes every row.
  const elsewhere = chosen?.length === others?.length ? chosen?.map((one) => Where.compile(one, cells)) : undefined
  const alone = others?.length === 0
  const [heading = ""] = Where.columnsOf(where)
  const index = cells.find(heading)
  const left = new Map<string, number>()
  let taken = 0
  let all = 0
  return {
    takes: (row: Row): Row | undefined => {
      if (row.problem !== undefined) return row
      try {
        all++
        if (fits(row)) {
          taken++
          return row
        }
        if (elsewhere === undefined || elsewhere.some((one) => one(row))) return undefined
        const text = cells.cell(row, index)
        if (left.size < 100 || left.has(text)) left.set(text, (left.get(text) ?? 0) + 1)
        return undefined
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause
        return { ...row, problem: `${JSON.stringify(cause.field)} ${cause.why}` }
      }
    },
    /** Reports the rows that no stream of this file reads. */
    end: (file: string, batch: Batch) => {
      if (left.size === 0 || (alone && taken > 0)) return
      const values = [...left].map(([text, count]) => `${JSON.stringify(text)} (${count})`).join(", ")
      const what = alone
        ? `where takes none of its ${all} rows: ${JSON.stringify(heading)} says ${values}`
        : `rows that no stream reads: ${JSON.stringify(heading)} says ${values}`
      batch.notices.push({ origin: file, what })
    }
  }
}
