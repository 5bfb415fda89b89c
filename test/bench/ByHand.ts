/**
 * The importer that a competent user would write by hand, in an afternoon, for this one file: csv-parse as a stream,
 * better-sqlite3 in WAL, 5,000 rows a transaction. It keeps every row's columns, its raw text and a SHA-256 of that.
 *
 * `load` fills an empty table: one upsert a row, nothing looked up before. `compare` is for a file that was loaded
 * before: it reads the stored hash and writes only where it differs.
 */
import { hash } from "node:crypto"
import { createReadStream } from "node:fs"
import Sqlite from "better-sqlite3"
import { parse } from "csv-parse"
import { timed } from "./Process.ts"

const BATCH = 5000

const open = (file: string): Sqlite.Database => {
  const db = new Sqlite(file)
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = NORMAL")
  db.pragma("cache_size = -65536")
  db.exec(
    `CREATE TABLE IF NOT EXISTS invoice (
       id TEXT PRIMARY KEY, customer TEXT, country TEXT, issued TEXT, due TEXT, net TEXT, gross TEXT, state TEXT,
       raw TEXT NOT NULL, hash TEXT NOT NULL
     )`
  )
  return db
}

const UPSERT = `INSERT INTO invoice VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
  customer = excluded.customer, country = excluded.country, issued = excluded.issued, due = excluded.due,
  net = excluded.net, gross = excluded.gross, state = excluded.state, raw = excluded.raw, hash = excluded.hash`

type Parsed = { readonly record: ReadonlyArray<string>; readonly raw: string }

const read = (csv: string, db: Sqlite.Database, keep: (row: Parsed) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const keepAll = db.transaction((rows: ReadonlyArray<Parsed>) => {
      for (const row of rows) keep(row)
    })
    let rows: Array<Parsed> = []
    const parser = parse({ from_line: 2, raw: true, bom: true })
    parser.on("readable", () => {
      for (let row = parser.read(); row !== null; row = parser.read()) {
        rows.push(row)
        if (rows.length < BATCH) continue
        keepAll(rows)
        rows = []
      }
    })
    parser.on("error", reject)
    parser.on("end", () => {
      keepAll(rows)
      resolve()
    })
    createReadStream(csv, { highWaterMark: 1 << 18 })
      .on("error", reject)
      .pipe(parser)
  })

export const load = (csv: string, state: string): Promise<number> =>
  timed(async () => {
    const db = open(state)
    const upsert = db.prepare(UPSERT)
    await read(csv, db, ({ raw, record }) => upsert.run(...record, raw, hash("sha256", raw)))
    db.close()
  })

export const compare = (csv: string, state: string): Promise<number> =>
  timed(async () => {
    const db = open(state)
    const upsert = db.prepare(UPSERT)
    const stored = db.prepare("SELECT hash FROM invoice WHERE id = ?").pluck()
    await read(csv, db, ({ raw, record }) => {
      const now = hash("sha256", raw)
      if (stored.get(record[0]) !== now) upsert.run(...record, raw, now)
    })
    db.close()
  })
