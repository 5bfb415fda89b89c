/**
 * SQLite, opened for reading only. A column of it may hold values of any type, so that each row says which are numbers.
 */
import type { Database } from "better-sqlite3"
import { type Dialect, type Driver, fits, quoted, type Record } from "./Driver.ts"

const NUMBER = /^-?\d+(?:\.\d+)?$/

export const dialect: Dialect = {
  name: "SQLite",
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  // A number and a text are never equal here, so that a value is asked for as what it was.
  literal: ({ number, text }) => (number === true && NUMBER.test(text) ? text : quoted(text)),
  ordered: (column) => column,
  trimmed: (column) => `trim(CAST(${column} AS TEXT))`,
  fits
}

/** Beyond this a floating-point number does not hold the four places that amounts are rounded from. */
const CENTS = 1e11

/**
 * A floating-point number, with the digits that it is good for: 15, as SQLite writes it. Where those do not reach the
 * cents it is written in full, so that it is refused as too fine rather than rounded.
 */
export const floating = (value: number): string => {
  if (Number.isSafeInteger(value)) return value.toFixed(0)
  if (!(Math.abs(value) < CENTS)) return `${value} (a floating-point number, which does not hold cents of this size)`
  return /e/.test(`${value}`) ? `${value}` : `${Number(value.toPrecision(15))}`
}

const recordOf = (values: ReadonlyArray<unknown>): Record => ({
  cells: values.map((value) => {
    if (value === null) return null
    if (typeof value === "number") return floating(value)
    return Buffer.isBuffer(value) ? value.toString("utf8") : String(value)
  }),
  numbers: values.map((value) => typeof value === "bigint" || typeof value === "number")
})

export const open = async (path: string): Promise<Driver> => {
  const Sqlite = (await import("better-sqlite3")).default
  const db: Database = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 2000 })
  const prepare = (statement: string) => db.prepare(statement).safeIntegers(true).raw(true)
  try {
    db.exec("BEGIN")
    // The moment that is read is that of the first look at the file.
    db.prepare("SELECT count(*) FROM sqlite_schema").get()
  } catch (cause) {
    db.close()
    throw cause
  }
  return {
    dialect,
    columns: async (statement) =>
      prepare(statement)
        .columns()
        .map(({ name }) => ({ name, type: "unknown" as const })),
    read: async function* (statement, size) {
      let records: Array<Record> = []
      for (const values of prepare(statement).iterate() as Iterable<ReadonlyArray<unknown>>) {
        records.push(recordOf(values))
        if (records.length < size) continue
        yield records
        records = []
      }
      if (records.length > 0) yield records
    },
    close: async () => void db.close()
  }
}
