/** Requests that several processes count together in a real PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect } from "../../../../sync/state/replication/postgres/PgSessions.ts"
import { sharedTurns } from "../../../../sync/state/replication/postgres/SharedTurns.ts"
import { clusterTables } from "../../../support/ClusterTables.ts"

const url = clusterTables()

describe("requests of several processes", () => {
  it.live("are never more in a minute than the source allows, and say how long to wait", () =>
    Effect.gen(function* () {
      const machines = [yield* connect(url(), 4), yield* connect(url(), 4), yield* connect(url(), 4)]
      const taken = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => sharedTurns(machines[n % 3]!)),
        ({ take }) => take("xero app 1", 25, "minute"),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        taken.filter((wait) => wait === 0),
        25
      )
      for (const wait of taken) assert.isTrue(wait === 0 || (wait > 50_000 && wait <= 61_000), String(wait))
      const other = yield* sharedTurns(machines[0]!).take("xero app 2", 25, "minute")
      assert.strictEqual(other, 0)
      // A minute later.
      yield* machines[0]!.use(({ ask }) => ask("UPDATE daybook.turn SET at = at - 61"))
      assert.strictEqual(yield* sharedTurns(machines[1]!).take("xero app 1", 25, "minute"), 0)
      const [left] = yield* machines[0]!.use(({ ask }) =>
        ask<{ n: number }>("SELECT count(*)::int AS n FROM daybook.turn")
      )
      assert.isAtMost(left!.n, 2, "what counts no more is deleted")
    })
  )

  it.live("are counted by the day of UTC", () =>
    Effect.gen(function* () {
      const sessions = yield* connect(url(), 2)
      const { take } = sharedTurns(sessions)
      const day = take("sage app", 2, "day")
      assert.deepStrictEqual([yield* day, yield* day], [0, 0])
      const wait = yield* day
      assert.isTrue(wait > 0 && wait <= 86_400_000, String(wait))
      yield* sessions.use(({ ask }) => ask("UPDATE daybook.turn SET at = at - 86400 WHERE at % 86400 = 0"))
      assert.strictEqual(yield* day, 0)
    })
  )

  it.live("leave by each process's own count where they cannot be counted", () =>
    Effect.gen(function* () {
      const sessions = yield* connect(url(), 2)
      yield* sessions.use(({ ask }) => ask("ALTER TABLE daybook.turn RENAME TO turned"))
      const { take } = sharedTurns(sessions)
      assert.deepStrictEqual([yield* take("a", 1, "minute"), yield* take("a", 1, "minute")], [0, 0])
      yield* sessions.use(({ ask }) => ask("ALTER TABLE daybook.turned RENAME TO turn"))
      assert.strictEqual(yield* take("a", 1, "minute"), 0)
      assert.isAbove(yield* take("a", 1, "minute"), 0)
    })
  )
})
