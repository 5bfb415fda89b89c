/**
 * Decides whether goods may be shipped. A notification (DP 6.1) only says that a payment changed, and anybody could have sent
 * it, so the payment is always read from the service.
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

/** Assumption (DP 6.1: not shown): the payload has the observed form, and only the identifier is used. */
const Notification = open({
  data: open({ order: open({ deferred_payment: open({ id: DeferredPaymentId }) }) })
})

/** What was posted is not a notification about a payment. */
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
 * Reads the payment and the order that a notification is about from the service. Anybody can post a notification: if the
 * payment does not exist or belongs to another platform, this fails with the service's 404. Anything else that was posted
 * fails with `UnreadableNotification`.
 *
 * @param body what was posted: text, or parsed JSON
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

/** Whether goods may be shipped, and if not, why. */
export type Shipping =
  | { readonly ship: true; readonly payment: DeferredPayment }
  /** `why` is for the people who pack the parcel. */
  | { readonly ship: false; readonly why: string }

/** Statuses in which the authorised amount can be captured. Assumption (DP 3: not shown), as for those that wait. */
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
 * Whether goods worth `leaving` may be shipped: the value of this parcel and of all earlier parcels of the order together, in
 * minor units. It does not matter how much of that was captured already.
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

/** Reads the order and its payment from the service, and decides as `shipping` does. Fails with a `ServiceError`. */
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
