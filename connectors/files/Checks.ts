/**
 * What is told of a file as a whole before its rows are believed: whether it has the columns that are asked for, how
 * its amounts are written, and whether its dates are written as the settings say.
 */
import type { Facts } from "./Bytes.ts"
import { find } from "../tabular/Cells.ts"
import * as Dates from "../tabular/Dates.ts"
import { misconfigured } from "./Failures.ts"
import type { File } from "./Listing.ts"
import { didYouMean } from "../../core/Nearest.ts"
import * as Numerals from "../tabular/Numerals.ts"
import type { Batch } from "../tabular/Batch.ts"
import type { Row, Table } from "./Table.ts"

/** Fields without which there is no document. */
const NEEDED = ["id", "customer", "issued", "due", "invoice", "date", "amount", "order", "placed"]

const quoted = (names: ReadonlyArray<string>): string => names.map((one) => JSON.stringify(one)).join(", ")

/** Every column is there, or a `SourceError` is thrown. Answers what is odd about them. */
export const columns = (
  { ending, name, settings, stream }: File,
  { absent, header }: Pick<Table, "absent" | "header">
): ReadonlyArray<string> => {
  const maps: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ["columns", settings.columns as Readonly<Record<string, string>>],
    ["metadata", "metadata" in settings ? (settings.metadata ?? {}) : {}]
  ]
  const odd: Array<string> = []
  const repeated = ending === ".jsonl" ? [] : header.filter((one, n) => header.indexOf(one) < n)
  for (const [map, fields] of maps) {
    for (const [field, column] of Object.entries(fields)) {
      const asks = `${JSON.stringify(column)}, which source.${stream}.${map}.${field} asks for`
      if (find(header, column) < 0) {
        throw misconfigured(
          `${name} has no column ${asks}; it has ${quoted(header)}${didYouMean(column, header)}`,
          "correct the configuration, or the file's header"
        )
      }
      if (absent?.columns.includes(column)) {
        if (map === "columns" && NEEDED.includes(field)) {
          throw misconfigured(
            `${name} has no member ${asks}; its records have ${quoted(absent.there)}${didYouMean(column, absent.there)}`,
            "correct the configuration, or the file"
          )
        }
        odd.push(`its first records have no ${asks}; they have ${quoted(absent.there)}`)
      }
      if (repeated.includes(header[find(header, column)]!)) {
        odd.push(`it has several columns ${asks}; the first is read`)
      }
    }
  }
  return odd
}

/** Rows in which headings are looked for that are not in the first one: titles above them are few. */
const TITLES = 30

/** The same; where the headings stand further down, below titles, the error says in which line. */
export const headings = async (file: File, table: Table): Promise<ReadonlyArray<string>> => {
  try {
    return columns(file, table)
  } catch (cause) {
    const line = file.settings.header_row === undefined ? await headingLine(file, table) : undefined
    if (line === undefined) throw cause
    throw misconfigured(
      `${file.name} has its headings in line ${line}, below ${quoted(table.header.filter((one) => one !== ""))}`,
      `set source.${file.stream}.header_row to ${line}`
    )
  }
}

/** The line, counted from 1, that names every column which is asked for. */
const headingLine = async ({ ending, settings }: File, { rows }: Table): Promise<number | undefined> => {
  if (ending === ".jsonl") return undefined
  const asked = Object.values(settings.columns as Readonly<Record<string, string>>)
  let looked = 0
  for await (const batch of rows) {
    const found = batch.slice(0, TITLES - looked).find(({ cells }) => {
      const names = cells.map((cell) => cell.trim())
      return asked.every((column) => find(names, column) >= 0)
    })
    if (found !== undefined) return found.line
    looked += batch.length
    if (looked >= TITLES) return undefined
  }
  return undefined
}

export const encoding = ({ ending, settings }: File, { encoding }: Facts): ReadonlyArray<string> =>
  encoding !== "windows-1252" || ending === ".xlsx"
    ? []
    : settings.encoding === undefined
      ? ["it is not UTF-8; it was read as windows-1252 (set encoding if that is wrong)"]
      : settings.encoding === "utf-8"
        ? ["it is not UTF-8, which encoding says; characters are lost (leave encoding out, or correct it)"]
        : []

/** The decimal mark of a file: as set, or as its first rows leave no doubt. */
export const mark = (
  { settings }: File,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>
): Numerals.Mark | undefined => {
  const columns = settings.columns as Record<string, string | undefined>
  const at = ["net", "gross", "amount"].flatMap((field) =>
    columns[field] === undefined ? [] : [find(header, columns[field])]
  )
  const texts = rows.flatMap(({ cells, numbers }) =>
    at.flatMap((index) => (numbers?.[index] === true ? [] : [(cells[index] ?? "").trim()]))
  )
  return settings.decimal ?? Numerals.markOf(texts)
}

/** A wrong format is told from wrong rows: most of a file's first rows fail on a date. Throws a `SourceError` then. */
export const dates = ({ name, settings, stream }: File, rows: number, bad: Batch["badDates"]): void => {
  if (bad.length < 2 || bad.length * 2 < rows) return
  const { column, text } = bad[0]!
  const fitting = Dates.suggest(bad.map((one) => one.text))
  throw misconfigured(
    `${name}: ${bad.length} of the first ${rows} rows have dates that are not written ${settings.date_format ?? Dates.DEFAULT} (${JSON.stringify(column)} says ${JSON.stringify(text)})`,
    fitting.length === 0
      ? `set source.${stream}.date_format to how they are written, like "d/M/yyyy"`
      : `set source.${stream}.date_format to ${fitting.map((one) => JSON.stringify(one)).join(" or ")}`
  )
}
