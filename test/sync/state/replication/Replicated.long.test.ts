/**
 * A state file that is kept elsewhere as well, with a store in memory: what is restored is what was committed, whatever was done in
 * between; nobody is told of a commit before it is kept; and what cannot be kept ends the handle in a bounded time.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Database } from "../../../../sync/state/Database.ts"
import { StateError } from "../../../../sync/state/StateError.ts"
import { inode } from "../../../../sync/state/Inode.ts"
import { restore } from "../../../../sync/state/replication/Restore.ts"
import * as Matching from "../../../../sync/matching/Run.ts"
import type { Connection } from "../../../../sync/model/Connection.ts"
import { recorded } from "../../../../sync/schedule/RecordedRun.ts"
import * as RunState from "../../../../sync/schedule/RunState.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { add, folder, opened, rowsOf } from "../../../support/Replicas.ts"
import { contentOf, contentOfFile, diceOf, filled, put, round, SMALL, TABLE } from "../../../support/RandomWork.ts"

type Db = Database["Service"]

const restored = (store: MemoryStore, file: string) => restore(store.tenure("t", store.row("t").epoch), file)

let rows = 0
const next = (db: Db) => add(db, ++rows, 20)

/** Every way to commit. */
const WAYS: Readonly<Record<string, (db: Db) => Effect.Effect<unknown, StateError>>> = {
  transaction: (db) => db.transaction(next(db)),
  commit: (db) => db.commit(next(db)),
  "a commit of which another fails": (db) =>
    Effect.all(
      [
        db.commit(next(db)),
        Effect.exit(
          db.commit(() => {
            throw new Error("this one fails")
          })
        )
      ],
      { concurrency: 2 }
    ),
  "a read that writes": (db) => db.read(next(db)),
  "a snapshot that writes": (db) => db.snapshot(next(db))
}

describe("a replicated state file", () => {
  it.live("is restored as it was after random work, VACUUM, and logs that are copied back and replaced", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      for (const seed of [1, 2, 3]) {
        const dice = diceOf(seed)
        const file = join(path, "work.db")
        const last = yield* opened(file, store.replica("t", SMALL), (db) =>
          Effect.gen(function* () {
            yield* db.transaction(() => db.raw.exec(TABLE))
            for (let n = 0; n < 12; n++) {
              yield* round(db, dice)
              const copy = join(path, "copy.db")
              yield* restored(store, copy)
              assert.strictEqual(contentOfFile(copy), contentOf(db.raw))
            }
            return contentOf(db.raw)
          })
        )
        assert.isFalse(existsSync(file), "the working copy goes")
        // What was kept is all there is.
        assert.strictEqual(yield* opened(file, store.replica("t"), (db) => db.read(() => contentOf(db.raw))), last)
      }
      assert.isAbove(store.rebases, 0)
    })
  )

  it.live("is not closed before its last commit is shipped, whoever made it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      yield* opened(join(path, "a.db"), store.replica("t"), (db) => Effect.sync(next(db)))
      yield* opened(join(path, "b.db"), store.replica("t"), (db) =>
        Effect.sync(() => assert.strictEqual(rowsOf(db), 1))
      )
    })
  )

  it.live("stores what nobody is told with the next commit that somebody waits for, or once it is much", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const first = rows
      const kept = () => store.row("t").kept.seq
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          const before = kept()
          yield* db.soon(next(db))
          yield* db.soon(next(db))
          yield* Effect.sleep(20)
          assert.strictEqual(kept(), before)
          yield* db.transaction(next(db))
          assert.strictEqual(kept(), before + 1)
          for (let n = 0; n < 80 && kept() === before + 1; n++) yield* db.soon(add(db, ++rows, 20_000))
          assert.strictEqual(kept(), before + 2)
        })
      )
      const count = yield* opened(join(path, "b.db"), store.replica("t"), (db) => Effect.sync(() => rowsOf(db)))
      assert.strictEqual(count, rows - first)
    })
  )

  for (const [name, way] of Object.entries(WAYS))
    it.live(`tells nobody that something is committed before it is kept: ${name}`, () =>
      Effect.gen(function* () {
        const path = yield* folder
        const store = new MemoryStore()
        yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
          Effect.gen(function* () {
            yield* way(db)
            yield* restored(store, join(path, "copy.db"))
            assert.strictEqual(countIn(join(path, "copy.db")), rowsOf(db))
            store.fault = "away"
            assert.isTrue(Exit.isFailure(yield* Effect.exit(way(db))))
            // The local file is ahead of what is kept: nothing of it is used any more.
            store.fault = "none"
            assert.isTrue(Exit.isFailure(yield* Effect.exit(db.read(() => rowsOf(db)))))
            assert.isTrue(Exit.isFailure(yield* Effect.exit(db.transaction(add(db, 2)))))
            assert.throws(() => db.verify())
          })
        )
        assert.strictEqual(yield* opened(join(path, "b.db"), store.replica("t"), (db) => db.read(() => rowsOf(db))), 1)
      })
    )

  it.live("settles a shipment of which it is not known whether it arrived", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          store.fault = "unknown"
          const waiting = yield* Effect.forkChild(db.transaction(add(db, 1)))
          while (store.ships < 3 && waiting.pollUnsafe() === undefined) yield* Effect.sleep(10)
          store.fault = "none"
          yield* Fiber.join(waiting)
          yield* db.transaction(add(db, 2))
        })
      )
      assert.strictEqual(yield* opened(join(path, "a.db"), store.replica("t"), (db) => db.read(() => rowsOf(db))), 2)
    })
  )

  it.effect("waits for a store that hangs for a bounded time", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const running = yield* Effect.forkChild(
        opened(join(path, "a.db"), store.replica("t"), (db) =>
          Effect.gen(function* () {
            store.fault = "hangs"
            return yield* Effect.flip(db.transaction(add(db, 1)))
          })
        )
      )
      for (let seconds = 0; running.pollUnsafe() === undefined; seconds++) {
        assert.isBelow(seconds, 300)
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
      }
      const error = yield* Fiber.join(running)
      assert.strictEqual(error.kind, "unreachable")
      assert.include(error.message, "no answer within 300ms")
    })
  )

  it.live("is refused once another has taken the tenant over", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          yield* db.transaction(add(db, 1))
          yield* opened(join(path, "b.db"), store.replica("t"), (other) => other.transaction(add(other, 2)))
          const error = yield* Effect.flip(db.transaction(add(db, 3)))
          assert.strictEqual(error.kind, "fenced")
        })
      )
      assert.strictEqual(yield* opened(join(path, "c.db"), store.replica("t"), (db) => db.read(() => rowsOf(db))), 2)
    })
  )

  it.live("counts a run whose store went away as cut off, and not as failed: it is made up for at once", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          const books = { id: "books" } as Connection
          const away = new StateError({ kind: "unreachable", file: "a.db", why: "PostgreSQL does not answer" })
          const work = () => Effect.fail(away)
          yield* db.transaction(() => RunState.current(db, undefined, books, 0))
          const error = yield* Effect.flip(recorded(db, books, "schedule", { publish: () => Effect.void, work }))
          assert.strictEqual(error.kind, "unreachable")
          const state = RunState.all(db).get("books")
          assert.deepStrictEqual([state?.ended, state?.failures], [null, 0])
        })
      )
    })
  )

  it.live("keeps a large transaction in parts, of which none counts alone", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const before = yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          const ships = store.ships
          yield* db.transaction(() => {
            for (let n = 0; n < 600; n++) add(db, n, 9000)()
          })
          assert.strictEqual(store.ships, ships + 1)
          return rowsOf(db)
        })
      )
      assert.isAbove(store.mostParts, 3)
      assert.strictEqual(
        yield* opened(join(path, "a.db"), store.replica("t"), (db) => db.read(() => rowsOf(db))),
        before
      )
    })
  )

  it.live("ends its handle when the log was copied back before it was shipped", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          assert.strictEqual(db.raw.pragma("wal_autocheckpoint", { simple: true }), 0)
          yield* db.transaction(add(db, 1))
          add(db, 2)()
          db.raw.pragma("wal_checkpoint(TRUNCATE)")
          const error = yield* Effect.flip(db.transaction(add(db, 3)))
          assert.include(error.message, "restarted before all of it was read")
        })
      )
      assert.strictEqual(yield* opened(join(path, "a.db"), store.replica("t"), (db) => db.read(() => rowsOf(db))), 1)
    })
  )

  it.live("does not copy the log back while something was committed beside a shipment", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      yield* opened(join(path, "a.db"), store.replica("t", { checkpointBytes: 1 }), (db) =>
        Effect.gen(function* () {
          store.onShip = () => {
            store.onShip = () => {}
            // On pages of its own, which what is committed next does not write again.
            db.raw.exec("CREATE TABLE beside AS SELECT 7 AS x")
          }
          yield* db.transaction(add(db, 1))
          yield* db.transaction(add(db, 3))
        })
      )
      const beside = yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        db.read(() => db.prepare("SELECT x FROM beside").pluck().get())
      )
      assert.strictEqual(beside, 7)
    })
  )

  it.live("copies the log back by itself in no command, not even where much is matched", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      yield* opened(join(path, "a.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          yield* db.transaction(() =>
            db.raw.exec(
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001) INSERT INTO to_match SELECT 'books/invoice/' || i FROM n"
            )
          )
          const asked: Array<string> = []
          const pragma = db.raw.pragma.bind(db.raw)
          db.raw.pragma = (source, options) => {
            asked.push(source)
            return pragma(source, options)
          }
          yield* Effect.provideService(Matching.run, Database, db)
          assert.isAbove(asked.length, 0)
          assert.deepStrictEqual(
            asked.filter((source) => source.includes("checkpoint")),
            []
          )
        })
      )
    })
  )

  it.live("has its log replaced by what was in it at one moment, though much is committed while it is read", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "a.db")
      const store = Object.assign(new MemoryStore(), { onPart: () => setTimeout(20) })
      const last = yield* opened(file, store.replica("t", { checkpointBytes: 1, leastLogBytes: 1 }), (db) =>
        Effect.gen(function* () {
          yield* filled(db, 1000)
          for (let n = 0; store.rebases < 3; n++) yield* db.transaction(put(db, (n * 317) % 1000))
          return contentOf(db.raw)
        })
      )
      assert.strictEqual(yield* opened(file, store.replica("t"), (db) => db.read(() => contentOf(db.raw))), last)
    })
  )

  it.live("keeps SQLite's own locks while its log is replaced", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "a.db")
      const store = new MemoryStore()
      yield* opened(file, store.replica("t", SMALL), (db) =>
        Effect.gen(function* () {
          const dice = diceOf(7)
          yield* db.transaction(() => db.raw.exec(TABLE))
          while (store.rebases < 2) yield* round(db, dice)
          if (!existsSync("/proc/locks")) return
          const number = inode(file)?.split(":")[1]
          assert.match(readFileSync("/proc/locks", "utf8"), new RegExp(` ${process.pid} \\S+:${number} `))
        })
      )
    })
  )
})

const countIn = (file: string): unknown => {
  const raw = new Sqlite(file)
  try {
    return raw.prepare("SELECT count(*) FROM changed").pluck().get()
  } finally {
    raw.close()
  }
}
