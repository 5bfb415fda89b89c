/** Shopware 6: reads orders with their deliveries and payments, by an integration of the shop. */
import { Schema } from "effect"
import { captureOf, onceComplete } from "../CaptureTrigger.ts"
import * as Http from "../Http.ts"
import type * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Shop from "../Shop.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** Where the shop runs, like https://shop.example.com */
  url: Http.Url,
  client_id: Rest.secret("SHOPWARE_CLIENT_ID"),
  client_secret: Rest.secret("SHOPWARE_CLIENT_SECRET"),
  /** The custom field of an order, or of its payment, that holds its deferred-payment id. */
  deferred_payment: Schema.optionalKey(Schema.NonEmptyString),
  /** The technical names of the payment methods that are the deferred payment; by default the order's only one. */
  payment_method: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What makes an amount due: a shipment (the default), or the order being complete. */
  capture: captureOf("Shopware", ["shipment", "complete"], "its invoices are documents that do not say of which goods")
})
type Settings = typeof Settings.Type

const decode = (settings: Settings) => {
  const order = Mapping.order(settings)
  return settings.capture === "complete" ? (fields: Json.Fields) => onceComplete(order(fields)) : order
}

const named = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, {}]))
const associations = {
  ...named("currency", "lineItems", "orderCustomer", "stateMachineState"),
  billingAddress: { associations: named("country") },
  deliveries: { associations: named("positions", "shippingMethod", "stateMachineState") },
  transactions: {
    associations: {
      ...named("paymentMethod", "stateMachineState"),
      captures: {
        associations: { ...named("stateMachineState"), refunds: { associations: named("stateMachineState") } }
      }
    }
  }
}
/** A change of a delivery or a payment does not move the order's own time. */
const PARTS = ["", "deliveries.", "lineItems.", "transactions.", "transactions.captures.refunds."]
const TIMES = PARTS.flatMap((part) => [`${part}createdAt`, `${part}updatedAt`])

const search = { associations, "total-count-mode": 1 }

export const shopware = Rest.make({
  ...Shop.declared,
  name: "shopware",
  title: "Shopware 6: orders as they stand, with their fulfilments",
  settings: Settings,
  page: ({ url }: Settings, kind, id) => Shop.page(url, kind, `admin#/sw/order/detail/${id}`),
  blindSpots: ["an order that is deleted: seen when it is read again by id"],
  authorise: {
    by: "client",
    tokens: "/api/oauth/token",
    client: ({ client_id, client_secret }: Settings) => ({ id: client_id.env, secret: client_secret.env })
  },
  said: ["errors.0.detail", "errors.0.title"],
  lists: [
    {
      name: "orders",
      kind: "order",
      path: "/api/search/order",
      records: "data",
      size: { most: 100, param: "limit" },
      pagination: { by: "page", param: "page", total: "total" },
      question: ({ limit, page, since }) => ({
        ...search,
        ...{ limit: Number(limit), page: Number(page), sort: [{ field: "autoIncrement", order: "ASC" }] },
        filter: since === undefined ? [] : [Mapping.later(TIMES, String(since))]
      }),
      changes: { since: "since", inclusive: true },
      one: {
        path: "/api/search/order",
        question: (id) => ({ ...search, limit: 1, filter: [{ type: "equals", field: "id", value: id }] }),
        records: "data"
      },
      decode
    }
  ]
})
