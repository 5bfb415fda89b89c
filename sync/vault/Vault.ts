/**
 * Where tokens are kept: a SQLite file beside the state file, everything in it sealed (`Encryption.ts`).
 *
 * A change happens inside the file's write lock, which the operating system drops when its holder dies. So there is one
 * change at a time, whichever process wants it, and what it answers is on disk before anybody uses it.
 *
 * A token that rotates is lost where it was answered and cannot be kept. So a change has its room on the disk before it
 * begins: pages that a filler holds, which the change gives free for what it answers, and a journal that has been written
 * already. A disk without that room stops it before anything is asked of the source.
 */
import Sqlite from "better-sqlite3"
import { Clock, Effect, Semaphore } from "effect"
import { chmodSync, existsSync, linkSync, rmSync, statSync } from "node:fs"
import { Misconfigured, SourceError, Unavailable, type Vault } from "../../connectors/Connector.ts"
import { homeOf, open as unseal, seal, type SealKey, SealProblem } from "./Encryption.ts"

/** How long another process may take for its change: a request to the source, with its time limit. */
const PATIENCE_MS = 90_000

interface Place {
  readonly file: string
  readonly key: SealKey
  /** Opens what was sealed before the key changed. */
  readonly older?: SealKey
  /** The connection. */
  readonly name: string
  readonly connector: string
  /** Of the state file, see `identityOf`; undefined where there is none yet. */
  readonly home?: string | undefined
}

/** What distinguishes a state file from every other; it stays with it and its copies. Undefined: it has none, or is not there. */
export const identityOf = (state: string): string | undefined => {
  if (state === ":memory:" || !existsSync(state)) return undefined
  try {
    const raw = new Sqlite(state, { readonly: true, timeout: 5000 })
    try {
      return (raw.prepare("SELECT id FROM state").pluck().get() as string | null | undefined) ?? undefined
    } finally {
      raw.close()
    }
  } catch {
    // Of an older format, or no state file: whoever opens it says so.
    return undefined
  }
}

/** A box that a vault keeps, and how to write it whatever it held: also what does not open any more. */
export interface Keeping extends Vault {
  readonly put: (text: string) => Effect.Effect<void, SourceError>
  /** Likewise what this answers, which is asked for once there is room to keep it. */
  readonly replace: <A extends { readonly text: string }, E, R>(
    fresh: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, SourceError | E, R>
  /** Gives what it holds to another box of the same file, in one step; false where it holds nothing. */
  readonly moveTo: (other: Pick<Place, "name">) => Effect.Effect<boolean, SourceError>
  /** Holds nothing from now on. */
  readonly clear: Effect.Effect<void, SourceError>
}

/** Bytes that are free for what a change answers; tokens are some hundred, the longest a few thousand. */
const ROOM_BYTES = 65_536

const TABLES = `
  CREATE TABLE IF NOT EXISTS sealed (name TEXT PRIMARY KEY, box TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS room (one INTEGER PRIMARY KEY CHECK (one = 1), filler BLOB NOT NULL) STRICT;
`

/** A new vault is there when it is whole, so that one without a byte was cut off. */
const create = (file: string): void => {
  const part = `${file}.${process.pid}.part`
  rmSync(part, { force: true })
  try {
    const made = new Sqlite(part)
    try {
      chmodSync(part, 0o600)
      made.pragma("synchronous = FULL")
      made.exec(TABLES)
    } finally {
      made.close()
    }
    linkSync(part, file)
  } catch (cause) {
    // Another process was first.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  } finally {
    rmSync(part, { force: true })
  }
}

/** Changes of one file in this process wait for each other here; a file that nobody waits for is forgotten. */
const queues = new Map<string, { readonly gate: Semaphore.Semaphore; waiting: number }>()
const inTurn = <A, E, R>(file: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      let queue = queues.get(file)
      if (queue === undefined) queues.set(file, (queue = { gate: Semaphore.makeUnsafe(1), waiting: 0 }))
      queue.waiting++
      return queue
    }),
    ({ gate }) => gate.withPermits(1)(work),
    (queue) => Effect.sync(() => void (--queue.waiting === 0 && queues.delete(file)))
  )

const DAMAGED = "restore it from a backup, or move it away and authorise its connections again with daybook connect"

/** What is wrong with the file, and what to do. */
const said = (file: string, cause: unknown): Misconfigured => {
  const code = String((cause as { readonly code?: unknown })?.code ?? "")
  const words = cause instanceof Error ? cause.message : String(cause)
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB"))
    return new Misconfigured({ what: `the vault ${file} is damaged (${words})`, hint: DAMAGED })
  if (code.startsWith("SQLITE_FULL") || code.startsWith("SQLITE_IOERR_WRITE") || code === "ENOSPC")
    return new Misconfigured({
      what: `there is no room on the disk for new tokens in the vault ${file}`,
      hint: "no token was requested and none is lost: free some space and run again"
    })
  return new Misconfigured({
    what: `the vault ${file} cannot be used (${words})`,
    hint: "check the file and the permissions of its folder"
  })
}

class SealedBox {
  readonly #place: Place
  readonly #bond: { readonly name: string; readonly home: string | undefined }

  constructor(place: Place) {
    this.#place = place
    this.#bond = { name: place.name, home: place.home }
  }

  read(): Effect.Effect<string | undefined, SourceError> {
    return this.#alone((db) => this.#attempt(() => this.#held(db)))
  }

  put(text: string): Effect.Effect<void, SourceError> {
    return Effect.asVoid(this.#change(nothing, () => Effect.succeed({ text })))
  }

  replace<A extends { readonly text: string }, E, R>(
    fresh: Effect.Effect<A, E, R>
  ): Effect.Effect<A, SourceError | E, R> {
    return this.#change(nothing, () => fresh)
  }

  update<E, R>(
    renew: (before: string | undefined) => Effect.Effect<string, E, R>
  ): Effect.Effect<string, SourceError | E, R> {
    const renewed = (before: string | undefined) => Effect.map(renew(before), (text) => ({ text }))
    return Effect.map(
      this.#change((db) => this.#held(db), renewed),
      ({ text }) => text
    )
  }

  moveTo(other: Pick<Place, "name">): Effect.Effect<boolean, SourceError> {
    return this.#alone((db) =>
      this.#attempt(() => {
        const text = this.#held(db)
        if (text === undefined) return false
        new SealedBox({ ...this.#place, ...other }).#keep(db, text)
        this.#drop(db)
        return true
      })
    )
  }

  clear(): Effect.Effect<void, SourceError> {
    return this.#alone((db) => this.#attempt(() => this.#drop(db)))
  }

  #drop(db: Sqlite.Database): void {
    db.prepare("DELETE FROM sealed WHERE name = ?").run(this.#place.name)
  }

  #change<A extends { readonly text: string }, E, R>(
    from: (db: Sqlite.Database) => string | undefined,
    change: (before: string | undefined) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, SourceError | E, R> {
    const box = this
    return Effect.andThen(
      box.#alone((db) => box.#attempt(() => void fill(db))),
      box.#alone((db) =>
        Effect.gen(function* () {
          const before = yield* box.#attempt(() => from(db))
          yield* box.#attempt(() => reserve(db, box.#place.name))
          // From the answer to the disk nothing may come in between: a token that was answered and not kept is lost.
          return yield* Effect.uninterruptible(
            Effect.tap(change(before), ({ text }) =>
              box.#attempt(() => {
                if (text === before) return
                db.exec("DELETE FROM room")
                box.#keep(db, text)
                db.exec("COMMIT")
              })
            )
          )
        })
      )
    )
  }

  /** Everything behind one lock; readers as well, because a change takes moments. */
  #alone<A, E, R>(work: (db: Sqlite.Database) => Effect.Effect<A, E, R>): Effect.Effect<A, SourceError | E, R> {
    const { file } = this.#place
    const using = (db: Sqlite.Database) =>
      Effect.acquireUseRelease(
        this.#lock(db),
        () =>
          Effect.tap(
            work(db),
            this.#attempt(() => void (db.inTransaction && db.exec("COMMIT")))
          ),
        () => Effect.sync(() => void (db.inTransaction && db.exec("ROLLBACK")))
      )
    return inTurn(
      file,
      Effect.acquireUseRelease(
        this.#attempt(() => openFile(file)),
        using,
        (db) => Effect.sync(() => db.close())
      )
    )
  }

  #lock(db: Sqlite.Database): Effect.Effect<void, SourceError> {
    const box = this
    return Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      while (!(yield* box.#attempt(() => begin(db)))) {
        if ((yield* Clock.currentTimeMillis) - begun > PATIENCE_MS) {
          const why = "another process has been renewing its tokens for over a minute; wait until it ends and run again"
          return yield* new SourceError({ connector: box.#place.connector, reason: new Unavailable({ why }) })
        }
        yield* Effect.sleep("50 millis")
      }
    })
  }

  #held(db: Sqlite.Database): string | undefined {
    const box = db.prepare("SELECT box FROM sealed WHERE name = ?").pluck().get(this.#place.name)
    if (typeof box !== "string") return undefined
    const text = this.#opened(box)
    // From before boxes were bound to a state file.
    if (this.#place.home !== undefined && homeOf(box) === undefined) this.#keep(db, text)
    return text
  }

  #opened(box: string): string {
    const { key, older } = this.#place
    try {
      return unseal(key, this.#bond, box)
    } catch (cause) {
      if (older === undefined) throw cause
      return unseal(older, this.#bond, box)
    }
  }

  #keep(db: Sqlite.Database, text: string): void {
    const { key, name } = this.#place
    db.prepare("INSERT INTO sealed VALUES (?, ?) ON CONFLICT DO UPDATE SET box = excluded.box").run(
      name,
      seal(key, this.#bond, text)
    )
  }

  #attempt<A>(work: () => A): Effect.Effect<A, SourceError> {
    const { connector, file } = this.#place
    return Effect.try({ try: work, catch: (cause) => new SourceError({ connector, reason: reasonOf(file, cause) }) })
  }
}

/** Of a change that does not depend on what was there. */
const nothing = () => undefined

const reasonOf = (file: string, cause: unknown): Misconfigured => {
  if (cause instanceof SealProblem) return new Misconfigured({ what: "its tokens cannot be read", hint: cause.message })
  return cause instanceof Misconfigured ? cause : said(file, cause)
}

const openFile = (file: string): Sqlite.Database => {
  if (file === ":memory:") return new Sqlite(file, { timeout: 0 })
  if (!existsSync(file)) create(file)
  if (statSync(file).size === 0)
    throw new Misconfigured({ what: `the vault ${file} is empty: it was cut off`, hint: DAMAGED })
  const db = new Sqlite(file, { timeout: 0 })
  chmodSync(file, 0o600)
  return db
}

/** Answers whether the file's write lock was free. */
const begin = (db: Sqlite.Database): boolean => {
  try {
    // All of it may find the file locked. EXCLUSIVE, so that no reader is in the way of the commit.
    db.pragma("synchronous = FULL")
    db.exec("BEGIN EXCLUSIVE")
    db.exec(TABLES)
    return true
  } catch (cause) {
    if (String((cause as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false
    throw cause
  }
}

const fill = (db: Sqlite.Database) =>
  db.prepare("INSERT INTO room VALUES (1, zeroblob(?)) ON CONFLICT DO NOTHING").run(ROOM_BYTES)

/** Room on the disk for what a change answers, see above: the file has it from before, and the journal gets it here. */
const reserve = (db: Sqlite.Database, name: string) => {
  // Each page that the change will write is in the journal by now: page one, the lists of free pages, both tables.
  db.exec("DELETE FROM room")
  fill(db)
  db.prepare("INSERT INTO sealed VALUES (?, '') ON CONFLICT DO UPDATE SET box = box").run(name)
}

export const make = (place: Place): Keeping => {
  const box = new SealedBox(place)
  return {
    read: box.read(),
    put: (text) => box.put(text),
    replace: (fresh) => box.replace(fresh),
    update: (renew) => box.update(renew),
    moveTo: (other) => box.moveTo(other),
    clear: box.clear()
  }
}
