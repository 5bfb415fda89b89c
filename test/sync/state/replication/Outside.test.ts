/** A state file in the folder of a tenant of a cluster: it would lack what the cluster sent, or the cluster what it sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Database, type OpenOptions } from "../../../../sync/state/Database.ts"
import * as LedgerTrust from "../../../../sync/state/LedgerTrust.ts"
import { SHIPPED } from "../../../../sync/state/replication/HighWater.ts"
import { MemoryStore } from "../../../support/MemoryStore.ts"
import { add, folder, opened, rowsOf } from "../../../support/Replicas.ts"

type Db = Database["Service"]

const claim = (db: Db) => () =>
  void db.raw
    .prepare(
      "INSERT INTO claim (run, subject, fact, rule, operation, request, reason, claimed) VALUES (1, 's', 'f', 'T1', 'transactions.create', '{}', 'r', 0)"
    )
    .run()

/** Opens a state file that is in no cluster. */
const alone = <A, E>(options: Pick<OpenOptions, "file" | "mode">, work: (db: Db) => Effect.Effect<A, E>) =>
  Effect.flatMap(Database, work).pipe(
    Effect.provide(Database.layer({ command: "a test", ...options }), { local: true }),
    Effect.scoped
  )

const behind = (db: Db) => db.read(() => LedgerTrust.behind(db)?.why)

describe("a state file in the folder of a tenant of a cluster", () => {
  it.live("is moved aside; if it was used outside of the cluster, nothing is sent until the service was read", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = new MemoryStore()
      const seed = join(path, "daybook.db")
      const file = join(path, "working.db")
      const using = <A, E>(work: (db: Db) => Effect.Effect<A, E>) => opened(file, { ...store.replica("t"), seed }, work)
      yield* alone({ file: seed, mode: "write" }, (db) => db.transaction(claim(db)))
      yield* using((db) => db.transaction(add(db, 1)))
      // The same once more, as on a node with a copy of the folder.
      yield* alone({ file: seed, mode: "write" }, (db) => db.transaction(claim(db)))
      assert.isUndefined(yield* using(behind))
      yield* alone({ file: seed, mode: "write" }, (db) =>
        db.transaction(() => {
          claim(db)()
          claim(db)()
        })
      )
      // A node that does not come to store that nothing may be sent leaves the file for the next one.
      const cutOff = store.replica("t")
      const take = Effect.map(cutOff.take, (tenure) => ({
        ...tenure,
        read: (onPart: Parameters<typeof tenure.read>[0]) =>
          Effect.tap(tenure.read(onPart), () => Effect.sync(() => void (store.fault = "away")))
      }))
      yield* Effect.flip(opened(file, { ...cutOff, take, seed }, behind))
      store.fault = "none"
      assert.isTrue(existsSync(seed))
      assert.include(yield* using(behind), "was used beside it")
      assert.deepStrictEqual(
        readdirSync(path).filter((name) => name.includes(".before-cluster")),
        ["daybook.db.before-cluster", "daybook.db.before-cluster-2", "daybook.db.before-cluster-3"]
      )
      assert.isFalse(existsSync(seed))
      assert.include(yield* using(behind), "was used beside it")
      yield* using((db) => db.transaction(() => LedgerTrust.trust(db, 0)))
      assert.isUndefined(yield* using(behind))
      assert.strictEqual(yield* using((db) => db.read(() => rowsOf(db))), 1)
    })
  )

  it.live("is neither made nor written by anything outside of the cluster", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "daybook.db")
      const replica = { ...new MemoryStore().replica("t"), highWater: join(path, SHIPPED) }
      // Nothing was shipped yet.
      writeFileSync(join(path, SHIPPED), "")
      yield* alone({ file, mode: "write" }, (db) => db.transaction(add(db, 1)))
      yield* opened(join(path, "working.db"), replica, (db) => db.transaction(add(db, 1)))
      for (const mode of ["write", "share"] as const)
        assert.include((yield* Effect.flip(alone({ file, mode }, () => Effect.void))).message, "is in PostgreSQL")
      assert.strictEqual(yield* alone({ file, mode: "read" }, (db) => db.read(() => rowsOf(db))), 1)
      const missing = { file: join(path, "other.db"), mode: "read" } as const
      assert.include((yield* Effect.flip(alone(missing, () => Effect.void))).message, "is in PostgreSQL")
      yield* opened(join(path, "working.db"), replica, (db) => db.transaction(add(db, 2)))
    })
  )
})
