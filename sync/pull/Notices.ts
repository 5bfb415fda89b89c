/**
 * What an authenticated webhook says, before anybody looks into a state file. In a cluster, any node can hear a webhook: it
 * passes the notice on to the node that has the tenant's state file, so a notice is small and in plain JSON.
 */
import { Schema } from "effect"
import { parseKey } from "../../connectors/Document.ts"
import { type Connection, isCalled } from "../model/Connection.ts"
import * as Facts from "../plan/Facts.ts"
import type { Db } from "../state/Database.ts"
import * as WebhookQueue from "./WebhookQueue.ts"

const Text = Schema.String

export const WebhookNotice = Schema.Union([
  /** A source's webhook: what to read again of a connection. */
  Schema.Struct({
    type: Schema.Literal("source"),
    connection: Text,
    deliveries: Schema.Array(Schema.Struct({ about: Text, event: Text }))
  }),
  /** The service's webhook about a transaction. */
  Schema.Struct({ type: Schema.Literal("transaction"), id: Text, key: Text, digest: Text }),
  /** The service's webhook about a deferred payment. */
  Schema.Struct({ type: Schema.Literal("payment"), id: Schema.optionalKey(Text), digest: Text })
])

export type WebhookNotice = typeof WebhookNotice.Type

interface ConnectionDelivery extends WebhookQueue.Delivery {
  readonly connection: string
}

const ofService = (subject: string, digest: string): ConnectionDelivery => {
  const about = `service:${subject}`
  return { connection: parseKey(subject).connection, about, event: about, digest }
}

/** A payment's notification (DP 6.1): its order if the ledger has it; otherwise, orders that wait are read. */
const ofPayment = (db: Db, id: string | undefined, digest: string, connections: ReadonlyArray<Connection>) => {
  const subjects =
    id === undefined
      ? []
      : (db
          .prepare("SELECT subject FROM ledger WHERE instr(subject, '/order/') > 0 AND remote = ?")
          .pluck()
          .all(id) as ReadonlyArray<string>)
  if (subjects.length > 0) return subjects.map((subject) => ofService(subject, digest))
  const waits = db.prepare("SELECT 1 FROM changed WHERE subject > ? AND subject < ? LIMIT 1")
  return connections
    .filter(({ id }) => waits.get(`${id}/order/`, `${id}/order0`) !== undefined)
    .map(({ id }): ConnectionDelivery => ({ connection: id, about: "service:orders", event: "service:orders", digest }))
}

const deliveriesOf = (
  db: Db,
  notice: WebhookNotice,
  connections: ReadonlyArray<Connection>
): ReadonlyArray<ConnectionDelivery> => {
  switch (notice.type) {
    case "source": {
      // Another node knows the id as it is written; here the connection may have an earlier one.
      const id = connections.find((one) => isCalled(notice.connection, one))?.id
      return id === undefined ? [] : notice.deliveries.map((one) => ({ connection: id, ...one }))
    }
    // Both its key and its identifier must match.
    case "transaction":
      return Facts.remoteId(db, notice.key) === notice.id ? [ofService(notice.key, notice.digest)] : []
    case "payment":
      return ofPayment(db, notice.id, notice.digest, connections)
  }
}

export interface Noted {
  /** How many things of the books it is about. */
  readonly about: number
  /** How many of them were not queued yet. */
  readonly fresh: number
}

/** Queues what it says, once; in a transaction of the caller. Nothing in it is believed: it only says what to read again. */
export const enqueue = (db: Db, notice: WebhookNotice, connections: ReadonlyArray<Connection>, now: number): Noted => {
  const deliveries = deliveriesOf(db, notice, connections)
  const fresh = deliveries.reduce((n, one) => n + WebhookQueue.enqueue(db, one.connection, [one], now), 0)
  return { about: deliveries.length, fresh }
}
