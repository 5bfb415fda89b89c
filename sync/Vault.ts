/**
 * Where tokens are kept: a SQLite file beside the state file, everything in it sealed (`Seal.ts`).
 *
 * A change happens inside the file's write lock, which the operating system drops when its holder dies. So there is one
 * change at a time, whichever process wants it, and what it answers is on disk before anybody uses it.
 */
import Sqlite from "better-sqlite3"
import { Clock, Effect, Exit, Semaphore } from "effect"
import { chmodSync } from "node:fs"
import { Misconfigured, SourceError, Unreachable, type Vault } from "../connectors/Connector.ts"
import { open as unseal, seal, type SealKey, SealProblem } from "./vault/Encryption.ts"

/** How long another process may take for its change: a request to the source, with its time limit. */
const PATIENCE = 90_000

interface Place {
  readonly file: string
  readonly key: SealKey
  /** Opens what was sealed before the key changed. */
  readonly older?: SealKey
  /** The connection. */
  readonly name: string
  readonly connector: string
}

/** Changes of one file in this process wait for each other here. */
const queues = new Map<string, Semaphore.Semaphore>()
const queueOf = (file: string): Semaphore.Semaphore => {
  let queue = queues.get(file)
  if (queue === undefined) queues.set(file, (queue = Semaphore.makeUnsafe(1)))
  return queue
}

export const make = ({ connector, file, key, name, older }: Place): Vault => {
  const problem = (cause: unknown) =>
    new SourceError({
      connector,
      reason:
        cause instanceof SealProblem
          ? new Misconfigured({ what: "its tokens cannot be read", hint: cause.message })
          : new Misconfigured({
              what: `the vault ${file} cannot be used (${cause instanceof Error ? cause.message : String(cause)})`,
              hint: "check the file and the permissions of its folder"
            })
    })
  const attempt = <A>(work: () => A) => Effect.try({ try: work, catch: problem })

  const opened = Effect.acquireRelease(
    attempt(() => {
      const db = new Sqlite(file, { timeout: 0 })
      chmodSync(file, 0o600)
      return db
    }),
    (db) => Effect.sync(() => db.close())
  )

  const locked = (db: Sqlite.Database) =>
    Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      for (;;) {
        const got = yield* attempt(() => {
          try {
            // All of it may find the file locked. EXCLUSIVE, so that no reader is in the way of the commit.
            db.pragma("synchronous = FULL")
            db.exec("BEGIN EXCLUSIVE")
            db.exec("CREATE TABLE IF NOT EXISTS sealed (name TEXT PRIMARY KEY, box TEXT NOT NULL) STRICT")
            return true
          } catch (cause) {
            if (String((cause as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false
            throw cause
          }
        })
        if (got) return
        if ((yield* Clock.currentTimeMillis) - begun > PATIENCE) {
          const why = "another process has been renewing its tokens for over a minute; wait until it ends and run again"
          return yield* new SourceError({ connector, reason: new Unreachable({ why }) })
        }
        yield* Effect.sleep("50 millis")
      }
    })

  const held = (db: Sqlite.Database): string | undefined => {
    const box = db.prepare("SELECT box FROM sealed WHERE name = ?").pluck().get(name)
    if (typeof box !== "string") return undefined
    try {
      return unseal(key, name, box)
    } catch (cause) {
      if (older === undefined) throw cause
      return unseal(older, name, box)
    }
  }

  /** Everything behind one lock; readers as well, because a change takes moments. */
  const alone = <A, E, R>(work: (db: Sqlite.Database) => Effect.Effect<A, E, R>) =>
    queueOf(file).withPermits(1)(
      Effect.scoped(
        Effect.gen(function* () {
          const db = yield* opened
          return yield* Effect.acquireUseRelease(
            locked(db),
            () => work(db),
            (_, exit) =>
              Effect.sync(() => {
                if (db.inTransaction) db.exec(Exit.isSuccess(exit) ? "COMMIT" : "ROLLBACK")
              })
          )
        })
      )
    )

  return {
    read: alone((db) => attempt(() => held(db))),
    update: (change) =>
      alone((db) =>
        Effect.gen(function* () {
          const before = yield* attempt(() => held(db))
          // From the answer to the disk nothing may come in between: a token that was answered and not kept is lost.
          const after = yield* Effect.uninterruptible(
            Effect.tap(change(before), (text) =>
              attempt(() => {
                if (text === before) return
                const sql = "INSERT INTO sealed VALUES (?, ?) ON CONFLICT DO UPDATE SET box = excluded.box"
                db.prepare(sql).run(name, seal(key, name, text))
                db.exec("COMMIT")
              })
            )
          )
          return after
        })
      )
  }
}
