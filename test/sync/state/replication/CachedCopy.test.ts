/** Working copies that stay on a machine: what they lack is fetched, and what is not as it was left is fetched as a whole. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CachedCopy } from "../../../../sync/state/replication/CachedCopy.ts"
import { restore } from "../../../../sync/state/replication/Restore.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { add, folder, opened, rowsOf } from "../../../support/Replicas.ts"

describe("the working copy of a replicated state file", () => {
  const machines = Effect.gen(function* () {
    const path = yield* folder
    const store = new MemoryStore()
    let rows = 0
    /** Opens it on a machine, commits something, and closes it. Returns how many shipments were fetched. */
    const use = (machine: string, work = 1) =>
      Effect.gen(function* () {
        const own = join(path, machine)
        mkdirSync(own, { recursive: true })
        store.partsRead = 0
        const replica = { ...store.replica("t"), cache: new CachedCopy(own, "t") }
        const before = yield* opened(join(own, "work.db"), replica, (db) =>
          Effect.gen(function* () {
            const read = store.partsRead
            for (let n = 0; n < work; n++) yield* db.transaction(add(db, ++rows, 20))
            assert.strictEqual(rowsOf(db), rows)
            return read
          })
        )
        assert.isFalse(existsSync(join(own, "work.db")))
        return before
      })
    const isRight = Effect.gen(function* () {
      const [file, cached] = [join(path, "whole.db"), join(path, "a", "t")]
      yield* restore(store.tenure("t", store.row("t").epoch), file)
      assert.isTrue(readFileSync(cached).equals(readFileSync(file)))
    })
    return { isRight, path, store, use }
  })

  it.live("fetches only what was shipped since it was closed, also by another machine", () =>
    Effect.gen(function* () {
      const { isRight, use } = yield* machines
      yield* use("a", 5)
      assert.strictEqual(yield* use("a"), 0)
      yield* isRight
      yield* use("b", 3)
      const missing = yield* use("a")
      assert.isAbove(missing, 0)
      assert.isBelow(missing, 10)
      yield* isRight
    })
  )

  it.live("is fetched as a whole if it was changed, is too old, or has gone", () =>
    Effect.gen(function* () {
      const { isRight, path, store, use } = yield* machines
      yield* use("a", 5)
      const cached = join(path, "a", "t")
      for (const harm of [
        () => utimesSync(cached, 1, 1),
        () => appendFileSync(cached, "x"),
        () => writeFileSync(`${cached}.pages`, "nothing")
      ]) {
        harm()
        assert.isAbove(yield* use("a"), 5)
        yield* isRight
      }
      yield* use("b")
      const row = store.row("t")
      row.base = [...row.log.toReversed().flatMap(({ parts }) => parts), ...row.base]
      row.log = []
      yield* use("a")
      yield* isRight
    })
  )

  it.live("stays nowhere once another has taken the tenant", () =>
    Effect.gen(function* () {
      const { path, store, use } = yield* machines
      yield* use("a", 2)
      const own = join(path, "a")
      const replica = { ...store.replica("t"), cache: new CachedCopy(own, "t") }
      yield* Effect.exit(
        opened(join(own, "work.db"), replica, (db) =>
          Effect.gen(function* () {
            store.row("t").epoch++
            yield* db.transaction(add(db, 99, 20))
          })
        )
      )
      assert.deepStrictEqual(readdirSync(own), [])
    })
  )
})
