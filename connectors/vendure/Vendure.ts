/**
 * Vendure, over its Admin API: placed orders with what left, what was taken off them, and what was given back.
 *
 * An order's own time moves with few of these, not even with its being placed (Vendure writes it back with each change of
 * state): orders that were placed within half a year are looked through for the times of what belongs to them.
 */
import { Schema } from "effect"
import * as GraphQL from "../GraphQL.ts"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"
import * as Question from "./Question.ts"

const Settings = Schema.Struct({
  /** Where it runs, `https://shop.example`; its Admin API is at `/admin-api` there. */
  url: Http.Url,
  key: Rest.secret("VENDURE_KEY"),
  /** The token of a channel; the default channel unless given. */
  channel: Schema.optionalKey(Schema.NonEmptyString),
  /** Where an order carries the identifier of its deferred payment: `transactionId` of its payment, or `customFields.NAME`. */
  deferred_payment: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(transactionId|customFields\.[A-Za-z_]\w*)$/, {
        message: "must be transactionId or customFields.NAME"
      })
    )
  ),
  /** The code of the payment method whose transaction that is; the first payment unless given. */
  payment_method: Schema.optionalKey(Schema.NonEmptyString),
  /** What the shop's own states of orders come to. */
  states: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** The shop's own states of parcels that have left. */
  shipped: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Places of its amounts, where the shop has a strategy of its own for money; 2 unless given, whatever the currency. */
  precision: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })))
})
type Settings = typeof Settings.Type

const HALF_A_YEAR = 180 * 86_400

/** Members of `data.orders`, in the order of ids. */
const orders = {
  path: "/admin-api",
  records: "data.orders.items",
  pagination: { by: "offset", param: "skip", total: "data.orders.totalItems" }
} as const

const question = (query: Http.Query, settings: Settings) => Question.orders(query, settings.deferred_payment)

export const vendure = Rest.make({
  name: "vendure",
  title: "Vendure (3.6 and later): orders with fulfilments, cancellations and returns",
  settings: Settings,
  identity: ({ channel, url }: Settings) =>
    `shop ${new URL(url).host}${channel === undefined ? "" : `, channel ${channel}`}`,
  kinds: ["order", "fulfilment", "cancellation", "return"],
  deletions: "status",
  blindSpots: [
    "a refund, a parcel or a modification of an order that was placed more than 180 days ago: seen when it is read again by id",
    "a state that the shop changes while nothing else happens: the same"
  ],
  limits: { atOnce: 2 },
  overlapSeconds: 300,
  base: ({ url }) => url,
  authorise: { by: "key", variables: ({ key }: Settings) => [key.env], headers: (key) => ({ "vendure-api-key": key }) },
  headers: ({ channel }): Readonly<Record<string, string>> =>
    channel === undefined ? {} : { "vendure-token": channel },
  inspect: GraphQL.inspect("give the key's role the permissions ReadOrder and ReadCustomer"),
  lists: [
    {
      ...orders,
      name: "orders",
      kind: "order",
      question,
      size: { most: 100, param: "take" },
      changes: { since: "updated", inclusive: false },
      decode: (settings) => Mapping.order(settings),
      one: {
        path: orders.path,
        records: orders.records,
        question: (id, settings: Settings) => question({ id, take: 1 }, settings)
      }
    },
    {
      ...orders,
      name: "activity",
      kind: "return",
      reads: "changes",
      question: Question.times,
      size: { most: 500, param: "take" },
      changes: { since: "placed", inclusive: false, look: { back: HALF_A_YEAR, times: Question.timesOf } },
      of: { list: "orders", by: "id" },
      decode: (settings) => Mapping.order(settings)
    }
  ]
})
