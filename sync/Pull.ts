/**
 * Reads one connection's source into the books, page after page. A pull that dies goes on after its last whole page.
 *
 * What goes wrong in a connector, be it a page that makes no sense or a program that throws, is a `SourceError` that
 * names the connection, and leaves the books as the last whole page made them.
 */
import { Cause, Effect, Schema, Stream } from "effect"
import { type Requirements, SourceError, type Surroundings, Unreadable } from "../connectors/Connector.ts"
import { Intake, type Taken } from "./books/DocumentStore.ts"
import type { Connection } from "./model/Connection.ts"
import { Database, type StateError } from "./state/Database.ts"
import { roleOf } from "./matching/Run.ts"
import * as Pages from "../connectors/Pages.ts"

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
  const intake = new Intake(db, connection.id, roleOf(connection))
  const unreadable = (where: string, why: string) =>
    new SourceError({ connector: connector.name, reason: new Unreadable({ where, why }) })
  const pages = Stream.suspend(() => connector.pull(connection.settings, after, options)).pipe(
    Stream.catchCause((cause) => {
      const thrown = cause.reasons.find(Cause.isDieReason)
      return thrown === undefined
        ? Stream.failCause(cause)
        : Stream.fail(unreadable("the source", `the connector failed: ${String(thrown.defect)}`))
    })
  )
  yield* pages.pipe(
    Stream.runForEach((page) =>
      Effect.gen(function* () {
        const problem = Pages.problem(page)
        if (problem !== undefined) return yield* unreadable(problem.where, problem.why)
        const bookmark = yield* Schema.encodeUnknownEffect(codec)(page.bookmark).pipe(
          Effect.mapError((error) => unreadable("its own bookmark", error.message))
        )
        yield* intake.keep(page, bookmark)
        if (options.onProgress !== undefined) yield* options.onProgress(intake.taken)
      })
    ),
    Effect.mapError((error) =>
      error._tag === "SourceError" ? new SourceError({ ...error, connection: connection.id }) : error
    )
  )
  yield* intake.end
  return intake.taken
})
