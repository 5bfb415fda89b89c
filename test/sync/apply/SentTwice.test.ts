/** What a node of a cluster hears after it has lost a tenant is told to who has it, and named if the service has it twice. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { join } from "node:path"
import type { Client } from "../../../core/Client.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import * as Claims from "../../../sync/apply/Claims.ts"
import { Sender } from "../../../sync/apply/Sender.ts"
import { takeIn } from "../../../sync/apply/SentTwice.ts"
import type { OwnerCall } from "../../../sync/model/Call.ts"
import { MemoryStore } from "../../support/MemoryStore.ts"
import { folder, opened } from "../../support/Replicas.ts"

const call: OwnerCall = {
  kind: "owner",
  operation: "organisations.create",
  subject: "books/owner/books",
  fact: "books/owner/books",
  rule: "owner",
  destructive: false,
  reason: "a test",
  params: {},
  body: { name: "Acme" }
}

/** A service that answers each call when the test says so, with this id, and knows whether it was waited for. */
const service = Effect.map(Deferred.make<string>(), (answer) => {
  const seen = { givenUp: 0 }
  const send = () =>
    Effect.onInterrupt(
      Effect.map(Deferred.await(answer), (id) => ({ status: 201, body: { id } })),
      () => Effect.sync(() => void seen.givenUp++)
    )
  return {
    seen,
    answer: (id: string) => Deferred.succeed(answer, id),
    client: { send } as unknown as Client["Service"]
  }
})

const done = { outcome: "done", status: 201, answer: undefined } as const

describe("an answer that is heard after the tenant was lost", () => {
  it.live("I4: is told, whether its receipt was refused or nobody waited for it any more", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const [before, after] = [yield* service, yield* service]
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          const claim = db.commit(() => Claims.claim(db, 1, call, 0))
          const [first, second] = [yield* claim, yield* claim]
          yield* before.answer("A")
          yield* new Sender(db, before.client, {}).send(first, call)
          const waiting = yield* Effect.forkChild(new Sender(db, after.client, {}).send(second, call))
          yield* Effect.sleep(20)
          store.row("t").epoch++
          yield* Effect.flip(db.commit(() => Claims.receipt(db, first, { ...done, remote: "A" }, 1)))
          const ending = yield* Effect.forkChild(Fiber.interrupt(waiting))
          yield* Effect.sleep(20)
          // Its connection to the service stays open so long.
          assert.isUndefined(ending.pollUnsafe())
          yield* after.answer("B")
          yield* Fiber.join(ending)
        })
      )
      const { subject } = call
      assert.deepStrictEqual(store.late, [
        { call: 1, remote: "A", subject },
        { call: 2, remote: "B", subject }
      ])
    })
  )

  it.live("is told before the file is closed, and its process may end", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      store.lateMs = 300
      const { answer, client } = yield* service
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          const id = yield* db.commit(() => Claims.claim(db, 1, call, 0))
          yield* answer("A")
          yield* new Sender(db, client, {}).send(id, call)
          store.row("t").epoch++
          yield* Effect.flip(db.commit(() => Claims.receipt(db, id, { ...done, remote: "A" }, 1)))
        })
      )
      assert.deepStrictEqual(store.late, [{ call: 1, remote: "A", subject: call.subject }])
    })
  )

  it.live("is not waited for by who still has the tenant, and ends", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const { client, seen } = yield* service
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          const id = yield* db.commit(() => Claims.claim(db, 1, call, 0))
          const waiting = yield* Effect.forkChild(new Sender(db, client, {}).send(id, call))
          yield* Effect.sleep(20)
          yield* Fiber.interrupt(waiting)
          assert.strictEqual(seen.givenUp, 1)
        })
      )
      assert.deepStrictEqual(store.late, [])
    })
  )

  it.live("is named with what was sent in its place, once, and not where a receipt has it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* opened(join(path, "a.db"), new MemoryStore().replica("t"), (db) =>
        db.transaction(() => {
          const [known, lost, again, alone, open] = Array.from({ length: 5 }, (_, n) =>
            Claims.claim(db, 1, n === 3 ? { ...call, fact: "books/owner/alone" } : call, 0)
          ) as [number, number, number, number, number]
          Claims.receipt(db, known, { ...done, remote: "A" }, 1)
          Claims.receipt(db, lost, { outcome: "absent", status: undefined, answer: undefined }, 1)
          Claims.receipt(db, again, { ...done, remote: "B" }, 1)
          Claims.receipt(db, alone, { outcome: "absent", status: undefined, answer: undefined }, 1)
          const late = [
            [known, "A"],
            [lost, "C"],
            [alone, "D"],
            [open, "E"]
          ].map(([call, remote]) => ({ call: call as number, remote: remote as string, subject: "books/owner/books" }))
          const items = () => AttentionStore.list(db).map(({ subject, rule, why }) => ({ subject, rule, why }))
          const { news, taken } = takeIn(db, late, 2)
          assert.deepStrictEqual([news, taken.map(({ remote }) => remote)], [2, ["A", "C", "D"]])
          const named = items()
          assert.match(named[0]!.why, /^books\/owner\/books was sent twice: the service has B and C\./)
          assert.match(named[1]!.why, /^books\/owner\/books is on the service as D, which was taken for not sent\./)
          assert.deepStrictEqual(
            new Set(named.map(({ rule, subject }) => `${rule} ${subject}`)),
            new Set(["I4 books/late"])
          )
          takeIn(db, late, 3)
          assert.deepStrictEqual(items(), named)
        })
      )
    })
  )
})
