/**
 * BigCommerce: reads orders, shipments, cancellations and returns. Changed orders are read in the order of their ids, with
 * their shipments and refunds; archived orders and new refunds have lists of their own.
 */
import { Schema } from "effect"
import { captureOf, onceComplete } from "../CaptureTrigger.ts"
import * as Http from "../Http.ts"
import type * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Shop from "../Shop.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The store's hash, part of its API's path: `abc123` in `https://api.bigcommerce.com/stores/abc123/v3/`. */
  store: Schema.NonEmptyString,
  token: Rest.secret("BIGCOMMERCE_TOKEN"),
  /** The member of an order that holds its deferred-payment id. */
  deferred_payment: Schema.optionalKey(Schema.Literals(["external_order_id", "payment_provider_id", "external_id"])),
  /** The payment methods (`payment_method`) that are the deferred payment; by default every order's own. */
  method: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What makes an amount due: a shipment (the default), or the order being complete. */
  capture: captureOf("BigCommerce", ["shipment", "complete"], "it has no invoices of its own"),
  /** Replaces BigCommerce's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const include = { include: "consignments.line_items,fees", consignment_structure: "object" }
const refunds = {
  path: "/v3/orders/payment_actions/refunds",
  records: "data",
  size: { most: 50, param: "limit" },
  pagination: { by: "page", param: "page", total: "meta.pagination.total", pages: "meta.pagination.total_pages" }
} as const

const orders = {
  kind: "order",
  path: "/v2/orders",
  size: { most: 50, param: "limit" },
  pagination: { by: "last id", param: "min_id", inclusive: "numbers" },
  changes: { since: "min_date_modified", inclusive: false },
  decode: ({ capture, deferred_payment, method }: Settings) => {
    const order = Mapping.order({ carried: deferred_payment, methods: method })
    return capture === "complete"
      ? (fields: Json.Fields) => onceComplete(order(fields), Mapping.isComplete(fields))
      : order
  },
  children: {
    refunds: { ...refunds, by: "ids", param: "order_id:in", key: "order_id" },
    shipments: {
      by: "each",
      path: "/v2/orders/{id}/shipments",
      size: { most: 250, param: "limit" },
      pagination: { by: "page", param: "page", keeps: "an order has few, and one that is deleted changes the order" },
      expects: (order) => Number(order.maybe("items_shipped") ?? 0),
      counts: (shipment) => shipment.list("items").reduce((sum, item) => sum + Number(item.maybe("quantity") ?? 0), 0)
    }
  }
} satisfies Partial<Rest.Root<Settings>>

export const bigcommerce = Rest.make({
  name: "bigcommerce",
  title: "BigCommerce: orders as they stand, with their fulfilments",
  settings: Settings,
  identity: ({ store }: Settings) => `store ${store}`,
  page: ({ store }: Settings, kind, id) =>
    Shop.page(`https://store-${store}.mybigcommerce.com`, kind, `manage/orders/${id}`),
  kinds: ["order", "fulfilment"],
  deletions: "status",
  blindSpots: [
    "a shipment that is edited: seen with the order's next change, or when it is read again by id",
    "a refund payment that is declined later: the same"
  ],
  limits: { perMinute: 300, atOnce: 4, by: "account" },
  overlapSeconds: 300,
  base: ({ store, url }) => `${url ?? "https://api.bigcommerce.com"}/stores/${Http.segment(store)}`,
  authorise: { by: "key", variables: ({ token }) => [token.env], headers: (key) => ({ "x-auth-token": key }) },
  said: ["title"],
  lists: [
    {
      ...orders,
      name: "orders",
      query: { ...include, sort: "id:asc" },
      one: { path: "/v2/orders/{id}", query: include }
    },
    { ...orders, name: "archived", reads: "changes", query: { ...include, sort: "id:asc", is_deleted: "true" } },
    {
      ...refunds,
      name: "refunds",
      kind: "order",
      reads: "changes",
      changes: { since: "created:min", inclusive: false },
      of: { list: "orders", by: "order_id" },
      decode: orders.decode
    }
  ]
})
