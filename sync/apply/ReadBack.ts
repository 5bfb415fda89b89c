/**
 * Finds out what became of a call whose answer is unknown.
 *
 * A request that timed out, lost its connection or got a 5xx may have been applied, so the service is read before anything
 * is sent again. Each entry of `ways` corresponds to a row of the table in the documentation.
 */
import { Effect, Option, Stream } from "effect"
import { Client, pages } from "../../core/Client.ts"
import { ServiceError, Unknown } from "../../core/ServiceError.ts"
import type { OfferId, OrderId, TransactionId } from "../../core/wire/Ids.ts"
import { bodyOf, type Call, type CallOf, isReading, type PostingCall, resolve } from "../model/Call.ts"
import { storedAnswer, isEvent } from "./Claims.ts"
import type { Json } from "../model/RemoteInvoice.ts"
import { isPosting } from "../rules/Payments.ts"
import { readBackCover } from "./ReadBackCover.ts"
import { absent, equal, type FindId, isDone, onceGone, type ReadBack, unlessGone, wire } from "./ReadBackValues.ts"

/** Finds out what became of a call; `id` is the identifier of its subject on the service. */
type Way<C extends Call> = (call: C, id: string, find: FindId) => Effect.Effect<ReadBack, ServiceError, Client>

/** POST transactions: pages through the list for this owner's transaction with the `unique_id`, and adopts the oldest. */
const findTransaction: Way<CallOf<"transactions.create">> = (call, _, find) =>
  Effect.gen(function* () {
    const { transactions } = yield* Client
    const { owner: ours, unique_id: key } = resolve(call.body, find)
    const unique_id = String(key)
    const found = yield* pages((query) => transactions.list({ query: { ...query, unique_id } })).pipe(
      // Only this owner's: another state file of the same account may use the same invoice ids.
      Stream.filter(({ owner = ours, unique_id: theirs }) => theirs === unique_id && owner === ours),
      Stream.runHead
    )
    return Option.match(found, {
      onNone: () => absent,
      onSome: (transaction): ReadBack => ({ done: storedAnswer(call.operation, wire(transaction)) })
    })
  })

/** POST orders: pages through the list for the `unique_id`, and adopts the first that this connection created. */
const findOrder: Way<CallOf<"orders.create">> = (call) =>
  Effect.gen(function* () {
    const { orders } = yield* Client
    const { metadata: ours, unique_id } = call.body
    const found = yield* pages((query) => orders.list({ query })).pipe(
      Stream.filter((order) => order.unique_id === unique_id && equal(ours ?? null, order.metadata)),
      Stream.runHead
    )
    return Option.match(found, {
      onNone: () => absent,
      onSome: ({ id }) => isDone(id)
    })
  })

/** POST offers: reads the order and adopts its offer, unless it is the previous one. */
const findOffer: Way<CallOf<"offers.create">> = (call, id) =>
  Effect.gen(function* () {
    const { offers, orders } = yield* Client
    const { payment_offer } = yield* orders.get({ params: { order_id: id as OrderId }, query: {} })
    if (typeof payment_offer !== "string" || payment_offer === call.before) return absent
    const offer = yield* offers.get({ params: { offer_id: payment_offer as OfferId }, query: {} })
    return { done: storedAnswer(call.operation, wire(offer)) } as ReadBack
  }).pipe(unlessGone)

/** POST payments: lists the transaction's payments and looks for the posting's key in `details`. */
const findPayment: Way<CallOf<"transactions.createPayment">> = (call, id) =>
  Effect.gen(function* () {
    const { transactions } = yield* Client
    const params = { transaction_id: id as TransactionId }
    const found = yield* pages((query) => transactions.listPayments({ params, query })).pipe(
      Stream.filter((payment) => isPosting(payment.details, call.posting.key)),
      Stream.runHead
    )
    return Option.match(found, {
      onNone: () => absent,
      onSome: ({ id }) => isDone(id)
    })
  }).pipe(unlessGone)

type Compared = CallOf<
  | "transactions.update"
  | "transactions.amend"
  | "transactions.confirm"
  | "transactions.paid"
  | "transactions.matchDebtor"
>

/** PATCH, amend, confirm, paid, match_debtor: reads the transaction; if it already has the new values, the call is done. */
const compare: Way<Compared> = (call, id, find) =>
  Effect.gen(function* () {
    const { transactions } = yield* Client
    const transaction = yield* transactions.get({ params: { transaction_id: id as TransactionId }, query: {} })
    const body = wire(transaction)
    const wanted: Readonly<Record<string, Json>> = {
      ...resolve(bodyOf(call) ?? {}, find),
      ...(call.operation === "transactions.confirm" ? { status: "pending" } : {}),
      ...(call.operation === "transactions.paid" ? { status: "paid" } : {})
    }
    const same = Object.entries(wanted).every(([name, value]) => equal(value, body[name]))
    return same ? { done: storedAnswer(call.operation, body) } : absent
  }).pipe(unlessGone)

/** DELETE: reads it; 404 means done. */
const isRemoved: Way<CallOf<"transactions.remove">> = (_, id) =>
  Effect.gen(function* () {
    const { transactions } = yield* Client
    yield* transactions.get({ params: { transaction_id: id as TransactionId }, query: {} })
  }).pipe(onceGone)

/** PATCH of an order: reads it; if it already has the new values, the call is done. */
const compareOrder: Way<CallOf<"orders.update">> = (call, _, find) =>
  Effect.gen(function* () {
    const { orders } = yield* Client
    const { order_id } = resolve(call.params, find)
    const order = yield* orders.get({ params: { order_id: order_id as OrderId }, query: {} })
    return order.unique_id === call.body.unique_id ? isDone() : absent
  }).pipe(unlessGone)

/**
 * Captures, voids and refunds: sends the same body again with the same key, never with a new one. If the service rejects it
 * now, it was not done before. The first request could still be applied until it must have arrived (`Sender.readBack`).
 */
const sendUnderItsKey: Way<PostingCall> = (call, _, find) =>
  Effect.gen(function* () {
    const { send } = yield* Client
    const { body } = yield* send(call.operation, resolve(call.params, find), call.body, call.orderPosting.key)
    if (!isEvent(body)) return yield* new ServiceError({ operation: call.operation, reason: NO_EVENT })
    return isDone()
  }).pipe(
    Effect.catch((error) =>
      ["Refused", "NotFound", "Conflict", "Unsendable"].includes(error.reason._tag)
        ? Effect.succeed(absent)
        : Effect.fail(error)
    )
  )

const NO_EVENT = new Unknown({ why: "the answer is not a ledger event" })

/** @param id the identifier of the call's subject on the service, if there is one */
export const readBack = (
  call: Call,
  id: string | undefined,
  find: FindId
): Effect.Effect<ReadBack, ServiceError, Client> => {
  const at = id ?? ""
  switch (call.operation) {
    // Upserts, changes to a given value, and readings: the way to find out is to send them again.
    case "organisations.create":
    case "organisations.addUser":
    case "organisations.update":
    case "users.create":
    case "users.update":
    case "deferredPayments.get":
    case "orders.get":
    case "orders.list":
    // The service does not list them (DP 4): sent again under the same key, it is the same document.
    case "orders.putDocument":
      return Effect.succeed(absent)
    case "transactions.create":
      return findTransaction(call, at, find)
    case "transactions.update":
    case "transactions.amend":
    case "transactions.confirm":
    case "transactions.paid":
    case "transactions.matchDebtor":
      return compare(call, at, find)
    case "transactions.remove":
      return isRemoved(call, at, find)
    case "transactions.createPayment":
      return findPayment(call, at, find)
    case "deferredPayments.capture":
    case "deferredPayments.void":
    case "deferredPayments.refund":
      return sendUnderItsKey(call, at, find)
    case "offers.create":
      return findOffer(call, at, find)
    case "orders.create":
      return findOrder(call, at, find)
    case "orders.update":
      return compareOrder(call, at, find)
    default:
      return readBackCover(call, at, find)
  }
}

/**
 * Whether its result is final at once: a reading changes nothing. For other calls the first request may still be on its way:
 * a late upsert would undo what is sent after it, and a capture that was rejected under its key might still be booked.
 */
export const isRepeatable = (call: Call): boolean => isReading(call)
