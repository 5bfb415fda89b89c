/** Bytes leave only shortly after the store accepted a write of the same opening, and whoever opens the file next waits for that long. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { join } from "node:path"
import { MayLeave, permitted } from "../../../../core/wire/MayLeave.ts"
import { recover } from "../../../../sync/apply/Recovery.ts"
import * as Claims from "../../../../sync/apply/Claims.ts"
import * as Runs from "../../../../sync/apply/Runs.ts"
import { lastArrivals } from "../../../../sync/apply/SettleTime.ts"
import type { Database } from "../../../../sync/state/Database.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { add, folder, opened } from "../../../support/Replicas.ts"

const books = { id: "books" } as never

const call = {
  kind: "invoice",
  subject: "books/invoice/I1",
  fact: "books/invoice/I1",
  rule: "T2",
  operation: "transactions.create",
  params: {},
  body: {},
  reason: "",
  destructive: false
} as never

/** Real time for what the disk does. */
const turns = Effect.forEach(
  Array.from({ length: 20 }),
  () => Effect.promise(() => new Promise((resume) => setImmediate(resume))),
  { discard: true }
)
const passes = (millis: number) => Effect.andThen(TestClock.adjust(millis), turns)

type Db = Database["Service"]

const open = <A, E>(work: (db: Db, store: MemoryStore, path: string) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const path = yield* folder
    const store = new MemoryStore()
    return yield* opened(join(path, "a.db"), store.replica("t"), (db) => work(db, store, path))
  })

/** Asks for permission as a request does. */
const asked = ({ permission }: Db) =>
  permitted(({ may }) => Effect.sync(may)).pipe(Effect.provideService(MayLeave, permission!))

describe("a request of a replicated file", () => {
  it.effect("leaves for five seconds after a write that the store accepted, counted from before it was begun", () =>
    open((db, store) =>
      Effect.gen(function* () {
        const { may } = db.permission!
        assert.isTrue(may(), "opening it is a write")
        yield* passes(4999)
        assert.isTrue(may())
        yield* passes(1)
        assert.isFalse(may())
        store.onShip = () => void assert.isFalse(may(), "before it is accepted")
        yield* db.transaction(add(db, 1))
        store.onShip = () => {}
        assert.isTrue(may())
        yield* passes(5000)
        assert.isFalse(may())
        assert.isTrue(yield* asked(db), "the store is asked, and says that it is still its own")
        yield* passes(5000)
        store.fault = "away"
        assert.isFalse(yield* asked(db))
        assert.isFalse(db.isDead(), "nothing that was committed is lost")
        store.fault = "hangs"
        const hanging = yield* Effect.forkChild(asked(db))
        yield* passes(2000)
        assert.isFalse(yield* Fiber.join(hanging))
        store.fault = "none"
        assert.isTrue(yield* asked(db))
      })
    )
  )

  it.effect(
    "leaves not at all once another has opened it, however young the last write is by a clock that was set back",
    () =>
      open((db, store, path) =>
        Effect.gen(function* () {
          yield* passes(5000)
          yield* opened(join(path, "b.db"), store.replica("t"), () => Effect.void)
          assert.isFalse(yield* asked(db))
          assert.isTrue(db.isDead())
        })
      )
  )

  it.effect("counts by the clock by which it is longest ago", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let set = 0
      const wall = { ...clock, currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + set }
      yield* open((db, store) =>
        Effect.gen(function* () {
          const { may } = db.permission!
          store.onShip = () => void (set += 4000)
          yield* db.transaction(add(db, 1))
          store.onShip = () => {}
          yield* passes(999)
          assert.isTrue(may())
          yield* passes(1)
          assert.isFalse(may(), "four seconds went by until it was accepted")
          yield* asked(db)
          set += 5000
          assert.isFalse(may(), "it was suspended")
          yield* asked(db)
          set = -3_600_000
          assert.isTrue(may())
          yield* passes(5000)
          assert.isFalse(may(), "the clock was set back")
        })
      ).pipe(Effect.provideService(Clock.Clock, wall as Clock.Clock))
    })
  )

  it.effect("asks the store once for all that wait", () =>
    open((db, store) =>
      Effect.gen(function* () {
        yield* passes(5000)
        const before = store.checks
        const all = yield* Effect.forEach(Array.from({ length: 8 }), () => asked(db), { concurrency: "unbounded" })
        assert.deepStrictEqual(new Set(all), new Set([true]))
        assert.strictEqual(store.checks, before + 1)
      })
    )
  )
})

describe("whoever opens a replicated file", () => {
  it.effect("looks open calls up only once nothing of an earlier opening can leave any more", () =>
    open((db) =>
      Effect.gen(function* () {
        let looked = 0
        const sender = { readBack: () => Effect.sync(() => ({ absent: ++looked > 0 })) } as never
        assert.deepStrictEqual(yield* recover(db, sender, [books]), { recovered: 0, held: [] }, "at once without any")
        const run = yield* db.transaction(() => Runs.begin(db, [books], 0))
        yield* db.transaction(() => Claims.claim(db, run, call, 0))
        const recovering = yield* Effect.forkChild(recover(db, sender, [books]))
        yield* passes(6400)
        assert.strictEqual(looked, 0)
        yield* passes(100)
        assert.strictEqual(looked, 1)
        assert.strictEqual((yield* Fiber.join(recovering)).recovered, 1)
      })
    )
  )

  it.effect("reads the service for a file that lacks calls only after that and their time on the way", () =>
    open((db) =>
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(lastArrivals(db, 3000))
        yield* passes(6500)
        yield* passes(2900)
        assert.isUndefined(waiting.pollUnsafe())
        yield* passes(100)
        assert.isDefined(waiting.pollUnsafe())
        const again = yield* Effect.forkChild(lastArrivals(db, 3000))
        yield* passes(3000)
        assert.isDefined(again.pollUnsafe(), "it was opened long ago")
      })
    )
  )
})
