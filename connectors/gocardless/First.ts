/**
 * Reads everything from GoCardless for the first time, by listing full pages and joining them here. It first reads refunds,
 * mandates and customers, and the events of failures, chargebacks and new attempts; a payment without such an event is
 * mapped by its status. Changes made meanwhile are among the events that are read afterwards.
 */
import { Effect, Stream } from "effect"
import { add, type ByName, type Read } from "../Cursors.ts"
import type * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { collect, eventsOf, idOf, limits, listing } from "./Lists.ts"
import { everyPayout } from "./Payouts.ts"
import { decoded, isReturned, payerOf, type Source } from "./Histories.ts"
import * as Mapping from "./Mapping.ts"
import type { Names } from "./Names.ts"

/** For up to this many payments and refunds, events are requested one by one; for more, all events are listed. */
const FEW = 10

interface Sides {
  /** By payment. */
  readonly refunds: ByName
  /** Payments that have other events than their confirmation. */
  readonly troubled: ReadonlySet<string>
  /** Refunds that could not be joined with a payment. */
  readonly strays: Json.Batch
}

/** @param pages the most pages to read of each list, for a preview */
const sidesOf = (http: Http.Http, names: Names, pages: number | undefined): Read<Sides> =>
  Effect.gen(function* () {
    const troubles = Mapping.TROUBLES.map((action) =>
      collect(http, "events", { resource_type: "payments", action }, pages)
    )
    const [back = [], , ...events] = yield* Effect.all(
      [collect(http, "refunds", {}, pages), Effect.as(names.all(pages), []), ...troubles],
      { concurrency: limits.atOnce }
    )
    const refunds: ByName = new Map()
    const strays = Json.batch()
    for (const refund of back) {
      const payment = idOf(refund, "links.payment")
      if (payment !== undefined && Json.isObject(refund)) add(refunds, payment, refund)
      else {
        const decode = Json.refuse("links.payment", "names no payment that the refund is of")
        Json.decodeAll(strays, [refund], { name: "refunds", kind: "reversal", id: "id", decode })
      }
    }
    const troubled = new Set(events.flat().flatMap((event) => idOf(event, "links.payment") ?? []))
    return { refunds, troubled, strays }
  })

/** Returns events by payment or refund: requested one by one, or, for many, from one list of all events. */
const telling = (
  http: Http.Http,
  resource: "payment" | "refund",
  isWanted: (id: string) => boolean,
  isPreview: boolean
) => {
  const known: ByName = new Map()
  let isListed = false
  const list = Effect.map(collect(http, "events", { resource_type: `${resource}s` }), (events) => {
    isListed = true
    known.clear()
    for (const event of [...events].reverse()) {
      const id = idOf(event, `links.${resource}`)
      if (id !== undefined && isWanted(id)) add(known, id, event)
    }
  })
  return (ids: ReadonlyArray<string>): Read<ByName> =>
    Effect.gen(function* () {
      if (!isListed && !isPreview && known.size + ids.filter((id) => !known.has(id)).length > FEW) yield* list
      const unknown = ids.filter((id) => !known.has(id))
      const found = yield* Effect.forEach(unknown, (id) => eventsOf(http, { [resource]: id }), {
        concurrency: limits.atOnce
      })
      for (const [n, id] of unknown.entries()) known.set(id, found[n] ?? [])
      return known
    })
}

/** Refunds whose money was returned. */
const returnedOf = (refunds: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  refunds.filter(isReturned).flatMap((refund) => idOf(refund) ?? [])

/** Reads pages of payments and joins them with their events, refunds and payers. */
const joining = (http: Http.Http, names: Names, { refunds, troubled }: Sides, isPreview: boolean) => {
  const returned = new Set(returnedOf([...refunds.values()].flat()))
  const ofPayments = telling(http, "payment", (id) => troubled.has(id), isPreview)
  const ofRefunds = telling(http, "refund", (id) => returned.has(id), isPreview)
  return (payments: ReadonlyArray<unknown>): Read<ReadonlyArray<Mapping.History>> =>
    Effect.gen(function* () {
      const ids = payments.flatMap((payment) => idOf(payment) ?? [])
      const events = yield* ofPayments(ids.filter((id) => troubled.has(id)))
      const back = yield* ofRefunds(ids.flatMap((id) => returnedOf(refunds.get(id) ?? [])))
      return payments.map((payment): Mapping.History => {
        const id = idOf(payment)
        const its = (id === undefined ? undefined : refunds.get(id)) ?? []
        return {
          id,
          payment,
          events: (id === undefined ? undefined : events.get(id)) ?? [],
          refunds: its,
          refund_events: returnedOf(its).flatMap((refund) => back.get(refund) ?? []),
          ...payerOf(names, payment)
        }
      })
    })
}

/**
 * Reads every payment after this cursor, page by page, with the cursor after each page; then the payouts.
 *
 * @param wanted the number of records of each list that a preview needs
 */
export const everything = ({ http, invoice, names }: Source, after: string | undefined, wanted: number | undefined) =>
  Stream.unwrap(
    Effect.map(sidesOf(http, names, wanted === undefined ? undefined : Math.ceil(wanted / limits.page)), (sides) => {
      const joined = joining(http, names, sides, wanted !== undefined)
      const pages = Stream.mapEffect(listing(http, "payments", {}, after), ({ next, records }) =>
        Effect.map(joined(records), (histories) => ({ into: decoded(histories, invoice), next }))
      )
      let reached = after
      const payments = Stream.tap(pages, ({ next }) => Effect.sync(() => void (reached = next)))
      const payouts = Stream.suspend(() => Stream.map(everyPayout(http, wanted), (into) => ({ into, next: reached })))
      return Stream.concat(Stream.make({ into: sides.strays, next: after }), Stream.concat(payments, payouts))
    })
  )
