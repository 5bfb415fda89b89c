/** A key is not a name: what a cluster keeps of a removed tenant is erased on a real PostgreSQL, and nobody who comes later gets any of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ClusterTables from "../../../sync/cluster/ClusterTables.ts"
import { erase, retire } from "../../../sync/cluster/Erasure.ts"
import { Membership } from "../../../sync/cluster/Membership.ts"
import { askRun, reports, where } from "../../../sync/cluster/Operations.ts"
import { IDENTITY, identify } from "../../../sync/library/many/Identity.ts"
import { add, remove } from "../../../sync/library/many/TenantChanges.ts"
import { eraseRemoved, knownIn } from "../../../sync/library/many/TenantsKnown.ts"
import { connect, type PgSessions } from "../../../sync/state/replication/postgres/PgSessions.ts"
import * as Inbox from "../../../sync/state/replication/postgres/Inbox.ts"
import { take } from "../../../sync/state/replication/postgres/PostgresStore.ts"
import { Fenced, type Tenure } from "../../../sync/state/replication/Store.ts"
import { Database } from "../../../sync/state/Database.ts"
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
const fill = (sessions: PgSessions, node: Membership, tenure: Tenure) =>
  Effect.gen(function* () {
    yield* tenure.ship(shipment(1))
    yield* tenure.rebase(1, part())
    yield* tenure.ship(shipment(2))
    yield* tenure.keepVault(Buffer.from("secrets"))
    yield* ClusterTables.report(sessions, node.id, [{ id: tenure.tenant, body: '{"attention":1}' }])
    yield* ClusterTables.passOn(sessions, tenure.tenant, { event: "paid" })
    yield* Inbox.put(sessions, tenure.tenant, "sealed")
  })

const cluster = Effect.gen(function* () {
  const sessions = yield* connect(url(), 4)
  yield* sessions.use(async ({ ask }) => {
    for (const table of [...TABLES, "tenant", "node"]) await ask(`DELETE FROM daybook.${table}`)
  })
  const node = yield* Membership.join(sessions, { name: "a", leaseMs: 10_000 })
  const path = yield* folder
  const from = join(path, "acme.json")
  writeFileSync(from, "{}")
  const all = join(path, "tenants")
  mkdirSync(all)
  return { sessions, node, all, from }
})

const unchecked = () => Effect.void

const opened = (sessions: PgSessions, node: Membership, all: string, name: string) =>
  Effect.gen(function* () {
    const { ids } = yield* knownIn(sessions, all)
    const id = ids.get(name)!
    yield* ClusterTables.takeFree(sessions, node, [id], 1)
    return yield* take(sessions, id, node.id)
  })

/** A tenant with a real state file in the cluster. */
const withBooks = (sessions: PgSessions, node: Membership, all: string, name: string) =>
  Effect.gen(function* () {
    const { ids } = yield* knownIn(sessions, all)
    const id = ids.get(name)!
    yield* ClusterTables.takeFree(sessions, node, [id], 1)
    const replica = { take: take(sessions, id, node.id), lease: node }
    const layer = Database.layer({ file: join(all, "..", "work.db"), mode: "write", command: "test", replica })
    yield* Effect.scoped(Effect.provide(Database, layer, { local: true }))
    return id
  })

describe("a tenant that was removed from a cluster", () => {
  it.live("leaves nothing in any table, and who still has it open stores nothing any more", () =>
    Effect.gen(function* () {
      const { all, from, node, sessions } = yield* cluster
      yield* add(all, "acme", from, unchecked)
      const tenure = yield* opened(sessions, node, all, "acme")
      yield* fill(sessions, node, tenure)
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
      yield* ClusterTables.report(sessions, node.id, [{ id: tenure.tenant, body: "{}" }])
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
      const { all, from, node, sessions } = yield* cluster
      yield* add(all, "acme", from, unchecked)
      const tenure = yield* opened(sessions, node, all, "acme")
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

  it.live("is copied to its folder first, also if whoever did it was cut off, and one of its name begins empty", () =>
    Effect.gen(function* () {
      const { all, from, node, sessions } = yield* cluster
      yield* add(all, "acme", from, unchecked)
      const id = yield* withBooks(sessions, node, all, "acme")
      const kept = yield* remove(all, "acme", "somebody")
      yield* retire(sessions, [id])
      // Before that was done, somebody has the name.
      yield* add(all, "acme", from, unchecked)
      const next = yield* opened(sessions, node, all, "acme")
      assert.notStrictEqual(next.tenant, id)
      assert.strictEqual((yield* next.read(() => {})).seq, 0)
      assert.isNotEmpty(yield* keptOf(sessions, id))
      yield* Effect.all([eraseRemoved(sessions, all), eraseRemoved(sessions, all)], { concurrency: 2 })
      assert.deepStrictEqual(yield* keptOf(sessions, id), [])
      assert.isTrue(existsSync(join(kept, "daybook.db")))
      assert.deepStrictEqual(
        readdirSync(kept).filter((name) => name.includes(".part")),
        []
      )
      assert.deepStrictEqual(
        (yield* where(sessions)).map(({ id, tenant }) => [tenant, id]),
        [["acme", next.tenant]]
      )
    })
  )

  it.live("does not come back with a folder of before, and is a new one once it is added", () =>
    Effect.gen(function* () {
      const { all, from, node, sessions } = yield* cluster
      yield* add(all, "acme", from, unchecked)
      const id = yield* withBooks(sessions, node, all, "acme")
      cpSync(join(all, "acme"), join(all, "..", "older"), { recursive: true })
      const kept = yield* remove(all, "acme", "somebody")
      yield* eraseRemoved(sessions, all)
      cpSync(join(all, "..", "older"), join(all, "acme"), { recursive: true })
      const { ids, refused } = yield* knownIn(sessions, all)
      assert.deepStrictEqual([...ids], [])
      assert.include(refused.get("acme"), "it was removed from the cluster")
      rmSync(join(all, "acme"), { recursive: true })
      yield* add(all, "acme", kept, unchecked)
      assert.notStrictEqual((yield* knownIn(sessions, all)).ids.get("acme"), id)
    })
  )
})

describe("a tenant's identity", () => {
  it.live(
    "stays with a folder that is renamed, is not a copy's, and another's books are nobody's by a name alone",
    () =>
      Effect.gen(function* () {
        const { all, from, sessions } = yield* cluster
        yield* add(all, "acme", from, unchecked)
        const id = (yield* knownIn(sessions, all)).ids.get("acme")
        cpSync(join(all, "acme"), join(all, "copy"), { recursive: true })
        const copied = yield* knownIn(sessions, all)
        assert.deepStrictEqual([...copied.ids], [["acme", id]])
        assert.include(copied.refused.get("copy"), "it is a copy of acme")
        rmSync(join(all, "copy"), { recursive: true })
        renameSync(join(all, "acme"), join(all, "globex"))
        assert.deepStrictEqual([...(yield* knownIn(sessions, all)).ids], [["globex", id]])
        assert.deepStrictEqual(
          (yield* where(sessions)).map((place) => [place.tenant, place.id]),
          [["globex", id]]
        )
        // Deleted by hand: the books stay, and the next of this name does not get them.
        rmSync(join(all, "globex"), { recursive: true })
        mkdirSync(join(all, "globex"))
        const next = yield* knownIn(sessions, all)
        assert.deepStrictEqual([...next.ids], [])
        assert.include(next.refused.get("globex"), "another tenant of this name")
        yield* retire(sessions, [id!])
        assert.strictEqual((yield* knownIn(sessions, all)).ids.size, 1)
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
