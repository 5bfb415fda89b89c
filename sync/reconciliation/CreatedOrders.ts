/**
 * Finds the orders that these connections created on the service, and the offers that they requested. Reads them from the
 * service's own list, because a lost or restored ledger knows none of them and would create each a second time.
 *
 * An order carries the connection and the source's id. If a connection that is no longer configured created it, it is the
 * order of these books that is identical to it.
 */
import type { PlannedPosting } from "../model/DeferredPayment.ts"
import { Effect, Stream } from "effect"
import type { Order as Placed } from "../../connectors/Document.ts"
import { type Client, pages } from "../../core/Client.ts"
import type { Order } from "../../core/deferred-payment/Orders.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { OfferId } from "../../core/wire/Ids.ts"
import { printOf } from "../rules/OrderCreation.ts"
import * as Claims from "../apply/Claims.ts"
import type { Connection, Planning } from "../model/Connection.ts"
import type { Database, StateError } from "../state/Database.ts"
import { DeferredPaymentReader } from "../apply/DeferredPaymentReader.ts"
import * as FirstSend from "../apply/FirstSend.ts"
import { authorised, createdAs, createdFor, offered, type RemoteOrder, withPayment } from "../model/RemoteOrder.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { wire } from "../apply/ReadBackValues.ts"
import { type AuditContext, NOT_KNOWN } from "./AuditReport.ts"
import * as Facts from "../plan/Facts.ts"
import { pendingPostings } from "../rules/OrderPostings.ts"
import { given } from "../../core/Entry.ts"

type Db = Database["Service"]

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
      const mended = yield* context.mend(connection, key, now)
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

const POSTING_KINDS = ["capture", "void", "refund"] as const

/**
 * The facts that were sent for a deferred payment before the ledger was lost: those that, in the order in which they are
 * sent, add up to exactly what the service states as captured, voided and refunded. If they do not, or if other facts could
 * have added up to it as well, none counts as sent, and what the service holds beyond the ledger needs attention (O6). A
 * wrong guess would leave one fact unsent forever, and send another twice.
 */
const recognise = (facts: OrderFacts, order: Placed, remote: RemoteOrder, planning: Planning): RemoteOrder => {
  const untouched = { captured: "0", voided: "0", refunded: "0", postings: [], stale: true }
  const open = `${authorised(remote) - BigInt(remote.expired)}`
  const { postings } = pendingPostings(facts, order, { ...remote, ...untouched, open }, planning)
  const left = { capture: BigInt(remote.captured), void: BigInt(remote.voided), refund: BigInt(remote.refunded) }
  const found = postings.filter(({ amount, taking }) => {
    if (left[taking] === 0n) return false
    left[taking] -= BigInt(amount)
    return true
  })
  if (POSTING_KINDS.some((taking) => left[taking] !== 0n)) return remote
  const rest = postings.filter((take) => !found.includes(take))
  if (rest.some((one) => found.some((other) => isLike(one, other)))) return remote
  return { ...remote, postings: found.flatMap(({ reason: _, passed, ...posting }) => [...passed, posting]) }
}

/** Whether one could take the other's place: it has the same amount, or is for the same goods. */
const isLike = (one: PlannedPosting, other: PlannedPosting): boolean =>
  one.taking === other.taking &&
  (one.amount === other.amount || one.lines.some(({ line }) => other.lines.some((its) => its.line === line)))
