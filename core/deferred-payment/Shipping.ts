/**
 * Whether goods may leave (DP 6.1): a notification says that something has happened to a payment, and is never believed;
 * what the service says when it is asked, decides.
 */
import { Effect, Schema } from "effect"
import { Client } from "../Client.ts"
import * as Currency from "../money/Currency.ts"
import * as Decimal from "../money/Decimal.ts"
import type { ServiceError } from "../ServiceError.ts"
import { DeferredPaymentId, OrderId } from "../wire/Ids.ts"
import { open } from "../wire/Open.ts"
import type { DeferredPayment } from "./DeferredPayments.ts"
import type { Order } from "./Orders.ts"

/** Assumption (DP 6.1: not shown): the payload is read as is seen, and nothing of it used but the identifier. */
const Notification = open({
  data: open({ order: open({ deferred_payment: open({ id: DeferredPaymentId }) }) })
})

/** What was posted is not a notification of a payment. */
export class UnreadableNotification extends Schema.TaggedError<UnreadableNotification>()("UnreadableNotification", {
  why: Schema.String
}) {
  override get message(): string {
    return `the notification cannot be read: ${this.why}`
  }
}

const idOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : (value as { readonly id?: string } | null | undefined)?.id

/**
 * What a notification is about, as the service says it now: the payment and its order. Anybody can post one; one about a
 * payment of nobody, or of another platform, fails with the service's 404.
 *
 * @param body as it was posted: text, or JSON that was read
 */
export const heard = (
  body: unknown
): Effect.Effect<
  { readonly payment: DeferredPayment; readonly order: Order },
  UnreadableNotification | ServiceError,
  Client
> =>
  Effect.gen(function* () {
    const json = yield* Effect.try({
      try: () => (typeof body === "string" ? (JSON.parse(body) as unknown) : body),
      catch: () => new UnreadableNotification({ why: "it is not JSON" })
    })
    const { data } = yield* Schema.decodeUnknownEffect(Notification)(json).pipe(
      Effect.mapError(({ message }) => new UnreadableNotification({ why: message }))
    )
    const { deferredPayments, orders } = yield* Client
    const payment = yield* deferredPayments.get({
      params: { deferred_payment_id: data.order.deferred_payment.id },
      query: {}
    })
    const id = idOf(payment.order)
    if (id === undefined) return yield* new UnreadableNotification({ why: `the payment ${payment.id} has no order` })
    return { payment, order: yield* orders.get({ params: { order_id: OrderId.make(id) }, query: {} }) }
  })

export type Shipping =
  | { readonly ship: true; readonly payment: DeferredPayment }
  /** `why` is for the people who pack. */
  | { readonly ship: false; readonly why: string }

/** Statuses in which what is authorised is the shop's to take. Assumption (DP 3: not shown), as for those that wait. */
const GOOD: ReadonlyArray<string> = ["accepted", "part_fulfilled", "captured", "fulfilled"]
const WAITING: ReadonlyArray<string> = [
  "pending_review",
  "customer_action_required",
  "pending_payment",
  "accepted_pending_payment"
]

const say = (amount: Decimal.Decimal, { currency }: DeferredPayment): string =>
  currency === null || currency === undefined
    ? `${Decimal.format(amount)} minor units`
    : Currency.say(Currency.fromMinor(amount, currency), currency)

/**
 * Whether goods may leave that come to `leaving` in all: those of this parcel, and of every parcel of the order before it,
 * in minor units. What has been captured of them by now makes no difference.
 */
export const shipping = (payment: DeferredPayment, leaving: Decimal.Decimal): Shipping => {
  const { authorisation = 0n, protected_captures = 0n, status, unprotected_captures = 0n } = payment
  if (!GOOD.includes(status)) {
    const wait = WAITING.includes(status) ? "it may still be accepted" : "it will not be paid this way"
    return { ship: false, why: `the deferred payment is ${status}: ${wait}` }
  }
  const most = authorisation + protected_captures + unprotected_captures
  if (leaving <= most) return { ship: true, payment }
  return { ship: false, why: `${say(leaving, payment)} would have left, and ${say(most, payment)} is authorised` }
}

/** May this be shipped? Asks the service about an order, and answers as `shipping` does. */
export const mayShip = Effect.fn("Checkout.mayShip")(function* (id: OrderId, leaving: Decimal.Decimal) {
  const { deferredPayments, orders } = yield* Client
  const order = yield* orders.get({ params: { order_id: id }, query: {} })
  const payment = idOf(order.deferred_payment)
  if (payment === undefined) {
    return { ship: false, why: "the buyer has not chosen to pay later" } satisfies Shipping as Shipping
  }
  const params = { deferred_payment_id: DeferredPaymentId.make(payment) }
  return shipping(yield* deferredPayments.get({ params, query: {} }), leaving)
})
