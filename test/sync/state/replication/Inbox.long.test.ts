/** What workers leave each other in PostgreSQL: requests to a tenant, and who is signed in. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Inbox from "../../../../sync/state/replication/postgres/Inbox.ts"
import * as KeptSessions from "../../../../sync/state/replication/postgres/KeptSessions.ts"
import { connect } from "../../../../sync/state/replication/postgres/PgSessions.ts"
import { clusterTables } from "../../../support/ClusterTables.ts"

const url = clusterTables()

const database = Effect.gen(function* () {
  const sessions = yield* connect(url(), 4)
  const ask = (sql: string) => sessions.use((session) => session.ask<Record<string, unknown>>(sql))
  yield* ask("DELETE FROM daybook.inbox; DELETE FROM daybook.session; DELETE FROM daybook.tenant")
  yield* ask(
    "INSERT INTO daybook.tenant (key, id, settings, due) VALUES ('t', 'acme', 'sealed', clock_timestamp() + interval '1 hour')"
  )
  return { ask, sessions }
})

describe("what workers leave each other", () => {
  it.live("a request is begun once, whoever looks, and has its tenant run", () =>
    Effect.gen(function* () {
      const { ask, sessions } = yield* database
      const ids = yield* Effect.forEach(["a", "b", "c"], (body) => Inbox.put(sessions, "t", body))
      const due = yield* ask("SELECT due <= clock_timestamp() AS now FROM daybook.tenant")
      assert.deepStrictEqual(due, [{ now: true }])
      const taken = yield* Effect.all(
        [1, 2, 3, 4].map(() => Inbox.begin(sessions, "t")),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(
        taken.flat().map(({ body }) => body),
        ["a", "b", "c"]
      )
      yield* Inbox.answer(sessions, ids[0]!, "done")
      assert.strictEqual(yield* Inbox.replyTo(sessions, ids[0]!), "done")
      assert.isUndefined(yield* Inbox.replyTo(sessions, ids[1]!))
      const another = yield* Inbox.put(sessions, "t", "d")
      assert.isTrue(yield* Inbox.leave(sessions, ids[1]!))
      assert.isFalse(yield* Inbox.leave(sessions, another!))
      assert.deepStrictEqual(yield* Inbox.begin(sessions, "t"), [])
      yield* ask("UPDATE daybook.inbox SET came = came - interval '1 hour' WHERE body = 'c'")
      yield* Inbox.sweep(sessions)
      assert.strictEqual((yield* ask("SELECT 1 FROM daybook.inbox")).length, 1)
      for (let n = 1; n < 100; n++) yield* Inbox.put(sessions, "t", "more")
      assert.isUndefined(yield* Inbox.put(sessions, "t", "too much"))
      yield* ask("UPDATE daybook.tenant SET removed = clock_timestamp()")
      yield* ask("DELETE FROM daybook.inbox")
      assert.isUndefined(yield* Inbox.put(sessions, "t", "of one that was removed"))
    })
  )

  it.live("a session that has ended stays so, whoever says that it is used", () =>
    Effect.gen(function* () {
      const { sessions } = yield* database
      const until = Date.now() + 60_000
      const keep = (id: string, body: string | null, lasts = until) =>
        KeptSessions.keep(sessions, { id, until: lasts, body })
      yield* keep("1.a", "one")
      yield* keep("1.a", "two")
      yield* keep("1.old", "old", Date.now() - 1000)
      yield* keep("1.b", "other")
      const read = Effect.map(KeptSessions.since(sessions, 0), (rows) => rows.map(({ body, id }) => [id, body]))
      assert.deepStrictEqual(yield* read, [
        ["1.a", "two"],
        ["1.b", "other"]
      ])
      yield* keep("1.a", null)
      // Another worker had it in hand.
      yield* keep("1.a", "three")
      assert.deepStrictEqual((yield* read).at(-1), ["1.a", null])
    })
  )
})
