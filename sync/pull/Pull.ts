/**
 * Reads one connection's source into the books, page after page. A pull that was interrupted continues after its last whole
 * page.
 */
import { Effect, Schema } from "effect"
import type { Requirements, SourceError, ConnectorContext } from "../../connectors/Connector.ts"
import * as Bookmarks from "../books/Bookmarks.ts"
import type { IngestCounts } from "../books/DocumentStore.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as Ingest from "./Ingest.ts"

export interface PullOptions extends ConnectorContext {
  /** Called after every page. */
  readonly onProgress?: (taken: IngestCounts) => Effect.Effect<void>
}

export const pull = Effect.fn("Pull.pull")(function* (
  connection: Connection,
  options: PullOptions
): Effect.fn.Return<IngestCounts, StateError | SourceError, Database | Requirements> {
  const db = yield* Database
  const { connector } = connection
  const codec = Schema.fromJsonString(Schema.toCodecJson(connector.bookmark))
  const stored = yield* db.read(() => Bookmarks.find(db, connection.id))
  const after =
    stored !== undefined
      ? yield* Schema.decodeUnknownEffect(codec)(stored).pipe(
          // A bookmark that this version cannot decode is no loss: everything is read again.
          Effect.catch(() => Effect.succeed(undefined))
        )
      : undefined
  const ingest = yield* Ingest.make(connection, {
    ...options,
    bookmark: (page) => Schema.encodeUnknownEffect(codec)(page.bookmark)
  })
  yield* ingest.run(() => connector.pull(connection.settings, after, options))
  yield* ingest.end
  return ingest.taken()
})
