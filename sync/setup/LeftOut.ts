/**
 * Writes down which rows of a table are left out on purpose: those of types that are no business of these books, and those that
 * another connection reads. All others that no stream reads need attention whenever the table is read.
 */
import { find } from "../../connectors/tabular/Cells.ts"
import * as Where from "../../connectors/tabular/Where.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import { cellsOf } from "./Tables.ts"
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
