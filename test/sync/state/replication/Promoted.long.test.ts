/** A standby that lacks what its primary has confirmed is promoted: whoever had a tenant open there stores nothing, and sends nothing. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import * as LedgerTrust from "../../../../sync/state/LedgerTrust.ts"
import { connect, type PgSessions } from "../../../../sync/state/replication/postgres/PgSessions.ts"
import { take } from "../../../../sync/state/replication/postgres/PostgresStore.ts"
import { init } from "../../../../sync/state/replication/postgres/Schema.ts"
import type { Shipment } from "../../../../sync/state/replication/Shipment.ts"
import { Fenced, type StoreError } from "../../../../sync/state/replication/Store.ts"
import { until } from "../../../support/Daemon.ts"
import { add, folder, opened } from "../../../support/Replicas.ts"
import { postgres, type Server, standbyOf } from "../../../support/Servers.ts"

const ended: Array<() => Promise<void>> = []
let primary: Server | string = "PostgreSQL was not started"
beforeAll(async () => {
  primary = await postgres()
  if (typeof primary !== "string") ended.push(primary.stop)
}, 120_000)
beforeEach(({ skip }) => {
  if (typeof primary === "string") skip(primary)
})
afterAll(async () => {
  for (const end of ended) await end()
})

const shipment = (seq: number, text: string): Shipment => ({
  seq,
  size: 1,
  pageSize: 4096,
  hash: Buffer.alloc(16, seq),
  parts: [Buffer.from(text)]
})

const base = async function* () {
  yield Buffer.from("late")
}

const ask = ({ use }: PgSessions, sql: string) => use((session) => session.ask<Record<string, unknown>>(sql))

const becomes = (sessions: PgSessions, sql: string) =>
  Effect.promise(() =>
    until(sql, async () => ((await Effect.runPromise(ask(sessions, sql)))[0]?.["yes"] === true ? true : undefined))
  )

/** Sessions that go on at the standby, as behind one address. */
const moving = (first: PgSessions) => {
  let now = first
  const sessions: PgSessions = {
    use: (work) => Effect.suspend(() => now.use(work)),
    transaction: (work) => Effect.suspend(() => now.transaction(work))
  }
  return {
    sessions,
    move: (to: PgSessions) => {
      now = to
    }
  }
}

describe("a tenant of a PostgreSQL whose standby was promoted", () => {
  it.live("takes nothing of who opened it before, and reads the service before it sends anything", () =>
    Effect.gen(function* () {
      const server = primary as Server
      const old = yield* connect(`${server.url}/postgres`, 4)
      yield* init(old)
      yield* ask(old, "INSERT INTO daybook.tenant (key, id) VALUES ('acme', 'acme'), ('books', 'books')")
      const { move, sessions } = moving(old)
      const path = yield* folder
      const working = (name: string) => join(path, `${name}.db`)
      yield* opened(working("one"), { take: take(sessions, "books") }, (db) => db.transaction(add(db, 1)))
      const cutOff = yield* take(sessions, "acme")
      yield* cutOff.ship(shipment(1, "one"))
      const standby = yield* Effect.promise(() => standbyOf(server))
      ended.unshift(standby.stop)
      const next = yield* connect(`${standby.url}/postgres`, 4)
      // From here on the standby gets nothing more; another node takes the tenant over, and ships.
      yield* ask(next, "ALTER SYSTEM SET primary_conninfo = ''")
      yield* ask(next, "SELECT pg_reload_conf()")
      yield* becomes(next, "SELECT count(*) = 0 AS yes FROM pg_stat_wal_receiver")
      const taker = yield* take(sessions, "acme")
      yield* taker.ship(shipment(2, "two"))
      yield* Effect.promise(() => server.stop())
      ended.pop()
      yield* ask(next, "SELECT pg_promote(false)")
      move(next)
      yield* becomes(next, "SELECT NOT pg_is_in_recovery() AS yes")
      assert.deepStrictEqual(yield* ask(next, "SELECT epoch, seq FROM daybook.tenant WHERE key = 'acme'"), [
        { epoch: String(cutOff.epoch), seq: "1" }
      ])
      for (const late of [
        cutOff.ship(shipment(2, "late")),
        cutOff.rebase(1, base()),
        cutOff.keepVault(Buffer.from("late")),
        cutOff.check
      ])
        assert.instanceOf(yield* Effect.flip(late as Effect.Effect<unknown, StoreError>), Fenced)
      const behind = (name: string) =>
        opened(working(name), { take: take(sessions, "books") }, (db) => db.read(() => LedgerTrust.behind(db)?.why))
      assert.include((yield* behind("two")) ?? "", "a standby took its place")
      const asked = yield* ask(next, "SELECT key FROM daybook.tenant WHERE reconcile IS NOT NULL")
      assert.deepStrictEqual(asked, [{ key: "books" }])
      // It stays so until it is reconciled, also for who opens it next.
      assert.isDefined(yield* behind("three"))
      yield* opened(working("four"), { take: take(sessions, "books") }, (db) =>
        db.transaction(() => LedgerTrust.trust(db, 0))
      )
      assert.isUndefined(yield* behind("five"))
    })
  )
})
