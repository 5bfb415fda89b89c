/** Copies that are only read: they show what is stored, take nothing from who has the tenant, and store nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Database } from "../../../../sync/state/Database.ts"
import { CachedCopy } from "../../../../sync/state/replication/CachedCopy.ts"
import { readCopy } from "../../../../sync/state/replication/ReadCopy.ts"
import { keeperOf } from "../../../../sync/vault/KeptVaults.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { add, folder, opened, rowsOf } from "../../../support/Replicas.ts"

describe("a copy that is only read", () => {
  it.live("shows what was shipped so far, and leaves the tenant to who has it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const file = join(path, "read.db")
      const looked = Effect.gen(function* () {
        store.partsRead = 0
        yield* readCopy(store.tenure("t", store.row("t").epoch), file, new CachedCopy(path, "t"))
        const fetched = store.partsRead
        return yield* Effect.gen(function* () {
          const db = yield* Database
          assert.isTrue(db.raw.readonly)
          assert.throws(add(db, 99))
          assert.strictEqual((yield* Effect.flip(keeperOf(`${file}.vault`)!.check)).includes("only reads"), true)
          return { rows: rowsOf(db), fetched }
        }).pipe(Effect.provide(Database.layer({ file, mode: "read" }), { local: true }))
      }).pipe(Effect.scoped)
      assert.include(String(yield* Effect.flip(looked)), "nothing of it was stored yet")
      yield* opened(join(path, "work.db"), store.replica("t"), (db) =>
        Effect.gen(function* () {
          yield* db.transaction(add(db, 1))
          const { epoch } = store.row("t")
          assert.strictEqual((yield* looked).rows, 1)
          for (let n = 2; n <= 5; n++) yield* db.transaction(add(db, n))
          const { fetched, rows } = yield* looked
          assert.deepStrictEqual([rows, fetched], [5, 4])
          assert.deepStrictEqual(yield* looked, { rows: 5, fetched: 0 })
          assert.strictEqual(store.row("t").epoch, epoch)
          yield* db.transaction(add(db, 6))
        })
      )
      assert.strictEqual((yield* looked).rows, 6)
      assert.deepStrictEqual(readdirSync(path).toSorted(), ["t", "t.pages"])
    })
  )
})
