/** Who owns a tenant, on a real PostgreSQL: a node whose lease is over is buried for good, and not before. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { look, release, takeFree } from "../../../sync/cluster/ClusterTables.ts"
import { Membership } from "../../../sync/cluster/Membership.ts"
import { connect, type PgSessions } from "../../../sync/state/replication/postgres/PgSessions.ts"
import { take } from "../../../sync/state/replication/postgres/PostgresStore.ts"
import { Fenced } from "../../../sync/state/replication/Store.ts"
import { clusterTables } from "../../support/ClusterTables.ts"

const url = clusterTables()

let made = 0

/** A cluster of its own: no node of an earlier test, and these tenants, which nobody owns. */
const cluster = (count: number) =>
  Effect.gen(function* () {
    const sessions = yield* connect(url(), 4)
    const names = Array.from({ length: count }, () => `tenant${++made}`)
    yield* sessions.use(({ ask }) => ask("DELETE FROM daybook.node"))
    yield* sessions.use(({ ask }) =>
      ask("INSERT INTO daybook.tenant (key, id) SELECT t, t FROM unnest($1::text[]) t", [names])
    )
    return { sessions, names }
  })

const joined = (sessions: PgSessions, name: string, leaseMs = 10_000) => Membership.join(sessions, { name, leaseMs })

/** Ends a node's lease by PostgreSQL's clock. */
const expire = ({ use }: PgSessions, { id }: Membership) =>
  use(({ ask }) => ask("UPDATE daybook.node SET lease = clock_timestamp() - interval '1 ms' WHERE id = $1", [id]))

const shipment = { seq: 1, size: 1, pageSize: 4096, hash: Buffer.alloc(16), parts: [Buffer.from("one")] }

describe("a node of a cluster on PostgreSQL", () => {
  it.live("has its tenants for itself while its lease lasts, and loses them for good once it is over", () =>
    Effect.gen(function* () {
      const { names, sessions } = yield* cluster(3)
      const [first, second] = [yield* joined(sessions, "first"), yield* joined(sessions, "second")]
      assert.sameMembers([...(yield* takeFree(sessions, first, names, 9))], names)
      const tenure = yield* take(sessions, names[0]!, first.id)
      assert.strictEqual((yield* look(sessions, second.id)).nodes.length, 2)
      assert.deepStrictEqual(yield* takeFree(sessions, second, names, 9), [])
      yield* expire(sessions, first)
      // Over, but nobody has noticed yet.
      assert.deepStrictEqual(yield* takeFree(sessions, second, names, 9), [])
      assert.deepStrictEqual(
        (yield* look(sessions, second.id)).nodes.map(({ name }) => name),
        ["second"]
      )
      yield* first.renew({})
      assert.isTrue(first.isLost)
      assert.isFalse(first.isValid())
      assert.deepStrictEqual(yield* takeFree(sessions, first, names, 9), [])
      assert.sameMembers([...(yield* takeFree(sessions, second, names, 9))], names)
      // Before the new owner has opened it.
      assert.instanceOf(yield* Effect.flip(tenure.ship(shipment)), Fenced)
      assert.instanceOf(yield* Effect.flip(take(sessions, names[0]!, first.id)), Fenced)
    })
  )

  it.live("goes on after a lease that was over, if it renews it before anybody has noticed", () =>
    Effect.gen(function* () {
      const { names, sessions } = yield* cluster(1)
      const [first, second] = [yield* joined(sessions, "first"), yield* joined(sessions, "second")]
      yield* takeFree(sessions, first, names, 9)
      yield* expire(sessions, first)
      yield* first.renew({})
      assert.isTrue(first.isValid())
      assert.strictEqual((yield* look(sessions, second.id)).nodes.length, 2)
      assert.deepStrictEqual(yield* takeFree(sessions, second, names, 9), [])
    })
  )

  it.live("has no lease after its machine was suspended, though its monotonic clock stood still meanwhile", () =>
    Effect.gen(function* () {
      const { sessions } = yield* cluster(0)
      const clock = yield* Clock.Clock
      let suspended = 0
      const standing: Clock.Clock = {
        ...clock,
        sleep: (duration) => clock.sleep(duration),
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + suspended,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe()
      }
      const node = yield* Effect.provideService(joined(sessions, "first"), Clock.Clock, standing)
      assert.isTrue(node.isValid())
      suspended = 10_000
      assert.isFalse(node.isValid())
      yield* node.renew({})
      assert.isTrue(node.isValid())
    })
  )

  it.live(
    "is buried when it is silent, though PostgreSQL's clock was set back, and not if it has said something since",
    () =>
      Effect.gen(function* () {
        const { sessions } = yield* cluster(0)
        const [first, second] = [yield* joined(sessions, "first"), yield* joined(sessions, "second")]
        yield* first.renew({ canary: 1, leaseMs: 10_000 })
        yield* sessions.use(({ ask }) =>
          ask("UPDATE daybook.node SET lease = lease + interval '1 hour' WHERE id = $1", [first.id])
        )
        const seen = yield* look(sessions, second.id, [{ id: first.id, canary: "0" }])
        assert.deepInclude(
          seen.nodes.find(({ id }) => id === first.id),
          { canary: "1", leaseMs: 10_000 }
        )
        assert.strictEqual((yield* look(sessions, second.id, [{ id: first.id, canary: "1" }])).nodes.length, 1)
        yield* first.renew({ canary: 2 })
        assert.isTrue(first.isLost)
      })
  )

  it.live("takes no tenant that another was given at the same time", () =>
    Effect.gen(function* () {
      // So many that their statements overlap.
      const { names, sessions } = yield* cluster(400)
      const nodes = yield* Effect.forEach(["a", "b", "c", "d"], (name) => joined(sessions, name, 60_000))
      const taken = yield* Effect.forEach(nodes, (node) => takeFree(sessions, node, names, 150), {
        concurrency: "unbounded"
      })
      const all = taken.flat()
      assert.strictEqual(new Set(all).size, all.length)
      for (const [at, { id }] of nodes.entries())
        assert.sameMembers(
          (yield* look(sessions, id)).held.map(({ id }) => id),
          [...taken[at]!]
        )
    })
  )

  it.live("frees its tenants at once when it leaves, and only its own", () =>
    Effect.gen(function* () {
      const { names, sessions } = yield* cluster(2)
      const [first, second] = [yield* joined(sessions, "first"), yield* joined(sessions, "second")]
      assert.strictEqual((yield* takeFree(sessions, first, names, 1)).length, 1)
      const [own] = yield* takeFree(sessions, second, names, 1)
      yield* release(sessions, first.id, own!)
      assert.deepStrictEqual(yield* takeFree(sessions, first, names, 9), [], "it is not its own")
      yield* first.leave
      assert.isFalse(first.isValid())
      assert.strictEqual((yield* takeFree(sessions, second, names, 9)).length, 1)
    })
  )
})
