/**
 * The state file: made from nothing, opened again, refused in words that say what to do, and held by one process.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Deferred, Effect, Fiber } from "effect"
import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { Database, type OpenOptions, StateError } from "../../../sync/state/Database.ts"
import { VERSION } from "../../../sync/state/migrations.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-state-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

type Db = Database["Service"]

const opened = <A, E>(
  file: string,
  work: (db: Db) => Effect.Effect<A, E>,
  mode: OpenOptions["mode"] = "write"
): Effect.Effect<A, E | StateError> =>
  Effect.flatMap(Database, work).pipe(
    Effect.provide(Database.layer({ file, mode, command: "a test" }), { local: true }),
    Effect.scoped
  )

const nothing = () => Effect.void

/** Why a file is refused. */
const refusal = (file: string, mode: OpenOptions["mode"] = "write") =>
  Effect.map(Effect.flip(opened(file, nothing, mode)), (error) => {
    assert.instanceOf(error, StateError)
    return { kind: error.kind, why: error.message.replace(`state file ${file}: `, "") }
  })

/** A state file with a few thousand rows, closed properly. */
const filled = (file: string) =>
  opened(file, (db) =>
    db.transaction(() => {
      for (let n = 0; n < 3000; n++)
        db.prepare("INSERT INTO changed (subject) VALUES (?)").run(`books/invoice/${n}${"x".repeat(40)}`)
    })
  )

describe("a state file", () => {
  it.effect("is made from nothing, with the format and every table, and opens again as it was", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "daybook.db")
      yield* opened(file, (db) =>
        Effect.gen(function* () {
          assert.strictEqual(db.raw.pragma("user_version", { simple: true }), VERSION)
          assert.strictEqual(db.raw.pragma("journal_mode", { simple: true }), "wal")
          assert.strictEqual(db.raw.pragma("synchronous", { simple: true }), 2, "FULL")
          assert.strictEqual(db.raw.pragma("foreign_keys", { simple: true }), 1)
          yield* db.commit(() => db.prepare("INSERT INTO changed (subject) VALUES ('books/invoice/1')").run())
        })
      )
      assert.isFalse(existsSync(`${file}-wal`), "its log is folded in when it is closed")
      yield* opened(file, (db) =>
        Effect.sync(() => {
          assert.deepStrictEqual(db.prepare("SELECT subject FROM changed").pluck().all(), ["books/invoice/1"])
          assert.strictEqual(db.raw.pragma("integrity_check", { simple: true }), "ok")
        })
      )
    })
  )

  it.effect("of a newer program is refused and left as it is", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "daybook.db")
      yield* opened(file, (db) => Effect.sync(() => db.raw.pragma(`user_version = ${VERSION + 1}`)))
      const before = readFileSync(file)
      for (const mode of ["write", "read"] as const) {
        assert.deepStrictEqual(yield* refusal(file, mode), {
          kind: "newer",
          why: `it was written by a newer Daybook (format ${VERSION + 1}, this one knows ${VERSION}); update Daybook`
        })
      }
      assert.isTrue(readFileSync(file).equals(before))
    })
  )

  it.effect("of another program is refused and left as it is", () =>
    Effect.gen(function* () {
      const where = yield* folder
      const text = join(where, "notes.txt")
      writeFileSync(text, "A note that is no database.\n".repeat(100))
      const short = join(where, "short.db")
      writeFileSync(short, "x")
      const other = join(where, "other.db")
      const db = new Sqlite(other)
      db.exec("CREATE TABLE recipe (name TEXT)")
      db.close()
      for (const [file, why] of [
        [text, "this is not a Daybook state file; name another with --state"],
        [short, "this is not a Daybook state file; name another with --state"],
        [other, "this is another program's SQLite file; name another with --state"]
      ] as const) {
        const before = readFileSync(file)
        assert.deepStrictEqual(yield* refusal(file), { kind: "foreign", why })
        assert.deepStrictEqual(yield* refusal(file, "read"), { kind: "foreign", why })
        assert.isTrue(readFileSync(file).equals(before), file)
      }
    })
  )

  it.effect("that was cut short is refused, with what to do and what not to do", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "daybook.db")
      yield* filled(file)
      const whole = statSync(file).size
      truncateSync(file, whole - 8192)
      assert.deepStrictEqual(yield* refusal(file), {
        kind: "damaged",
        why:
          `it is damaged (it ends after ${whole - 8192} of ${whole} bytes). Restore it from a backup. Do not start over ` +
          "with an empty file unless the service is empty too: what was already sent would be sent again"
      })
    })
  )

  it.effect("with a page of garbage is found out: when it is opened after a kill, or when the page is read", () =>
    Effect.gen(function* () {
      const where = yield* folder
      const file = join(where, "daybook.db")
      yield* filled(file)
      const spoiled = readFileSync(file)
      // Every page but the first, so that whatever is looked at is garbage.
      for (let at = 4096 * 2; at < spoiled.length; at += 4096)
        spoiled.fill(0xa5, at, Math.min(at + 2000, spoiled.length))
      writeFileSync(file, spoiled)
      const error = yield* Effect.flip(
        opened(file, (db) => db.read(() => db.prepare("SELECT count(*), max(subject) FROM changed").get()))
      )
      assert.deepInclude(error, { kind: "damaged" })
      const unclean = join(where, "unclean.db")
      yield* filled(unclean)
      // As a kill leaves it: without the mark that it was closed.
      const db = new Sqlite(unclean)
      db.exec("UPDATE state SET clean = 0")
      db.close()
      const killed = readFileSync(unclean)
      yield* opened(unclean, nothing)
      killed.fill(0xa5, killed.length - 4096 * 4, killed.length - 4096 * 2)
      writeFileSync(unclean, killed)
      const found = yield* refusal(unclean)
      assert.strictEqual(found.kind, "damaged")
      assert.match(found.why, /^it is damaged \(.+\)\. Restore it from a backup\. Do not start over/)
    })
  )

  it.effect("that is not there is not made by a reader, and a folder that is not there not by anyone", () =>
    Effect.gen(function* () {
      const where = yield* folder
      const file = join(where, "daybook.db")
      assert.deepStrictEqual(yield* refusal(file, "read"), {
        kind: "failed",
        why: "it does not exist yet; run `daybook pull` or `daybook sync` first"
      })
      assert.isFalse(existsSync(file))
      const nowhere = join(where, "no", "daybook.db")
      assert.deepStrictEqual(yield* refusal(nowhere), {
        kind: "failed",
        why: `the folder ${join(where, "no")} does not exist`
      })
    })
  )

  it.effect("in a folder that cannot be written is refused in plain words", () =>
    Effect.gen(function* () {
      const where = join(yield* folder, "shut")
      mkdirSync(where)
      chmodSync(where, 0o555)
      chmodSync(join(where, ".."), 0o755)
      const file = join(where, "daybook.db")
      const why = "it cannot be written here; check the permissions of the file and of its folder"
      if (process.getuid?.() === 0) {
        // To the superuser every folder is open, so somebody else asks.
        const { stdout } = spawnSync(process.execPath, [HOLDER, file], { uid: 65_534, gid: 65_534, encoding: "utf8" })
        assert.strictEqual(stdout, `state file ${file}: ${why}\n`)
      } else assert.deepStrictEqual(yield* refusal(file), { kind: "read-only", why })
    })
  )
})

describe("commits", () => {
  it.effect("of one turn share a transaction; one that fails spoils no other", () =>
    opened(":memory:", (db) =>
      Effect.gen(function* () {
        const put = (subject: string | null) =>
          db.commit(() => db.prepare("INSERT INTO changed (subject) VALUES (?)").run(subject))
        const exits = yield* Effect.forEach(["a", null, "b", "c"], (one) => Effect.exit(put(one)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          exits.map(({ _tag }) => _tag),
          ["Success", "Failure", "Success", "Success"]
        )
        assert.deepStrictEqual(db.prepare("SELECT subject FROM changed").pluck().all(), ["a", "b", "c"])
      })
    )
  )

  it.effect("are not lost when the program ends while one is under way", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "daybook.db")
      yield* opened(file, (db) =>
        Effect.gen(function* () {
          const put = db.commit(() => db.prepare("INSERT INTO changed (subject) VALUES ('a')").run())
          yield* Fiber.interrupt(yield* Effect.forkChild(put, { startImmediately: true }))
        })
      )
      const kept = yield* opened(file, (db) =>
        Effect.sync(() => db.prepare("SELECT subject FROM changed").pluck().all())
      )
      assert.deepStrictEqual(kept, ["a"])
    })
  )

  it.effect("that find no room change nothing, and say that nothing is lost", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "daybook.db")
      yield* filled(file)
      yield* opened(file, (db) =>
        Effect.gen(function* () {
          db.raw.pragma(`max_page_count = ${String(db.raw.pragma("page_count", { simple: true }))}`)
          const put = (n: number) =>
            db.prepare("INSERT INTO changed (subject) VALUES (?)").run(`${n}${"z".repeat(9000)}`)
          const error = yield* Effect.flip(Effect.forEach([1, 2, 3], (n) => db.commit(() => put(n))))
          assert.strictEqual(error.kind, "full")
          assert.strictEqual(
            error.message,
            `state file ${file}: the disk is full; nothing that was committed is lost: free some space and run again`
          )
          assert.strictEqual(db.prepare("SELECT count(*) FROM changed").pluck().get(), 3000)
          assert.strictEqual(db.raw.pragma("integrity_check", { simple: true }), "ok")
        })
      )
    })
  )

  it.effect("that throw change nothing", () =>
    opened(":memory:", (db) =>
      Effect.gen(function* () {
        const failed = yield* Effect.flip(
          db.transaction(() => {
            db.prepare("INSERT INTO changed (subject) VALUES ('a')").run()
            throw new Error("half way")
          })
        )
        assert.strictEqual(failed.message, "state file :memory:: half way")
        assert.deepStrictEqual(db.prepare("SELECT subject FROM changed").pluck().all(), [])
      })
    )
  )
})

const HOLDER = join(import.meta.dirname, "..", "Holder.ts")

/** Another process that opens the file, and what it says; it ends when `end` is called. */
const elsewhere = (file: string, mode: OpenOptions["mode"]) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly says: string; readonly pid: number; readonly end: () => Promise<void> }>((resolve) => {
          const child = spawn(process.execPath, [HOLDER, file, mode], {
            stdio: ["pipe", "pipe", "inherit"]
          })
          const ended = new Promise<void>((done) => child.on("exit", () => done()))
          const end = () => {
            child.stdin.end()
            return ended
          }
          child.stdout.once("data", (data) => resolve({ says: String(data).trim(), pid: child.pid!, end }))
        })
    ),
    ({ end }) => Effect.promise(end)
  )

describe("two processes", () => {
  it.live("a second writer is refused with the name of the holder; a reader reads; a dead holder holds nothing", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "daybook.db")
      yield* filled(file)
      const holder = yield* elsewhere(file, "write")
      assert.strictEqual(holder.says, "holds it, 0 documents")
      assert.deepStrictEqual(yield* refusal(file), {
        kind: "locked",
        why: `another process holds it (daybook sync, process ${holder.pid} on ${hostname()}); wait until it ends and run again`
      })
      const read = yield* opened(
        file,
        (db) => db.read(() => db.prepare("SELECT count(*) FROM changed").pluck().get()),
        "read"
      )
      assert.strictEqual(read, 3000)
      process.kill(holder.pid, "SIGKILL")
      yield* Effect.promise(holder.end)
      yield* opened(file, nothing)
    })
  )

  it.live("a reader in another process sees what was committed while a writer goes on", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "daybook.db")
      const ready = yield* Deferred.make<void>()
      const over = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        opened(file, (db) =>
          Effect.gen(function* () {
            yield* db.transaction(() => {
              db.prepare("INSERT INTO scan (id, connection, name) VALUES (1, 'books', 'a')").run()
              db.prepare("INSERT INTO document VALUES (NULL, 'books/invoice/1', 1, 1, 0, 0, 0, '[]')").run()
            })
            yield* Deferred.succeed(ready, undefined)
            yield* Deferred.await(over)
          })
        )
      )
      yield* Deferred.await(ready)
      assert.strictEqual((yield* elsewhere(file, "read")).says, "holds it, 1 documents")
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(writer)
    })
  )
})
