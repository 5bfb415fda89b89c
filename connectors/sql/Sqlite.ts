/**
 * Reads SQLite, opened read-only in another process (`SqliteProcess.ts`). A column may hold values of any type, so each row says
 * which values are numbers.
 */
import { apart, TookTooLong } from "../Apart.ts"
import { type Dialect, type Driver, fits, NUMBER, type OpenOptions, quoted, quotedName, type Record } from "./Driver.ts"
import { Silent } from "./Silence.ts"

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

export const recordOf = (values: ReadonlyArray<unknown>): Record => ({
  cells: values.map((value) => {
    if (value === null) return null
    if (typeof value === "number") return floating(value)
    return Buffer.isBuffer(value) ? value.toString("utf8") : String(value)
  }),
  numbers: values.map((value) => typeof value === "bigint" || typeof value === "number")
})

/** What the process that reads a file is asked, one after the other. */
export type SqliteQuestion =
  | { readonly open: string }
  | { readonly columns: string }
  | { readonly read: string }
  | { readonly next: number }

export const open = async (
  path: string,
  { patience, signal }: Pick<OpenOptions, "patience" | "signal">
): Promise<Driver> => {
  const { ask: asked, end } = apart("sql/SqliteProcess")
  signal.addEventListener("abort", end, { once: true })
  if (signal.aborted) end()
  const ask = <A>(question: SqliteQuestion): Promise<A> =>
    asked<A>(question, patience).catch((cause: unknown) => {
      throw cause instanceof TookTooLong ? new Silent(patience) : cause
    })
  await ask({ open: path }).catch((cause: unknown) => {
    end()
    throw cause
  })
  return {
    dialect,
    columns: async (statement) =>
      (await ask<ReadonlyArray<string>>({ columns: statement })).map((name) => ({ name, type: "unknown" as const })),
    read: async function* (statement, size) {
      await ask({ read: statement })
      for (;;) {
        const records = await ask<ReadonlyArray<Record>>({ next: size })
        if (records.length === 0) return
        yield records
      }
    },
    close: async () => {
      signal.removeEventListener("abort", end)
      end()
    }
  }
}
