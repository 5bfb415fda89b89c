/**
 * Reads what the webhook queue names: documents by id from their source, and what the service holds of a document. An entry is
 * removed only after it was read, so that an interruption loses nothing.
 */
import { Clock, Effect } from "effect"
import type { Requirements, SourceError, ConnectorContext } from "../../connectors/Connector.ts"
import { Client } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { IngestCounts } from "../books/IngestCounts.ts"
import { encodeRemote, type Remote } from "../model/Remote.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as WebhookQueue from "./WebhookQueue.ts"
import * as Ingest from "./Ingest.ts"
import * as Claims from "../apply/Claims.ts"
import * as CoverStore from "../apply/CoverStore.ts"
import { Sender } from "../apply/Sender.ts"
import * as Matching from "../matching/Run.ts"
import * as LedgerStore from "../apply/LedgerStore.ts"
import * as Facts from "../plan/Facts.ts"

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

/**
 * How often a document is read whose ledger entry changes while the service answers; after that it waits for the next
 * webhook.
 */
const MOST_READS = 3

/**
 * The ledger entry of a document; undefined if a call has no known answer. That is left to recovery, because otherwise the
 * effect of that call would be in the ledger twice.
 */
const heldOf = (db: Database["Service"], key: string): Remote | undefined => {
  if (Claims.pending(db).some(({ call }) => call.subject === key)) return undefined
  return Facts.isOrderKey(key) ? Facts.remoteOrder(db, key) : Facts.remoteInvoice(db, key)
}

/**
 * Reads one document from the service. Returns whether it differs from the ledger. If a call changes the ledger entry
 * meanwhile, the entry stands, and the service is read again.
 */
const hear = (connection: Connection, sender: Sender, key: string) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (let reads = 0; reads < MOST_READS; reads++) {
      const before = yield* db.read(() => heldOf(db, key))
      if (before === undefined) return false
      const at = yield* Clock.currentTimeMillis
      const now = yield* sender.reread(before, at, connection.planning.cover !== undefined)
      if (now === undefined || encodeRemote(before) === encodeRemote(now)) return false
      const written = yield* db.commit(() => {
        const held = heldOf(db, key)
        if (held === undefined || encodeRemote(held) !== encodeRemote(before)) return false
        LedgerStore.restate(db, connection, key, now)
        CoverStore.record(db, key, before, now, at)
        return true
      })
      if (written) return true
    }
    return false
  })

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
    const changed = yield* Effect.forEach(keys, (key) => hear(connection, sender, key), { concurrency: AT_ONCE })
    asked += sources.length + keys.length
    heard += changed.filter((one) => one).length
    yield* db.transaction(() => WebhookQueue.done(db, id, entries))
  }
  if (asked > 0) yield* Matching.run
  return { ...ingest.taken(), asked, heard, pull }
})
