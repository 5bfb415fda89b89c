/**
 * Reads what the service shows into the witness's notes, without using the ledger: the list of transactions with their
 * payments, and the deferred payment of each order. Changes nothing there.
 */
import { Effect, Stream } from "effect"
import { type Client, pages, parts } from "../../core/Client.ts"
import type { DeferredPayment } from "../../core/deferred-payment/DeferredPayments.ts"
import type { Transaction } from "../../core/insurance/Transactions.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { DeferredPaymentId, OrderId } from "../../core/wire/Ids.ts"
import type { Notes } from "./Notes.ts"
import type { PlainDocument, PlainPayment, PlainTransaction } from "./Plain.ts"

/** The owner of a connection's transactions: an organisation, by its `unique_id`, or a user, by email. */
export interface Owned {
  readonly id: string
  readonly planning: {
    readonly owner:
      | { readonly organisation: { readonly unique_id: string } }
      | { readonly user: { readonly email: string } }
  }
}

type Service = Client["Service"]

/** The number of concurrent requests. */
const AT_ONCE = 8

/** Whether a transaction belongs to this connection. If the service does not state the owner, the key decides. */
const isOf = ({ owner: held, unique_id: key }: Transaction, { id, planning: { owner } }: Owned): boolean => {
  if (key?.startsWith(`${id}/invoice/`) !== true) return false
  if (held === null || typeof held !== "object") return true
  const { email, unique_id } = held as Readonly<Record<string, unknown>>
  return "user" in owner ? email === owner.user.email : unique_id === owner.organisation.unique_id
}

const signed = ({ kind, shares = [] }: PlainDocument, invoice: string): bigint => {
  const amount = shares.reduce((sum, share) => (share.invoice === invoice ? sum + share.amount : sum), 0n)
  return kind === "payment" ? amount : -amount
}

/**
 * Assigns the payments in the list to facts of the source if amounts and days are the same. Between two identical ones the
 * assignment does not matter. Otherwise the payments are read one by one.
 */
const alike = (
  { facts, id: invoice }: { readonly facts: ReadonlyMap<string, PlainDocument>; readonly id: string | undefined },
  listed: Transaction["payments"]
): PlainTransaction["payments"] | undefined => {
  if (listed === undefined || listed === null || invoice === undefined) return undefined
  const left = [...facts].flatMap(([fact, one]) =>
    one.kind === "credit_note" ? [] : [{ details: fact, amount: signed(one, invoice), date: one.date }]
  )
  const all = left.map(({ amount, date, details }) => ({ details, amount: Decimal.format(amount), day: date }))
  if (left.length !== listed.length) return undefined
  for (const { amount, date } of listed) {
    const at = left.findIndex((one) => one.amount === amount && one.date === date?.slice(0, 10))
    const [found] = at < 0 ? [] : left.splice(at, 1)
    if (found === undefined) return undefined
  }
  return all
}

/** Reads every transaction of these connections. Returns how many there are, and how many others. */
export const transactions = (
  notes: Notes,
  client: Service,
  connections: ReadonlyArray<Owned>,
  onProgress: (read: number) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<{ readonly transactions: number; readonly others: number }, ServiceError> => {
  const figures = { transactions: 0, others: 0 }
  const asked = (params: { readonly transaction_id: Transaction["id"] }) =>
    pages((query) => client.transactions.listPayments({ params, query })).pipe(
      Stream.map(({ amount, date, details }) => ({
        amount: Decimal.format(amount),
        day: date ?? undefined,
        details: details ?? ""
      })),
      Stream.runCollect
    )
  const note = (transaction: Transaction, payments: PlainTransaction["payments"]): void => {
    const { currency, due_date, gross_amount: gross, id, issue_date, net_amount: net, status } = transaction
    const due = Decimal.format(gross ?? net ?? 0n)
    const days = { issuedOn: issue_date ?? undefined, dueOn: due_date ?? undefined }
    const unique_id = transaction.unique_id ?? ""
    notes.transaction({ id, unique_id, status, currency: currency ?? "", due, ...days, payments })
    figures.transactions++
  }
  /** Notes those of a part whose payments are known, and returns the others. */
  const noted = (some: ReadonlyArray<Transaction>): ReadonlyArray<Transaction> =>
    notes.together(() => {
      const paid = some.flatMap(({ payments, unique_id: key }) => (key && payments?.length !== 0 ? [key] : []))
      const [ids, facts] = [notes.idsOf(paid), notes.factsOfAll(paid)]
      return some.filter((transaction) => {
        const { payments: listed, unique_id: key } = transaction
        if (key === null || key === undefined || !connections.some((connection) => isOf(transaction, connection))) {
          figures.others++
          return false
        }
        const payments = listed?.length === 0 ? [] : alike({ facts: facts(key), id: ids.get(key) }, listed)
        if (payments !== undefined) note(transaction, payments)
        return payments === undefined
      })
    })
  const one = (transaction: Transaction) =>
    Effect.map(asked({ transaction_id: transaction.id }), (payments) => note(transaction, payments))
  return parts((query) => client.transactions.list({ query: { ...query, expand: "owner" } })).pipe(
    Stream.runForEach((some) =>
      Effect.suspend(() => Effect.forEach(noted(some), one, { concurrency: AT_ONCE, discard: true })).pipe(
        Effect.andThen(Effect.suspend(() => onProgress(figures.transactions)))
      )
    ),
    Effect.map(() => figures)
  )
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const orNothing = <A>(read: Effect.Effect<A, ServiceError>): Effect.Effect<A | undefined, ServiceError> =>
  Effect.catch(read, (error) => (error.reason._tag === "NotFound" ? Effect.succeed(undefined) : Effect.fail(error)))

/** The deferred payments of the service's orders, by reference: for orders without an identifier of the service. */
export const references = (notes: Notes, client: Service): Effect.Effect<void, ServiceError> =>
  pages((query) => client.orders.list({ query })).pipe(
    Stream.runForEach(({ deferred_payment, unique_id }) =>
      Effect.sync(() => {
        const [reference, payment] = [text(unique_id), text(deferred_payment)]
        if (reference !== undefined && payment !== undefined) notes.serviceOrder(reference, payment)
      })
    )
  )

/** Whole minor units; a fraction, which no service should have, counts as one more. */
const whole = (amount: Decimal.Decimal | undefined = 0n): bigint => {
  const unit = 10n ** BigInt(Decimal.DECIMAL_PLACES)
  return amount / unit + (amount % unit === 0n ? 0n : 1n)
}

const plain = (payment: DeferredPayment, { currency = "" }: PlainDocument): PlainPayment => ({
  id: payment.id,
  currency: payment.currency ?? currency,
  open: whole(payment.authorisation),
  captured: whole((payment.protected_captures ?? 0n) + (payment.unprotected_captures ?? 0n)),
  voided: whole(payment.voided_authorisation),
  expired: whole(payment.expired_authorisation),
  refunded: whole(payment.refunds)
})

/** The deferred payment of an order, or why there is none. */
export const paymentOf = (
  notes: Notes,
  client: Service,
  order: PlainDocument
): Effect.Effect<PlainPayment | string, ServiceError> =>
  Effect.gen(function* () {
    const { deferredPayment, number = "", serviceOrder } = order
    let id = deferredPayment
    if (id === undefined && serviceOrder !== undefined) {
      const found = yield* orNothing(client.orders.get({ params: { order_id: serviceOrder as OrderId }, query: {} }))
      if (found === undefined) return `the service has no order ${serviceOrder}`
      id = text(found.deferred_payment)
      if (id === undefined) return "its order on the service has no deferred payment"
    }
    if (id === undefined) {
      const [first, ...more] = notes.paymentsOf(number)
      if (first === undefined) return `the service has no deferred payment for the reference ${number}`
      if (more.length > 0) return `the service has several deferred payments for the reference ${number}`
      id = first
    }
    const all: Array<PlainPayment> = []
    for (const one of id.split(/[\s,;]+/)) {
      if (!one.startsWith("defpay-")) return `it carries ${one}, which is not the identifier of a deferred payment`
      const params = { deferred_payment_id: one as DeferredPaymentId }
      const found = yield* orNothing(client.deferredPayments.get({ params, query: {} }))
      if (found === undefined) return `the service has no deferred payment ${one}`
      all.push(plain(found, order))
    }
    return all.reduce((sum, one) => ({
      id,
      currency: one.currency,
      open: sum.open + one.open,
      captured: sum.captured + one.captured,
      voided: sum.voided + one.voided,
      expired: (sum.expired ?? 0n) + (one.expired ?? 0n),
      refunded: sum.refunded + one.refunded
    }))
  })
