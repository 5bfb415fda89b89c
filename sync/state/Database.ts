/**
 * Opens the state file: SQLite behind one small service.
 *
 * It uses WAL, with every commit on disk before it returns (`synchronous = FULL`), and allows one writing process at a time.
 * The lock is a transaction held on a file beside the state (`daybook.db.lock`): the operating system releases it when the
 * process dies, so a lock is never stale. Readers need no lock. A long-lived program (`share`) has the lock only while it
 * works, see `hold`.
 *
 * Writes of concurrent fibers share a commit: `commit` gathers what arrives in one turn of the event loop into one
 * transaction, and returns when that is on disk.
 *
 * A file that was not closed properly is checked completely when it is next opened; otherwise only format, version and length
 * are checked, so that opening takes the same time however large the books are.
 */
import Sqlite from "better-sqlite3"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Permission } from "../../core/wire/MayLeave.ts"
import { type WithLock, holding, lockWithin, type Waits } from "./SharedLock.ts"
import type { Lock } from "./FileLock.ts"
import * as LedgerTrust from "./LedgerTrust.ts"
import { migrate, VERSION } from "./migrations.ts"
import { committing, type WaysToCommit, waysToCommit } from "./Commits.ts"
import { isInCluster, SHIPPED } from "./replication/HighWater.ts"
import type { LateAnswers } from "./replication/LateAnswers.ts"
import { prepareReplica, type Replica } from "./replication/Replica.ts"
import type { Shipper } from "./replication/Shipper.ts"
import * as FileIdentity from "./FileIdentity.ts"
import * as Inode from "./Inode.ts"
import { createFile } from "./OwnFile.ts"
import { chaining } from "./chain/Chain.ts"
import { narrow } from "./TenantView.ts"
import { damaged, StateError, stateError } from "./StateError.ts"

export { StateError } from "./StateError.ts"

/** "Dayb", so that no other SQLite file is mistaken for a state file. */
const APPLICATION_ID = 0x44617962

export interface StateFile extends WaysToCommit {
  readonly file: string
  /** The connections whose rows are visible, see `Tenant.ts`; undefined: the whole file. */
  readonly only?: ReadonlyArray<string>
  readonly raw: Sqlite.Database
  /** A prepared statement, cached by its text. Integers are returned as numbers. */
  readonly prepare: (sql: string) => Sqlite.Statement
  /** Milliseconds spent on commits since the file was opened. */
  readonly onDisk: () => number
  /**
   * Throws if the file or its lock no longer belongs to this program, see `FileIdentity.ts`. Checked before each claim, but
   * only once in each transaction.
   */
  readonly verify: () => void
  /** Runs `work` with the lock: waits for it if it is shared; a file opened to write has it already. */
  readonly hold: WithLock
  /** Whether the file is replicated, so that this one is a working copy. */
  readonly isReplicated: boolean
  /** For a replicated file: whether commits are no longer stored elsewhere, so that it must be opened again. */
  readonly isDead: () => boolean
  /** For a replicated file: the answers that were heard, for whoever has it when they can no longer be stored here. */
  readonly late?: LateAnswers | undefined
  /** For a replicated file: whether a request may leave, because the file is still this opening's. */
  readonly permission?: Permission | undefined
  /** Waits until no request of an earlier opening of a replicated file can leave any more. */
  readonly othersEnded: Effect.Effect<void>
}

export interface OpenOptions extends Waits {
  readonly file: string
  /** `write` takes the lock and creates the file; `read` does neither; `share` has the lock only inside `hold`. */
  readonly mode: "write" | "read" | "share"
  /** For reading: shows only the rows of these connections. */
  readonly only?: ReadonlyArray<string> | undefined
  /** For writing: how long to wait for another process's lock, in milliseconds. Default 0. */
  readonly patience?: number
  /** What the lock's holder is doing, for the error message of a second process. */
  readonly command?: string
  /** For writing: where the file is replicated. It is then restored from there, and deleted when closed. */
  readonly replica?: Replica | undefined
}

export class Database extends Context.Service<Database, StateFile>()("daybook/sync/Database") {
  static readonly layer = (options: OpenOptions): Layer.Layer<Database, StateError> =>
    Layer.effect(Database, open(options))
}

/** An open state file, as functions take it. */
export type Db = Database["Service"]

const MAGIC = "SQLite format 3\0"

/** Checks the first bytes and the length before SQLite opens the file. */
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

const open = (options: OpenOptions): Effect.Effect<StateFile, StateError, Scope.Scope> =>
  Effect.gen(function* () {
    const command = options.command ?? "daybook"
    const file = options.file === ":memory:" ? options.file : resolve(options.file)
    const inMemory = file === ":memory:"
    const attempt = <A>(work: () => A): Effect.Effect<A, StateError> =>
      Effect.try({ try: work, catch: (cause) => stateError(file, cause) })

    if (!inMemory) yield* attempt(() => place(file, options))
    const attach = options.replica === undefined ? undefined : yield* prepareReplica(options.replica, file)
    // A working copy is in a folder of this process alone, and PostgreSQL says whose it is.
    const own =
      options.mode === "write" && !inMemory && attach === undefined
        ? yield* lockWithin(options.patience ?? 0, file, command)
        : undefined
    if (!inMemory && existsSync(file)) yield* attempt(() => inspect(file))
    else if (!inMemory) yield* attempt(() => createFile(file))
    const raw = yield* Effect.acquireRelease(
      attempt(() => new Sqlite(file, { readonly: options.mode === "read" })),
      (db) => Effect.sync(() => db.close())
    )
    const shipper = attach === undefined ? undefined : yield* attach(raw)
    const { enter, leave, verify } = using(raw, file, { own, mode: options.mode, shipper })
    const shares = options.mode === "share" && !inMemory
    const hold: WithLock = shares ? holding(file, command, { enter, leave }) : (work) => work
    if (shares) yield* hold(Effect.void, options)
    else {
      yield* enter(own)
      if (shipper !== undefined) yield* firstShipment(raw, shipper, attempt)
      if (own !== undefined) yield* Effect.addFinalizer(() => leave(own))
    }
    const { only } = options
    if (only !== undefined) yield* attempt(() => narrow(raw, only))

    const clock = yield* Clock.Clock
    const prepare = preparing(raw, only === undefined ? stable : (sql) => stable(sql.replaceAll(BY_INDEX, "")))
    const chain = yield* attempt(() =>
      options.mode === "read"
        ? { note: () => {}, run: <A>(work: () => A) => work() }
        : chaining(raw, prepare, () => clock.currentTimeMillisUnsafe())
    )
    const disk = committing(raw, () => clock.monotonicTimeNanosUnsafe(), chain)
    const whole: StateFile = {
      file,
      raw,
      prepare,
      ...waysToCommit(raw, file, disk.run, shipper),
      onDisk: disk.milliseconds,
      verify: disk.once(verify),
      hold,
      isReplicated: shipper !== undefined,
      isDead: () => shipper?.isDead === true,
      late: shipper?.late,
      permission: shipper?.permission,
      othersEnded: shipper?.othersEnded ?? Effect.void
    }
    return only === undefined ? whole : { ...whole, only }
  })

/** If the store lost what was shipped, that nothing may be sent is in the first shipment after it. */
const firstShipment = (
  raw: Sqlite.Database,
  shipper: Shipper,
  attempt: (work: () => void) => Effect.Effect<void, StateError>
): Effect.Effect<void, StateError, Scope.Scope> =>
  Effect.gen(function* () {
    const { afterwards, behind, shipped } = shipper
    if (behind !== undefined) {
      yield* attempt(() => raw.transaction(() => LedgerTrust.doubtCopy(raw, behind))())
      yield* Effect.logError(`nothing will be sent: ${behind}`)
    }
    yield* shipped
    yield* afterwards
    // The last close checkpoints and deletes the log: what was not shipped by then never will be.
    yield* Effect.addFinalizer(() => Effect.ignore(shipper.shipped))
  })

/** Throws if there can be no state file at this path. */
const place = (file: string, { mode, replica }: OpenOptions): void => {
  const fail = (why: string) => new StateError({ kind: "failed", file, why })
  const isNew = !existsSync(file)
  if (replica === undefined && (isNew || mode !== "read") && isInCluster(dirname(file)))
    throw fail(
      `the state of this tenant is in PostgreSQL, as ${SHIPPED} beside it says: use the commands with --database. A tenant that ` +
        `has left it needs a copy of its state (daybook tenants restore); then delete ${SHIPPED}`
    )
  if (mode === "read" && (isNew || statSync(file).size === 0))
    throw fail("it does not exist yet; run `daybook pull` or `daybook sync` first")
  if (!existsSync(dirname(file))) throw fail(`the folder ${dirname(file)} does not exist`)
  if (!isNew && statSync(file).isDirectory()) throw fail("this is a folder; name a file in it with --state")
}

interface Used {
  readonly own: Lock | undefined
  readonly mode: OpenOptions["mode"]
  readonly shipper: Shipper | undefined
}

/** Work to do whenever the lock was taken, and before it is released. Without a lock, the file is only read. */
const using = (raw: Sqlite.Database, file: string, { mode, own: first, shipper }: Used) => {
  const opened = Inode.inode(file)
  let own = first
  let entered = false
  const attempt = (work: () => void): Effect.Effect<void, StateError> =>
    Effect.try({ try: work, catch: (cause) => stateError(file, cause) })
  const verify = () => {
    shipper?.alive()
    if (file !== ":memory:") FileIdentity.verify(file, opened, own)
  }
  const enter = (lock?: Lock) =>
    attempt(() => {
      own = lock
      verify()
      if (entered && lock !== undefined) FileIdentity.sameOnDisk(file, lock)
      const isNew = prepareFile(raw, file, mode === "read" ? "read" : shipper === undefined ? "write" : "ship")
      if (lock !== undefined) begin(raw, file, lock, isNew)
      entered = true
    })
  const leave = (lock?: Lock) =>
    lock === undefined
      ? Effect.sync(() => void (own = undefined))
      : attempt(() => {
          verify()
          FileIdentity.stamp(raw, file, lock, true)
        }).pipe(
          // So that the file on disk is complete, and its replacement would be noticed.
          Effect.andThen(attempt(() => void raw.pragma("wal_checkpoint(PASSIVE)"))),
          Effect.ignore,
          Effect.ensuring(Effect.sync(() => void (own = undefined)))
        )
  return { enter, leave, verify }
}

/** A part of a file is shown through views, of which SQLite knows no index; their tables' indexes serve them. */
const BY_INDEX = / INDEXED BY \w+/g

/** Caches prepared statements by their text. */
const preparing = (raw: Sqlite.Database, written: (sql: string) => string) => {
  const statements = new Map<string, Sqlite.Statement>()
  return (sql: string): Sqlite.Statement => {
    let statement = statements.get(sql)
    if (statement === undefined) statements.set(sql, (statement = raw.prepare(written(sql))))
    return statement
  }
}

/**
 * The same statement, with parameters that the query planner does not inspect. For a bare parameter in a comparison, it
 * prepares the whole statement again for each value, which takes many times as long as a look-up.
 */
const stable = (sql: string): string =>
  sql.replace(/'[^']*'|\?|:[a-z]\w*/g, (found) => (found.startsWith("'") ? found : `+${found}`))

/**
 * Prepares a file, and returns whether it is new.
 *
 * @param mode `ship`: a working copy, which may be on any disk, and whose log is checkpointed only by the shipper: before
 *   that, its contents would be lost
 */
const prepareFile = (db: Sqlite.Database, file: string, mode: "read" | "write" | "ship"): boolean => {
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
  if (mode === "read" && version < VERSION) {
    throw new StateError({
      kind: "failed",
      file,
      why: `it was written by an older Daybook (format ${version}, this one has ${VERSION}); run \`daybook pull\` once, which brings it up to date`
    })
  }
  db.pragma("temp_store = MEMORY")
  // With 16 MB, a pull of a large file needs 8 MB more; with 8 MB, rows in random order take 8% more processor time.
  db.pragma("cache_size = -12288")
  if (mode === "read") return false
  db.pragma("journal_mode = WAL")
  db.pragma(`synchronous = ${mode === "ship" ? "OFF" : "FULL"}`)
  // A migration that replaces a table drops one that others refer to.
  db.pragma("foreign_keys = OFF")
  db.pragma(`wal_autocheckpoint = ${mode === "ship" ? 0 : 4000}`)
  if (version > 0 && db.prepare("SELECT clean FROM state").pluck().get() === 0) {
    const check = db.pragma("quick_check(1)", { simple: true })
    if (check !== "ok")
      throw damaged(
        file,
        String(check)
          .replace(/^\*.*\*\s*/, "")
          .replaceAll("\n", "; ")
      )
    // Nothing marks a working copy: what is restored is compared with its hash.
    if (mode === "ship") db.prepare("UPDATE state SET clean = 1").run()
  }
  // In one transaction, so that other processes never find a half-made file.
  const make = db.transaction(() => {
    db.pragma(`application_id = ${APPLICATION_ID}`)
    migrate(db)
  })
  if (version < VERSION || application !== APPLICATION_ID) make.immediate()
  db.pragma("foreign_keys = ON")
  return version === 0
}

/** The lock was taken: marks the file as in use, and as possibly incomplete if it is not the one that was used last. */
const begin = (db: Sqlite.Database, file: string, lock: Lock, isNew: boolean): void => {
  // For a new file, the service is asked what an earlier file may have sent (`Account.ts`).
  const why = isNew ? undefined : FileIdentity.doubtful(db, file, lock)
  // A restored backup is marked as one, with its date.
  const said = db.prepare("SELECT behind FROM state").pluck().get()
  if (why !== undefined && said === null) LedgerTrust.doubtCopy(db, why)
  FileIdentity.stamp(db, file, lock, false)
}
