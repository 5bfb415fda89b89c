/**
 * Finds the row with the headings: below titles, above the records. It is the row with the most known headings; if none is
 * known, the first row with as many cells as the rows below it, and only words.
 */
import { below, headingsIn } from "../../connectors/tabular/AnotherTable.ts"
import type { Glance, Room } from "../../connectors/tabular/Glance.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import { isRecordRow } from "./Headless.ts"
import { type Preset, presetOf } from "./Presets.ts"
import { type FoundTable, type GlancedFile, isRecord } from "./Tables.ts"
import { rolesOf } from "./Vocabulary.ts"

/** How many rows are searched for headings. */
const TITLES = 40

/** How much of a table is examined. */
const LOOKED_ROWS = 100_000

/** How much of all tables may be in memory: each takes at most half of what those before it left. */
const LOOKED_CELLS = 1 << 21
const LOOKED_CHARACTERS = 1 << 25

/** The room for the tables of files that are examined together. */
export class LookedRoom {
  #cells = LOOKED_CELLS
  #characters = LOOKED_CHARACTERS

  get next(): Room {
    return { rows: LOOKED_ROWS, cells: this.#cells / 2, characters: this.#characters / 2 }
  }

  take(rows: ReadonlyArray<Row>): void {
    for (const { cells, raw } of rows) {
      this.#cells -= cells.length
      this.#characters -= raw.length
    }
  }
}

const known = (cells: ReadonlyArray<string>): number =>
  new Set(cells.flatMap((cell) => rolesOf(cell).map(({ role }) => role))).size === 0
    ? 0
    : cells.filter((cell) => cell.trim() !== "" && rolesOf(cell).length > 0).length

const isWords = (cells: ReadonlyArray<string>): boolean =>
  cells.every((cell) => cell.trim() === "" || (!/^[-+(]?[\d.,\s]+[)%]?$/.test(cell.trim()) && !/^\d/.test(cell.trim())))

const filled = (cells: ReadonlyArray<string>): number => cells.filter((cell) => cell.trim() !== "").length

export interface HeadingRow {
  readonly line: number
  readonly preset?: Preset
}

const headingRow = (glance: Glance): HeadingRow | undefined => {
  const top = glance.top.slice(0, TITLES)
  for (const { cells, line } of top) {
    const preset = presetOf(cells, glance)
    if (preset !== undefined) return { line, preset }
  }
  // A record is never taken for the headings, even if it has words of theirs, like "Debet".
  const best = top
    .filter(({ cells }) => glance.named === true || !isRecordRow(cells))
    .map(({ cells, line }) => ({ line, score: known(cells) }))
    .reduce((best, one) => (one.score > best.score ? one : best), { line: 0, score: 1 })
  if (best.line > 0) return { line: best.line }
  const widest = Math.max(...top.map(({ cells }) => filled(cells)))
  const found = top.find(({ cells }) => filled(cells) >= Math.max(2, widest - 1) && isWords(cells))
  if (found !== undefined) return { line: found.line }
  // Without headings: the first row is a record.
  const [first] = top
  return first !== undefined && glance.named !== true && isRecordRow(first.cells) ? { line: 0 } : undefined
}

const groupsOf = (header: ReadonlyArray<string>, rows: ReadonlyArray<Row>): number | undefined => {
  const found = header.findIndex((heading, n) => {
    const isAlone = ({ cells }: Row) => filled(cells) === 1 && (cells[n] ?? "").trim() !== ""
    const records = rows.filter((row) => isRecord(row))
    return heading === "" && rows.some(isAlone) && records.every(({ cells }) => (cells[n] ?? "").trim() === "")
  })
  return found < 0 ? undefined : found
}

export interface HeadedTable {
  readonly table: FoundTable
  readonly preset?: Preset
}

/** The tables of a file whose headings were found. */
export const tablesOf = async (
  { glances, path }: GlancedFile,
  room = new LookedRoom()
): Promise<ReadonlyArray<HeadedTable>> => {
  const found: Array<HeadedTable> = []
  for (const glance of glances) {
    const row = headingRow(glance)
    if (row === undefined) continue
    const { header, rows, separator, whole } = await glance.read(row.line, room.next)
    room.take(rows)
    const [first] = rows
    if (glances.length === 1 && first !== undefined && rows.every(({ problem }) => problem !== undefined))
      throw new Error(`none of its rows can be read, like line ${first.line}: ${first.problem}`)
    const under = glance.named === true ? undefined : below(header, rows)
    const own = under === undefined ? rows : rows.slice(0, rows.length - under.length)
    const table: FoundTable = {
      path,
      name: glances.length > 1 ? `${path} (${glance.sheet})` : path,
      glance,
      line: row.line,
      header,
      rows: own.filter((row) => isRecord(row) && headingsIn(header)(row) === undefined),
      below: under,
      whole,
      above: glance.top.filter(({ line }) => line < row.line),
      separator,
      groups: groupsOf(header, own)
    }
    if (table.rows.length > 0) found.push(row.preset === undefined ? { table } : { table, preset: row.preset })
  }
  return found
}
