/** Reads Stripe's lists, by cursor, with a hundred records per page, newest first. */
import { Effect, Option, Stream } from "effect"
import type { HttpClient } from "effect/http"
import type { SourceError } from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { idOf } from "./Mapping.ts"

export const limits = { perMinute: 4800, atOnce: 8, page: 100 }

export type Read<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

interface Listed {
  readonly records: ReadonlyArray<unknown>
  readonly last: string | undefined
}

/** Makes answers include an invoice's first payments. */
export const EXPANDED = { "expand[]": "data.payments" }

/** Stops when a page has nothing new, in case a list repeats its last page forever. */
export const listing = (http: Http.Http, path: string, query: Http.Query, after?: string) =>
  Stream.paginate({ after, seen: new Set<string>() }, ({ after, seen }) =>
    Effect.gen(function* () {
      const answer = yield* http.get(path, { ...query, limit: limits.page, starting_after: after })
      const all = yield* Http.records("stripe", path, answer, "data")
      const fields = new Json.Fields(Json.isObject(answer.body) ? answer.body : {})
      const { news, records } = Json.unseen(all, "id", seen)
      const last = idOf(all.findLast((one) => idOf(one) !== undefined)) ?? after
      const more = fields.get("has_more") === true && news
      const listed: Listed = { records, last }
      return [[listed], more ? Option.some({ after: last, seen }) : Option.none()] as const
    })
  )

/** @param pages the most pages to read */
export const collect = (
  http: Http.Http,
  path: string,
  query: Http.Query,
  pages = Number.POSITIVE_INFINITY
): Read<ReadonlyArray<unknown>> =>
  Effect.map(Stream.runCollect(Stream.take(listing(http, path, query), pages)), (all) =>
    all.flatMap(({ records }) => records)
  )

/**
 * The invoices that a payment intent pays. Stripe cannot list them for a charge; a charge without a payment intent belongs to
 * a single invoice from before March 2019.
 */
export const paymentsBy = (http: Http.Http, intent: string, more: Http.Query = {}) =>
  collect(http, "/v1/invoice_payments", {
    "payment[type]": "payment_intent",
    "payment[payment_intent]": intent,
    ...more
  })

/** Reads a record by id; undefined if Stripe does not have it. */
export const one = (http: Http.Http, list: string, id: string, query: Http.Query = {}) => {
  const path = `/v1/${list}/${Http.segment(id)}`
  return Effect.flatMap(http.get(path, query), (answer) => Http.record("stripe", path, answer))
}

export const fieldsOf = (record: unknown): Json.Fields => new Json.Fields(Json.isObject(record) ? record : {})

/** Splits an invoice into itself and its payments; requests the rest of the payments if the answer does not have all. */
export const paymentsOf = (
  http: Http.Http,
  invoice: Json.Members
): Read<{ readonly invoice: Json.Members; readonly payments: ReadonlyArray<unknown> }> => {
  const { payments, ...rest } = invoice
  const inline = fieldsOf(payments)
  const data = inline.get("data")
  if (Array.isArray(data) && inline.get("has_more") !== true) {
    return Effect.succeed({ invoice: rest, payments: data })
  }
  const id = idOf(invoice)
  return id === undefined
    ? Effect.succeed({ invoice: rest, payments: [] })
    : Effect.map(collect(http, "/v1/invoice_payments", { invoice: id }), (all) => ({ invoice: rest, payments: all }))
}

/** How a payment was made. A refund or dispute with the same value belongs to it. */
export const wayOf = (payment: unknown) => {
  const fields = fieldsOf(payment)
  return {
    isPaid: fields.get("status") === "paid",
    intent: idOf(fields.get("payment.payment_intent")),
    charge: idOf(fields.get("payment.charge"))
  }
}
