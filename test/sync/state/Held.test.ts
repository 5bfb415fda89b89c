/**
 * A state file that is shared: its lock is held while there is work, and given back in between.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Context, Deferred, Effect, Fiber, Layer, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database, type OpenOptions, type StateError } from "../../../sync/state/Database.ts"
import { VERSION } from "../../../sync/state/migrations.ts"

type Db = Database["Service"]

const place = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-held-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "daybook.db")
)

const open = (file: string, mode: OpenOptions["mode"], command: string): Effect.Effect<Db, StateError, Scope.Scope> =>
  Effect.map(Layer.build(Layer.fresh(Database.layer({ file, mode, command }))), (context) =>
    Context.get(context, Database)
  )

/** Whether a command could write now, and who keeps it from that. */
const refused = (file: string) =>
  Effect.scoped(open(file, "write", "daybook sync")).pipe(
    Effect.as("no"),
    Effect.catch((error) => Effect.succeed(/\((.*), process/.exec(error.why)?.[1] ?? error.why))
  )

const clean = (file: string) => {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db.prepare("SELECT clean FROM state").pluck().get()
  } finally {
    db.close()
  }
}

describe("a shared state file", () => {
  it.live("is free for others until there is work, and again behind it", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file, "share", "daybook daemon")
      assert.strictEqual(clean(file), 1)
      assert.strictEqual(yield* refused(file), "no")
      yield* db.hold(
        Effect.gen(function* () {
          assert.strictEqual(yield* refused(file), "daybook daemon")
          assert.strictEqual(clean(file), 0, "a crash from here on shows")
        })
      )
      assert.strictEqual(yield* refused(file), "no")
      assert.strictEqual(clean(file), 1)
    })
  )

  it.live("is held by works that go on side by side until the last of them ends, also when one fails", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file, "share", "daybook daemon")
      const over = yield* Deferred.make<void>()
      const both = yield* Deferred.make<void>()
      const long = yield* Effect.forkChild(
        db.hold(Effect.andThen(Deferred.succeed(both, undefined), Deferred.await(over)))
      )
      yield* Deferred.await(both)
      assert.strictEqual(yield* Effect.flip(db.hold(Effect.fail("this one failed"))), "this one failed")
      assert.strictEqual(yield* refused(file), "daybook daemon")
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(long)
      assert.strictEqual(yield* refused(file), "no")
    })
  )

  it.live("is waited for while another process writes, which is said once, and what that one wrote is there then", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file, "share", "daybook daemon")
      const said: Array<string> = []
      const waits = { onWait: (why: StateError) => Effect.sync(() => void said.push(why.message)) }
      const seen = yield* Effect.scoped(
        Effect.gen(function* () {
          const other = yield* open(file, "write", "daybook sync")
          const work = yield* Effect.forkDetach(
            db.hold(
              db.read(() => db.prepare("SELECT subject FROM changed").pluck().all()),
              waits
            )
          )
          yield* Effect.sleep(700)
          yield* other.transaction(() =>
            other.prepare("INSERT INTO changed (subject) VALUES ('books/invoice/1')").run()
          )
          return work
        })
      )
      assert.deepStrictEqual(yield* Fiber.join(seen), ["books/invoice/1"])
      assert.strictEqual(said.length, 1)
      assert.match(said[0]!, /another process holds it \(daybook sync, process \d+ on .*\)/)
    })
  )

  it.live("is not waited for once whoever waits is told to stop", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file, "share", "daybook daemon")
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open(file, "write", "daybook sync")
          let ran = false
          const waiting = yield* Effect.forkChild(db.hold(Effect.sync(() => void (ran = true))))
          yield* Effect.sleep(50)
          yield* Fiber.interrupt(waiting)
          assert.isFalse(ran)
        })
      )
      assert.strictEqual(yield* db.hold(Effect.succeed("goes on")), "goes on")
      assert.strictEqual(yield* refused(file), "no")
    })
  )

  it.live("that a newer program has changed meanwhile is not worked on", () =>
    Effect.gen(function* () {
      const file = yield* place
      const db = yield* open(file, "share", "daybook daemon")
      const newer = new Sqlite(file)
      newer.pragma(`user_version = ${VERSION + 1}`)
      newer.close()
      const error = yield* Effect.flip(db.hold(Effect.void))
      assert.strictEqual(error.kind, "newer")
    })
  )
})
