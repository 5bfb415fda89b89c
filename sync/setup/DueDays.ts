/** Of two columns of days, the earlier one is the day of issue: where it is not in most rows, a person says which is which. */
import * as Dates from "../../connectors/tabular/Dates.ts"
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import { type AssignedColumns, withHeadings } from "./Columns.ts"
import { formatOf } from "./DateFormats.ts"
import type { CurrencySense } from "./HomeCurrency.ts"
import { cellsOf, type FoundTable, headingAt } from "./Tables.ts"

/** The reader believes no list with so many. */
const SEVERAL = 3

/** In how many rows a day is before another one, whichever way day and month are written, and in how many both are known. */
export const earlier = (days: ReadonlyArray<string>, others: ReadonlyArray<string>) => {
  const found = formatOf([...days, ...others], 0.5)
  const ways = found === undefined ? [] : [found.format, ...(found.or === undefined ? [] : [found.or])]
  const counts = ways.map((format) => {
    const parse = Dates.reader({ format, language: found?.language, zone: "UTC" })
    const pairs = days.flatMap((day, n) => {
      const [one, other] = [parse(day), parse(others[n] ?? "")]
      return one === undefined || other === undefined ? [] : [one < other]
    })
    return { all: pairs.length, early: pairs.filter((one) => one).length }
  })
  return counts.reduce((least, one) => (one.early < least.early ? one : least), counts[0] ?? { all: 0, early: 0 })
}

export const dueSense = (
  table: FoundTable,
  columns: AssignedColumns,
  { columns: named = {} }: SetupAnswers
): CurrencySense => {
  const { at } = columns
  const plain = { columns, decisions: [], questions: [] }
  const [issuedAt, dueAt] = [at.issued ?? at.date, at.due]
  if (issuedAt === undefined || dueAt === undefined) return plain
  const { all, early } = earlier(cellsOf(table.rows, dueAt), cellsOf(table.rows, issuedAt))
  if (early < SEVERAL || early * 2 <= all) return plain
  const [issued, due] = [headingAt(table.header, issuedAt), headingAt(table.header, dueAt)]
  const said = named["invoices.issued"] ?? named["issued"]
  const { due: _, ...others } = at
  const other = {
    ...plain,
    decisions: [{ file: table.name, what: `issued on ${JSON.stringify(said)}`, because: "as was said" }]
  }
  if (said === due)
    return { ...other, columns: withHeadings(table, { ...others, issued: dueAt, due: issuedAt }, columns.language) }
  if (said !== undefined) return { ...other, columns: withHeadings(table, others, columns.language) }
  return {
    ...plain,
    questions: [
      {
        answer: "column.invoices.issued",
        flag: "--column invoices.issued=HEADING",
        what: `day of issue of ${table.name}`,
        ask: `In ${early} of ${plural(all, "row")} of ${table.name}, ${JSON.stringify(due)} is before ${JSON.stringify(issued)}. Which of them is the day of issue? If it is ${JSON.stringify(issued)}, ${JSON.stringify(due)} is not when they are due, and is not read.`,
        choices: [due, issued]
      }
    ]
  }
}
