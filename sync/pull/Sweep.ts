/**
 * Sweeps: reads every invoice that is open or insured on the service again, by its id in the source, because the bookmarks
 * of several sources miss real changes. Each run reads a limited number and continues where the last one ended, so that in
 * time every such invoice is read.
 */
import { Effect } from "effect"
import type { Requirements, SourceError } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Bookmarks from "../books/Bookmarks.ts"
import type { IngestCounts } from "../model/reports/Matching.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as Ingest from "./Ingest.ts"
import type { PullOptions } from "./Pull.ts"

export interface SweepOptions extends PullOptions {
  /** How many invoices to read in one run. */
  readonly limit: number
}

/** The result of a sweep, or why there was none. */
export interface Swept extends IngestCounts {
  readonly asked: number
}

/** Ids of the next invoices to read. */
const due = (db: Db, connection: string, after: string, limit: number): ReadonlyArray<string> => {
  const rows = db
    .prepare(
      `SELECT subject FROM ledger
        WHERE connection = ? AND subject > ? AND (service_open <> 0 OR json_extract(held, '$.insured') = 1)
        ORDER BY subject LIMIT ?`
    )
    .pluck()
    .all(connection, after, limit)
  return rows as ReadonlyArray<string>
}

/** Ids of invoices whose record could not be read: retried, because the record or the connector may have been corrected. */
const lacking = (db: Db, connection: string, limit: number): ReadonlyArray<string> =>
  db
    .prepare(
      "SELECT DISTINCT id FROM quarantine WHERE connection = ? AND kind = 'invoice' AND id IS NOT NULL ORDER BY rowid LIMIT ?"
    )
    .pluck()
    .all(connection, limit) as ReadonlyArray<string>

export const sweep = Effect.fn("Sweep.sweep")(function* (
  connection: Connection,
  options: SweepOptions
): Effect.fn.Return<Swept, StateError | SourceError, Database | Requirements> {
  const db = yield* Database
  const { connector } = connection
  const ingest = yield* Ingest.make(connection, options)
  const { reread } = connector
  if (reread === undefined) return { ...ingest.taken(), asked: 0 }
  // At most half of them, so that the others are read as well.
  const quarantined = yield* db.read(() => lacking(db, connection.id, Math.ceil(options.limit / 2)))
  const limit = options.limit - quarantined.length
  const subjects = yield* db.read(() => {
    const after = Bookmarks.sweptTo(db, connection.id)
    const first = due(db, connection.id, after, limit)
    if (after === "" || first.length >= limit) return first
    return [...first, ...due(db, connection.id, "", limit - first.length).filter((one) => one <= after)]
  })
  const ids = [...new Set([...quarantined, ...subjects.map((subject) => Document.parseKey(subject).id)])]
  if (ids.length === 0) return { ...ingest.taken(), asked: 0 }
  yield* ingest.run(() => reread.call(connector, connection.settings, ids, options))
  const last = subjects.at(-1)
  if (last === undefined) return { ...ingest.taken(), asked: ids.length }
  yield* db.transaction(() => Bookmarks.rememberSweep(db, connection.id, last))
  return { ...ingest.taken(), asked: ids.length }
})
