/**
 * Does random work on a replicated state file: inserts and deletes, overflow pages, VACUUM, concurrent commits, with every way to
 * commit. Logs are small, so that checkpoints and log resets happen all the time.
 */
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { Database } from "../../sync/state/Database.ts"

type Db = Database["Service"]

export const SMALL = { checkpointBytes: 300_000, leastLogBytes: 20_000 }

/** Random integers below `n`, the same for the same seed. */
export const diceOf = (seed: number) => {
  let state = seed >>> 0
  return (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

export const TABLE =
  "CREATE TABLE IF NOT EXISTS work (id INTEGER PRIMARY KEY, k TEXT, v BLOB); CREATE INDEX IF NOT EXISTS work_k ON work (k)"

/** Writes a row anew, a few kilobytes long. */
export const put = (db: Db, id: number) => () =>
  void db
    .prepare("INSERT OR REPLACE INTO work (id, v) VALUES (?, ?)")
    .run(id, Buffer.from(`${id} ${Math.random()}`.repeat(200)))

/** Makes the table, with some rows. */
export const filled = (db: Db, count: number) =>
  db.transaction(() => {
    db.raw.exec(TABLE)
    for (let id = 0; id < count; id++) put(db, id)()
  })

const rows = (db: Db, dice: (n: number) => number) => () => {
  for (let n = dice(30); n >= 0; n--) {
    if (dice(3) > 0)
      db.prepare("INSERT INTO work (k, v) VALUES (?, ?)").run(`${dice(1e6)}`, Buffer.alloc(dice(9000), dice(256)))
    else db.prepare("DELETE FROM work WHERE id IN (SELECT id FROM work WHERE id >= ? LIMIT ?)").run(dice(500), dice(30))
  }
}

/** One round of work, complete when the effect ends. */
export const round = (db: Db, dice: (n: number) => number) =>
  Effect.gen(function* () {
    const ways = [db.transaction, db.commit, db.read, db.snapshot]
    const some = Array.from({ length: 1 + dice(6) }, () => ways[dice(ways.length)] ?? db.commit)
    yield* Effect.forEach(some, (way) => way(rows(db, dice)), { concurrency: "unbounded", discard: true })
    if (dice(4) === 0) yield* db.read(() => void db.raw.exec("VACUUM"))
    // A write outside the commit path is replicated with the next commit.
    if (dice(4) === 0) db.raw.prepare("INSERT INTO work (k) VALUES ('alone')").run()
    yield* db.transaction(rows(db, dice))
  })

/** A file's contents, and the result of its integrity check. */
export const contentOf = (raw: Sqlite.Database): string => {
  const hash = createHash("sha1").update(String(raw.pragma("integrity_check", { simple: true })))
  for (const row of raw.prepare("SELECT id, k, v FROM work ORDER BY id").raw().iterate() as Iterable<
    ReadonlyArray<unknown>
  >)
    for (const cell of row) hash.update(cell instanceof Buffer ? cell : `${String(cell)}\n`)
  return hash.digest("hex")
}

export const contentOfFile = (file: string): string => {
  const raw = new Sqlite(file)
  try {
    return contentOf(raw)
  } finally {
    raw.close()
  }
}
