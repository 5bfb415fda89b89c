/**
 * Reads one stream of a database, page by page, and tracks how far it was read. `connectors/tabular` turns rows into
 * documents, as it does for files.
 */
import type * as CountryNames from "../../core/wire/CountryNames.ts"
import type { Named, Page as AnyPage, PageContents, Read } from "../Connector.ts"
import { present } from "../Json.ts"
import { batch } from "../tabular/Batch.ts"
import * as Rows from "../tabular/Rows.ts"
import type { Columns, Row } from "../tabular/Row.ts"
import { find } from "../tabular/Cells.ts"
import type { Stream as StreamName } from "../tabular/Streams.ts"
import * as Cursor from "./Cursor.ts"
import type { Column, Driver, Record } from "./Driver.ts"
import { noColumn } from "./Failures.ts"
import type { StreamSettings } from "./Settings.ts"
import * as Statement from "./Statement.ts"

export interface Stream {
  readonly name: StreamName
  readonly settings: StreamSettings
  /** Country names in the settings' language. */
  readonly countries?: CountryNames.Lookup | undefined
}

/** A query with the columns that it returns; every column in the settings is present. */
export interface Table {
  readonly all: ReadonlyArray<Column>
  readonly header: ReadonlyArray<string>
  readonly id: Column
  readonly idAt: number
  readonly cursor: Column | undefined
  readonly cursorAt: number
  readonly deletedAt: number
}

/** A page of one stream, and how far it reaches. */
export interface StreamPage extends PageContents, Pick<AnyPage<unknown>, "scan"> {
  readonly mark: Cursor.Mark | undefined
}

export const table = async (driver: Driver, { name, settings }: Stream): Promise<Table> => {
  const all = await driver.columns(Statement.select(settings.query, { none: true }))
  const header = all.map((column) => column.name)
  const at = (asked: string, by: string): { readonly column: Column; readonly index: number } => {
    const index = find(header, asked)
    const column = all[index]
    if (column === undefined) throw noColumn(name, asked, by, header)
    return { column, index }
  }
  for (const { by, heading } of Rows.headingsOf(settings)) at(heading, by)
  const id = at((settings.columns as { readonly id: string }).id, "columns.id")
  const cursor = settings.cursor === undefined ? undefined : at(settings.cursor, "cursor")
  const deleted = settings.deleted === undefined ? undefined : at(settings.deleted, "deleted")
  return {
    all,
    header,
    id: id.column,
    idAt: id.index,
    cursor: cursor?.column,
    cursorAt: cursor?.index ?? -1,
    deletedAt: deleted?.index ?? -1
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** The record as JSON, in which numbers keep their digits. */
const rawOf = ({ cells, numbers }: Record, header: ReadonlyArray<string>): string =>
  `{${header
    .map((name, n) => {
      const text = cells[n]
      const plain = text === null || (numbers[n] === true && text !== undefined && NUMBER.test(text))
      return `${JSON.stringify(name)}:${plain ? text : JSON.stringify(text)}`
    })
    .join(",")}}`

/** Rows that are remembered to detect duplicates. */
const MOST = 50_000

const LIVE = /^(?:|0|f|false|n|no|\0)$/i

/** Maps rows by the settings; rows marked as deleted become deletions. */
const decoder = ({ countries, name, settings }: Stream, { cursor, deletedAt, header, idAt }: Table) => {
  const columns: Columns & { readonly advice: string } = {
    header,
    typed: true,
    serials: "none",
    advice: "make it a date in the query (of the seller's time zone), or set date_format"
  }
  const compile = () =>
    Rows.compile(name, settings, {
      file: name,
      origin: ({ cells, line }) => `${name}/${(cells[idAt] ?? "") === "" ? `#${line}` : cells[idAt]}`,
      table: columns,
      // A text column may group thousands; a point is the decimal mark unless the settings say otherwise.
      mark: settings.decimal ?? ".",
      // With a cursor, a row is read alone: if its id included the invoice's, the old document would never be deleted.
      ownId: cursor !== undefined,
      countries,
      year: typeof settings.year === "number" ? { year: settings.year, month: 1 } : undefined,
      expected: 0
    })
  let decode = compile()
  let remembered = 0
  let line = 0
  return (records: ReadonlyArray<Record>, last: boolean): PageContents & { readonly deleted: ReadonlyArray<Named> } => {
    const into = batch()
    const ended = batch()
    const live: Array<Row> = []
    const dead: Array<Row> = []
    for (const record of records) {
      const row: Row = {
        cells: record.cells.map((text) => text ?? ""),
        numbers: record.numbers,
        line: ++line,
        raw: rawOf(record, header)
      }
      if (deletedAt >= 0 && !LIVE.test((record.cells[deletedAt] ?? "").trim())) dead.push(row)
      else live.push(row)
    }
    // Duplicates are adjacent because rows are sorted, so nothing else needs to be remembered.
    remembered += records.length
    if (cursor !== undefined && remembered > MOST && !ofLines(name)) {
      decode([], into, true)
      decode = compile()
      remembered = 0
    }
    decode(live, into, last)
    if (dead.length > 0) compile()(dead, ended, true)
    const deleted: Array<Named> = ended.read.map(({ document: { id, kind } }) => ({ kind, id }))
    if (cursor !== undefined) deleted.push(...withdrawn(into.read, settings))
    const { notices, read, quarantined } = into
    return { read, notices, quarantined: [...quarantined, ...ended.quarantined], deleted }
  }
}

/** Documents that these rows may have produced before and no longer do: a settlement, or money in the other direction. */
const withdrawn = (read: ReadonlyArray<Read>, { columns }: StreamSettings): ReadonlyArray<Named> => {
  const settles = "settled" in columns && columns.settled !== undefined
  const paid = new Set(settles ? read.map(({ document }) => document.kind === "payment" && document.id) : [])
  return read.flatMap(({ document: { id, kind } }): ReadonlyArray<Named> => {
    if (settles)
      return kind === "invoice" && !paid.has(`${id}/settled`) ? [{ kind: "payment", id: `${id}/settled` }] : []
    return kind === "payment" ? [{ kind: "reversal", id }] : kind === "reversal" ? [{ kind: "payment", id }] : []
  })
}

export interface Options {
  readonly from: Cursor.Mark | undefined
  readonly of: string
  readonly now: number
  readonly size: number
}

/** Whether a stream's rows are lines, which belong together by their id. */
const ofLines = (name: StreamName): boolean => !["invoices", "payments", "credit_notes"].includes(name)

/** What all pages of one stream share. */
interface Scope {
  readonly driver: Driver
  readonly stream: Stream
  readonly table: Table
  readonly options: Options
  /** Sort columns for the lines of a document: it stays the same only if its lines always come in the same order. */
  readonly lines: ReadonlyArray<string>
  readonly page: (records: ReadonlyArray<Record>, mark: Cursor.Mark | undefined, ends?: boolean) => StreamPage
}

const scopeOf = (driver: Driver, stream: Stream, table: Table, options: Options, starts: boolean): Scope => {
  const { name, settings } = stream
  const decode = decoder(stream, table)
  const asked = ofLines(name) ? Rows.columnsOf(settings) : []
  let begins = starts
  const page = (records: ReadonlyArray<Record>, mark: Cursor.Mark | undefined, ends?: boolean): StreamPage => {
    const scan = { name, ...(begins ? { begins } : {}), ...(ends === true ? { ends } : {}) }
    begins = false
    return { ...decode(records, ends !== undefined), mark, scan }
  }
  const lines = asked.flatMap((one) => {
    const column = table.all[find(table.header, one)]
    return column === undefined ? [] : [columnOf(driver, column)]
  })
  return { driver, stream, table, options, lines, page }
}

const columnOf = ({ dialect }: Driver, { name, type }: Column): string =>
  dialect.ordered(Statement.column(dialect, name), type)

/** Reads a stream without a cursor, which is read completely every time. */
async function* wholly({ driver, lines, options, page, stream, table }: Scope): AsyncGenerator<StreamPage> {
  const order = ofLines(stream.name) ? [columnOf(driver, table.id), ...lines] : []
  const statement = Statement.select(stream.settings.query, { order })
  for await (const records of driver.read(statement, options.size, table.all)) yield page(records, undefined)
  yield page([], undefined, true)
}

/** Reads rows with an empty cursor, every time, because nothing shows when they changed. */
async function* unmarked(scope: Scope, cursor: Column, mark: Cursor.Mark, fresh: boolean): AsyncGenerator<StreamPage> {
  const { driver, lines, options, page, stream, table } = scope
  const where = `${columnOf(driver, cursor)} IS NULL`
  const statement = Statement.select(stream.settings.query, { where, order: [columnOf(driver, table.id), ...lines] })
  const what = `${JSON.stringify(cursor.name)}, its cursor, is empty: every pull reads this row again`
  for await (const records of driver.read(statement, options.size, table.all)) {
    const found = page(records, mark)
    const odd = fresh ? records.map(({ cells }) => ({ origin: `${stream.name}/${cells[table.idAt] ?? ""}`, what })) : []
    yield { ...found, notices: [...(found.notices ?? []), ...odd] }
  }
}

/** Yields the pages of one stream, each with how far it reaches. */
export async function* pages(
  driver: Driver,
  stream: Stream,
  table: Table,
  options: Options
): AsyncGenerator<StreamPage> {
  const { from, now, of, size } = options
  const { all, cursor, cursorAt, id, idAt } = table
  const fresh = from === undefined
  const scope = scopeOf(driver, stream, table, options, cursor === undefined || fresh)
  if (cursor === undefined) return yield* wholly(scope)
  let mark: Cursor.Mark = fresh ? { of } : from
  // An interrupted read resumes after its last row; the read after that begins where the interrupted one began.
  const resumed = !fresh && from.done !== true && from.at !== undefined
  const low = resumed ? (from.low ?? from.at) : undefined
  yield* unmarked(scope, cursor, mark, fresh)

  const { query, overlap } = stream.settings
  const order = [columnOf(driver, cursor), columnOf(driver, id), ...scope.lines]
  const where =
    mark.at === undefined
      ? `${columnOf(driver, cursor)} IS NOT NULL`
      : since(driver, [cursor, id], { at: mark.at, id: mark.id, done: mark.done === true }, overlap)
  let last = mark.at
  let future = false
  for await (const records of driver.read(Statement.select(query, { where, order }), size, all)) {
    for (const record of records) {
      const at = valueAt(record, cursorAt)
      future ||= at !== undefined && Cursor.ahead(at, now)
      if (future) break
      last = at
    }
    // The cursor must not move to a future time, or nothing more would be read: every pull reads such rows again.
    const end = records.at(-1)
    if (!future && end !== undefined) mark = { of, ...present({ at: last, id: valueAt(end, idAt), low }) }
    yield scope.page(records, mark)
  }
  yield scope.page([], { of, done: true, ...present({ at: low ?? last }) }, fresh)
}

const valueAt = ({ cells, numbers }: Record, at: number): Cursor.Value | undefined => {
  const text = cells[at] ?? undefined
  return text === undefined ? undefined : numbers[at] === true ? { text, number: true } : { text }
}

/** How far a read has come. */
interface Reached {
  readonly at: Cursor.Value
  readonly id: Cursor.Value | undefined
  /** Whether the read is complete. */
  readonly done: boolean
}

/** The condition for rows that were not read yet, or may have been committed late. */
const since = (
  driver: Driver,
  [cursor, id]: readonly [Column, Column],
  { at, done, id: last }: Reached,
  overlap: number | undefined
): string => {
  const { dialect } = driver
  const [by, key] = [columnOf(driver, cursor), columnOf(driver, id)]
  // A fraction may have been written with fewer digits than it has.
  const exact = at.number !== true || !at.text.includes(".")
  if (done || last === undefined || !exact) {
    const behind = done ? Cursor.behind(at, overlap) : exact ? at : Cursor.behind(at, 1)
    // SQLite has no times, only texts.
    const isText = cursor.type === "text" || dialect.name === "SQLite"
    const from = done && isText ? Cursor.dayBefore(behind) : behind
    return `${by} >= ${dialect.literal(from, cursor)}`
  }
  const value = dialect.literal(at, cursor)
  return `${by} >= ${value} AND (${by} > ${value} OR ${key} >= ${dialect.literal(last, id)})`
}

/** Reads what belongs to these invoices again, by one of the stream's columns. */
export async function* again(
  driver: Driver,
  stream: Stream,
  table: Table,
  by: string,
  ids: ReadonlyArray<string>
): AsyncGenerator<PageContents> {
  const { dialect } = driver
  const { settings } = stream
  const at = find(table.header, by)
  const column = table.all[at]
  if (column === undefined) return
  const key = Statement.column(dialect, column.name)
  const order = [Statement.column(dialect, table.id.name)]
  const decode = decoder(stream, table)
  const found = new Set<string>()
  // Queries the plain column first, so that an index is used, and the trimmed column for ids not found that way.
  for (const [left, of] of [
    [key, column],
    [dialect.trimmed(key), { name: column.name, type: "text" }]
  ] as const) {
    const missing = ids.filter((id) => !found.has(id) && dialect.fits(id, of))
    if (missing.length === 0) break
    const values = missing.flatMap((id) => spellings(id).map((value) => dialect.literal(value, of)))
    const where = `${left} IN (${[...new Set(values)].join(", ")})`
    for await (const records of driver.read(
      Statement.select(settings.query, { where, order }),
      ids.length,
      table.all
    )) {
      for (const { cells } of records) found.add((cells[at] ?? "").trim())
      yield decode(records, true)
    }
    if (by === "invoice") break
  }
  if (by !== "id") return
  const deleted = ids.filter((id) => !found.has(id)).map((id) => ({ kind: "invoice" as const, id }))
  if (deleted.length > 0) yield { read: [], quarantined: [], deleted }
}

/** An id as text, and as a number in case the column is numeric. */
const spellings = (id: string): ReadonlyArray<Cursor.Value> =>
  /^(?:0|-?[1-9]\d{0,18})$/.test(id) ? [{ text: id }, { text: id, number: true }] : [{ text: id }]
