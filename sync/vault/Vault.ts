/**
 * Stores tokens in a SQLite file beside the state file, with every secret encrypted (`Encryption.ts`).
 *
 * A change happens under the file's write lock, which the operating system releases when its holder dies. So there is one
 * change at a time in all processes, and its result is on disk before anybody uses it.
 *
 * A rotating token is lost if the source issued it and it cannot be stored. So disk space for a change is reserved before it
 * begins: pages held by a filler, which the change frees for its result, and a journal that is already written. If the disk
 * has no such space, the change stops before anything is requested from the source.
 */
import type Sqlite from "better-sqlite3"
import { Clock, Effect, Semaphore } from "effect"
import { Misconfigured, SourceError, Unavailable, type Vault } from "../../connectors/Connector.ts"
import { keeperOf } from "./KeptVaults.ts"
import { peek } from "./Peek.ts"
import * as VaultFile from "./VaultFile.ts"
import { homeOf, open as unseal, seal, type SealKey, SealProblem } from "./Encryption.ts"

/** How long to wait for another process's change: a request to the source, with its time limit. */
const PATIENCE_MS = 90_000

interface Place {
  readonly file: string
  readonly key: SealKey
  /** Decrypts what was encrypted before the key changed. */
  readonly older?: SealKey
  /** The connection's name. */
  readonly name: string
  readonly connector: string
  /** The state file's identity, see `identityOf`; undefined if it does not exist yet. */
  readonly home?: string | undefined
}

/** The identity of a state file, which it shares with its copies only. Undefined: it has none, or does not exist. */
export const identityOf = (state: string): string | undefined =>
  peek(state, (raw) => (raw.prepare("SELECT id FROM state").pluck().get() as string | null | undefined) ?? undefined)

/** A box in a vault that can be written even if its current content can no longer be decrypted. */
export interface Keeping extends Vault {
  readonly put: (text: string) => Effect.Effect<void, SourceError>
  /** Replaces its content with the result of an effect, which runs once there is space to store it. */
  readonly replace: <A extends { readonly text: string }, E, R>(
    fresh: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, SourceError | E, R>
  /** Moves its content to another box of the same file in one step; false if it is empty. */
  readonly moveTo: (other: Pick<Place, "name">) => Effect.Effect<boolean, SourceError>
  /** Empties it. */
  readonly clear: Effect.Effect<void, SourceError>
}

/** Changes of one file in this process wait for each other here; a file without waiters is removed. */
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
          // Nothing may come between the answer and the disk: a token that was issued and not stored is lost.
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

  /** Runs everything under one lock, readers too, because a change takes only moments. */
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

  /** Commits what a change has not committed itself. */
  #commit(db: Sqlite.Database): Effect.Effect<void, SourceError> {
    const committing = this.#attempt(() => {
      if (!db.inTransaction) return false
      db.exec("COMMIT")
      return db.prepare("SELECT total_changes()").pluck().get() !== 0
    })
    return Effect.uninterruptible(Effect.flatMap(committing, (wrote) => (wrote ? this.#kept(db) : Effect.void)))
  }

  /** Also stores it elsewhere if the vault is replicated, before anybody uses a token. */
  #kept(db: Sqlite.Database): Effect.Effect<void, SourceError> {
    const keeper = keeperOf(this.#place.file)
    if (keeper === undefined) return Effect.void
    return Effect.flatMap(
      this.#attempt(() => db.serialize()),
      (bytes) => this.#away(keeper.keep(bytes), "its tokens could not be kept")
    )
  }

  /** Whether the result could be stored elsewhere, as far as can be known in advance. */
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
    // Written before boxes were bound to a state file.
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

/** For a change that does not depend on the current content. */
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
