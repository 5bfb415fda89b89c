/** A key is not a name: what PostgreSQL keeps of a removed tenant is erased, and nobody who comes later gets any of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ClusterTables from "../../../sync/cluster/ClusterTables.ts"
import { erase, retire } from "../../../sync/cluster/Erasure.ts"
import { askRun, reports, where } from "../../../sync/cluster/Operations.ts"
import { IDENTITY, identify } from "../../../sync/library/many/Identity.ts"
import { connect, type PgSessions } from "../../../sync/state/replication/postgres/PgSessions.ts"
import * as Inbox from "../../../sync/state/replication/postgres/Inbox.ts"
import { take } from "../../../sync/state/replication/postgres/PostgresStore.ts"
import { Fenced, type Tenure } from "../../../sync/state/replication/Store.ts"
import { clusterTables } from "../../support/ClusterTables.ts"
import { folder } from "../../support/Replicas.ts"

const url = clusterTables()

const shipment = (seq: number) => ({
  seq,
  size: 1,
  pageSize: 4096,
  hash: Buffer.alloc(16),
  parts: [Buffer.from("a customer's books")]
})

const TABLES = ["shipment", "base", "vault", "status", "webhook", "inbox"]

/** In which tables something is kept under this identity. */
const keptOf = ({ use }: PgSessions, id: string) =>
  use(async ({ ask }) => {
    const found: Array<string> = []
    for (const table of TABLES)
      if ((await ask(`SELECT 1 FROM daybook.${table} WHERE tenant = $1`, [id])).length > 0) found.push(table)
    return found
  })

async function* part() {
  yield Buffer.from("all of a customer's books")
}

/** Leaves something in each table. */
const fill = (sessions: PgSessions, tenure: Tenure) =>
  Effect.gen(function* () {
    yield* tenure.ship(shipment(1))
    yield* tenure.rebase(1, part())
    yield* tenure.ship(shipment(2))
    yield* tenure.keepVault(Buffer.from("secrets"))
    yield* ClusterTables.report(sessions, tenure.tenant, '{"attention":1}')
    yield* ClusterTables.passOn(sessions, tenure.tenant, { event: "paid" })
    yield* Inbox.put(sessions, tenure.tenant, "sealed")
  })

const cluster = Effect.gen(function* () {
  const sessions = yield* connect(url(), 4)
  yield* sessions.use(async ({ ask }) => {
    for (const table of [...TABLES, "tenant"]) await ask(`DELETE FROM daybook.${table}`)
  })
  /** Who of these PostgreSQL cannot have. */
  const announced = (ids: Record<string, string>) => ClusterTables.announce(sessions, new Map(Object.entries(ids)))
  return { sessions, announced }
})

describe("a tenant that was removed from PostgreSQL", () => {
  it.live("leaves nothing in any table, and who still has it open stores nothing any more", () =>
    Effect.gen(function* () {
      const { announced, sessions } = yield* cluster
      yield* announced({ acme: "one" })
      const tenure = yield* take(sessions, "one")
      yield* fill(sessions, tenure)
      assert.sameMembers([...(yield* keptOf(sessions, tenure.tenant))], TABLES)
      const late = [{ call: 1, subject: "books/invoice/1", remote: "A" }]
      yield* tenure.late(late)
      assert.deepStrictEqual(yield* ClusterTables.lateOf(sessions, tenure.tenant), late)
      yield* retire(sessions, [tenure.tenant])
      for (const late of [tenure.ship(shipment(3)), tenure.keepVault(Buffer.from("late")), tenure.rebase(2, part())])
        assert.instanceOf(yield* Effect.flip(late), Fenced)
      yield* erase(sessions, tenure.tenant)
      for (const late of [tenure.ship(shipment(3)), tenure.keepVault(Buffer.from("late")), tenure.rebase(2, part())])
        assert.instanceOf(yield* Effect.flip(late), Fenced)
      yield* ClusterTables.report(sessions, tenure.tenant, "{}")
      assert.isFalse(yield* ClusterTables.passOn(sessions, tenure.tenant, {}))
      yield* tenure.late(late)
      assert.deepStrictEqual(yield* ClusterTables.lateOf(sessions, tenure.tenant), [])
      assert.deepStrictEqual(yield* keptOf(sessions, tenure.tenant), [])
      assert.deepStrictEqual([yield* where(sessions), yield* reports(sessions)], [[], []])
      assert.isFalse(yield* askRun(sessions, "acme"))
    })
  )

  it.live("is waited for while somebody writes a part of it, which then is erased as well", () =>
    Effect.gen(function* () {
      const { announced, sessions } = yield* cluster
      yield* announced({ acme: "one" })
      const tenure = yield* take(sessions, "one")
      yield* tenure.ship(shipment(1))
      yield* sessions.use(async ({ ask }) => {
        await ask("BEGIN")
        await ask(
          "INSERT INTO daybook.base SELECT key, 1, 0, 'late' FROM daybook.tenant WHERE key = $1 AND epoch = $2 FOR KEY SHARE",
          [tenure.tenant, tenure.epoch]
        )
        const erased = Effect.runPromise(
          Effect.andThen(retire(sessions, [tenure.tenant]), erase(sessions, tenure.tenant))
        )
        await new Promise((resolve) => setTimeout(resolve, 300))
        await ask("COMMIT")
        await erased
      })
      assert.deepStrictEqual(yield* keptOf(sessions, tenure.tenant), [])
    })
  )
})

describe("a tenant's identity", () => {
  it.live(
    "stays with a tenant that is renamed, is not a copy's, and another's books are nobody's by a name alone",
    () =>
      Effect.gen(function* () {
        const { announced, sessions } = yield* cluster
        assert.deepStrictEqual(yield* announced({ acme: "one" }), [])
        const [copy] = yield* announced({ acme: "one", copy: "one" })
        assert.deepInclude(copy, { name: "copy", called: "acme", removed: false })
        assert.deepStrictEqual(yield* announced({ globex: "one" }), [])
        assert.deepStrictEqual(
          (yield* where(sessions)).map(({ id, tenant }) => [tenant, id]),
          [["globex", "one"]]
        )
        // The next of this name does not get its books.
        const [next] = yield* announced({ globex: "two" })
        assert.deepInclude(next, { name: "globex", called: null })
        yield* retire(sessions, ["one"])
        assert.deepStrictEqual(yield* announced({ globex: "two" }), [])
        const tenure = yield* take(sessions, "two")
        assert.strictEqual((yield* tenure.read(() => {})).seq, 0)
      })
  )

  it.live("does not come back once it was removed", () =>
    Effect.gen(function* () {
      const { announced, sessions } = yield* cluster
      yield* announced({ acme: "one" })
      yield* retire(sessions, ["one"])
      yield* erase(sessions, "one")
      const [stranger] = yield* announced({ acme: "one" })
      assert.deepInclude(stranger, { name: "acme", removed: true })
      assert.instanceOf(yield* Effect.flip(take(sessions, "one")), Fenced)
    })
  )

  it.live("is made once, is the name of one that was shipped under it, and is not guessed if it is damaged", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const before = join(path, "before")
      mkdirSync(before)
      writeFileSync(join(before, "daybook.shipped"), "something")
      assert.strictEqual(identify(before, "acme"), "acme")
      assert.strictEqual(identify(before, "renamed"), "acme")
      const fresh = join(path, "fresh")
      mkdirSync(fresh)
      const id = identify(fresh, "acme")
      assert.notStrictEqual(id, "acme")
      assert.strictEqual(identify(fresh, "acme"), id)
      assert.deepStrictEqual(readdirSync(fresh), [IDENTITY])
      // Of a folder that cannot be written, each node must come to the same. Root can write everywhere but in /proc.
      const unwritten = join(path, "unwritten")
      mkdirSync(unwritten)
      const failing = (code: string) => () => {
        throw Object.assign(new Error(code), { code })
      }
      for (const code of ["EROFS", "EACCES"]) assert.strictEqual(identify(unwritten, "acme", failing(code)), "acme")
      assert.throws(() => identify(unwritten, "acme", failing("EIO")), "none can be written")
      assert.deepStrictEqual(readdirSync(unwritten), [])
      for (const text of ["", "two words", "../other"]) {
        writeFileSync(join(fresh, IDENTITY), text)
        assert.throws(() => identify(fresh, "acme"), "is damaged")
      }
    })
  )
})
