/**
 * Reads SQLite, opened read-only. A column may hold values of any type, so each row says which values are numbers.
 */
import type { Database } from "better-sqlite3"
import { type Dialect, type Driver, fits, NUMBER, quoted, quotedName, type Record } from "./Driver.ts"

export const dialect: Dialect = {
  name: "SQLite",
  quote: quotedName,
  // In SQLite a number never equals a text, so a value is compared as the type that it had.
  literal: ({ number, text }) => (number === true && NUMBER.test(text) ? text : quoted(text)),
  ordered: (column) => column,
  trimmed: (column) => `trim(CAST(${column} AS TEXT))`,
  fits
}

/** Above this, a double is too coarse for the four decimal places from which amounts are rounded. */
const CENTS = 1e11

/**
 * Formats a double with its 15 significant digits, as SQLite does. If those do not reach the cents, it is written with all
 * digits, so that it is rejected as too precise instead of rounded.
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
    // The first read of the file fixes the snapshot.
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
