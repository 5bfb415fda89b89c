/** Secrets of a replicated state file, with a store in memory: they are kept with it, and before anybody uses them. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect, Exit, Redacted } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Database } from "../../../../sync/state/Database.ts"
import * as Vault from "../../../../sync/vault/Vault.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { SMALL } from "../../../support/RandomWork.ts"
import { add, folder, opened, rowsOf } from "../../../support/Replicas.ts"

describe("the vault of a replicated state file", () => {
  const key = Redacted.make(Buffer.alloc(32, 7))
  const box = (file: string) => Vault.make({ file: `${file}.vault`, key, name: "books", connector: "test" })

  it.live("comes along when a state file of before becomes the first shipment, which is moved aside", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const seed = join(path, "daybook.db")
      const before = Database.layer({ file: seed, mode: "write", command: "a test" })
      const work = Effect.flatMap(Database, (db) =>
        db.transaction(() => {
          for (let n = 0; n < 500; n++) add(db, n, 500)()
        })
      )
      yield* Effect.scoped(Effect.provide(work, before, { local: true }))
      yield* box(seed).put("token 1")
      // Pages of another size than usual.
      const raw = new Sqlite(seed)
      raw.exec("PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM")
      raw.close()
      const replica = { ...store.replica("t", SMALL), seed }
      yield* opened(join(path, "a.db"), replica, (db) => db.transaction(add(db, 1000)))
      assert.deepStrictEqual(
        ["", ".before-cluster", ".vault", ".vault.before-cluster"].map((end) => existsSync(seed + end)),
        [false, true, false, true]
      )
      const b = join(path, "b.db")
      const count = yield* opened(b, store.replica("t"), (db) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* box(b).read, "token 1")
          assert.strictEqual(db.raw.pragma("page_size", { simple: true }), 8192)
          return yield* db.read(() => rowsOf(db))
        })
      )
      assert.strictEqual(count, 501)
    })
  )

  it.live("is kept with it, and restored", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const [a, b] = [join(path, "a.db"), join(path, "b.db")]
      yield* opened(a, store.replica("t"), () => box(a).update(() => Effect.succeed("token 1")))
      const seen = yield* opened(b, store.replica("t"), () => box(b).update((before) => Effect.succeed(`${before}, 2`)))
      assert.strictEqual(seen, "token 1, 2")
      assert.strictEqual(yield* opened(a, store.replica("t"), () => box(a).read), "token 1, 2")
    })
  )

  it.live("asks for no token that could not be kept", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const a = join(path, "a.db")
      yield* opened(a, store.replica("t"), () =>
        Effect.gen(function* () {
          yield* box(a).update(() => Effect.succeed("token 1"))
          // Once more the same: nothing else is left to be written before the next one is asked for.
          yield* box(a).update(() => Effect.succeed("token 1"))
          store.fault = "away"
          let asked = false
          const changed = box(a).update(() => {
            asked = true
            return Effect.succeed("token 2")
          })
          assert.isTrue(Exit.isFailure(yield* Effect.exit(changed)))
          assert.isFalse(asked)
          store.fault = "none"
        })
      )
      assert.strictEqual(yield* opened(a, store.replica("t"), () => box(a).read), "token 1")
    })
  )
})
