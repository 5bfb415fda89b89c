/** Replicated state files for tests: opened in a folder that goes with the test. */
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../sync/state/Database.ts"
import type { Replica } from "../../sync/state/replication/Replica.ts"

type Db = Database["Service"]

export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-replica-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

export const opened = <A, E>(file: string, replica: Replica, work: (db: Db) => Effect.Effect<A, E>) =>
  Effect.flatMap(Database, work).pipe(
    Effect.provide(Database.layer({ file, mode: "write", command: "a test", replica }), { local: true }),
    Effect.scoped
  )

export const rowsOf = (db: Db) => db.prepare("SELECT count(*) FROM changed").pluck().get()
export const add =
  (db: Db, n: number, size = 10) =>
  () =>
    void db.prepare("INSERT INTO changed (subject) VALUES (?)").run(`${n}`.padEnd(size, "x"))
