/**
 * Finds the orders that these connections created on the service, and the offers that they requested. Reads them from the
 * service's own list, because a lost or restored ledger knows none of them and would create each a second time.
 *
 * An order carries the connection and the source's id. If a connection that is no longer configured created it, it is the
 * order of these books that is identical to it.
 */
import { Effect, Stream } from "effect"
import type { Order as Placed } from "../../connectors/Document.ts"
import { type Client, pages } from "../../core/Client.ts"
import type { Order } from "../../core/deferred-payment/Orders.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { OfferId } from "../../core/wire/Ids.ts"
import { printOf } from "../rules/OrderCreation.ts"
import * as Claims from "../apply/Claims.ts"
import type { Connection, Planning } from "../model/Connection.ts"
import type { StateError, Db } from "../state/Database.ts"
import { DeferredPaymentReader } from "../apply/DeferredPaymentReader.ts"
import * as FirstSend from "../apply/FirstSend.ts"
import { createdAs, createdFor, offered, type RemoteOrder, withPayment } from "../model/RemoteOrder.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { wire } from "../apply/ReadBackValues.ts"
import { type AuditContext, NOT_KNOWN } from "./AuditReport.ts"
import * as Facts from "../plan/Facts.ts"
import { beganAt, decidedFor } from "../rules/OrderPlan.ts"
import { given } from "../../core/Entry.ts"

const TWICE = "ask the service's operator to cancel the unwanted one before its buyer accepts a plan"

export const audit = (
  db: Db,
  client: Client["Service"],
  connections: ReadonlyArray<Connection>,
  context: AuditContext
): Effect.Effect<void, StateError | ServiceError> => {
  const creating = connections.filter(({ planning }) => planning.orders?.create !== undefined)
  if (creating.length === 0) return Effect.void
  const configured = new Set(connections.map(({ id }) => id))
  /** Orders of the service by the key that they belong to, as adopted by this reading. */
  const adopted = new Map<string, string>()
  const one = (order: Order): Effect.Effect<void, StateError | ServiceError> =>
    Effect.gen(function* () {
      const ours = yield* db.read(() => FirstSend.orderOf(db, creating, configured, order))
      if (ours === undefined || !context.within(order.order_date ?? undefined)) return
      const { key } = ours
      const connection = given(
        creating.find(({ id }) => id === ours.connection),
        ours.connection
      )
      const remote = yield* db.read(() => Facts.remoteOrder(db, key))
      const first = remote?.order ?? adopted.get(key)
      if (first === order.id) return
      const apart = { what: "the order", ledger: null, service: order.id }
      if (first !== undefined) {
        return yield* context.found(connection.id, key, { ...apart, what: "a second order of the same", todo: TWICE })
      }
      context.count()
      adopted.set(key, order.id)
      const now = yield* asItIs(db, client, key, order, connection)
      const mended = yield* context.fix(connection, key, now)
      const todo = context.isHeld(key) ? { todo: NOT_KNOWN } : {}
      yield* context.found(connection.id, key, { ...apart, mended, ...todo })
      const { offer } = createdFor(now)
      if (offer === undefined) return
      yield* context.found(connection.id, key, { what: "its offer", ledger: null, service: offer.id, mended, ...todo })
    })
  return Stream.runForEach(
    pages((query) => client.orders.list({ query })),
    one
  )
}

/** The ledger entry for an order that was created: with its current offer, or as paid. */
const asItIs = (
  db: Db,
  client: Client["Service"],
  key: string,
  created: Order,
  { planning }: Connection
): Effect.Effect<RemoteOrder, StateError | ServiceError> =>
  Effect.gen(function* () {
    const { currency, id, payment_offer } = created
    const facts = yield* db.read(() => Facts.orderFacts(db, key))
    const placed = facts.order
    const number = created.unique_id ?? placed?.number ?? ""
    // If its lines are not the source's current ones, its print stays empty, so that the change is noticed.
    const same = placed !== undefined && FirstSend.isSame({ ...created, unique_id: placed.number }, placed)
    let remote = createdAs(id, number, currency, same ? printOf(placed) : "")
    if (typeof payment_offer === "string") {
      const offer = yield* client.offers.get({ params: { offer_id: payment_offer as OfferId }, query: {} })
      remote = offered(remote, Claims.offerOf(wire(offer)))
    }
    const { payment } = yield* new DeferredPaymentReader(client).again(remote)
    if (payment === undefined) return remote
    const paid = withPayment(remote, payment, number)
    return placed === undefined ? paid : recognise(facts, placed, paid, planning)
  })

/**
 * What was sent for a deferred payment before the ledger was lost: all that the service states, if that is how far the order's
 * facts lead, or a part of the captures on the way there. Otherwise none counts as sent, and a person is asked whose it is.
 */
const recognise = (facts: OrderFacts, order: Placed, remote: RemoteOrder, { orders = {} }: Planning): RemoteOrder => {
  const its = { capture: remote.captured, void: remote.voided, refund: remote.refunded } as const
  const postings = (["capture", "void", "refund"] as const).flatMap((taking) =>
    its[taking] === "0" ? [] : [{ taking, amount: its[taking], key: "" }]
  )
  const ours = { ...remote, began: `${beganAt(order)}`, postings, stale: true }
  const { asks, held, steps } = decidedFor(facts, order, ours, orders)
  const isOnTheWay = steps.every(({ taking }) => taking === "capture")
  return asks.length === 0 && held.length === 0 && isOnTheWay ? ours : remote
}
