/**
 * `node test/cluster/rights.ts`: the role that the page of clusters describes, made with its very words, is enough for a worker, and for
 * nothing else. Ends with 1 when that is not so.
 */
import { Effect, Exit } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Erasure from "../../sync/cluster/Erasure.ts"
import * as ClusterTables from "../../sync/cluster/ClusterTables.ts"
import * as Operations from "../../sync/cluster/Operations.ts"
import { engineOver, initEngine } from "../../sync/engine/PgBoss.ts"
import { Database } from "../../sync/state/Database.ts"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import * as Inbox from "../../sync/state/replication/postgres/Inbox.ts"
import * as Kept from "../../sync/state/replication/postgres/KeptSettings.ts"
import * as KeptSessions from "../../sync/state/replication/postgres/KeptSessions.ts"
import { take } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { sharedTurns } from "../../sync/state/replication/postgres/SharedTurns.ts"
import { hasTables, init } from "../../sync/state/replication/postgres/Schema.ts"
import * as Vault from "../../sync/vault/Vault.ts"
import { Redacted } from "effect"
import { diceOf, round, SMALL, TABLE } from "../support/RandomWork.ts"
import { start } from "./Server.ts"

const page = readFileSync(new URL("../../sync/cluster/README.md", import.meta.url), "utf8")
const sql = [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, one]) => one).join("")
const server = await start()
const path = mkdtempSync(join(tmpdir(), "daybook-rights-"))
const node = server.url.replace("postgres@", "daybook@")

/** What a worker and commands do, all of it. */
const working = Effect.gen(function* () {
  const sessions = yield* connect(node, 2)
  yield* hasTables(sessions)
  yield* ClusterTables.announce(sessions, new Map([["t", "t"]]))
  yield* Operations.askRun(sessions, "t", "reconcile")
  const [seen] = yield* ClusterTables.seen(sessions, "t")
  if (seen === undefined) return yield* Effect.die("it is not there")
  yield* ClusterTables.clearAsk(sessions, "asked", seen)
  yield* ClusterTables.clearAsk(sessions, "reconcile", seen)
  const [cleared] = yield* ClusterTables.seen(sessions, "t")
  if (seen.asked === null || cleared?.asked !== null || cleared.reconcile !== null)
    return yield* Effect.die("requests are not cleared as they were seen")
  yield* ClusterTables.report(sessions, "t", "{}")
  yield* ClusterTables.passOn(sessions, "t", {})
  yield* ClusterTables.forgetPassed(sessions, yield* ClusterTables.passed(sessions, "t"))
  const file = join(path, "t.db")
  const replica = { take: take(sessions, "t"), ...SMALL }
  yield* Effect.gen(function* () {
    const db = yield* Database
    const dice = diceOf(1)
    yield* db.transaction(() => db.raw.exec(TABLE))
    for (let n = 0; n < 15; n++) yield* round(db, dice)
    const key = Redacted.make(Buffer.alloc(32, 7))
    yield* Vault.make({ file: `${file}.vault`, key, name: "books", connector: "test" }).put("token")
  }).pipe(
    Effect.provide(Database.layer({ file, mode: "write", command: "rights", replica }), { local: true }),
    Effect.scoped
  )
  yield* sessions.use(({ ask }) =>
    ask("UPDATE daybook.tenant SET settings = 'sealed', due = clock_timestamp(), took = 1 WHERE key = 't'")
  )
  const engine = yield* engineOver(sessions)
  yield* engine.heal
  yield* engine.schedule
  const jobs = yield* engine.take("run", 1)
  yield* engine.kept(jobs)
  for (const job of jobs) {
    yield* engine.fail(job, { why: "once", isDead: true })
    yield* engine.finish(job, { due: null })
    yield* engine.hold(job, "it ended")
  }
  if (jobs.length !== 1) return yield* Effect.die("no job was taken")
  yield* sharedTurns(sessions).take("an app", 1, "minute")
  if ((yield* sharedTurns(sessions).take("an app", 1, "minute")) === 0) return yield* Effect.die("no turn was counted")
  const asked = yield* Inbox.put(sessions, "t", "sealed")
  for (const { id } of yield* Inbox.begin(sessions, "t")) yield* Inbox.answer(sessions, id, "sealed")
  yield* Inbox.replyTo(sessions, asked ?? "0")
  yield* Inbox.leave(sessions, asked ?? "0")
  yield* Inbox.sweep(sessions)
  yield* KeptSessions.keep(sessions, { id: "1.a", until: Date.now() + 1000, body: "sealed" })
  yield* KeptSessions.since(sessions, 0)
  yield* Kept.keptFigures(sessions)
  yield* Kept.removedOf(sessions, ["t"])
  yield* Operations.tryAgain(sessions, "t")
  yield* Operations.where(sessions)
  yield* Operations.reports(sessions)
  yield* Operations.askRun(sessions, "t")
  yield* Operations.restoreCopy(sessions, { id: "t", tenant: "t" }, join(path, "copy.db"))
  yield* Erasure.retire(sessions, ["t"])
  yield* Erasure.erase(sessions, "t")
})

const FORBIDDEN = [
  "CREATE TABLE daybook.other (a int)",
  "ALTER TABLE daybook.tenant ADD COLUMN a int",
  "DROP TABLE daybook.base",
  "DELETE FROM daybook.tenant",
  "UPDATE daybook.format SET version = 9",
  "DROP TABLE daybook_jobs.job",
  "CREATE SCHEMA other"
]

const forbidden = Effect.gen(function* () {
  const sessions = yield* connect(node, 1)
  const allowed: Array<string> = []
  for (const sql of FORBIDDEN)
    if (Exit.isSuccess(yield* Effect.exit(sessions.use(({ ask }) => ask(sql))))) allowed.push(sql)
  return allowed
})

let failed = ""
try {
  await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(connect(server.url, 1), (admin) =>
        Effect.andThen(
          Effect.andThen(init(admin), initEngine(admin)),
          admin.use(async ({ ask }) => {
            for (const one of sql.split(";").filter((one) => one.trim() !== "")) await ask(one)
          })
        )
      )
    )
  )
  await Effect.runPromise(Effect.scoped(working))
  const allowed = await Effect.runPromise(Effect.scoped(forbidden))
  failed = allowed.join("; ")
} catch (cause) {
  failed = String((cause as { why?: string }).why ?? cause)
} finally {
  server.stop()
  rmSync(path, { recursive: true, force: true })
}
console.log(failed === "" ? `enough for a worker; ${FORBIDDEN.length} other things refused` : `FAILED: ${failed}`)
process.exit(failed === "" ? 0 : 1)
