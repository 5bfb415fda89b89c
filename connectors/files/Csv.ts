/**
 * Reads CSV and TSV line by line. A row is one line, or several if a quoted cell spans them. If the quotes of several
 * lines do not form a row, the first line is quarantined and parsing resumes with the next, so an unclosed quote loses its
 * own row only.
 */
import { type Line, lines, type Source as Bytes } from "../Lines.ts"
import { BATCH, COLUMNS, CONTROL, NotATable, rejoined, type Row, type Table } from "./Table.ts"

/** Longest row that spans several lines, in characters; anything longer is an unclosed quote. */
const LONGEST_CHARACTERS = 1 << 18

export interface Source extends Bytes {
  readonly separator: string | undefined
  /** The header's line; by default the first line that is not empty. 0: it has none. */
  readonly headerAt?: number | undefined
}

export const open = async (source: Source): Promise<Table> => {
  const first = await firstLine({ ...source, chunks: undefined })
  // Spreadsheets may write the separator into a line of its own.
  const named = /^"?sep=(.)"?\s*$/i.exec(first?.text ?? "")
  const separator = source.separator ?? named?.[1] ?? separatorOf(first?.text ?? "")
  const width = { least: 0, most: 0 }
  const skip = first === undefined || named === null ? (source.headerAt ?? 1) - 1 : first.number
  const rows = batches(source, separator, skip, width)
  const { done, value } = await rows.next()
  const [head, ...behind] = done === true ? [] : value
  const headless = source.headerAt === 0
  const rest = headless && head !== undefined ? [head, ...behind] : behind
  if (head === undefined) throw new NotATable("it is empty, and the first line must name the columns")
  if (head.problem !== undefined)
    throw new NotATable(`its first line cannot be read: ${head.problem}`, "correct that line")
  if (head.cells.length > COLUMNS)
    throw new NotATable(
      `its first line has ${head.cells.length} cells, and at most ${COLUMNS} columns are read; is it really a CSV file?`
    )
  if (CONTROL.test(head.raw)) throw new NotATable("its first line is not text; is it really a CSV file?")
  return {
    header: head.cells.map((cell) => (headless ? "" : cell.trim())),
    typed: false,
    close: () => rows.return(undefined),
    rows: rejoined(rest, rows)
  }
}

const firstLine = async (source: Source): Promise<Line | undefined> => {
  for await (const batch of lines(source)) {
    const line = batch.find(({ number, text }) => number >= (source.headerAt ?? 1) && text.trim() !== "")
    if (line !== undefined) return line
  }
  return undefined
}

/** The separator that occurs most often in the header line, outside quotes. */
export const separatorOf = (line: string): string => {
  const bare = line.replace(/"[^"]*"/g, "")
  const counts = [",", ";", "\t", "|"].map((mark) => [mark, bare.split(mark).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** How many cells a row may have, by the header. Cells under trailing columns without a name may be missing. */
interface Width {
  least: number
  most: number
}

/** A line of separators only is short, and its cells are many. */
const narrow = (row: Row): Row => (row.cells.length > COLUMNS ? { ...row, cells: row.cells.slice(0, COLUMNS) } : row)

async function* batches(
  source: Source,
  separator: string,
  skip: number,
  width: Width
): AsyncGenerator<ReadonlyArray<Row>> {
  let batch: Array<Row> = []
  /** Lines from `at` on are not parsed yet. */
  let queue: ReadonlyArray<Line> = []
  let at = 0
  const take = (line: Line, ended: boolean): Row | "more" | undefined => {
    if (line.overlong) {
      at++
      return {
        cells: [],
        line: line.number,
        raw: line.text,
        problem: "it is far too long for a row; close a quote that is open in it"
      }
    }
    if (line.text.trim() === "") {
      at++
      return undefined
    }
    const found = assemble(line, queue, at, separator, ended)
    if (found === "more") return found
    at += found.lines
    if (found.row.problem === undefined && found.row.cells.every((cell) => cell.trim() === "")) return undefined
    if (width.most === 0) {
      width.most = found.row.cells.length
      width.least = found.row.cells.findLastIndex((cell) => cell.trim() !== "") + 1
      return found.row
    }
    const odd = found.row.problem === undefined && problem(found.row, width, found.last)
    if (typeof odd !== "string") return narrow(found.row)
    // The extra or missing cells may belong to a row that this one swallowed.
    at -= found.lines - 1
    return { ...narrow(found.row), raw: found.lines === 1 ? found.row.raw : line.text, problem: odd }
  }
  function* drain(ended: boolean) {
    for (let line = queue[at]; line !== undefined; line = queue[at]) {
      const row = take(line, ended)
      if (row === "more") return
      if (row === undefined) continue
      batch.push(row)
      if (batch.length === BATCH) {
        yield batch
        batch = []
      }
    }
  }
  for await (const some of lines(source)) {
    if (source.chunks?.reached(at >= queue.length) === true) {
      yield batch
      batch = []
    }
    const fresh = (some[0]?.number ?? 0) <= skip ? some.filter(({ number }) => number > skip) : some
    if (fresh.length === 0) continue
    queue = at < queue.length ? queue.slice(at).concat(fresh) : fresh
    at = 0
    yield* drain(false)
  }
  yield* drain(true)
  if (batch.length > 0) yield batch
}

interface Assembled {
  readonly row: Row
  readonly lines: number
  /** Whether it ends the file, without a line ending. */
  readonly last: boolean
}

/** Assembles the row that begins with a line; `more` if it continues after the lines read so far. */
const assemble = (
  { end: lineEnd, number, text }: Line,
  queue: ReadonlyArray<Line>,
  at: number,
  separator: string,
  ended: boolean
): Assembled | "more" => {
  if (!text.includes('"')) {
    return { row: { cells: text.split(separator), line: number, raw: text }, lines: 1, last: lineEnd === "" }
  }
  let raw = text
  /** The line ending of the line added last. */
  let end = lineEnd
  for (let more = 1; ; more++) {
    const cells = split(raw, separator, more === 1)
    if (cells === "wrong") break
    if (cells !== "open") return { row: { cells, line: number, raw }, lines: more, last: end === "" }
    // Adds all lines up to the next quote at once.
    let next = queue[at + more]
    raw += end
    while (next !== undefined && !next.overlong && !next.text.includes('"') && raw.length <= LONGEST_CHARACTERS) {
      raw += next.text + next.end
      next = queue[at + ++more]
    }
    if (raw.length > LONGEST_CHARACTERS || next?.overlong === true) break
    if (next === undefined) {
      if (ended) break
      return "more"
    }
    raw += next.text
    end = next.end
  }
  const why = "a quote is opened and never closed; close it, or double it if it is part of the text"
  return { row: { cells: [], line: number, raw: text, problem: why }, lines: 1, last: false }
}

/**
 * Splits a row into cells. Returns `open` if it ends within quotes, and `wrong` if text follows a closing quote or a quote
 * is inside an unquoted cell. Both are accepted in a row of a single line: the cell is then taken literally.
 */
const split = (raw: string, separator: string, single: boolean): ReadonlyArray<string> | "open" | "wrong" => {
  const cells: Array<string> = []
  let start = 0
  for (;;) {
    if (raw.charCodeAt(start) !== 34) {
      const end = raw.indexOf(separator, start)
      const cell = end < 0 ? raw.slice(start) : raw.slice(start, end)
      if (!single && cell.includes('"')) return "wrong"
      cells.push(cell)
      if (end < 0) return cells
      start = end + 1
      continue
    }
    let end = raw.indexOf('"', start + 1)
    let doubled = false
    while (end >= 0 && raw.charCodeAt(end + 1) === 34) {
      doubled = true
      end = raw.indexOf('"', end + 2)
    }
    if (end < 0) return "open"
    const cell = raw.slice(start + 1, end)
    let behind = end + 1
    while (raw.charCodeAt(behind) === 32) behind++
    if (behind === raw.length || raw[behind] === separator) {
      cells.push(doubled ? cell.replaceAll('""', '"') : cell)
      if (behind === raw.length) return cells
    } else {
      if (!single) return "wrong"
      behind = raw.indexOf(separator, behind)
      cells.push(behind < 0 ? raw.slice(start) : raw.slice(start, behind))
      if (behind < 0) return cells
    }
    start = behind + 1
  }
}

/** The cells of a single line. */
export const cellsOf = (line: string, separator: string): ReadonlyArray<string> => {
  const cells = split(line, separator, true)
  return typeof cells === "string" ? line.split(separator) : cells
}

const problem = ({ cells, raw }: Row, { least, most }: Width, last: boolean): string | undefined => {
  if (last && raw.endsWith("\ufffd")) return "the file ends in the middle of it; export the whole file again"
  if (cells.length >= least && (cells.length <= most || cells.slice(most).every((cell) => cell.trim() === ""))) return
  const count = `it has ${cells.length} ${cells.length === 1 ? "cell" : "cells"} where the header has ${most}`
  return last && cells.length < least
    ? `${count}, and the file ends in the middle of it; export the whole file again`
    : `${count}; is a quote or a separator missing? Correct the row`
}
