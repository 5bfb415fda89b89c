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
import { existsSync } from "node:fs"
import { Misconfigured, SourceError, Unavailable, type Vault } from "../../connectors/Connector.ts"
import { keeperOf } from "./KeptVaults.ts"
import * as VaultFile from "./VaultFile.ts"
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
      box.#alone((db) => box.#attempt(() => void VaultFile.fill(db))),
      box.#alone((db) =>
        Effect.gen(function* () {
          const before = yield* box.#attempt(() => from(db))
          yield* box.#attempt(() => VaultFile.reserve(db, box.#place.name))
          yield* box.#mayKeep
          // From the answer to the disk nothing may come in between: a token that was answered and not kept is lost.
          return yield* Effect.uninterruptible(
            Effect.tap(change(before), ({ text }) =>
              Effect.andThen(
                box.#attempt(() => {
                  if (text === before) return
                  db.exec("DELETE FROM room")
                  box.#keep(db, text)
                  db.exec("COMMIT")
                }),
                text === before ? Effect.void : box.#kept(db)
              )
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
        () => Effect.tap(work(db), this.#commit(db)),
        () => Effect.sync(() => void (db.inTransaction && db.exec("ROLLBACK")))
      )
    return inTurn(
      file,
      Effect.acquireUseRelease(
        this.#attempt(() => VaultFile.openFile(file)),
        using,
        (db) => Effect.sync(() => db.close())
      )
    )
  }

  /** What a change has not committed itself. */
  #commit(db: Sqlite.Database): Effect.Effect<void, SourceError> {
    const committing = this.#attempt(() => {
      if (!db.inTransaction) return false
      db.exec("COMMIT")
      return db.prepare("SELECT total_changes()").pluck().get() !== 0
    })
    return Effect.uninterruptible(Effect.flatMap(committing, (wrote) => (wrote ? this.#kept(db) : Effect.void)))
  }

  /** Where it is kept elsewhere as well, there too: nobody uses a token before. */
  #kept(db: Sqlite.Database): Effect.Effect<void, SourceError> {
    const keeper = keeperOf(this.#place.file)
    if (keeper === undefined) return Effect.void
    return Effect.flatMap(
      this.#attempt(() => db.serialize()),
      (bytes) => this.#away(keeper.keep(bytes), "its tokens could not be kept")
    )
  }

  /** Whether what is asked for could be kept elsewhere, as far as can be known before. */
  get #mayKeep(): Effect.Effect<void, SourceError> {
    const keeper = keeperOf(this.#place.file)
    if (keeper === undefined) return Effect.void
    return this.#away(keeper.check, "no token was requested, because it could not be kept")
  }

  #away(work: Effect.Effect<void, string>, what: string): Effect.Effect<void, SourceError> {
    const { connector } = this.#place
    return Effect.mapError(
      work,
      (why) => new SourceError({ connector, reason: new Unavailable({ why: `${what}: ${why}` }) })
    )
  }

  #lock(db: Sqlite.Database): Effect.Effect<void, SourceError> {
    const box = this
    return Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      while (!(yield* box.#attempt(() => VaultFile.begin(db)))) {
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
  return cause instanceof Misconfigured ? cause : VaultFile.said(file, cause)
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
