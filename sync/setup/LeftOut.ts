/**
 * Writes down which rows of a table are left out on purpose: those of types that are no business of these books, and those that
 * another connection reads. All others that no stream reads need attention whenever the table is read.
 */
import { find } from "../../connectors/tabular/Cells.ts"
import * as Where from "../../connectors/tabular/Where.ts"
import { filledOf, type Row } from "../../connectors/tabular/Row.ts"
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import { cellsOf, type SetupQuestion } from "./Tables.ts"
import type { Streamed } from "./Together.ts"
import { rowTypeOf } from "./Vocabulary.ts"

type Conditions = ReadonlyArray<Readonly<Record<string, unknown>>>

const listOf = (where: unknown): Conditions =>
  where === undefined ? [] : Array.isArray(where) ? where : [where as Conditions[number]]

/** The same streams, where the first of each table and connection names the rows of others that are left out. */
export const withLeftOut = (
  streams: ReadonlyArray<Streamed>,
  all: ReadonlyArray<Streamed>,
  language: (one: Streamed) => string
): ReadonlyArray<Streamed> =>
  streams.map((one, n) => {
    if (streams.findIndex(({ table }) => table === one.table) !== n) return one
    const own = listOf(one.completed.settings["leave_out"])
    const others = all.filter((other) => other.table === one.table && !streams.includes(other))
    const theirs = others.flatMap(({ completed: { settings } }) => listOf(settings["where"]))
    const said = JSON.stringify(own)
    const known = knownTypes(one, all, language(one)).filter(({ value }) => !said.includes(JSON.stringify(value)))
    const conditions = [...own, ...theirs, ...known.map(({ heading, value }) => ({ [heading]: value }))]
    if (conditions.length === 0) return one
    const leave_out = conditions.length === 1 ? conditions[0] : conditions
    return { ...one, completed: { ...one.completed, settings: { ...one.completed.settings, leave_out } } }
  })

/** A report of several tables in one file: whether those below the first are left out, only a person knows. */
export const belowQuestions = (
  { below, header, name }: Streamed["table"],
  { left_out = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const [first, ...rows] = below ?? []
  if (first === undefined || left_out[name] === "yes") return []
  const foreign = filledOf(first.cells).find((text) => !header.includes(text)) ?? ""
  return [
    {
      answer: `left_out.${name}`,
      flag: `--left-out ${JSON.stringify(`${name}=yes`)}`,
      what: `rows of ${name} below other headings`,
      ask: `Line ${first.line} of ${name} has the headings of another table (${JSON.stringify(foreign)}). ${rows.length === 1 ? "Is" : "Are"} the ${plural(rows.length, "row")} below it left out? If not, save what stands there as a file of its own first.`,
      choices: ["yes", "no"]
    }
  ]
}

/** Texts in the column by which the streams choose that are known to be no business of these books. */
const knownTypes = (
  one: Streamed,
  all: ReadonlyArray<Streamed>,
  language: string
): ReadonlyArray<{ readonly heading: string; readonly value: string }> => {
  const where = one.completed.settings["where"] as Where.Where | undefined
  const [heading] = Where.columnsOf(where)
  const at = heading === undefined ? -1 : find(one.table.header, heading)
  if (heading === undefined || at < 0) return []
  const read = new Set<Row>(all.filter(({ table }) => table === one.table).flatMap(({ rows }) => rows))
  const left = one.table.rows.filter((row) => !read.has(row))
  const values = new Set(cellsOf(left, at).filter((text) => rowTypeOf(text, language) === "left_out"))
  return [...values].map((value) => ({ heading, value }))
}
