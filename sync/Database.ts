/**
 * The state file: SQLite behind one small service.
 *
 * WAL, every commit on disk before it returns (`synchronous = FULL`), one writing process at a time. The lock is
 * a transaction held on a file beside the state (`daybook.db.lock`): the operating system drops it when the
 * process dies, so a lock is never stale. Readers need no lock.
 *
 * Writes of concurrent fibers share a commit: `commit` gathers what arrives in one turn of the event loop into
 * one transaction, and returns when that is on disk.
 *
 * A file that was not closed properly is checked whole when it is opened next; one that was is only looked at
 * (format, version, length), so that opening costs the same however much the books hold.
 */
import Sqlite from "better-sqlite3"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import { migrate, VERSION } from "./migrations.ts"

/** "Dayb", so that a foreign SQLite file is never taken for a state file. */
const APPLICATION_ID = 0x44617962

export class StateError extends Schema.TaggedError<StateError>()("StateError", {
  kind: Schema.Literals(["foreign", "newer", "damaged", "locked", "read-only", "full", "other service", "failed"]),
  file: Schema.String,
  why: Schema.String
}) {
  override get message(): string {
    return `state file ${this.file}: ${this.why}`
  }
}

export interface Connection {
  readonly file: string
  readonly raw: Sqlite.Database
  /** A prepared statement, made once per text. Integers come back as numbers. */
  readonly prepare: (sql: string) => Sqlite.Statement
  /** Runs `work` in one transaction, now. What it throws rolls back and becomes a `StateError`. */
  readonly transaction: <A>(work: () => A) => Effect.Effect<A, StateError>
  /** Like `transaction`, shared with the other commits of this turn; on disk when it returns. */
  readonly commit: <A>(work: () => A) => Effect.Effect<A, StateError>
  readonly read: <A>(work: () => A) => Effect.Effect<A, StateError>
  /** Many reads as one: they see the same state, and share the cost of its lock. */
  readonly snapshot: <A>(work: () => A) => Effect.Effect<A, StateError>
}

export interface OpenOptions {
  readonly file: string
  /** `write` takes the lock and creates the file; `read` does neither. */
  readonly mode: "write" | "read"
  /** What the holder of the lock is doing, for the message to the second process. */
  readonly command?: string
}

export class Database extends Context.Service<Database, Connection>()("daybook/sync/Database") {
  static readonly layer = (options: OpenOptions): Layer.Layer<Database, StateError> =>
    Layer.effect(Database, open(options))
}

/** SQLite's own codes, in words that say what to do. */
const stateError = (file: string, cause: unknown): StateError => {
  if (cause instanceof StateError) return cause
  const code = String((cause as { code?: unknown })?.code ?? "")
  const message = cause instanceof Error ? cause.message : String(cause)
  const make = (kind: StateError["kind"], why: string) => new StateError({ kind, file, why })
  if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) return damaged(file, message)
  if (code.startsWith("SQLITE_FULL") || code === "ENOSPC" || code === "SQLITE_IOERR_WRITE") {
    return make("full", "the disk is full; nothing that was committed is lost: make room and run again")
  }
  const shut = code.startsWith("SQLITE_CANTOPEN") && !isWritable(dirname(file))
  if (shut || code.startsWith("SQLITE_READONLY") || code === "EACCES" || code === "EROFS" || code === "EPERM") {
    return make("read-only", "it cannot be written here; check the permissions of the file and of its folder")
  }
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
    return make("locked", "another process is using it; wait until it ends and run again")
  }
  if (code.startsWith("SQLITE_CANTOPEN"))
    return make("failed", `it cannot be opened (${message}); does its folder exist?`)
  return make("failed", `${code} ${message}`.trim())
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const damaged = (file: string, what: string) =>
  new StateError({
    kind: "damaged",
    file,
    why:
      `it is damaged (${what}). Restore it from a backup. Do not start over with an empty file unless the service ` +
      "is empty too: what was already sent would be sent again"
  })

const MAGIC = "SQLite format 3\0"

/** Looks at the first bytes and the length, before SQLite does. */
const inspect = (file: string): void => {
  const size = statSync(file).size
  if (size === 0) return
  const header = Buffer.alloc(100)
  const handle = openSync(file, "r")
  try {
    readSync(handle, header, 0, 100, 0)
  } finally {
    closeSync(handle)
  }
  if (size < 512 || header.toString("latin1", 0, 16) !== MAGIC) {
    throw new StateError({ kind: "foreign", file, why: "this is not a Daybook state file; name another with --state" })
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const pages = header.readUInt32BE(28)
  const walSize = existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0
  if (walSize === 0 && pages * pageSize > size)
    throw damaged(file, `it ends after ${size} of ${pages * pageSize} bytes`)
}

const open = (options: OpenOptions): Effect.Effect<Connection, StateError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = options.file === ":memory:" ? options.file : resolve(options.file)
    const attempt = <A>(work: () => A): Effect.Effect<A, StateError> =>
      Effect.try({ try: work, catch: (cause) => stateError(file, cause) })

    if (file !== ":memory:") {
      if (options.mode === "read" && (!existsSync(file) || statSync(file).size === 0)) {
        return yield* new StateError({
          kind: "failed",
          file,
          why: "there is none yet; run `daybook pull` or `daybook sync` first"
        })
      }
      if (!existsSync(dirname(file))) {
        return yield* new StateError({ kind: "failed", file, why: `the folder ${dirname(file)} does not exist` })
      }
      if (existsSync(file) && statSync(file).isDirectory()) {
        return yield* new StateError({ kind: "failed", file, why: "this is a folder; name a file in it with --state" })
      }
      if (options.mode === "write") yield* lock(file, options.command ?? "daybook")
      if (existsSync(file)) yield* attempt(() => inspect(file))
    }

    const raw = yield* Effect.acquireRelease(
      attempt(() => new Sqlite(file, { readonly: options.mode === "read" })),
      (db) => Effect.sync(() => db.close())
    )
    yield* attempt(() => prepareFile(raw, file, options.mode))
    if (options.mode === "write") {
      yield* Effect.addFinalizer(() => Effect.ignore(attempt(() => raw.exec("UPDATE state SET clean = 1"))))
    }

    const statements = new Map<string, Sqlite.Statement>()
    const prepare = (sql: string) => {
      let statement = statements.get(sql)
      if (statement === undefined) statements.set(sql, (statement = raw.prepare(sql)))
      return statement
    }
    const transaction = <A>(work: () => A) => attempt(() => raw.transaction(work).immediate())
    const snapshot = <A>(work: () => A) => attempt(() => raw.transaction(work).deferred())
    return { file, raw, prepare, transaction, commit: groupCommit(raw, file), read: attempt, snapshot }
  })

const prepareFile = (db: Sqlite.Database, file: string, mode: OpenOptions["mode"]): void => {
  db.pragma("busy_timeout = 5000")
  const version = db.pragma("user_version", { simple: true }) as number
  const application = db.pragma("application_id", { simple: true }) as number
  const tables = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() as number
  if (application !== APPLICATION_ID && (tables > 0 || mode === "read")) {
    throw new StateError({
      kind: "foreign",
      file,
      why: "this is another program's SQLite file; name another with --state"
    })
  }
  if (version > VERSION) {
    throw new StateError({
      kind: "newer",
      file,
      why: `it was written by a newer Daybook (format ${version}, this one knows ${VERSION}); update Daybook`
    })
  }
  db.pragma("temp_store = MEMORY")
  db.pragma("cache_size = -16384")
  if (mode === "read") return
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = FULL")
  db.pragma("foreign_keys = ON")
  db.pragma("wal_autocheckpoint = 4000")
  if (version > 0 && db.prepare("SELECT clean FROM state").pluck().get() === 0) {
    const verdict = db.pragma("quick_check(1)", { simple: true })
    if (verdict !== "ok")
      throw damaged(
        file,
        String(verdict)
          .replace(/^\*.*\*\s*/, "")
          .replaceAll("\n", "; ")
      )
  }
  db.pragma(`application_id = ${APPLICATION_ID}`)
  migrate(db)
  db.exec("UPDATE state SET clean = 0")
}

/** Takes the lock for as long as the scope lives. */
const lock = (file: string, command: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const holder = new Sqlite(`${file}.lock`, { timeout: 0 })
        try {
          holder.exec("CREATE TABLE IF NOT EXISTS holder (who TEXT)")
          holder.exec("DELETE FROM holder")
          holder.prepare("INSERT INTO holder VALUES (?)").run(`${command}, process ${process.pid} on ${hostname()}`)
          holder.exec("BEGIN IMMEDIATE")
          return holder
        } catch (cause) {
          const busy = String((cause as { code?: unknown }).code).startsWith("SQLITE_BUSY")
          const who = busy ? readHolder(holder) : undefined
          holder.close()
          if (!busy) throw cause
          throw new StateError({
            kind: "locked",
            file,
            why: `another process holds it${who === undefined ? "" : ` (${who})`}; wait until it ends and run again`
          })
        }
      },
      catch: (cause) => stateError(file, cause)
    }),
    (holder) => Effect.sync(() => holder.close())
  )

const readHolder = (holder: Sqlite.Database): string | undefined => {
  try {
    return holder.prepare("SELECT who FROM holder").pluck().get() as string | undefined
  } catch {
    return undefined
  }
}

interface Waiting {
  readonly work: () => unknown
  readonly done: (result: Effect.Effect<unknown, StateError>) => void
}

/** One transaction for all the writes of a turn; if one of them fails, each is tried alone. */
const groupCommit = (db: Sqlite.Database, file: string) => {
  let queue: Array<Waiting> = []
  const all = db.transaction((batch: ReadonlyArray<Waiting>) => batch.map(({ work }) => work()))
  const one = db.transaction((work: () => unknown) => work())

  const flush = () => {
    const batch = queue
    queue = []
    try {
      const results = all.immediate(batch)
      for (const [index, { done }] of batch.entries()) done(Effect.succeed(results[index]))
    } catch (cause) {
      if (batch.length === 1) return batch[0]!.done(Effect.fail(stateError(file, cause)))
      for (const { work, done } of batch) {
        try {
          done(Effect.succeed(one.immediate(work)))
        } catch (cause) {
          done(Effect.fail(stateError(file, cause)))
        }
      }
    }
  }

  // Not interrupted: whoever asked for it learns how it ended, and the file is not closed under it.
  return <A>(work: () => A): Effect.Effect<A, StateError> =>
    Effect.callback<A, StateError>((resume) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push({ work, done: (result) => resume(result as Effect.Effect<A, StateError>) })
    }).pipe(Effect.uninterruptible)
}
