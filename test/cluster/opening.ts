/**
 * `node test/cluster/opening.ts 66`: how long it takes to open a tenant of so many megabytes from PostgreSQL, without and with the copy that
 * was left on this machine, until its file can be opened; and with everything until the first commit is shipped.
 */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../sync/state/Database.ts"
import { CachedCopy } from "../../sync/state/replication/CachedCopy.ts"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { take } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { init } from "../../sync/state/replication/postgres/Schema.ts"
import { discard, restore } from "../../sync/state/replication/Restore.ts"
import { start } from "./Server.ts"

const megabytes = Number(process.argv[2] ?? 66)
const server = await start()
const path = mkdtempSync(join(tmpdir(), "daybook-opening-"))
const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]?.toFixed(1)

const measured = Effect.gen(function* () {
  yield* Effect.scoped(Effect.flatMap(connect(server.url, 1), init))
  const sessions = yield* connect(server.url, 2)
  yield* sessions.use(({ ask }) => ask("INSERT INTO daybook.tenant (key, id) VALUES ('t', 't')"))
  const file = join(path, "work.db")
  const cache = new CachedCopy(path, "t")
  const using = (isCached: boolean, work: (db: Database["Service"]) => Effect.Effect<unknown, unknown>) =>
    Effect.flatMap(Database, work).pipe(
      Effect.provide(
        Database.layer({
          file,
          mode: "write",
          command: "opening",
          replica: { take: take(sessions, "t"), ...(isCached ? { cache } : {}) }
        }),
        { local: true }
      ),
      Effect.scoped
    )
  yield* using(true, (db) =>
    Effect.gen(function* () {
      yield* db.transaction(() => db.raw.exec("CREATE TABLE big (id INTEGER PRIMARY KEY, body BLOB)"))
      for (let n = 0; n < megabytes; n++)
        yield* db.transaction(
          () => void db.raw.prepare("INSERT INTO big (body) VALUES (?)").run(randomBytes(1_000_000))
        )
    })
  )
  console.log(`${(statSync(join(path, "t")).size / 1e6).toFixed(0)} MB`)
  for (const isCached of [true, false]) {
    const [opens, whole, cpu]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
    for (let n = 0; n < (isCached ? 15 : 5); n++) {
      discard(file)
      const before = process.cpuUsage()
      const began = performance.now()
      const tenure = yield* take(sessions, "t")
      const cached = isCached ? cache.take(file) : undefined
      const { content, kept } = yield* restore(tenure, file, cached)
      opens.push(performance.now() - began)
      const { system, user } = process.cpuUsage(before)
      cpu.push((system + user) / 1000)
      if (isCached) cache.keep(file, { content, seq: kept.seq, logBytes: kept.logBytes, baseBytes: kept.baseBytes })
      const opening = performance.now()
      yield* using(isCached, () => Effect.sync(() => whole.push(performance.now() - opening)))
    }
    const what = isCached ? "cached" : "cold"
    console.log(
      `${what}: ${median(opens)} ms (${median(cpu)} ms of processor), with the first commit ${median(whole)} ms`
    )
  }
})

try {
  await Effect.runPromise(Effect.scoped(measured))
} finally {
  server.stop()
  rmSync(path, { recursive: true, force: true })
}
