/** Tests that a store which lost what was shipped to it is noticed, so that nothing is sent twice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fstatSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as LedgerTrust from "../../../../sync/state/LedgerTrust.ts"
import { HighWater } from "../../../../sync/state/replication/HighWater.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { add, folder, opened } from "../../../support/Replicas.ts"

/** A copy of a row, whose buffers `structuredClone` made plain arrays of bytes. */
const revived = (row: ReturnType<MemoryStore["row"]>): ReturnType<MemoryStore["row"]> => ({
  ...row,
  kept: { ...row.kept, hash: Buffer.from(row.kept.hash) },
  base: row.base.map((part) => Buffer.from(part)),
  log: row.log.map(({ parts, seq }) => ({ seq, parts: parts.map((part) => Buffer.from(part)) }))
})

const hash = Buffer.alloc(16, 7)

describe("what was shipped", () => {
  it.live("is flushed to disk, one flush at a time, and the last mark before it is closed", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const flushing: Array<() => void> = []
      let handle = -1
      const mark = new HighWater(join(path, "shipped"), (used, done) => {
        handle = used
        flushing.push(done)
      })
      for (let seq = 1; seq <= 5; seq++) mark.put(seq, hash)
      assert.strictEqual(flushing.length, 1)
      flushing[0]!()
      // One more, for the four marks that came meanwhile.
      assert.strictEqual(flushing.length, 2)
      mark.put(6, hash)
      mark.close()
      flushing[1]!()
      assert.strictEqual(flushing.length, 3)
      assert.isUndefined(new HighWater(join(path, "shipped")).problem({ seq: 6, hash }))
      flushing[2]!()
      assert.strictEqual(flushing.length, 3)
      // It is closed by now.
      assert.throws(() => fstatSync(handle), "EBADF")
    })
  )

  it.live(
    "is not stored where another tenure stored as much meanwhile, and a late mark of an earlier one changes nothing",
    () =>
      Effect.gen(function* () {
        const file = join(yield* folder, "shipped")
        const ours = new HighWater(file)
        for (let seq = 1; seq <= 4; seq++) assert.isUndefined(ours.put(seq, hash))
        const theirs = new HighWater(file)
        for (let seq = 5; seq <= 7; seq++) assert.isUndefined(theirs.put(seq, hash))
        // PostgreSQL lost the other node's shipments, and so accepts ours.
        assert.include(ours.put(5, hash), "another process has stored 7 shipments of it")
        assert.include(new HighWater(file).problem({ seq: 5, hash }), "has 5 of its 7 shipments")
        assert.isUndefined(theirs.put(8, hash))
        // Whoever opens it with fewer goes on from there, once a person has looked.
        const next = new HighWater(file)
        assert.isDefined(next.problem({ seq: 5, hash }))
        assert.isUndefined(next.put(6, hash))
        assert.isUndefined(next.put(7, hash))
      })
  )

  it.live(
    "is not stored where nobody can tell what another tenure stored meanwhile, and is told apart where nothing can be kept",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const torn = new HighWater(join(path, "torn"))
        assert.isUndefined(torn.put(10, hash))
        writeFileSync(join(path, "torn"), "00000000000000")
        assert.include(torn.put(11, hash), "is damaged or cannot be read")
        // A folder in its place can be opened by nobody.
        const file = join(path, "shipped")
        mkdirSync(file)
        const unable = new HighWater(file)
        assert.isFalse(unable.isKept)
        assert.include(unable.problem({ seq: 1, hash }), "is damaged or cannot be read")
        rmdirSync(file)
        assert.isUndefined(new HighWater(file).put(12, hash))
        assert.include(unable.put(11, hash), "another process has stored 12 shipments of it")
      })
  )

  it.live("is not taken for nothing where the file is damaged", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "shipped")
      assert.isUndefined(new HighWater(file).problem({ seq: 0, hash }))
      for (const text of ["\0".repeat(50), "0000000000000006 0707"]) {
        writeFileSync(file, text)
        assert.include(new HighWater(file).problem({ seq: 6, hash }), "is damaged")
      }
    })
  )
})

describe("a replicated state file", () => {
  it.live("sends nothing from a store that lost what was shipped, whoever opens it, until the service was read", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const replica = () => ({ ...store.replica("t"), highWater: join(path, "shipped") })
      const isBehind = opened(join(path, "a.db"), replica(), (db) => db.read(() => LedgerTrust.behind(db)?.why))
      const adding = (n: number) => opened(join(path, "a.db"), replica(), (db) => db.transaction(add(db, n)))
      yield* adding(1)
      const backup = structuredClone(store.row("t"))
      yield* adding(2)
      assert.isUndefined(yield* isBehind)
      store.rows.set("t", revived(backup))
      assert.include(yield* isBehind, "it was restored from a backup")
      // It stays so, also on another node.
      assert.include(yield* isBehind, "it was restored from a backup")
      yield* opened(join(path, "a.db"), replica(), (db) => db.transaction(() => LedgerTrust.trust(db, 0)))
      assert.isUndefined(yield* isBehind)
      // As many shipments, but others.
      new HighWater(join(path, "shipped")).put(store.row("t").kept.seq, Buffer.alloc(16, 9))
      assert.include(yield* isBehind, "another content")
      // All of it is lost.
      store.rows.delete("t")
      assert.include(yield* isBehind, "has 0 of its")
    })
  )
})
