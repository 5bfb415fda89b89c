/**
 * Writes the books into a SQLite file of plain tables, with views over them, for reporting tools. The file is rewritten each
 * time from one snapshot of the books, and gets its name once it is complete; programs that have the earlier file open
 * continue to read it.
 *
 * The state file itself is not for other programs: its format is internal and changes, and whatever was written into it
 * would be trusted.
 */
import Sqlite from "better-sqlite3"
import { existsSync, renameSync, rmSync, statSync } from "node:fs"
import { open } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import type { Column, Row, Sheet } from "../../reports/Sheets.ts"
import { createFile, rightsOf } from "../../state/OwnFile.ts"
import type { Format, SheetWriter } from "../Format.ts"
import { sqlColumns, TABLES, VIEWS_VERSION } from "./Tables.ts"
import { VIEWS } from "./Views.ts"
import { given } from "../../../core/Entry.ts"

const ENDING = ".sqlite"

/** Statements that create an empty file. */
export const SCHEMA: ReadonlyArray<string> = [
  "CREATE TABLE about (version INTEGER NOT NULL, made TEXT NOT NULL) STRICT",
  "CREATE TABLE currencies (code TEXT PRIMARY KEY, decimals INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  ...TABLES.map(
    (table) =>
      `CREATE TABLE ${table.name} (${sqlColumns(table)
        .map(([name, type]) => `${name} ${type}`)
        .join(", ")}) STRICT`
  ),
  ...VIEWS.map(({ name, sql }) => `CREATE VIEW ${name} AS ${sql.replace(/\s+/g, " ")}`)
]

/** Created after the rows, which is faster. */
/** Rows of each index that statistics are made of: enough to choose one, and soon done. */
const ANALYSED = 400

/** So that no commit takes long. */
const ROWS_PER_COMMIT = 10_000

const INDEXES = [
  "CREATE INDEX invoices_document ON invoices (document)",
  "CREATE INDEX shares_invoice ON shares (invoice)",
  "CREATE INDEX shares_document ON shares (document)"
]

type Value = string | number | bigint | null

/** Exact text in major units, and whole minor units; the latter is null if the amount is finer. */
const money = (amount: bigint, currency: string): readonly [string, bigint | null] =>
  currency === ""
    ? [Decimal.format(amount), null]
    : [Currency.format(amount, currency), Currency.fits(amount, currency) ? Currency.toMinor(amount, currency) : null]

const valuesOf = (row: Row, columns: ReadonlyArray<Column>, currency: string): Array<Value> =>
  columns.flatMap(({ type }, i): ReadonlyArray<Value> => {
    const value = row[i] ?? null
    if (type === "money") return typeof value === "bigint" ? money(value, currency) : [null, null]
    if (type === "instant") return [typeof value === "number" ? new Date(value).toISOString() : null]
    return [value]
  })

class ViewsWriter implements SheetWriter {
  readonly #path: string
  readonly #partial: string
  readonly #db: Sqlite.Database
  readonly #currencies = new Set<string>()
  #sheet: Sheet | undefined
  #rows = 0
  #insert: Sqlite.Statement | undefined

  constructor(file: string) {
    this.#path = resolve(file)
    if (existsSync(this.#path) && statSync(this.#path).isDirectory())
      throw Object.assign(new Error("is a folder"), { code: "EISDIR" })
    if (!existsSync(dirname(this.#path))) throw Object.assign(new Error("no folder"), { code: "ENOENT" })
    this.#partial = partialOf(this.#path)
    createFile(this.#partial, rightsOf(this.#path))
    this.#db = new Sqlite(this.#partial)
    // Nobody reads the file before it is complete.
    this.#db.pragma("journal_mode = OFF")
    this.#db.pragma("synchronous = OFF")
    this.#db.exec("BEGIN")
    // Indexes grow with their rows: made at the end, each would stop everything else for as long as it takes.
    for (const sql of [...SCHEMA, ...INDEXES]) this.#db.exec(sql)
  }

  readonly begin = async (sheet: Sheet): Promise<void> => {
    const table = given(
      TABLES.find((one) => one.sheet === sheet.name),
      `the table of ${sheet.name}`
    )
    this.#sheet = sheet
    this.#insert = this.#db.prepare(
      `INSERT INTO ${table.name} VALUES (${sqlColumns(table)
        .map(() => "?")
        .join(", ")})`
    )
  }

  readonly write = async (rows: ReadonlyArray<Row>): Promise<void> => {
    const { columns, currency } = given(this.#sheet, "a sheet")
    const insert = given(this.#insert, "a table")
    for (const row of rows) {
      const code = currency < 0 ? "" : String(row[currency] ?? "")
      if (code !== "") this.#currencies.add(code)
      insert.run(valuesOf(row, columns, code))
    }
    this.#rows += rows.length
    if (this.#rows < ROWS_PER_COMMIT) return
    this.#rows = 0
    this.#db.exec("COMMIT; BEGIN")
  }

  readonly end = async (): Promise<void> => {}

  readonly commit = async (): Promise<ReadonlyArray<string>> => {
    const insert = this.#db.prepare("INSERT INTO currencies VALUES (?, ?)")
    for (const code of [...this.#currencies].toSorted()) insert.run(code, BigInt(Currency.decimals(code)))
    this.#db.prepare("INSERT INTO about VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))").run(BigInt(VIEWS_VERSION))
    this.#db.exec("COMMIT")
    this.#db.pragma(`analysis_limit = ${ANALYSED}`)
    this.#db.exec("ANALYZE")
    this.#db.close()
    const handle = await open(this.#partial)
    await handle.sync().finally(() => handle.close())
    renameSync(this.#partial, this.#path)
    return [this.#path]
  }

  readonly discard = async (): Promise<void> => {
    if (this.#db.open) this.#db.close()
    rmSync(this.#partial, { force: true })
  }
}

export const viewsFile: Format = { ending: ENDING, open: async (file) => new ViewsWriter(file) }
