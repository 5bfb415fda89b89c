/** What is stored of a replicated state file is what was committed, all of it and nothing else; otherwise nobody goes on with it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { openSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { restore } from "../../../../sync/state/replication/Restore.ts"
import { type Database, StateError } from "../../../../sync/state/Database.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { add, folder, opened, rowsOf } from "../../../support/Replicas.ts"

type Db = Database["Service"]

/** Fails with what opening it fails with. */
const opening = (path: string, store: MemoryStore) =>
  Effect.flip(opened(join(path, "b.db"), store.replica("t"), () => Effect.void))

describe("a replicated state file", () => {
  it.live("is not restored from a store that lost a shipment, or has it changed", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const adding = (db: Db) => Effect.forEach([1, 2, 3], (n) => db.transaction(add(db, n, 5000)), { discard: true })
      yield* opened(join(path, "a.db"), store.replica("t"), adding)
      const row = store.row("t")
      const whole = row.log
      for (const at of [0, whole.length >> 1, whole.length - 1]) {
        row.log = whole.toSpliced(at, 1)
        const error = yield* opening(path, store)
        assert.strictEqual(error.kind, "damaged", `without shipment ${at + 1} of ${whole.length}`)
      }
      // The shipment before it a second time, in its place.
      row.log = whole.with(-1, { ...whole.at(-1)!, parts: whole.at(-2)!.parts })
      assert.include((yield* opening(path, store)).message, "what was restored is not what was shipped")
      row.log = whole.with(1, { ...whole[1]!, parts: [Buffer.from("no page")] })
      assert.include((yield* opening(path, store)).message, "it is damaged (what was shipped: ")
      row.log = whole
      const rows = opened(join(path, "b.db"), store.replica("t"), (db) => db.read(() => rowsOf(db)))
      assert.strictEqual(yield* rows, 3)
    })
  )

  it.live("says what is wrong where its working copy cannot be written, and not that the store is damaged", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const error = yield* Effect.flip(restore(store.tenure("t", 0), join(path, "no folder", "a.db")))
      assert.instanceOf(error, StateError)
      assert.strictEqual((error as StateError).kind, "failed")
    })
  )

  it.live("is not replaced on the store by a whole file that differs from what was shipped", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const error = yield* opened(join(path, "a.db"), store.replica("t", { leastLogBytes: 1 }), (db) =>
        Effect.gen(function* () {
          // Stays open, because closing it would release SQLite's locks.
          const other = openSync(join(path, "a.db"), "r+")
          const pragma = db.raw.pragma.bind(db.raw)
          db.raw.pragma = (what, options) => {
            if (what === "page_count") writeSync(other, "x", 8191)
            return pragma(what, options)
          }
          while (store.rebases === 0) yield* Effect.sleep(1)
          const before = store.rebases
          for (let n = 0; n < 100; n++) {
            const exit = yield* Effect.exit(db.transaction(add(db, n)))
            if (Exit.isFailure(exit)) {
              assert.strictEqual(store.rebases, before)
              return yield* Effect.flip(exit)
            }
            yield* Effect.sleep(10)
          }
          return assert.fail("it went on")
        })
      )
      assert.include(error.message, "what was shipped is not what the file holds")
    })
  )

  it.live("ships nothing of a transaction that was rolled back, though its pages are in the log", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const file = join(path, "a.db")
      yield* opened(file, store.replica("t", { checkpointBytes: 1 }), (db) =>
        Effect.gen(function* () {
          // So that pages are written to the log before anybody knows whether they are committed.
          db.raw.pragma("cache_size = 5")
          let spilled = 0
          store.onShip = () => {
            store.onShip = () => {}
            const before = statSync(`${file}-wal`).size
            const many = db.raw.transaction(() => {
              for (let n = 0; n < 500; n++) add(db, 1000 + n, 3000)()
              spilled = statSync(`${file}-wal`).size - before
              throw new Error("rolled back")
            })
            assert.throws(() => many.immediate(), "rolled back")
          }
          yield* db.transaction(add(db, 1))
          assert.isAbove(spilled, 500_000)
          yield* db.transaction(add(db, 2))
        })
      )
      assert.strictEqual(yield* opened(join(path, "b.db"), store.replica("t"), (db) => db.read(() => rowsOf(db))), 2)
    })
  )
})
