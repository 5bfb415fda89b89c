/**
 * Checks, before a connection sends anything from this state file for the first time, whether the service already holds
 * documents of it. If so, another state file was lost or the connection had another name, and everything would be sent
 * twice. Nothing is sent then until `daybook reconcile --fix` (`Guards.ts`).
 *
 * Reads the service's list of transactions, and of orders if orders are created, once for each connection and only until the
 * first match: one page for every hundred entries of the account. The last requests of a lost file may still be on their
 * way: if that is possible, it waits and reads again.
 */
import { Effect, Option, Stream } from "effect"
import * as Document from "../../connectors/Document.ts"
import type { Order as Placed } from "../../connectors/Document.ts"
import { Client, pages, parts } from "../../core/Client.ts"
import type { Order } from "../../core/deferred-payment/Orders.ts"
import type { Transaction } from "../../core/insurance/Transactions.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Reason, ServiceError } from "../../core/ServiceError.ts"
import type { Connection, Planning } from "../model/Connection.ts"
import * as Body from "../state/Body.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import * as Owners from "../plan/Owners.ts"
import { lastArrivals, SETTLE_AFTER_MS } from "./SettleTime.ts"

/** The parts of a connection that determine what the service may hold of it. */
export type SendingConnection = Pick<Connection, "id" | "planning"> & Partial<Pick<Connection, "pays">>

/** Connections with something to send for which the service was not asked yet. */
const unasked = (db: Db, connections: ReadonlyArray<SendingConnection>): ReadonlyArray<SendingConnection> => {
  const asked = db.prepare("SELECT 1 FROM first_send WHERE connection = ?")
  const read = db.prepare("SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1")
  return connections.filter(
    // A connection that pays for another sends nothing of its own.
    ({ id, pays }) => pays === undefined && asked.get(id) === undefined && read.get(`${id}/`, `${id}0`) !== undefined
  )
}

/** Records that the service was checked for these connections. */
export const markChecked = (db: Db, connections: ReadonlyArray<Pick<Connection, "id">>): void => {
  const insert = db.prepare("INSERT INTO first_send VALUES (?) ON CONFLICT DO NOTHING")
  for (const { id } of connections) insert.run(id)
}

/** Whether nothing was ever sent from this file. */
const isNew = (db: Db): boolean =>
  db
    .prepare(
      "SELECT 1 FROM ledger WHERE remote IS NOT NULL UNION SELECT 1 FROM connection WHERE remote_ids IS NOT NULL"
    )
    .get() === undefined

const isSent = (db: Db, key: string): boolean =>
  db.prepare("SELECT 1 FROM ledger WHERE subject = ? AND remote IS NOT NULL").get(key) !== undefined

/** Which connection a transaction belongs to and why it is unknown; undefined if it is not ours, or is known. */
const unknownTransaction = (
  db: Db,
  connections: ReadonlyArray<SendingConnection>,
  configured: ReadonlySet<string>,
  fresh: boolean,
  { id, owner, unique_id: key }: Transaction
): string | undefined => {
  const sender = key?.slice(0, key.indexOf("/")) ?? ""
  for (const connection of connections) {
    const { id: name, planning } = connection
    const own = key?.startsWith(`${name}/invoice/`) === true
    if (own && Owners.isOf(owner, planning, undefined) && !isSent(db, key))
      return `the service already has ${key}, which is not in this file`
    // What another connection here sends is for that one to check, and may be in progress.
    if (fresh && !configured.has(sender) && Owners.isExactly(owner, planning))
      return `it is new, and the service already has transactions of the owner of ${name} (${key ?? id})`
  }
  return undefined
}

/**
 * The invoice of these books that is identical to a transaction of the same owner which this file has not sent, and which
 * came from a connection that is not configured: that connection had another name. Sent again, the invoice would be there
 * twice.
 */
export const sameInvoice = (
  db: Db,
  connections: Iterable<SendingConnection>,
  { currency, gross_amount: gross, issue_date, number, owner, unique_id }: Transaction
): { readonly connection: string; readonly key: string } | undefined => {
  const at = unique_id?.indexOf("/invoice/") ?? -1
  if (owner === null || owner === undefined || unique_id === null || unique_id === undefined || at < 1) return undefined
  for (const { id, planning } of connections) {
    const key = `${id}${unique_id.slice(at)}`
    if (!Owners.isOf(owner, planning, Owners.find(db, Owners.key(id))) || isSent(db, key)) continue
    const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(key)
    const invoice = typeof body === "string" ? (Body.read(body) as Document.Invoice) : undefined
    const same =
      invoice?.number === number &&
      invoice?.currency === currency &&
      invoice?.issued === issue_date &&
      invoice?.gross === gross
    if (same) return { connection: id, key }
  }
  return undefined
}

/** Where an order that Daybook created says it comes from. */
export const originOf = ({ metadata }: Order): { readonly connection: string; readonly id: string } | undefined => {
  const { connection, source_id: id } = metadata ?? {}
  return typeof connection === "string" && typeof id === "string" ? { connection, id } : undefined
}

/** Whether an order of the service equals one of the books as it would be created. */
export const isSame = (created: Order, placed: Placed): boolean =>
  created.unique_id === placed.number &&
  created.currency === placed.currency &&
  (created.order_date ?? placed.placed) === placed.placed &&
  created.total_amount === totalOf(placed)

/** Minor units, as an exact decimal. */
const totalOf = ({ currency, lines }: Placed): Decimal.Decimal =>
  Decimal.fromInteger(
    Currency.toMinor(
      lines.reduce((sum, { gross }) => sum + gross, 0n),
      currency
    )
  )

/** The order of these books for which an order of the service was created, by a connection of any name. */
export const orderOf = (
  db: Db,
  connections: ReadonlyArray<SendingConnection>,
  configured: ReadonlySet<string>,
  created: Order
): { readonly connection: string; readonly key: string; readonly by: string } | undefined => {
  const origin = originOf(created)
  if (origin === undefined) return undefined
  for (const { id } of connections) {
    const key = Document.key(id, "order", origin.id)
    if (origin.connection === id) return { connection: id, key, by: id }
    // From a connection that has another name now, in this file or in a lost one.
    if (configured.has(origin.connection)) continue
    const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(key)
    if (typeof body === "string" && isSame(created, Body.read(body) as Placed))
      return { connection: id, key, by: origin.connection }
  }
  return undefined
}

const firstOf = <A>(
  db: Db,
  list: Stream.Stream<ReadonlyArray<A>, ServiceError>,
  look: (one: A) => string | undefined
): Effect.Effect<string | undefined, StateError | ServiceError> =>
  list.pipe(
    Stream.mapEffect((some) =>
      db.read(() => {
        for (const one of some) {
          const found = look(one)
          if (found !== undefined) return found
        }
        return undefined
      })
    ),
    Stream.filter((found) => found !== undefined),
    Stream.runHead,
    Effect.map(Option.getOrUndefined)
  )

/** In words, what the service has of these connections that this file has not sent. */
const look = (
  db: Db,
  about: ReadonlyArray<SendingConnection>,
  configured: ReadonlySet<string>
): Effect.Effect<string | undefined, StateError | ServiceError, Client> =>
  Effect.gen(function* () {
    const { orders, transactions } = yield* Client
    const fresh = yield* db.read(() => isNew(db))
    const transaction = yield* firstOf(
      db,
      parts((query) => transactions.list({ query: { ...query, expand: "owner" } })),
      (one) => unknownTransaction(db, about, configured, fresh, one)
    )
    const creating = about.filter(({ planning }) => planning.orders?.create !== undefined)
    if (transaction !== undefined || creating.length === 0) return transaction
    return yield* firstOf(
      db,
      parts((query) => orders.list({ query })),
      (one) => {
        const order = orderOf(db, creating, configured, one)
        if (order === undefined || isSent(db, order.key)) return undefined
        return `the service already has order ${one.unique_id}, which connection ${order.by} created`
      }
    )
  })

const anyOf = <A>(
  list: Stream.Stream<A, ServiceError>,
  is: (one: A) => boolean
): Effect.Effect<boolean, ServiceError> => list.pipe(Stream.filter(is), Stream.runHead, Effect.map(Option.isSome))

/** Whether a connection's owner is on the service: it is created before the first of its invoices. */
const hasOwner = ({ owner }: Planning): Effect.Effect<boolean, ServiceError, Client> =>
  Effect.flatMap(Client, ({ organisations, users }) => {
    if ("user" in owner)
      return anyOf(
        pages((query) => users.list({ query })),
        ({ email }) => email === owner.user.email
      )
    const { unique_id } = owner.organisation
    return anyOf(
      pages((query) => organisations.list({ query: { ...query, unique_id } })),
      (one) => one.unique_id === unique_id
    )
  })

/** Whether requests of another state file may still be on their way. For created orders, nothing else precedes them. */
const mayArrive = (about: ReadonlyArray<SendingConnection>): Effect.Effect<boolean, ServiceError, Client> =>
  Effect.gen(function* () {
    if (about.some(({ planning }) => planning.orders?.create !== undefined)) return true
    for (const { planning } of about) if (yield* hasOwner(planning)) return true
    return false
  })

/**
 * Checks the connections that were not checked yet; a match keeps everything from being sent.
 *
 * @param connections those that are about to send
 * @param configured all configured connections
 * @param settleAfter how long after a request its absence on the service is believed, in milliseconds
 * @returns why the service cannot be asked: then nothing may be sent in this run
 */
export const check = Effect.fn("FirstSend.check")(function* (
  connections: ReadonlyArray<SendingConnection>,
  configured: ReadonlyArray<Pick<Connection, "id">> = connections,
  settleAfter = SETTLE_AFTER_MS
): Effect.fn.Return<Reason | undefined, StateError, Database | Client> {
  const db = yield* Database
  const about = yield* db.read(() => unasked(db, connections))
  if (about.length === 0) return undefined
  const once = look(db, about, new Set(configured.map(({ id }) => id)))
  const looked = yield* Effect.result(
    Effect.gen(function* () {
      const found = yield* once
      if (found !== undefined || !(yield* mayArrive(about))) return found
      yield* lastArrivals(db, settleAfter)
      return yield* once
    })
  )
  if (looked._tag === "Failure") {
    if (looked.failure._tag === "ServiceError") return looked.failure.reason
    return yield* looked.failure
  }
  const found = looked.success
  yield* db.transaction(() => {
    markChecked(db, about)
    if (found !== undefined) LedgerTrust.doubt(db.raw, found)
  })
  return undefined
})
