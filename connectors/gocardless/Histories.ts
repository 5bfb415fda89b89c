/** Reads payments by id, each with its events and refunds; used after events and for webhooks. */
import { Array as Arr, Effect } from "effect"
import type * as Connector from "../Connector.ts"
import type { Read } from "../Cursors.ts"
import type * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { collect, eventsOf, idOf, limits, one } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"
import type { Names } from "./Names.ts"

/** Payments per page when reading by id. */
const CHUNK = 100

/** What reading payments needs within one run. */
export interface Source {
  readonly http: Http.Http
  readonly names: Names
  /** The member of a payment that names its invoice. */
  readonly invoice: string
}

export const decoded = (histories: ReadonlyArray<Mapping.History>, invoice: string): Json.Batch => {
  const into = Json.batch()
  Json.decodeAll(into, histories, { name: "payments", kind: "payment", id: "id", decode: Mapping.payment(invoice) })
  return into
}

/** Requests refunds: all of a payment, or one. */
type Refunds = (http: Http.Http, payment: string) => Read<ReadonlyArray<unknown>>

const all: Refunds = (http, payment) => collect(http, "refunds", { payment })
/** For payments whose refunds have events of their own. */
export const none: Refunds = () => Effect.succeed([])

/** Whether the refund's money was returned. */
export const isReturned = (refund: unknown): boolean => Mapping.RETURNED.includes(idOf(refund, "status") ?? "")

const returns = (http: Http.Http, refunds: ReadonlyArray<unknown>) =>
  Effect.map(
    Effect.forEach(refunds, (refund) => {
      const id = idOf(refund)
      return id !== undefined && isReturned(refund) ? eventsOf(http, { refund: id }) : Effect.succeed([])
    }),
    (found) => found.flat()
  )

const mandateOf = (payment: unknown) => Json.nameOf(Json.fieldsOf(payment).get("links.mandate"))

/** The payer of a payment, if the names were looked up. */
export const payerOf = (names: Names, payment: unknown): Pick<Mapping.History, "customer"> => {
  const mandate = mandateOf(payment)
  const customer = mandate === undefined ? undefined : names.of(mandate)
  return customer === undefined ? {} : { customer }
}

const histories = (
  { http, names }: Source,
  ids: ReadonlyArray<string>,
  refundsOf: Refunds,
  known: ReadonlyMap<string, Json.Members>
) =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(ids, (id) => history(http, id, refundsOf, known), {
      concurrency: limits.atOnce
    })
    const all = found.filter((one) => one !== undefined)
    yield* names.learn(all.filter(Mapping.isMoney).flatMap(({ payment }) => mandateOf(payment) ?? []))
    return all.map((one): Mapping.History => ({ ...one, ...payerOf(names, one.payment) }))
  })

/** Reads a payment with its events and refunds; undefined if it does not exist. */
const history = (
  http: Http.Http,
  asked: string,
  refundsOf: Refunds,
  known: ReadonlyMap<string, Json.Members>
): Read<Mapping.History | undefined> =>
  Effect.gen(function* () {
    const payment = known.get(asked) ?? (yield* one(http, "payments", asked))
    if (payment === undefined) return undefined
    const id = idOf(payment)
    if (id === undefined) return { id, payment, events: [], refunds: [] }
    const events = yield* eventsOf(http, { payment: id })
    const refunds = yield* refundsOf(http, id)
    return { id, payment, events, refunds, refund_events: yield* returns(http, refunds) }
  })

/**
 * Reads these payments again, one page at a time, each with all its events and refunds.
 *
 * @param known payments that need not be requested
 */
export const wholes = (
  source: Source,
  ids: Iterable<string>,
  refundsOf = all,
  known: ReadonlyMap<string, Json.Members> = new Map()
): ReadonlyArray<Read<Connector.PageContents>> =>
  Arr.chunksOf(ids, CHUNK).map((chunk) =>
    Effect.map(histories(source, chunk, refundsOf, known), (found) => decoded(found, source.invoice))
  )

/** The payment that a refund belongs to. */
export const paymentOf = (http: Http.Http, refund: string): Read<string | undefined> =>
  Effect.map(one(http, "refunds", refund), (found) => {
    const its = Json.fieldsOf(found).get("links.payment")
    return typeof its === "string" ? its : undefined
  })

/** Reads a refund with its payment; also the payer if the refund was returned, because that is a payment again. */
const refundHistory = (
  { http, names }: Source,
  id: string,
  paymentBy: (id: string) => Read<Json.Members | undefined>
) =>
  Effect.gen(function* () {
    const refund = yield* one(http, "refunds", id)
    const its = idOf(refund, "links.payment")
    const payment = its === undefined ? undefined : yield* paymentBy(its)
    if (payment === undefined) return []
    const refund_events = yield* returns(http, [refund])
    if (isReturned(refund)) yield* names.learn(Arr.fromNullishOr(mandateOf(payment)))
    const history: Mapping.History = {
      id,
      payment,
      events: [],
      refunds: [refund],
      refund_events,
      ...payerOf(names, payment)
    }
    return [history]
  })

/** Reads these refunds again, each as part of its payment. */
export const refunds = (source: Source, ids: Iterable<string>): ReadonlyArray<Read<Connector.PageContents>> =>
  Arr.chunksOf(ids, CHUNK).map((chunk) =>
    Effect.gen(function* () {
      const known = new Map<string, Read<Json.Members | undefined>>()
      const paymentBy = (id: string) =>
        Effect.flatMap(Effect.cached(one(source.http, "payments", id)), (cached) => {
          const first = known.get(id) ?? cached
          known.set(id, first)
          return first
        })
      const found = yield* Effect.forEach(chunk, (id) => refundHistory(source, id, paymentBy), {
        concurrency: limits.atOnce
      })
      const into = Json.batch()
      const decode = Mapping.refund(source.invoice)
      Json.decodeAll(into, found.flat(), { name: "refunds", kind: "reversal", id: "id", decode })
      return into
    })
  )
