/**
 * `node test/cluster/random.ts 1000`: so many rounds of random work on a replicated state file, with VACUUM, logs that are
 * copied back and replaced, and handles that are cut off or fenced in the middle. After each the file is restored from PostgreSQL, and
 * must hold what was committed. Ends with 1 when one does not.
 */
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../sync/state/Database.ts"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { read, take } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { init } from "../../sync/state/replication/postgres/Schema.ts"
import type { Replica } from "../../sync/state/replication/Replica.ts"
import { restore } from "../../sync/state/replication/Restore.ts"
import { contentOf, contentOfFile, diceOf, round, SMALL, TABLE } from "../support/RandomWork.ts"
import { start } from "./Server.ts"

const [rounds = 100, seed = 1] = process.argv.slice(2).map(Number)
const dice = diceOf(seed)
const server = await start()
const path = mkdtempSync(join(tmpdir(), "daybook-random-"))
const counts = { rounds: 0, openings: 0, fenced: 0, wrong: 0 }

const program = Effect.gen(function* () {
  const sessions = yield* connect(server.url, 4)
  yield* init(sessions)
  yield* sessions.use(({ ask }) => ask("INSERT INTO daybook.tenant (key, id) VALUES ('t', 't')"))
  const replica: Replica = {
    take: take(sessions, "t"),
    ...SMALL
  }
  const copy = join(path, "copy.db")
  const restored = restore({ tenant: "t", read: (onPart) => read(sessions, "t", onPart) }, copy)
  while (counts.rounds < rounds) {
    counts.openings++
    const file = join(path, `work${counts.openings}.db`)
    const scope = Scope.makeUnsafe()
    const opened = Effect.gen(function* () {
      const db = yield* Database
      yield* db.transaction(() => db.raw.exec(TABLE))
      for (let n = 1 + dice(8); n > 0 && counts.rounds < rounds; n--) {
        counts.rounds++
        yield* round(db, dice)
        yield* restored
        if (contentOfFile(copy) !== contentOf(db.raw)) counts.wrong++
      }
      // Another takes it over, which this one learns with its next commit; or it is closed properly.
      if (dice(3) > 0) return
      yield* take(sessions, "t")
      const kept = contentOfFile(copy)
      const exit = yield* Effect.exit(round(db, dice))
      if (Exit.isSuccess(exit)) counts.wrong++
      else counts.fenced++
      yield* restored
      if (contentOfFile(copy) !== kept) counts.wrong++
    })
    yield* opened.pipe(
      Effect.provide(Database.layer({ file, mode: "write", command: "random", replica }), { local: true }),
      Scope.provide(scope)
    )
    yield* Scope.close(scope, Exit.void)
  }
})

try {
  await Effect.runPromise(Effect.scoped(program))
} finally {
  server.stop()
  rmSync(path, { recursive: true, force: true })
}
console.log(counts)
process.exit(counts.wrong === 0 ? 0 : 1)
