/**
 * The databases that the SQL connector is tried on, each with a fresh database for every test, and a pull of it.
 */
import Sqlite from "better-sqlite3"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Document from "../../../connectors/Document.ts"
import { sql } from "../../../connectors/sql/Sql.ts"
import { bookmark, fold, run, type Run } from "../../../connectors/testing/index.ts"
import { mariadb, postgres, type Server } from "../../support/Servers.ts"

export interface Desk {
  /** What the settings say of the place. */
  readonly place: { readonly url: { readonly env: string } } | { readonly file: string }
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** Runs statements, one after the other, committed when it answers. */
  readonly exec: (...statements: ReadonlyArray<string>) => Promise<void>
  /** A change that is not committed before `commit` is called. */
  readonly begin: (statement: string) => Promise<{ readonly commit: () => Promise<void> }>
  readonly close: () => Promise<void>
}

export interface Engine {
  readonly name: string
  /** Starts the server; answers why it cannot. */
  readonly start: () => Promise<string | undefined>
  readonly stop: () => Promise<void>
  readonly desk: () => Promise<Desk>
  readonly server: () => Server
  /** Its types. */
  readonly types: { readonly whole: string; readonly money: string; readonly day: string; readonly time: string }
}

let n = 0
const nextName = () => `books_${process.pid}_${++n}`

const ENV = "BOOKS_DATABASE"

const served = (
  name: string,
  make: () => Promise<Server | string>,
  connect: (url: string) => Promise<{ query: (sql: string) => Promise<unknown>; end: () => Promise<unknown> }>,
  first: string,
  types: Engine["types"]
): Engine => {
  let server: Server | undefined
  return {
    name,
    types,
    start: async () => {
      const made = await make()
      if (typeof made === "string") return made
      server = made
      return undefined
    },
    stop: async () => server?.stop(),
    server: () => server!,
    desk: async () => {
      const database = nextName()
      const admin = await connect(`${server!.url}/${first}`)
      await admin.query(`CREATE DATABASE ${database}`)
      await admin.end()
      const url = `${server!.url}/${database}`
      const client = await connect(url)
      return {
        place: { url: { env: ENV } },
        environment: { [ENV]: url },
        folder: ".",
        exec: async (...statements) => {
          for (const statement of statements) await client.query(statement)
        },
        begin: async (statement) => {
          const other = await connect(url)
          await other.query("BEGIN")
          await other.query(statement)
          return {
            commit: async () => {
              await other.query("COMMIT")
              await other.end()
            }
          }
        },
        close: async () => void (await client.end())
      }
    }
  }
}

const ofPostgres = served(
  "PostgreSQL",
  () => postgres(),
  async (url) => {
    const { Client } = (await import("pg")).default
    const client = new Client({ connectionString: url })
    await client.connect()
    return client
  },
  "postgres",
  { whole: "bigint", money: "numeric(20, 2)", day: "date", time: "timestamptz" }
)

const ofMariadb = served(
  "MariaDB",
  () => mariadb(),
  async (url) => (await import("mysql2/promise")).default.createConnection(url),
  "mysql",
  { whole: "bigint", money: "decimal(20, 2)", day: "date", time: "datetime(6)" }
)

const sqlite: Engine = {
  name: "SQLite",
  types: { whole: "integer", money: "text", day: "text", time: "text" },
  start: async () => undefined,
  stop: async () => {},
  server: () => {
    throw new Error("SQLite has no server")
  },
  desk: async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-sqlite-"))
    const file = join(folder, "books.db")
    const db = new Sqlite(file)
    db.pragma("journal_mode = WAL")
    return {
      place: { file: "books.db" },
      environment: {},
      folder,
      exec: async (...statements) => {
        for (const statement of statements) db.exec(statement)
      },
      begin: async (statement) => {
        const other = new Sqlite(file)
        other.exec("BEGIN IMMEDIATE")
        other.exec(statement)
        return {
          commit: async () => {
            other.exec("COMMIT")
            other.close()
          }
        }
      },
      close: async () => {
        db.close()
        rmSync(folder, { recursive: true, force: true })
      }
    }
  }
}

export const engines: ReadonlyArray<Engine> = [ofPostgres, ofMariadb, sqlite]

/** One pull of these streams. */
export const pull = (desk: Desk, settings: object, after?: string): Promise<Run> =>
  run(
    {
      connector: sql,
      settings: { ...desk.place, ...settings },
      environment: desk.environment,
      open: () => ({}),
      golden: []
    },
    { folder: desk.folder },
    { after }
  )

export const sweep = (desk: Desk, settings: object, ids: ReadonlyArray<string>): Promise<Run> =>
  run(
    {
      connector: sql,
      settings: { ...desk.place, ...settings },
      environment: desk.environment,
      open: () => ({}),
      golden: []
    },
    { folder: desk.folder },
    { reread: ids }
  )

/** Where a pull came to, as the state file keeps it. */
export const end = ({ error, pages }: Run): string => {
  if (error !== undefined) throw error
  return bookmark(sql, pages[pages.length - 1]!)
}

/** The bookmark behind each page. */
export const ends = ({ pages }: Run): ReadonlyArray<string> => pages.map((page) => bookmark(sql, page))

export const documents = (ran: Run): ReadonlyArray<Document.Document> => {
  if (ran.error !== undefined) throw ran.error
  return [...fold(ran.pages).values()].map(Document.decode)
}

/** The names of what a pull read: `invoice/5`. */
export const names = (ran: Run): ReadonlyArray<string> => {
  if (ran.error !== undefined) throw ran.error
  return ran.pages.flatMap(({ read }) => read.map(({ document }) => `${document.kind}/${document.id}`))
}

export const deleted = ({ pages }: Run): ReadonlyArray<string> =>
  pages.flatMap((page) => (page.deleted ?? []).map(({ id, kind }) => `${kind}/${id}`))

export const quarantined = ({ pages }: Run): ReadonlyArray<readonly [string, string]> =>
  pages.flatMap(({ quarantined }) => quarantined.map(({ origin, why }) => [origin, why] as const))
