/**
 * Reads one connection's source into the books, page after page. A pull that was interrupted continues after its last whole
 * page.
 */
import { Effect } from "effect"
import type { Requirements, SourceError, ConnectorContext } from "../../connectors/Connector.ts"
import * as Bookmarks from "../books/Bookmarks.ts"
import type { IngestCounts } from "../books/IngestCounts.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as BookmarkText from "./BookmarkText.ts"
import * as Ingest from "./Ingest.ts"
import { ReaderThread } from "./ReaderThread.ts"

const no = Effect.succeed(false)

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
  const text = BookmarkText.of(connector)
  const found = yield* db.read(() => Bookmarks.find(db, connection.id))
  const after = yield* text.read(found)
  const ingest = yield* Ingest.make(connection, { ...options, bookmark: (page) => text.write(page.bookmark) })
  const reader = yield* ReaderThread
  const isHeavy =
    reader?.connectors.includes(connector.name) === true
      ? yield* connector.isHeavy?.(connection.settings, after, options) ?? no
      : false
  // Loaded only here, because it loads Node's threads as well.
  const threads = isHeavy ? yield* Effect.promise(() => import("./ReadingThread.ts")) : undefined
  if (reader !== undefined && threads?.mayStart() === true)
    yield* ingest.store(threads.pages(connection, options, { after: found, module: reader.module }))
  else yield* ingest.run(() => connector.pull(connection.settings, after, options))
  yield* ingest.end
  return ingest.taken()
})
