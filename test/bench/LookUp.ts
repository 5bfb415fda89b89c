/**
 * What a look-up in the state file costs, against the same statement of SQLite's with its value written into it: the query
 * planner is not to look at parameters, see `stable` in sync/state/Database.ts, or every look-up is prepared anew.
 */
import { join } from "node:path"
import { Effect } from "effect"
import { Database } from "../../sync/state/Database.ts"
import { atMost, type Figure, times } from "./Figure.ts"

const ROWS = 20_000

const SELECT = "SELECT p.currency FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key"

const figure = (db: Database["Service"]): Figure => {
  db.raw.exec(`
    INSERT INTO scan (id, connection, name) VALUES (1, 'books', 'all');
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT ${ROWS})
      INSERT INTO document (id, key, scan, n, deleted, record, body)
        SELECT n, 'books/invoice/' || n, 1, 1, 0, 0, '[]' FROM n;
    INSERT INTO payable (invoice, connection, number, currency, party, payable, base, open, issued, due)
      SELECT id, 'books', id, 'GBP', '', 1, 100, 100, '2026-01-01', '2026-01-31' FROM document`)
  const ours = db.prepare(`${SELECT} = ?`).pluck()
  const bare = db.raw.prepare(`${SELECT} = 'books/invoice/${ROWS / 2}'`).pluck()
  const time = (work: (n: number) => void): number => {
    const started = performance.now()
    for (let n = 1; n <= ROWS; n++) work(n)
    return (performance.now() - started) / 1000 / ROWS
  }
  const rounds = Array.from(
    { length: 9 },
    () => [time((n) => ours.get(`books/invoice/${n}`)), time(() => bare.get())] as const
  )
  return atMost(
    "state: a look-up by key; its value written in",
    3,
    times({ ours: rounds.map(([a]) => a), theirs: rounds.map(([, b]) => b) })
  )
}

export const figures = (folder: string): Promise<ReadonlyArray<Figure>> =>
  Effect.flatMap(Database, (db) => db.read(() => [figure(db)])).pipe(
    Effect.provide(Database.layer({ file: join(folder, "lookup.db"), mode: "write" })),
    Effect.runPromise
  )
