/**
 * Reads one connection's source into the books, page after page. A pull that was interrupted continues after its last whole
 * page. Chunks of a list that are as they were are not read; if one is in doubt, everything is read again.
 */
import { Effect } from "effect"
import type { Requirements, SourceError, ConnectorContext } from "../../connectors/Connector.ts"
import * as Bounds from "../../connectors/Bounds.ts"
import * as Bookmarks from "../books/Bookmarks.ts"
import * as Chunks from "../books/Chunks.ts"
import type { IngestCounts } from "../model/reports/Matching.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as BookmarkText from "./BookmarkText.ts"
import * as Ingest from "./Ingest.ts"
import { ReaderThread } from "./ReaderThread.ts"
import { limitOf } from "./RequestQuota.ts"

const no = Effect.succeed(false)

export interface PullOptions extends ConnectorContext {
  /** Called after every page. */
  readonly onProgress?: (taken: IngestCounts) => Effect.Effect<void>
}

type Needed = Database | Requirements

/** Reads what is new. Returns what was stored, and whether the source must be read again because a chunk was in doubt. */
const readNew = Effect.fnUntraced(function* (
  connection: Connection,
  options: PullOptions,
  isLarge = false
): Effect.fn.Return<{ readonly counts: IngestCounts; readonly isInDoubt: boolean }, StateError | SourceError, Needed> {
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
  const threads = isHeavy || isLarge ? yield* Effect.promise(() => import("./ReadingThread.ts")) : undefined
  if (isLarge) yield* threads?.turn ?? Effect.void
  const reading =
    reader !== undefined && threads !== undefined && (isLarge || threads.mayStart())
      ? ingest.store(threads.pages(connection, options, { after: found, module: reader.module }))
      : ingest.run(() => connector.pull(connection.settings, after, options))
  return yield* reading.pipe(
    Effect.andThen(ingest.end),
    Effect.map(() => ({ counts: ingest.taken(), isInDoubt: false })),
    Effect.catch((error) => {
      const counts = options.chunks === undefined ? undefined : ingest.inDoubt()
      return counts === undefined ? Effect.fail(error) : Effect.succeed({ counts, isInDoubt: true })
    })
  )
})

/** Bytes of an answer that are decoded while others wait. */
const LARGEST_SHARED = 2 ** 20

/**
 * The same of somebody else's source, whose answers are as large as they like: what is large is read in a thread, from the last
 * whole page. Where a vault or a count of requests is needed, everything is read here.
 */
const readShared = (connection: Connection, options: PullOptions) =>
  Effect.gen(function* () {
    const isShared = options.entered !== undefined && options.vault === undefined && limitOf(connection) === undefined
    if (!isShared || (yield* ReaderThread) === undefined) return yield* readNew(connection, options)
    const shared: Bounds.Shared = { largest: LARGEST_SHARED, exceeded: false }
    return yield* readNew(connection, options).pipe(
      Effect.provideService(Bounds.Shared, shared),
      Effect.catch((error) => (shared.exceeded ? readNew(connection, options, true) : Effect.fail(error)))
    )
  })

export const pull = Effect.fn("Pull.pull")(function* (
  connection: Connection,
  options: PullOptions
): Effect.fn.Return<IngestCounts, StateError | SourceError, Needed> {
  const db = yield* Database
  const chunks = yield* db.read(() => Chunks.known(db, connection.id))
  const { counts, isInDoubt } = yield* readShared(connection, { ...options, chunks })
  if (!isInDoubt) return counts
  const again = (yield* readShared(connection, options)).counts
  return {
    ...again,
    added: counts.added + again.added,
    changed: counts.changed + again.changed,
    deleted: counts.deleted + again.deleted
  }
})
