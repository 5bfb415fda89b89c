/**
 * Reads one connection's source into the books, page after page. A pull that dies goes on after its last whole page.
 */
import { Effect, Schema, Stream } from "effect"
import { type Requirements, SourceError, type Surroundings, Unreadable } from "../connectors/Connector.ts"
import { Intake, type Taken } from "./Books.ts"
import type { Connection } from "./Connection.ts"
import { Database, type StateError } from "./Database.ts"

export interface PullOptions extends Surroundings {
  /** Told after every page. */
  readonly onProgress?: (taken: Taken) => Effect.Effect<void>
}

export const pull = Effect.fn("Pull.pull")(function* (
  connection: Connection,
  options: PullOptions
): Effect.fn.Return<Taken, StateError | SourceError, Database | Requirements> {
  const db = yield* Database
  const { connector } = connection
  const codec = Schema.fromJsonString(Schema.toCodecJson(connector.bookmark))
  const stored = yield* db.read(() =>
    db.prepare("SELECT bookmark FROM bookmark WHERE connection = ?").pluck().get(connection.id)
  )
  const after =
    typeof stored === "string"
      ? yield* Schema.decodeUnknownEffect(codec)(stored).pipe(
          // A bookmark that this version does not understand is no loss: everything is read once more.
          Effect.catch(() => Effect.succeed(undefined))
        )
      : undefined
  const intake = new Intake(db, connection.id)
  yield* connector.pull(connection.settings, after, options).pipe(
    Stream.runForEach((page) =>
      Effect.gen(function* () {
        const bookmark = yield* Schema.encodeUnknownEffect(codec)(page.bookmark).pipe(
          Effect.mapError(
            (error) =>
              new SourceError({
                connector: connector.name,
                reason: new Unreadable({ where: "its own bookmark", why: error.message })
              })
          )
        )
        yield* intake.keep(page, bookmark)
        if (options.onProgress !== undefined) yield* options.onProgress(intake.taken)
      })
    )
  )
  return intake.taken
})
