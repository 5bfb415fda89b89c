/**
 * Runs the command as users do: built from the current source, in a folder of its own with a configuration and files, against
 * a sandbox on a port. Everything is removed after the tests of a file.
 */
import { beforeAll } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Journal, startSandbox } from "../../core/sandbox/index.ts"
import { atEnd } from "./AtEnd.ts"
import { builtCommand, remove, temporary } from "./Built.ts"
import { type Program, type Ran, runResident } from "./Resident.ts"

export type { Ran } from "./Resident.ts"

export const KEY = "sk-test-5b1e77d2"

/** The error message of a command that failed with `expected`; it must be one line without a stack trace. */
export const failed = ({ status, stderr }: Ran, expected: number): string => {
  if (status !== expected || !/^[^\n]+\n$/.test(stderr))
    throw new Error(`ended with ${status}, not ${expected}: ${stderr}`)
  return stderr
}

/** The lines of `--json` output; fails if a line is not JSON. */
export const lines = ({ stdout }: Ran): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

export const ofType = (ran: Ran, type: string) => lines(ran).filter((line) => line["type"] === type)

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The program to run before the command's arguments; by default this Node and the command. */
  readonly through?: (node: string, program: string) => readonly [string, ...ReadonlyArray<string>]
  /** Runs in a process of its own, from the file that a user starts. */
  readonly alone?: boolean
  /** Whether to run the built command (the default) or its source. */
  readonly from?: Program
  /** Called when the process runs. */
  readonly onStart?: (child: ChildProcess) => void
}

let built = ""
let alone = false

/**
 * Builds the command before the tests of this file, and removes afterwards everything that they created.
 *
 * @param options.alone runs each command line in a process of its own, for tests about a process's memory or remains
 */
export const useCommand = (options: { readonly alone?: boolean } = {}): void => {
  beforeAll(() => {
    built = builtCommand()
    alone = options.alone === true
  }, 300_000)
}

/** Builds the command at once, for a program that is no test. */
export const buildCommand = (): void => {
  built = builtCommand()
}

/** The path of the command's program. */
export const program = (): string => join(built, "dist", "daybook.js")

const environment = (options: RunOptions): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = { ...process.env, SERVICE_KEY: KEY }
  for (const name of ["NO_COLOR", "FORCE_COLOR", "COLUMNS"]) delete env[name]
  for (const [name, value] of Object.entries(options.env ?? {})) {
    if (value === undefined) delete env[name]
    else env[name] = value
  }
  return env
}

/**
 * Runs a command line, in a process that has run others before, unless the options or `useCommand` request one of its own.
 */
export const run = async (folder: string, args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ran> => {
  // Building here would stop what else runs in this process, and count as the time of the test.
  if (built === "" && options.from !== "source") throw new Error("call useCommand() at the top of the test file")
  return alone || options.alone === true || options.through !== undefined || options.onStart !== undefined
    ? runAlone(folder, args, options)
    : runResident({ args, cwd: folder, env: environment(options) }, options.from)
}

const runAlone = (folder: string, args: ReadonlyArray<string>, options: RunOptions): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const [command, ...before] = options.through?.(process.execPath, program()) ?? [process.execPath, program()]
    const child = spawn(command, [...before, ...args], {
      cwd: folder,
      env: environment(options),
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text) => void (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text) => void (stderr += text))
    child.on("error", reject)
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }))
    options.onStart?.(child)
  })

/** Runs several command lines, one after another. */
export const runEach = async (
  folder: string,
  commands: ReadonlyArray<ReadonlyArray<string>>
): Promise<ReadonlyArray<Ran>> => {
  const all: Array<Ran> = []
  for (const args of commands) all.push(await run(folder, args))
  return all
}

/** A sandbox, with helpers for its control interface. */
export const service = async () => {
  const { close, url } = await startSandbox({ port: 0, keys: [KEY, "sk-another-account"] })
  atEnd(close)
  const control = async <A>(method: string, path: string, body?: unknown): Promise<A> => {
    const answer = await fetch(`${url}/sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  return {
    url,
    control,
    /** Requests other than reads, from the `since`th request on. */
    calls: async (since = 0) => {
      const journal = await control<ReadonlyArray<Journal>>("GET", `requests?since=${since}`)
      return journal.filter(({ method }) => method !== "GET")
    },
    /** Its transactions by their source's id, as far as a seller can tell them apart. */
    holds: () => holdings(url)
  }
}

const holdings = async (url: string): Promise<Readonly<Record<string, unknown>>> => {
  const found: Record<string, unknown> = {}
  for (let next: string | null = `${url}/v1/transactions?limit=100`; next !== null; ) {
    const answer = await fetch(next, { headers: { authorization: `Token ${KEY}` } })
    const page = (await answer.json()) as {
      readonly next: string | null
      readonly results: ReadonlyArray<Readonly<Record<string, unknown>>>
    }
    for (const { due_date, gross_amount, id, number, paid_date, status, unique_id } of page.results) {
      const own = await fetch(`${url}/v1/transactions/${id}/payments/?limit=100`, {
        headers: { authorization: `Token ${KEY}` }
      })
      const { results } = (await own.json()) as { readonly results: ReadonlyArray<{ [name: string]: unknown }> }
      const payments = results
        .map(({ amount, date, details, type }) => `${date} ${amount} ${type} ${details}`)
        .toSorted()
      const key = String(unique_id)
      if (key in found) throw new Error(`${key} is there twice`)
      found[key] = { number, status, gross_amount, due_date, paid_date, payments }
    }
    next = page.next
  }
  return found
}

export type Service = Awaited<ReturnType<typeof service>>

/** A new folder with these files. */
export const desk = (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  const folder = temporary()
  atEnd(() => remove(folder))
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return {
    folder,
    path: (name: string) => join(folder, name),
    write,
    run: (...args: ReadonlyArray<string>) => run(folder, args),
    runEach: (...commands: ReadonlyArray<ReadonlyArray<string>>) => runEach(folder, commands),
    runWith: (options: RunOptions, ...args: ReadonlyArray<string>) => run(folder, args, options)
  }
}

export type Desk = ReturnType<typeof desk>

/** An address where nothing listens. */
export const NOWHERE = "http://127.0.0.1:9"

export const INVOICES = `Invoice,Buyer,Country,Issued,Due,Net,Gross,State
INV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent
INV-2,Brightwater Foods Ltd,GB,2026-03-02,2026-04-01,250.50,300.60,Sent
INV-3,Tern & Sons,GB,2026-03-03,2026-04-02,10.00,12.00,Cancelled
`

/** INV-1 is settled, INV-2 partly; a payment of an unknown invoice needs attention. */
export const PAYMENTS = `Ref,Invoice,Date,Amount,Type,Code
P-1,INV-1,2026-03-20,120.00,,
P-2,INV-2,2026-03-21,100.00,,
P-3,INV-9,2026-03-22,5.00,,
`

/** A configuration as JSON. */
export const configuration = (url: string) => ({
  service: { url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
  connections: [
    {
      id: "books",
      // These tests begin after a user has approved the first sync, which `FirstSync.test.ts` tests.
      first_sync: "send" as const,
      source: {
        connector: "files",
        invoices: {
          path: "invoices.csv",
          columns: {
            id: "Invoice",
            number: "Invoice",
            customer: "Buyer",
            customer_country: "Country",
            issued: "Issued",
            due: "Due",
            net: "Net",
            gross: "Gross",
            status: "State"
          },
          date_format: "yyyy-MM-dd",
          decimal: ".",
          currency: "GBP",
          statuses: { Sent: "open", Cancelled: "void" }
        },
        payments: {
          path: "payments.csv",
          columns: {
            id: "Ref",
            invoice: "Invoice",
            date: "Date",
            amount: "Amount",
            type: "Type",
            provider_code: "Code"
          }
        }
      },
      owner: { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } },
      scope: { issued_after: "2024-01-01", drafts: false }
    }
  ]
})

/** A folder with books and a configuration that reads them. */
export const books = (url: string, files: Readonly<Record<string, string>> = {}) =>
  desk({
    "daybook.config.json": JSON.stringify(configuration(url), null, 2),
    "invoices.csv": INVOICES,
    "payments.csv": PAYMENTS,
    ...files
  })

/** The header of invoices whose balance the source states. */
export const STATED = "Invoice,Buyer,Country,Issued,Due,Net,Gross,State,Open balance\n"

/** A folder with such books. */
export const statedBooks = (url: string, files: Readonly<Record<string, string>>) => {
  const { connections, service } = configuration(url)
  const [books] = connections
  const { columns, ...invoices } = books!.source.invoices
  const source = { ...books!.source, invoices: { ...invoices, columns: { ...columns, balance: "Open balance" } } }
  return desk({ "daybook.config.json": JSON.stringify({ service, connections: [{ ...books, source }] }), ...files })
}

/** Books with `n` invoices, each paid. */
export const many = (n: number) => {
  const numbers = Array.from({ length: n }, (_, i) => i + 1)
  return {
    "invoices.csv": `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${numbers.map((i) => `INV-${i},Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent\n`).join("")}`,
    "payments.csv": `Ref,Invoice,Date,Amount,Type,Code\n${numbers.map((i) => `P-${i},INV-${i},2026-03-20,120.00,,\n`).join("")}`
  }
}
