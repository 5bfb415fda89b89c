/**
 * Finds the deferred payment of an order on the service and reads it: by its own identifier, by its order's, or by the
 * order's reference. The list of orders is read once and kept while it lasts; reading changes nothing.
 */
import { Effect, Stream } from "effect"
import { type Client, pages } from "../core/Client.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { ServiceError } from "../core/ServiceError.ts"
import type { DeferredPaymentId, OrderId } from "../core/wire/Ids.ts"
import type { Call } from "./model/Call.ts"
import { type Seen, whole } from "./model/RemoteOrder.ts"

type Found = Effect.Effect<Seen | undefined, ServiceError>

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** Undefined where the service has no such thing. */
const orNothing = <A>(read: Effect.Effect<A, ServiceError>): Effect.Effect<A | undefined, ServiceError> =>
  Effect.catch(read, (error) => (error.reason._tag === "NotFound" ? Effect.succeed(undefined) : Effect.fail(error)))

const minor = (amount: bigint | undefined): string => whole(amount === undefined ? undefined : Decimal.format(amount))

export class Finder {
  readonly #client: Client["Service"]
  /** Deferred payments by the reference of their order. */
  #byReference: ReadonlyMap<string, string> | undefined

  constructor(client: Client["Service"]) {
    this.#client = client
  }

  look(call: Call): Found {
    const { deferred_payment_id, order_id } = call.params
    if (deferred_payment_id !== undefined) return this.payment(deferred_payment_id)
    if (order_id !== undefined) return this.ofOrder(order_id)
    return Effect.flatMap(this.#references(), (known) => {
      const payment = known.get(call.looks!.number)
      return payment === undefined ? Effect.succeed(undefined) : this.payment(payment)
    })
  }

  ofOrder(id: string): Found {
    const order = this.#client.orders.get({ params: { order_id: id as OrderId }, query: {} })
    return Effect.flatMap(orNothing(order), (found) => {
      const payment = text(found?.deferred_payment)
      return payment === undefined ? Effect.succeed(undefined) : this.payment(payment)
    })
  }

  #references(): Effect.Effect<ReadonlyMap<string, string>, ServiceError> {
    if (this.#byReference !== undefined) return Effect.succeed(this.#byReference)
    return pages((query) => this.#client.orders.list({ query })).pipe(
      Stream.runFold(
        () => new Map<string, string>(),
        (known, { deferred_payment, unique_id }) => {
          const [payment, reference] = [text(deferred_payment), text(unique_id)]
          if (payment !== undefined && reference !== undefined && !known.has(reference)) known.set(reference, payment)
          return known
        }
      ),
      Effect.tap((known) =>
        Effect.sync(() => {
          this.#byReference = known
        })
      )
    )
  }

  payment(id: string): Found {
    const read = this.#client.deferredPayments.get({
      params: { deferred_payment_id: id as DeferredPaymentId },
      query: { expand: "order" }
    })
    return Effect.map(orNothing(read), (payment): Seen | undefined => {
      if (payment === undefined) return undefined
      const { order } = payment
      const expanded =
        typeof order === "object" && order !== null ? (order as Readonly<Record<string, unknown>>) : undefined
      const [orderId, reference] = [text(expanded?.["id"] ?? order), text(expanded?.["unique_id"])]
      const plan = text(payment.payment_plan)
      return {
        remote: payment.id,
        ...(orderId === undefined ? {} : { order: orderId }),
        ...(reference === undefined ? {} : { reference }),
        ...(plan === undefined ? {} : { plan }),
        status: payment.status,
        currency: payment.currency ?? text(expanded?.["currency"]) ?? "",
        open: minor(payment.authorisation),
        captured: minor((payment.protected_captures ?? 0n) + (payment.unprotected_captures ?? 0n)),
        refunded: minor(payment.refunds),
        voided: minor(payment.voided_authorisation),
        expired: minor(payment.expired_authorisation)
      }
    })
  }
}
