/**
 * What tests in a world of their own share: books to send, what a run reports, what was asked, what is on the disk.
 */
import Sqlite from "better-sqlite3"
import { Cause, type Exit } from "effect"
import { existsSync } from "node:fs"
import type { Document } from "../../connectors/Document.ts"
import type { Report } from "../../sync/apply/Report.ts"
import { invoice, payment, reversal } from "../support/Documents.ts"
import { KEY, URL, World, type WorldOptions } from "./World.ts"

export const report = (exit: Exit.Exit<Report, unknown>): Report => {
  if (exit._tag === "Failure") throw new Error(Cause.pretty(exit.cause))
  return exit.value
}

export const inWorld =
  (options: WorldOptions, work: (world: World) => Promise<void>): (() => Promise<void>) =>
  async () => {
    const world = new World(options)
    try {
      await work(world)
    } finally {
      world.close()
    }
  }

export const requests = ({ instance }: World) => instance.journal.map(({ method, path }) => `${method} ${path}`)

type Rows = ReadonlyArray<Record<string, unknown>>

/** Opening the file takes longer than most queries: who has several asks them of one handle. */
export const opened = <A>({ file }: World, look: (rows: (sql: string) => Rows) => A): A => {
  const db = new Sqlite(file, { readonly: true })
  try {
    return look((sql) => db.prepare(sql).all() as Rows)
  } finally {
    db.close()
  }
}

export const open = (world: World, sql: string): Rows => opened(world, (rows) => rows(sql))

/** Of a state file that may not be there, or not have this table yet. */
export const openTable = (world: World, table: string, sql: string): Rows =>
  existsSync(world.file)
    ? opened(world, (rows) => (rows(`SELECT 1 FROM sqlite_schema WHERE name = '${table}'`).length > 0 ? rows(sql) : []))
    : []

/** `n` invoices of 120.00, each paid in full. */
export const paidInvoices = (n: number): ReadonlyArray<Document> =>
  Array.from({ length: n }, (_, i) => i + 1).flatMap((i) => [
    invoice({ id: `I${i}`, number: `INV-${i}` }),
    payment(`P${i}`, { [`I${i}`]: "120.00" })
  ])

export const books: ReadonlyArray<Document> = [
  ...paidInvoices(3),
  invoice({ id: "I4", number: "INV-4" }),
  payment("P4", { I4: "70.00" }),
  reversal("R4", { I4: "70.00" }, "chargeback", { payment: "P4" })
]
/** Owner, four invoices, five payments, three of them settled. */
export const CALLS = 1 + 4 + 5 + 3

/** A request past the sync, as someone else would make it. */
export const ask = (world: World, method: string, url: string, body?: unknown): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) =>
    world.instance.respond(
      { method, url, base: URL, authorization: `Token ${KEY}`, body: JSON.stringify(body) ?? "", local: true },
      (outcome) => {
        if (outcome === "cut" || outcome.status >= 400) reject(new Error(JSON.stringify(outcome)))
        else resolve(outcome.text === "" ? {} : (JSON.parse(String(outcome.text)) as Record<string, unknown>))
      }
    )
  )
