/** Reads Stripe's lists, by cursor, with a hundred records per page, newest first. */
import { Effect } from "effect"
import * as Cursors from "../Cursors.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { idOf } from "./Mapping.ts"

/** Stripe's lists, and the days of the account's time zone, if that is known. */
export interface Api extends Http.Http {
  readonly dayOf: Json.DayOf | undefined
}

export const limits = { perMinute: 4800, atOnce: 8, by: "key", page: 100 } as const

/** Makes answers include an invoice's first payments. */
export const EXPANDED = { "expand[]": "data.payments" }

export const { collect, listing } = Cursors.make({
  connector: "stripe",
  size: limits.page,
  param: "starting_after",
  pathOf: (path) => path,
  memberOf: () => "data",
  turn: ({ after, all, body, news }) => ({
    next: idOf(all.findLast((one) => idOf(one) !== undefined)) ?? after,
    more: body.get("has_more") === true && news
  })
})

/**
 * The invoices that a payment intent pays. Stripe cannot list them for a charge; a charge without a payment intent belongs to
 * a single invoice from before March 2019.
 */
export const paymentsBy = (http: Api, intent: string, more: Http.Query = {}) =>
  collect(http, "/v1/invoice_payments", {
    "payment[type]": "payment_intent",
    "payment[payment_intent]": intent,
    ...more
  })

/** Reads a record by id; undefined if Stripe does not have it. */
export const one = (http: Api, list: string, id: string, query: Http.Query = {}) => {
  const path = `/v1/${list}/${Http.segment(id)}`
  return Effect.flatMap(http.get(path, query), (answer) => Http.record("stripe", path, answer))
}

/** Splits an invoice into itself and its payments; requests the rest of the payments if the answer does not have all. */
export const paymentsOf = (
  http: Api,
  invoice: Json.Members
): Cursors.Read<{ readonly invoice: Json.Members; readonly payments: ReadonlyArray<unknown> }> => {
  const { payments, ...rest } = invoice
  const inline = Json.fieldsOf(payments)
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
  const fields = Json.fieldsOf(payment)
  return {
    isPaid: fields.get("status") === "paid",
    intent: idOf(fields.get("payment.payment_intent")),
    charge: idOf(fields.get("payment.charge"))
  }
}
