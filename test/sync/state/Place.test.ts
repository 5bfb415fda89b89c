/**
 * A state file that is deleted, moved, replaced, put back or copied, and a lock file that is deleted, while it is used
 * and between two uses: whoever may not know what was sent to the service sends nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Context, Deferred, Effect, Fiber, Layer, type Scope } from "effect"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Claims from "../../../sync/apply/Claims.ts"
import type { Call } from "../../../sync/model/Call.ts"
import { Database, type OpenOptions, StateError } from "../../../sync/state/Database.ts"
import * as LedgerTrust from "../../../sync/state/LedgerTrust.ts"
import { lock } from "../../../sync/state/FileLock.ts"

type Db = Database["Service"]

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-place-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const place = Effect.map(folder, (path) => join(path, "daybook.db"))

const open = (file: string, mode: OpenOptions["mode"] = "write"): Effect.Effect<Db, StateError, Scope.Scope> =>
  Effect.map(Layer.build(Layer.fresh(Database.layer({ file, mode, command: "a test" }))), (context) =>
    Context.get(context, Database)
  )

const CALL: Call = {
  kind: "invoice",
  subject: "books/invoice/I1",
  fact: "books/invoice/I1",
  rule: "T2",
  operation: "transactions.create",
  params: {},
  body: {},
  reason: "a test",
  destructive: false
}

const claim = (db: Db) => db.commit(() => Claims.claim(db, 1, CALL, 0))
/** One use of a file from its opening to its end, with something written. Answers why nothing may be sent from it. */
const use = (file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const db = yield* open(file)
      yield* claim(db)
      return LedgerTrust.behind(db)?.why
    })
  )

const kindOf = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(work), (error) => (error instanceof StateError ? error.kind : String(error)))

/** Away with a file as `rm`, back as `cp` leaves it: the same file with other contents. */
const put = (from: string, to: string) => writeFileSync(to, readFileSync(from))

describe("while a program uses it", () => {
  it.live("a file that was deleted, moved or replaced gets no claim any more", () =>
    Effect.gen(function* () {
      for (const happens of [
        (file: string) => rmSync(file),
        (file: string) => renameSync(file, `${file}.moved`),
        (file: string) => {
          copyFileSync(file, `${file}.copy`)
          renameSync(`${file}.copy`, file)
        }
      ]) {
        const file = yield* place
        const db = yield* open(file)
        yield* claim(db)
        happens(file)
        assert.strictEqual(yield* kindOf(claim(db)), "replaced")
      }
    })
  )

  it.live("a lock file that was deleted or replaced ends its claims, whoever took the lock since", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file)
      const id = yield* claim(db)
      rmSync(`${file}.lock`)
      assert.strictEqual(yield* kindOf(claim(db)), "replaced")
      yield* lock(file, "another")
      assert.strictEqual(yield* kindOf(claim(db)), "replaced")
      assert.strictEqual(
        yield* kindOf(db.commit(() => Claims.leaves(db, id, true, 0))),
        "replaced",
        "nor is it sent again"
      )
      assert.strictEqual(db.prepare("SELECT count(*) FROM claim").pluck().get(), 1)
    })
  )

  it.live("a daemon does not take up work on a file that is gone, another one, or an older one", () =>
    Effect.gen(function* () {
      for (const happens of [
        (file: string) => rmSync(file),
        (file: string, older: string) => renameSync(older, file),
        (file: string, older: string) => put(older, file)
      ]) {
        const file = yield* place
        const older = `${file}.older`
        yield* use(file)
        copyFileSync(file, older)
        const db = yield* open(file, "share")
        yield* db.hold(claim(db))
        happens(file, older)
        assert.strictEqual(yield* kindOf(db.hold(claim(db))), "replaced")
      }
    })
  )

  it.live("what other processes write between two works of a daemon is no such thing", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file, "share")
      for (let n = 1; n <= 3; n++) {
        yield* db.hold(claim(db))
        assert.isUndefined(yield* use(file))
      }
      yield* db.hold(Effect.void)
      assert.strictEqual(db.prepare("SELECT count(*) FROM claim").pluck().get(), 6)
    })
  )

  it.live("works that go on side by side do not take each other's lock for a foreign one", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file, "share")
      const go = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(db.hold(Effect.andThen(Deferred.await(go), claim(db))))
      yield* Effect.sleep(20)
      yield* db.hold(claim(db))
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(first)
    })
  )
})

describe("between two uses", () => {
  it.live("an older version that is put back sends nothing until it was compared, and is then as good as any", () =>
    Effect.gen(function* () {
      const file = yield* place
      assert.isUndefined(yield* use(file))
      copyFileSync(file, `${file}.older`)
      assert.isUndefined(yield* use(file))
      put(`${file}.older`, file)
      assert.match((yield* use(file))!, /an older version of it was put back/)
      assert.match((yield* use(file))!, /an older version/, "not only once")
      yield* Effect.scoped(Effect.flatMap(open(file), (db) => db.transaction(() => LedgerTrust.trust(db, 0))))
      assert.isUndefined(yield* use(file))
    })
  )

  it.live("so does one that was copied in the middle of its last use, or under a new inode", () =>
    Effect.gen(function* () {
      for (const back of [put, (from: string, to: string) => renameSync(from, to)]) {
        const file = yield* place
        yield* use(file)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const db = yield* open(file)
            yield* claim(db)
            db.raw.pragma("wal_checkpoint(TRUNCATE)")
            copyFileSync(file, `${file}.older`)
            yield* claim(db)
          })
        )
        back(`${file}.older`, file)
        assert.match((yield* use(file))!, /an older version/)
      }
    })
  )

  it.live("so does one that has the number of the file before it, and no lock file beside it", () =>
    Effect.gen(function* () {
      const file = yield* place
      yield* use(file)
      copyFileSync(file, `${file}.older`)
      yield* use(file)
      rmSync(file)
      // Made later under the number of the one before it, as file systems give numbers again; here that is written down.
      copyFileSync(`${file}.older`, file)
      const raw = new Sqlite(file)
      raw.prepare("UPDATE state SET place = json_set(place, '$.ino', ?)").run(`${statSync(file, { bigint: true }).ino}`)
      raw.close()
      rmSync(`${file}.lock`)
      assert.match((yield* use(file))!, /another file was put in its place/)
    })
  )

  it.live("a copy at another path is not used beside its original, and is compared where that is gone", () =>
    Effect.gen(function* () {
      const file = yield* place
      const copy = join(yield* folder, "copy.db")
      yield* use(file)
      copyFileSync(file, copy)
      const error = yield* Effect.flip(use(copy))
      assert.strictEqual(error.kind, "replaced")
      assert.include(error.why, `it is a copy of ${file}, which still exists`)
      assert.isUndefined(yield* use(file), "the original goes on")
      // Its lock file copied with it changes nothing.
      copyFileSync(`${file}.lock`, `${copy}.lock`)
      assert.strictEqual((yield* Effect.flip(use(copy))).kind, "replaced")
      rmSync(`${copy}.lock`)
      rmSync(file)
      assert.match((yield* use(copy))!, /it is a copy of/)
    })
  )

  it.live("a file that was renamed, or moved with its lock file, or lost its lock file, is the same", () =>
    Effect.gen(function* () {
      const file = yield* place
      yield* use(file)
      renameSync(file, `${file}.new`)
      assert.isUndefined(yield* use(`${file}.new`))
      rmSync(`${file}.new.lock`)
      assert.isUndefined(yield* use(`${file}.new`))
      const moved = join(yield* folder, "sub")
      mkdirSync(moved)
      for (const end of ["", ".lock"]) {
        copyFileSync(`${file}.new${end}`, join(moved, `a.db${end}`))
        rmSync(`${file}.new${end}`)
      }
      assert.isUndefined(yield* use(join(moved, "a.db")))
      assert.isFalse(existsSync(`${file}.new`))
    })
  )

  it.live("a new file in the place of one that is gone is not taken for an older one: the service is asked then", () =>
    Effect.gen(function* () {
      const file = yield* place
      yield* use(file)
      rmSync(file)
      assert.isUndefined(yield* use(file))
      assert.isUndefined(yield* use(file))
    })
  )

  it.live("a crash at any step of the stamping leaves it the one that it was", () =>
    Effect.gen(function* () {
      const file = yield* place
      yield* use(file)
      const crash = (when: "before" | "behind") =>
        Effect.scoped(
          Effect.gen(function* () {
            const held = yield* lock(file, "a test")
            const raw = (yield* open(file, "read")).raw
            const writer = new (raw.constructor as new (file: string) => typeof raw)(file)
            try {
              held.stamp((stamp) => {
                if (when === "behind") writer.prepare("UPDATE state SET stamp = ?").run(stamp)
                throw new Error("the machine dies")
              }, false)
            } catch {
              // As it is then.
            } finally {
              writer.close()
            }
          })
        )
      yield* crash("before")
      assert.isUndefined(yield* use(file))
      yield* crash("behind")
      assert.isUndefined(yield* use(file))
    })
  )
})
