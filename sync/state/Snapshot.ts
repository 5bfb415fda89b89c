/** A snapshot of the state file on a connection of its own, for work that takes long: others go on writing meanwhile. */
import { Context, Effect, Layer, type Scope } from "effect"
import { atOnce, breathe, type Stepwise } from "./Breathe.ts"
import { Database, type StateError, type Db } from "./Database.ts"

/** The current books, until the scope closes. A state in memory is read directly. */
export const snapshotOf = (db: Db): Effect.Effect<Db, StateError, Scope.Scope> =>
  db.file === ":memory:"
    ? Effect.succeed(db)
    : Effect.gen(function* () {
        const own = Context.get(
          yield* Layer.build(Database.layer({ file: db.file, mode: "read", only: db.only })),
          Database
        )
        yield* own.read(() => {
          // Every page is read once, in order, so caching pages would save nothing.
          own.raw.pragma("cache_size = -4096")
          own.raw.exec("BEGIN")
        })
        return own
      })

/**
 * Reads a snapshot, and lets others have their turn between the parts if there are many.
 *
 * @param isLong whether it is worth a connection of its own
 */
export const readInParts = <A>(
  db: Db,
  isLong: (db: Db) => boolean,
  work: (db: Db) => Stepwise<A>
): Effect.Effect<A, StateError> =>
  Effect.gen(function* () {
    const isShort = db.file === ":memory:" || !(yield* db.read(() => isLong(db)))
    if (isShort) return yield* db.snapshot(() => atOnce(work(db)))
    const books = yield* snapshotOf(db)
    const parts = work(books)
    for (;;) {
      const { done, value } = yield* books.read(() => parts.next())
      if (done === true) return value
      yield* breathe
    }
  }).pipe(Effect.scoped)
