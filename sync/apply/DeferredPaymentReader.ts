/**
 * Finds the deferred payment of an order on the service and reads it: by its own identifier, by its order's, or by the
 * order's reference. The list of orders is read once and kept for the reader's lifetime. Reading changes nothing.
 *
 * Several orders of the service may have the same reference, because a buyer tried twice: a dead one is never chosen while
 * there is a live one, and between two live ones only a person chooses. A payment that another order of the books already
 * holds is not found.
 */
import { Effect, Semaphore, Stream } from "effect"
import { type Client, pages } from "../../core/Client.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { ServiceError, Ambiguous } from "../../core/ServiceError.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { DeferredPaymentId, OfferId, OrderId } from "../../core/wire/Ids.ts"
import type { CallOf, ReadingCall } from "../model/Call.ts"
import { isPaid, isSpent, type RemoteOrder, together, wholeUnits } from "../model/RemoteOrder.ts"
import type { DeferredPayment } from "../model/DeferredPayment.ts"

/** The result of a reading. */
export interface PaymentReading {
  /** Whether the service has what was asked for, even if it is an order without a deferred payment. */
  readonly known: boolean
  readonly payment?: DeferredPayment
  /** When the order's offer ends, if that was asked. Milliseconds since the epoch. */
  readonly until?: number
}

type Found<A> = Effect.Effect<A, ServiceError>

/** Whether another order of the books holds this deferred payment. */
export type IsHeld = (subject: string, seen: DeferredPayment) => boolean

const NOTHING: PaymentReading = { known: false }

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** Undefined if the service does not have it. */
const orNothing = <A>(read: Found<A>): Found<A | undefined> =>
  Effect.catch(read, (error) => (error.reason._tag === "NotFound" ? Effect.succeed(undefined) : Effect.fail(error)))

const minor = (amount: bigint | undefined): string =>
  wholeUnits(amount === undefined ? undefined : Decimal.format(amount))

type Names = Map<string, Array<string>>

interface Listed {
  readonly numbers: Names
  readonly references: Names
}

const note = (names: Names, name: string | undefined, payment: string): void => {
  if (name === undefined) return
  const there = names.get(name)
  if (there === undefined) names.set(name, [payment])
  else if (!there.includes(payment)) there.push(payment)
}

export class DeferredPaymentReader {
  readonly #client: Client["Service"]
  readonly #isHeld: IsHeld
  /** Deferred payments by the reference of their order and by their own number, once the list was read. */
  #listed: Listed | undefined
  /** Allows one reading of the list. */
  readonly #listing = Semaphore.makeUnsafe(1)
  /** The order of the books for which each deferred payment was found. */
  readonly #taken = new Map<string, string>()

  constructor(client: Client["Service"], isHeld: IsHeld = () => false) {
    this.#client = client
    this.#isHeld = isHeld
  }

  /** Looks up what a call asks for. What is found belongs to this order and no other. */
  look(call: ReadingCall): Found<PaymentReading> {
    return Effect.map(this.#read(call), (found): PaymentReading => {
      const { payment } = found
      if (payment === undefined) return found
      // No other look-up can run between this check and the next line.
      if (this.#isTaken(call.subject, payment)) return NOTHING
      this.#taken.set(payment.id, call.subject)
      return found
    })
  }

  #read(call: ReadingCall): Found<PaymentReading> {
    switch (call.operation) {
      case "deferredPayments.get":
        return this.#payments(call.params.deferred_payment_id, call.lookup.also)
      case "orders.get":
        return this.#ofOrder(call.params.order_id, call.lookup.ends === true)
      case "orders.list":
        return this.#ofReference(call)
    }
  }

  /** Reads again what the ledger says the service holds. */
  again(remote: RemoteOrder): Found<PaymentReading> {
    if (!isPaid(remote)) return this.#ofOrder(remote.id, false)
    const others = remote.each?.flatMap(({ id }) => (id === remote.id ? [] : [id]))
    return this.#payments(remote.id, others)
  }

  #isTaken(subject: string, seen: DeferredPayment): boolean {
    const holder = this.#taken.get(seen.id)
    return (holder !== undefined && holder !== subject) || this.#isHeld(subject, seen)
  }

  /** @param ends whether to find out until when the order's offer can be accepted */
  #ofOrder(id: string, ends: boolean): Found<PaymentReading> {
    const reader = this
    return Effect.gen(function* () {
      const order = yield* orNothing(reader.#client.orders.get({ params: { order_id: id as OrderId }, query: {} }))
      if (order === undefined) return NOTHING
      const payment = text(order.deferred_payment)
      if (payment !== undefined) return yield* reader.#payment(payment)
      const offer = ends ? text(order.payment_offer) : undefined
      if (offer === undefined) return { known: true }
      const read = yield* orNothing(reader.#client.offers.get({ params: { offer_id: offer as OfferId }, query: {} }))
      const days = (read?.offered_payment_plans ?? []).flatMap(({ valid_until }) => text(valid_until) ?? [])
      return { known: true, until: Math.max(0, ...days.map(Instant.toEpochMillis)) }
    })
  }

  #ofReference(call: CallOf<"orders.list">): Found<PaymentReading> {
    const reader = this
    return Effect.gen(function* () {
      const { carried, number } = call.lookup
      const { numbers, references } = yield* reader.#list()
      const payments = (carried === undefined ? references.get(number) : numbers.get(carried)) ?? []
      const found = yield* Effect.forEach(payments, (payment) => reader.#payment(payment))
      const free = found.filter(({ payment }) => payment !== undefined && !reader.#isTaken(call.subject, payment))
      const live = free.filter(({ payment }) => payment !== undefined && !isSpent(payment))
      if (live.length > 1) {
        const names = live.flatMap(({ payment }) => payment?.id ?? []).join(" and ")
        const why = `several orders on the service have the reference ${number}, and their deferred payments ${names} can both still be captured`
        return yield* new ServiceError({ operation: call.operation, reason: new Ambiguous({ why }) })
      }
      return live[0] ?? free[0] ?? NOTHING
    })
  }

  #list(): Found<Listed> {
    const read = pages((query) => this.#client.orders.list({ query: { ...query, expand: "deferred_payment" } })).pipe(
      Stream.runFold(
        (): Listed => ({ numbers: new Map(), references: new Map() }),
        (listed, order) => {
          const { deferred_payment: said, unique_id } = order
          const whole = typeof said === "object" && said !== null ? (said as Readonly<Record<string, unknown>>) : {}
          const payment = text(whole["id"] ?? said)
          if (payment === undefined) return listed
          note(listed.references, text(unique_id), payment)
          note(listed.numbers, text(whole["number"]), payment)
          return listed
        }
      ),
      Effect.tap((listed) => Effect.sync(() => void (this.#listed = listed)))
    )
    return this.#listing.withPermit(
      Effect.suspend(() => (this.#listed === undefined ? read : Effect.succeed(this.#listed)))
    )
  }

  /** A payment, with the order's others that the service has. */
  #payments(first: string, others: ReadonlyArray<string> = []): Found<PaymentReading> {
    return Effect.gen({ self: this }, function* () {
      const found = yield* this.#payment(first)
      if (found.payment === undefined || others.length === 0) return found
      const more = yield* Effect.forEach(others, (id) => this.#payment(id))
      return { known: true, payment: together([found.payment, ...more.flatMap(({ payment }) => payment ?? [])]) }
    })
  }

  #payment(id: string): Found<PaymentReading> {
    const read = this.#client.deferredPayments.get({
      params: { deferred_payment_id: id as DeferredPaymentId },
      query: { expand: "order" }
    })
    return Effect.map(orNothing(read), (payment): PaymentReading => {
      if (payment === undefined) return NOTHING
      const { order } = payment
      const expanded =
        typeof order === "object" && order !== null ? (order as Readonly<Record<string, unknown>>) : undefined
      const [orderId, reference] = [text(expanded?.["id"] ?? order), text(expanded?.["unique_id"])]
      const plan = text(payment.payment_plan)
      const found: DeferredPayment = {
        id: payment.id,
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
      return { known: true, payment: found }
    })
  }
}
