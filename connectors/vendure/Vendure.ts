/**
 * Vendure: reads placed orders, with their parcels, cancellations and refunds, over the Admin API.
 *
 * Few of these update an order's own time of change; not even placing it does (Vendure writes the old time back with each
 * change of state). For orders placed within the last half year, the times of what belongs to them are checked as well.
 */
import { Schema } from "effect"
import { captureOf, onceComplete } from "../CaptureTrigger.ts"
import * as GraphQL from "../GraphQL.ts"
import * as Http from "../Http.ts"
import type * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Shop from "../Shop.ts"
import * as Mapping from "./Mapping.ts"
import * as Question from "./Question.ts"

const Settings = Schema.Struct({
  /** The shop's address, `https://shop.example`; its Admin API is at `/admin-api`. */
  url: Http.Url,
  key: Rest.secret("VENDURE_KEY"),
  /** A channel's token; the default channel if absent. */
  channel: Schema.optionalKey(Schema.NonEmptyString),
  /** Where an order holds its deferred-payment id: `transactionId` of its payment, or `customFields.NAME`. */
  deferred_payment: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(transactionId|customFields\.[A-Za-z_]\w*)$/, {
        message: "must be transactionId or customFields.NAME"
      })
    )
  ),
  /** The code of the payment method with that transaction; by default the first payment is used. */
  payment_method: Schema.optionalKey(Schema.NonEmptyString),
  /** Maps the shop's own order states. */
  states: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** The shop's own fulfilment states in which a parcel has left. */
  shipped: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Decimal places of amounts, for shops with their own money strategy; 2 by default, whatever the currency. */
  precision: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 }))),
  /** Whether refunds are asked where they went: from Vendure 3.8 on, yes (default); earlier ones do not know. */
  refund_destinations: Schema.optionalKey(Schema.Boolean),
  /** What makes an amount due: a shipment (the default), or the order being complete. */
  capture: captureOf("Vendure", ["shipment", "complete"], "it has no invoices of its own")
})
type Settings = typeof Settings.Type

const decode = (settings: Settings) => {
  const order = Mapping.order(settings)
  return settings.capture === "complete"
    ? (fields: Json.Fields) =>
        onceComplete(order(fields), ({ said, state }) => said !== "Shipped" && state?.end !== undefined)
    : order
}

const HALF_A_YEAR = 180 * 86_400

/** The list in `data.orders`, ordered by id. */
const orders = {
  path: "/admin-api",
  records: "data.orders.items",
  pagination: { by: "offset", param: "skip", total: "data.orders.totalItems" }
} as const

const question = (query: Http.Query, settings: Settings) => Question.orders(query, settings)

/** Without knowing where refunds went, money that became store credit would be given back to the buyer as well. */
const OLDER = {
  said: "this shop does not say where its refunds went, as Vendure does from 3.8 on",
  hint: "if it is older, and gives money back only by the payment that it came from, set refund_destinations to false"
}

export const vendure = Rest.make({
  ...Shop.declared,
  name: "vendure",
  title: "Vendure (3.6 and later): orders as they stand, with their fulfilments",
  settings: Settings,
  identity: ({ channel, url }: Settings) =>
    `shop ${new URL(url).host}${channel === undefined ? "" : `, channel ${channel}`}`,
  blindSpots: [
    "a refund, a parcel or a modification of an order that was placed more than 180 days ago: seen when it is read again by id",
    "a change of the order's state while nothing else happens: the same"
  ],
  authorise: { by: "key", variables: ({ key }: Settings) => [key.env], headers: (key) => ({ "vendure-api-key": key }) },
  headers: ({ channel }): Readonly<Record<string, string>> =>
    channel === undefined ? {} : { "vendure-token": channel },
  inspect: GraphQL.inspect("give the key's role the permissions ReadOrder and ReadCustomer"),
  explain: (_, body) =>
    /field "destination" on type "Refund"/.test(GraphQL.words(GraphQL.errorsOf(body))) ? OLDER : {},
  lists: [
    {
      ...orders,
      name: "orders",
      kind: "order",
      question,
      size: { most: 100, param: "take" },
      changes: { since: "updated", inclusive: false },
      decode,
      one: {
        path: orders.path,
        records: orders.records,
        question: (id, settings: Settings) => question({ id, take: 1 }, settings)
      }
    },
    {
      ...orders,
      name: "activity",
      kind: "order",
      reads: "changes",
      question: Question.times,
      size: { most: 500, param: "take" },
      changes: { since: "placed", inclusive: false, look: { back: HALF_A_YEAR, times: Question.timesOf } },
      of: { list: "orders", by: "id" },
      decode
    }
  ]
})
