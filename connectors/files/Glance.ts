/**
 * Inspects a file that is not configured yet: its encoding, its separator, its sheets, and its first rows unchanged.
 */
import { open } from "node:fs/promises"
import { basename, extname } from "node:path"
import type { Glance, Glimpse, Room } from "../tabular/Glance.ts"
import { BANK_ENDINGS, headOf, openBank } from "./bank/Formats.ts"
import { UNREAD_ENDINGS, unreadAs } from "./bank/Unread.ts"
import { told } from "../Refused.ts"
import { facts } from "../Bytes.ts"
import * as Csv from "./Csv.ts"
import * as JsonLines from "./JsonLines.ts"
import { noTable } from "./NoTable.ts"
import { TABLES } from "./Settings.ts"
import { lines, type Source } from "../Lines.ts"
import { COLUMNS, CONTROL, NotATable, type Row, type Table } from "./Table.ts"
import * as Workbook from "./Workbook.ts"

/** Rows that are searched for headings, and the longest part of each, in characters. */
const TOP = 60
const TOP_CHARACTERS = 1 << 16

/** So many rows of a table are kept in any case. */
const LEAST = 20

const beginningOf = async (path: string): Promise<Uint8Array> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(64))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Returns the tables of a file. Throws an error that says why it has none. */
export const glance = async (path: string): Promise<ReadonlyArray<Glance>> => {
  const ending = extname(path).toLowerCase()
  if (!TABLES.includes(ending))
    throw new NotATable(
      ...(noTable(await beginningOf(path), ending) ?? [
        `it does not end in one of ${TABLES.join(", ")}`,
        "save it as one of these"
      ])
    )
  if (ending === ".xlsx") return sheets(path)
  const { encoding, mark } = await facts(path)
  const source: Source = { path, encoding, mark }
  return [ending === ".jsonl" ? await records(source) : await text(source)]
}

/** Whether it is in a bank's format, which describes itself. */
export const isBank = async (path: string): Promise<boolean> => {
  if (TABLES.includes(extname(path).toLowerCase())) return false
  try {
    await openBank({ path, place: "payments", bank: {} }, await facts(path))
    return true
  } catch {
    return false
  }
}

/** Why a file is not read although it is known; undefined if it is not known, or read. */
export const unread = async (path: string): Promise<string | undefined> => {
  const ending = extname(path).toLowerCase()
  if (![...BANK_ENDINGS, ...UNREAD_ENDINGS, ".csv", ".tsv"].includes(ending)) return undefined
  const content = await facts(path)
  if (TABLES.includes(ending)) {
    const opened = await openBank({ path, place: "payments", bank: {} }, content).catch(() => undefined)
    const name = basename(path, extname(path))
    if (opened !== undefined)
      return told(`it is a bank's statement (${opened.format}) under the name of a table`, `name it ${name}.txt`)
  }
  const found = unreadAs(await headOf(path, content))
  return found && told(...found)
}

/** Reads as many rows as there is room for, tells whether these are all, and closes the table. */
const rowsOf = async (table: Table, most: Room): Promise<Glimpse> => {
  const rows: Array<Row> = []
  let whole = true
  let { cells, characters } = most
  const hasRoom = () => rows.length < LEAST || (rows.length < most.rows && cells > 0 && characters > 0)
  try {
    for await (const batch of table.rows) {
      for (const row of batch) {
        if (hasRoom()) rows.push(row)
        else whole = false
        cells -= row.cells.length
        characters -= row.raw.length
      }
      if (!whole) break
    }
    return { header: table.header, rows, whole }
  } finally {
    await table.close()
  }
}

const text = async (source: Source): Promise<Glance> => {
  const first: Array<{ readonly line: number; readonly text: string }> = []
  for await (const batch of lines(source)) {
    for (const { number, text } of batch)
      if (text.trim() !== "") first.push({ line: number, text: text.slice(0, TOP_CHARACTERS) })
    if (first.length >= TOP) break
  }
  if (first.length === 0) throw new NotATable("it is empty")
  // Single rows with a control character are quarantined.
  if (first.filter(({ text }) => CONTROL.test(text)).length * 2 > first.length)
    throw new NotATable("it is not text; is it really a CSV file?")
  const separator = separatorOf(first.map(({ text }) => text))
  return {
    top: first.slice(0, TOP).map(({ line, text }) => ({ line, cells: Csv.cellsOf(text, separator).slice(0, COLUMNS) })),
    encoding: source.encoding,
    separator,
    typed: false,
    read: async (line, most) => ({
      ...(await rowsOf(await Csv.open({ ...source, separator, headerAt: line }), most)),
      separator: Csv.separatorOf(first.find((one) => one.line >= line)?.text ?? "")
    })
  }
}

/** The separator that gives most lines the same number of cells, and many of them. */
const separatorOf = (texts: ReadonlyArray<string>): string => {
  const score = (separator: string): number => {
    const counts = new Map<number, number>()
    for (const text of texts) {
      const cells = Csv.cellsOf(text, separator).length
      if (cells > 1) counts.set(cells, (counts.get(cells) ?? 0) + 1)
    }
    return Math.max(0, ...[...counts].map(([cells, lines]) => lines * (cells - 1)))
  }
  return [",", ";", "\t", "|"].reduce((best, one) => (score(one) > score(best) ? one : best))
}

/** The members of the first records; nested members are named by their path. */
const records = async (source: Source): Promise<Glance> => {
  const members = new Set<string>()
  let seen = 0
  const note = (value: unknown, path: string): void => {
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      for (const [name, one] of Object.entries(value)) note(one, path === "" ? name : `${path}.${name}`)
    else if (path !== "" && members.size <= COLUMNS) members.add(path)
  }
  for await (const batch of lines(source)) {
    for (const { text } of batch) {
      if (text.trim() === "" || seen++ >= TOP) continue
      try {
        note(JSON.parse(text), "")
      } catch {
        // Lines that cannot be parsed are reported when the file is read.
      }
    }
    if (seen >= TOP) break
  }
  if (members.size === 0) throw new NotATable("none of its first lines is a JSON object")
  if (members.size > COLUMNS)
    throw new NotATable(`its first records have more than ${COLUMNS} members; are they all invoices or payments?`)
  const header = [...members]
  return {
    top: [{ line: 1, cells: header }],
    encoding: source.encoding,
    typed: false,
    named: true,
    read: async (_, most) => rowsOf(await JsonLines.open(source, header), most)
  }
}

const sheets = async (path: string): Promise<ReadonlyArray<Glance>> => {
  const found: Array<Glance> = []
  for (const [n, { isHidden, open, sheet, top }] of (await Workbook.sheets(path, TOP)).entries()) {
    if (top.length === 0) continue
    found.push({
      sheet,
      ...(n === 0 ? {} : { further: true }),
      ...(isHidden ? { hidden: true } : {}),
      top,
      typed: true,
      read: async (line, most) => rowsOf(await open(line), most)
    })
  }
  if (found.length === 0) throw new NotATable("its sheets are empty")
  return found
}
