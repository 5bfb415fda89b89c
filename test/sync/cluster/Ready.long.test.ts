/** Tests when a node of a cluster is ready: while PostgreSQL is away, when it is back, and by whether its work progresses. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { mkdirSync, rmSync } from "node:fs"
import { TestClock } from "effect/testing"
import { Membership } from "../../../sync/cluster/Membership.ts"
import { ManyTenants } from "../../../sync/library/many/ManyTenants.ts"
import { endpointOf } from "../../../sync/library/many/NodeEndpoint.ts"
import { ofCluster } from "../../../sync/library/many/TenantsOfCluster.ts"
import type { PgSession, PgSessions } from "../../../sync/state/replication/postgres/PgSessions.ts"
import { StoreAway } from "../../../sync/state/replication/Store.ts"
import { Loop } from "../../../sync/tenants/Loop.ts"
import { EFFORT, WHOLE } from "../../support/Effort.ts"
import { folder } from "../../support/Replicas.ts"

/** Answers a node as PostgreSQL would, with no tenants. */
class Server {
  away = false
  /** Renewals are stored, but nobody reads them any more. */
  frozen = false
  joined = 0
  readonly drains: Array<unknown> = []
  #id = ""
  #canary: string | null = null

  readonly #ask = async (
    sql: string,
    values: ReadonlyArray<unknown> = [],
    name = ""
  ): Promise<ReadonlyArray<unknown>> => {
    if (sql.startsWith("INSERT INTO daybook.node")) {
      this.#id = String(values[0])
      this.joined++
    }
    if (sql.includes("SET draining")) this.drains.push(values[1])
    if (name === "renew") {
      if (!this.frozen) this.#canary = String(JSON.parse(String(values[2])).canary)
      return [{ id: this.#id }]
    }
    if (name === "nodes") return [{ id: this.#id, name: "a", draining: false, canary: this.#canary }]
    if (sql.includes("to_regclass")) return [{ yes: "daybook.format" }]
    return sql.includes("FROM daybook.format") ? [{ version: 5, least: 5 }] : []
  }

  readonly #use: PgSessions["use"] = (work) =>
    Effect.suspend(() =>
      this.away
        ? Effect.fail(new StoreAway("PostgreSQL: nobody answers"))
        : Effect.promise(() => work({ ask: this.#ask as PgSession["ask"] }))
    )

  readonly sessions: PgSessions = { use: this.#use, transaction: this.#use }
}

/** The time passes step by step, and what waits for answers goes on in between. */
const pass = (seconds: number) =>
  Effect.forEach(
    Array.from({ length: seconds }),
    () =>
      Effect.andThen(
        TestClock.adjust("1 second"),
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      ),
    { discard: true }
  )

const node = Effect.gen(function* () {
  const server = new Server()
  const work = yield* folder
  const all = yield* ManyTenants.make({})
  yield* Effect.forkScoped(all.run)
  const { sessions } = server
  const door = {
    node: { name: "a", leaseMs: 10_000 },
    sessions,
    beats: sessions,
    work,
    page: undefined,
    membership: undefined
  }
  const cluster = yield* ofCluster(all, work, door)
  yield* Effect.forkScoped(cluster.follow)
  yield* pass(5)
  return { server, cluster, work }
})

describe("a node of a cluster", () => {
  it.effect("is not ready, and gives its tenants to others, while nothing can be written on its disk", () =>
    Effect.gen(function* () {
      const { cluster, server, work } = yield* node
      /** The disk takes its own time. */
      const tested = Effect.andThen(
        pass(4),
        Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 200)))
      )
      rmSync(work, { recursive: true })
      yield* tested
      yield* pass(4)
      assert.include(cluster.trouble(), "nothing can be written in")
      assert.isTrue(cluster.isAlive(), "a restart would not help")
      assert.deepStrictEqual(server.drains, [true])
      mkdirSync(work)
      yield* tested
      yield* pass(4)
      assert.isUndefined(cluster.trouble())
      assert.deepStrictEqual(server.drains, [true, false])
    })
  )

  it.effect("is not ready while PostgreSQL is away, however long, and continues when it is back", () =>
    Effect.gen(function* () {
      const { cluster, server } = yield* node
      assert.isUndefined(cluster.trouble())
      server.away = true
      yield* pass(11)
      assert.include(cluster.trouble(), "its lease is over")
      // Each night a whole day.
      yield* TestClock.adjust(EFFORT < WHOLE ? "20 minutes" : "1 day")
      assert.include(cluster.trouble(), "nobody answers")
      assert.isTrue(cluster.isAlive(), "a restart would not help")
      server.away = false
      yield* pass(10)
      assert.isUndefined(cluster.trouble())
      assert.strictEqual(server.joined, 1, "nobody buried it meanwhile")
    })
  )

  it.live("starts while PostgreSQL is away, as after a power failure, and waits for it", () =>
    Effect.gen(function* () {
      const url = "postgres://daybook@127.0.0.1:9/daybook"
      const endpoint = yield* endpointOf({ url, node: { name: "a", leaseMs: 10_000 } })
      const work = yield* folder
      const all = yield* ManyTenants.make({})
      const cluster = yield* ofCluster(all, work, endpoint)
      yield* Effect.forkScoped(cluster.follow)
      while (!cluster.trouble()?.includes("ECONNREFUSED")) yield* Effect.sleep(20)
      assert.isTrue(cluster.isAlive())
    })
  )

  it.effect("is not ready when what it writes does not come back to its scheduler, though its lease is renewed", () =>
    Effect.gen(function* () {
      const { cluster, server } = yield* node
      server.frozen = true
      yield* pass(30)
      assert.include(cluster.trouble(), "nothing has come back from PostgreSQL")
      server.frozen = false
      yield* pass(8)
      assert.isUndefined(cluster.trouble())
    })
  )

  it.effect("counts its lease from before it asked, with a margin, however late the answer is", () =>
    Effect.gen(function* () {
      let slow = 1500
      const use: PgSessions["use"] = (work) =>
        Effect.andThen(
          Effect.sleep(slow),
          Effect.promise(() => work({ ask: (async () => [{ id: "a" }]) as PgSession["ask"] }))
        )
      const joining = yield* Effect.forkChild(
        Membership.join({ use, transaction: use }, { name: "a", leaseMs: 10_000 })
      )
      yield* pass(2)
      const membership = yield* Fiber.join(joining)
      assert.strictEqual(membership.left, 10_000 - 500 - 2000)
      const renewing = yield* Effect.forkChild(membership.renew({}))
      yield* pass(2)
      yield* Fiber.join(renewing)
      assert.strictEqual(membership.left, 10_000 - 500 - 2000)
      slow = 60_000
      const hanging = yield* Effect.forkChild(Effect.flip(membership.renew({})))
      yield* pass(3)
      // It must not keep the next one waiting.
      assert.strictEqual(hanging.pollUnsafe()?._tag, "Success")
      yield* pass(4)
      assert.isTrue(membership.isValid())
      yield* pass(1)
      assert.isFalse(membership.isValid())
    })
  )

  it.effect("measures its lease by the clock by which it is over first, whatever somebody sets another to", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let set = 0
      const wall = { ...clock, currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + set }
      const { sessions } = new Server()
      const membership = yield* Membership.join(sessions, { name: "a", leaseMs: 10_000 }).pipe(
        Effect.provideService(Clock.Clock, wall)
      )
      // As after a suspension: until it was renewed, nobody knows that it is still its own.
      set = 3_600_000
      assert.isFalse(membership.isValid())
      yield* membership.renew({})
      assert.isTrue(membership.isValid())
      set = -3_600_000
      assert.isTrue(membership.isValid())
      yield* TestClock.adjust("9500 millis")
      assert.isFalse(membership.isValid())
    })
  )

  it.effect("knows how long the oldest due tenant has waited, and whether any run begins or ends", () =>
    Effect.gen(function* () {
      const loop = yield* Loop.make({ slots: { atOnce: 1, slow: 0, slowMost: 0 }, turn: () => Effect.never })
      yield* Effect.forkScoped(loop.run)
      loop.dueAt("a", 0)
      loop.dueAt("b", 0)
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(loop.progress, { lateMs: 90_000, stillMs: 90_000 })
      let answers = 0
      loop.ping(() => answers++)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(answers, 1)
    })
  )
})
