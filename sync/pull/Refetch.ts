/**
 * Reads what the webhook queue names: documents by id from their source, and what the service holds of a document. An entry is
 * removed only after it was read, so that an interruption loses nothing.
 */
import { Effect } from "effect"
import type { Requirements, SourceError, ConnectorContext } from "../../connectors/Connector.ts"
import { Client } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { IngestCounts } from "../model/reports/Matching.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as WebhookQueue from "./WebhookQueue.ts"
import * as Ingest from "./Ingest.ts"
import { Sender } from "../apply/Sender.ts"
import * as Matching from "../matching/Run.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import { readAgain } from "../refresh/ReadAgain.ts"

export interface Reread extends IngestCounts {
  /** How many things were read by id, from the source and from the service. */
  readonly asked: number
  /** How many documents had changed on the service. */
  readonly heard: number
  /** An entry names no document, so a pull is needed. */
  readonly pull: boolean
}

/** How many entries are processed at once. */
const BATCH = 200
const AT_ONCE = 8

/** Processes the queue of a connection, including entries that arrive meanwhile. */
export const reread = Effect.fn("Refetch.reread")(function* (
  connection: Connection,
  surroundings: ConnectorContext
): Effect.fn.Return<Reread, StateError | SourceError | ServiceError, Database | Client | Requirements> {
  const db = yield* Database
  const client = yield* Client
  const { connector, id } = connection
  const ingest = yield* Ingest.make(connection, surroundings)
  const sender = new Sender(db, client, { settleAfter: 0 })
  let asked = 0
  let heard = 0
  let pull = false
  for (;;) {
    const entries = yield* db.read(() => WebhookQueue.waiting(db, id, BATCH))
    if (entries.length === 0) break
    const of = (scheme: string) =>
      entries.flatMap(({ about }) => (about.startsWith(scheme) ? [about.slice(scheme.length)] : []))
    const sources = of("source:").filter((about) => about !== "*")
    if (entries.some(({ about }) => about === WebhookQueue.PULL)) pull = true
    const { webhook } = connector
    if (webhook === undefined && sources.length > 0) pull = true
    if (webhook !== undefined && sources.length > 0) {
      yield* ingest.run(() => webhook.reread(connection.settings, sources, surroundings))
    }
    const keys = of("service:").filter((key) => key.startsWith(`${id}/`))
    const changed = yield* Effect.forEach(
      keys,
      (key) => readAgain(connection, sender, key, CoverFacts.isWatched(db, connection)),
      {
        concurrency: AT_ONCE
      }
    )
    asked += sources.length + keys.length
    heard += changed.filter((outcome) => outcome === "changed").length
    yield* db.transaction(() => WebhookQueue.done(db, id, entries))
  }
  if (asked > 0) yield* Matching.run
  return { ...ingest.taken(), asked, heard, pull }
})
