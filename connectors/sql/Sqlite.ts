/**
 * Reads SQLite, opened read-only in another process (`SqliteProcess.ts`). A column may hold values of any type, so each row says
 * which values are numbers.
 */
import { fork } from "node:child_process"
import { existsSync } from "node:fs"
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

export type SqliteAnswer = { readonly value: unknown } | { readonly message: string; readonly code?: string }

/** Beside this file in a checkout and in the library, and with the other programs of its own in the command. */
const program = (): URL => {
  const names = ["./SqliteProcess.ts", "./SqliteProcess.js", "../SqliteProcess.js"]
  const all = [...names, "./reading/SqliteProcess.js", "../reading/SqliteProcess.js"]
  const found = all.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url))
  if (found === undefined) throw new Error("this build of Daybook is incomplete; run npm run build")
  return found
}

/** Starts the process, and asks it: whoever waits too long for an answer, or not any more, ends it. */
const started = ({ patience, signal }: OpenOptions) => {
  const child = fork(program(), {
    serialization: "advanced",
    execArgv: [],
    // None of the secrets.
    env: { TMPDIR: process.env["TMPDIR"], SystemRoot: process.env["SystemRoot"] },
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  const end = () => void child.kill("SIGKILL")
  signal.addEventListener("abort", end, { once: true })
  if (signal.aborted) end()
  let settle: ((said: SqliteAnswer | Error) => void) | undefined
  child.on("message", (said: SqliteAnswer) => settle?.(said))
  child.on("error", (cause) => settle?.(cause))
  child.on("exit", () => settle?.(new Error("the process that reads the file ended")))
  const ask = <A>(question: SqliteQuestion): Promise<A> =>
    new Promise<A>((resolve, reject) => {
      const timer = setTimeout(() => {
        end()
        settle?.(new Silent(patience))
      }, patience)
      settle = (said) => {
        settle = undefined
        clearTimeout(timer)
        if ("value" in said) resolve(said.value as A)
        else reject(said)
      }
      if (!child.connected) settle(new Error("the process that reads the file ended"))
      else child.send(question)
    })
  return { ask, end }
}

export const open = async (path: string, options: OpenOptions): Promise<Driver> => {
  const { ask, end } = started(options)
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
    close: async () => end()
  }
}
