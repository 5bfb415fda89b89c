/**
 * WooCommerce: reads orders with their parcels and refunds over the REST API.
 *
 * Orders are read in the order of their ids. In some versions an order does not list its refunds: the first pull joins the
 * list of all refunds, which exists since version 9, and later pulls request each order's own. New refunds are read as well,
 * because they do not always count as a change of their order.
 */
import { Schema } from "effect"
import * as Day from "../../core/wire/Day.ts"
import { captureOf, onceComplete } from "../CaptureTrigger.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Shop from "../Shop.ts"
import * as Mapping from "./Mapping.ts"
import { webhook } from "./Webhook.ts"

const Settings = Schema.Struct({
  /** The shop's address: `https://shop.example`. */
  url: Http.Url,
  /** Environment variables with the consumer key and its secret; read permission is enough. */
  key: Rest.secret("WOOCOMMERCE_KEY"),
  secret: Rest.secret("WOOCOMMERCE_SECRET"),
  /** The metadata in which orders hold their deferred-payment id; `deferred_payment` by default. */
  deferred_payment: Schema.optionalKey(Schema.NonEmptyString),
  /** The payment methods (`payment_method`) that are the deferred payment; by default every order's own. */
  method: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Statuses in which everything has left; `completed` by default. */
  shipped: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What makes an amount due: a shipment (the default), or the order being complete. */
  capture: captureOf("WooCommerce", ["shipment", "complete"], "it has no invoices of its own"),
  /** Maps the shop's own statuses; WooCommerce's statuses are built in. */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** The metadata in which a plugin stores parcels; `_wc_shipment_tracking_items` by default. */
  parcels: Schema.optionalKey(Schema.NonEmptyString),
  /** Reads buyers and addresses as well, for orders that are to be created on the service. */
  buyers: Schema.optionalKey(
    Schema.Struct({
      /** The metadata in which checkout stores the service's id for the company; `company` by default. */
      company: Schema.optionalKey(Schema.NonEmptyString)
    })
  ),
  /** The first pull skips orders that last changed before this day. */
  since: Schema.optionalKey(Day.Day)
})
type Settings = typeof Settings.Type

const list = (path: string) =>
  ({
    path: `/wp-json/wc/v3/${path}`,
    query: { orderby: "id", order: "asc" },
    size: { most: 100, param: "per_page" },
    pagination: { by: "page", param: "page", total: "header:x-wp-total", pages: "header:x-wp-totalpages" }
  }) as const

/** Changes since a time. WooCommerce reads times without a zone, and takes them for the shop's own if not told otherwise. */
const since = (param: string) =>
  ({
    since: (at: string) => ({ [param]: at, dates_are_gmt: "true" }),
    format: (millis: number) => new Date(millis).toISOString().slice(0, 19),
    inclusive: false
  }) as const

const decode = (settings: Settings) => {
  const order = Mapping.order({
    carried: settings.deferred_payment ?? "deferred_payment",
    methods: settings.method,
    shipped: settings.shipped ?? ["completed"],
    statuses: settings.statuses ?? {},
    company: settings.buyers === undefined ? undefined : (settings.buyers.company ?? "company"),
    parcels: settings.parcels ?? "_wc_shipment_tracking_items"
  })
  return settings.capture === "complete" ? (fields: Json.Fields) => onceComplete(order(fields)) : order
}

const NOT_THERE = "check url; in WordPress, permalinks must be other than plain, and WooCommerce active"
const NOT_ALLOWED =
  "make a key with the permission to read for a manager of the shop (WooCommerce, Settings, Advanced, REST API); if it is right, the host drops the header Authorization: ask it to pass that on"

const explain: Http.Options["explain"] = (status, body) => {
  if (status === 404) return { hint: NOT_THERE }
  const isKept = Json.isObject(body) && body["code"] === "woocommerce_rest_cannot_view"
  return status === 403 || isKept ? { hint: NOT_ALLOWED } : {}
}

export const woocommerce = Rest.make({
  ...Shop.declared,
  name: "woocommerce",
  title: "WooCommerce: orders as they stand, with their fulfilments",
  settings: Settings,
  identity: ({ url }: Settings) => `shop ${new URL(url).host}${new URL(url).pathname.replace(/(?<!\/)\/+$/, "")}`,
  page: ({ url }: Settings, kind, id) => Shop.page(url, kind, `wp-admin/post.php?post=${id}&action=edit`),
  blindSpots: [
    "edits of metadata alone, and of lines in some versions: WooCommerce does not mark them as a change",
    "refunds that gateways made, before WooCommerce 9",
    "orders in the trash: seen when they are read again by id",
    "a refund that was deleted: seen with the order's next change, or when it is read again by id"
  ],
  authorise: {
    by: "key",
    variables: ({ key, secret }: Settings) => [key.env, secret.env],
    headers: (key, secret) => ({ authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}` })
  },
  said: ["message"],
  explain,
  lists: [
    {
      ...list("orders"),
      name: "orders",
      kind: "order",
      query: { ...list("orders").query, status: "any" },
      changes: since("modified_after"),
      from: (settings) => (settings.since === undefined ? undefined : `${settings.since}T00:00:00`),
      decode,
      one: { path: "/wp-json/wc/v3/orders/{id}" },
      // Orders in the trash are not listed, nor those with a hidden status: they are then requested one by one.
      several: (ids) => ({ include: ids.filter((id) => /^\d+$/.test(id)).join(",") }),
      children: {
        returns: {
          ...list("orders/{id}/refunds"),
          by: "each",
          expects: "unknown",
          all: { ...list("refunds"), key: "parent_id", names: "refunds" }
        }
      }
    },
    {
      ...list("refunds"),
      name: "refunds",
      kind: "order",
      reads: "changes",
      missing: "none",
      changes: since("after"),
      of: { list: "orders", by: "parent_id" },
      decode
    }
  ],
  webhook
})
