/**
 * The answer of `daybook watch`: what is wrong with the orders of shops that capture by themselves. Reads each order's deferred
 * payment once, sends nothing, and keeps nothing but the books that were pulled.
 */
import { Effect } from "effect"
import type { Order } from "../../connectors/Document.ts"
import { Client } from "../../core/Client.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import { DeferredPaymentReader } from "../apply/DeferredPaymentReader.ts"
import { type Call, isReading } from "../model/Call.ts"
import type { Connection, Planning } from "../model/Connection.ts"
import { inCurrencyOf, type OrderFacts } from "../model/OrderFacts.ts"
import { advanceOrder, isPaid } from "../model/RemoteOrder.ts"
import * as Facts from "../plan/Facts.ts"
import { reconcileOrder } from "../rules/Orders.ts"
import { stands } from "../rules/OrderPlan.ts"
import { owed } from "../rules/OrderOwed.ts"
import { type WatchedKind, watched } from "../rules/OrderWatch.ts"
import { Database, type StateError } from "../state/Database.ts"

/** Something that is wrong with an order. */
export interface WatchedOrder {
  readonly connection: string
  readonly document: string
  /** The shop's own number. */
  readonly number: string
  readonly kind: WatchedKind | "not on the service"
  readonly currency: string
  /** Major units with the currency's decimals. */
  readonly amount: string
  readonly why: string
  /** The order's page in the shop, if the connector knows it. */
  readonly link?: string
}

export interface WatchReport {
  /** Orders of which both sides were compared. */
  readonly compared: number
  /** Orders that are not the service's, or of which it has no deferred payment. */
  readonly others: number
  readonly found: ReadonlyArray<WatchedOrder>
}

/** The connection as it is watched: whatever it is configured to do, nothing is sent and nothing created. */
export const watching = (connection: Connection): Connection => {
  const { create: _, ...orders } = connection.planning.orders ?? {}
  return { ...connection, planning: { ...connection.planning, orders: { ...orders, captures: "shop" } } }
}

type Found = Pick<WatchedOrder, "kind" | "why"> & { readonly amount: bigint }

/** The reading that finds an order's deferred payment; undefined if it is not the service's. */
const readingOf = (facts: OrderFacts, planning: Planning) => {
  const [call] = reconcileOrder(facts, undefined, planning).calls as ReadonlyArray<Call>
  return call !== undefined && isReading(call) ? call : undefined
}

/** Goods left, and the service has nothing that could be captured for them. */
const unfound = (facts: OrderFacts, order: Order, planning: Planning): ReadonlyArray<Found> => {
  // Without an identifier of the service it may be paid otherwise.
  if (order.deferredPayment === undefined && order.serviceOrder === undefined) return []
  const its = stands(facts, order, {}, planning.orders ?? {})
  const { owe, still } = owed(its, its.total)
  const why = "goods left, and the service has no deferred payment for it"
  return owe === still ? [] : [{ kind: "not on the service", amount: owe - still, why }]
}

export const watch = Effect.fn("OrderWatch.watch")(function* (
  connections: ReadonlyArray<Connection>,
  concurrency: number,
  onProgress: (orders: number) => Effect.Effect<void> = () => Effect.void
): Effect.fn.Return<WatchReport, StateError | ServiceError, Database | Client> {
  const db = yield* Database
  const reader = new DeferredPaymentReader(yield* Client)
  const found: Array<WatchedOrder> = []
  let [compared, others, n] = [0, 0, 0]

  const one = (connection: Connection, key: string) =>
    Effect.gen(function* () {
      const { planning } = connection
      const facts = yield* db.read(() => Facts.orderFacts(db, key))
      const { order } = facts
      // One that is decided with another is compared with that one.
      if (order === undefined || facts.head !== undefined) return
      yield* onProgress(++n)
      const call = readingOf(facts, planning)
      if (call === undefined) return void others++
      const read = yield* Effect.result(reader.look(call))
      if (read._tag === "Failure" && read.failure.reason._tag !== "Ambiguous") return yield* read.failure
      const payment = read._tag === "Success" ? read.success.payment : undefined
      const remote = payment === undefined ? undefined : advanceOrder(undefined, call, { kind: "payment", payment })
      const its =
        read._tag === "Failure"
          ? [{ kind: "contradiction" as const, amount: 0n, why: ambiguous(read.failure) }]
          : remote !== undefined && isPaid(remote)
            ? watched(facts, inCurrencyOf(order, remote), remote, planning.orders ?? {})
            : unfound(facts, order, planning)
      if (remote === undefined) others++
      else compared++
      const { currency } = inCurrencyOf(order, remote)
      const link = connection.connector.page?.(connection.settings, "order", order.id)
      for (const { amount, kind, why } of its)
        found.push({
          connection: connection.id,
          document: key,
          number: order.number,
          kind,
          currency,
          amount: Currency.format(Currency.ofMinor(amount, currency), currency),
          why,
          ...(link === undefined ? {} : { link })
        })
    })

  for (const connection of connections.map(watching)) {
    const { id } = connection
    const keys = yield* db.read(
      () =>
        db
          .prepare("SELECT key FROM document WHERE key > ? AND key < ? AND deleted = 0 ORDER BY key")
          .pluck()
          .all(`${id}/order/`, `${id}/order0`) as ReadonlyArray<string>
    )
    yield* Effect.forEach(keys, (key) => one(connection, key), { concurrency, discard: true })
  }
  const inOrder = found.toSorted((a, b) => (a.document < b.document ? -1 : a.document > b.document ? 1 : 0))
  return { compared, others, found: inOrder }
})

const ambiguous = ({ reason }: ServiceError): string => (reason._tag === "Ambiguous" ? reason.why : "")
