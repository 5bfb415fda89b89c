/**
 * Medusa 2: reads orders with their parcels and payments, over the Admin API.
 *
 * A refund does not always update its order's time of change: for orders placed within the last half year, the times of refunds,
 * parcels and payments are checked as well.
 */
import { Schema } from "effect"
import { captureOf, onceComplete } from "../CaptureTrigger.ts"
import * as Http from "../Http.ts"
import type * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Shop from "../Shop.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The shop's address: `https://shop.example`. */
  url: Http.Url,
  key: Rest.secret("MEDUSA_KEY"),
  /** Where an order holds its deferred-payment id: `metadata.NAME`, or `payment.NAME` in a payment's data. */
  deferred_payment: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(metadata|payment)\.[^.]+$/, { message: "must be metadata.NAME or payment.NAME" })
    )
  ),
  /** The payment providers (`provider_id`) that are the deferred payment. */
  method: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What makes an amount due: a shipment (the default), or the order being complete. */
  capture: captureOf("Medusa", ["shipment", "complete"], "it has no invoices of its own")
})
type Settings = typeof Settings.Type

const decode = ({ capture, deferred_payment, method }: Settings) => {
  const order = Mapping.order({ carried: deferred_payment, methods: method })
  return capture === "complete" ? (fields: Json.Fields) => onceComplete(order(fields)) : order
}

const HALF_A_YEAR = 180 * 86_400

const FIELDS = [
  "id,display_id,custom_display_id,version,status,is_draft_order,currency_code,email,created_at,updated_at,canceled_at",
  "total,metadata,summary,*customer,*items,*items.detail,*shipping_methods,*shipping_methods.detail,*credit_lines",
  "*billing_address,*shipping_address,*fulfillments,*fulfillments.items,*fulfillments.labels,*returns",
  "*payment_collections,*payment_collections.payments,*payment_collections.payments.captures",
  "*payment_collections.payments.refunds,sales_channel_id"
].join(",")
const TIMES =
  "id,fulfillments.updated_at,payment_collections.payments.updated_at,payment_collections.payments.refunds.created_at"

/** The times of events that may not have updated the order's time of change. */
const timesOf = (order: Json.Fields): ReadonlyArray<string> => {
  const payments = order.list("payment_collections").flatMap((one) => one.list("payments"))
  const refunds = payments.flatMap((one) => one.list("refunds")).map((one) => one.text("created_at"))
  return [...refunds, ...[...payments, ...order.list("fulfillments")].map((one) => one.text("updated_at"))]
}

const orders = {
  path: "/admin/orders",
  records: "orders",
  pagination: { by: "last id", param: "id[$gt]" }
} as const

export const medusa = Rest.make({
  ...Shop.declared,
  name: "medusa",
  title: "Medusa (version 2): orders as they stand, with their fulfilments",
  settings: Settings,
  identity: ({ url }: Settings) => `shop ${new URL(url).host}`,
  page: ({ url }: Settings, kind, id) => Shop.page(url, kind, `app/orders/${id}`),
  blindSpots: [
    "a refund of an order that was placed more than 180 days ago: seen with the order's next change, or when it is read again by id"
  ],
  authorise: {
    by: "key",
    variables: ({ key }: Settings) => [key.env],
    headers: (key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` })
  },
  said: ["message"],
  lists: [
    {
      ...orders,
      name: "orders",
      kind: "order",
      query: { fields: FIELDS, order: "id" },
      size: { most: 100, param: "limit" },
      changes: { since: "updated_at[$gte]", inclusive: true },
      decode,
      one: { path: "/admin/orders/{id}", record: "order", query: { fields: FIELDS } }
    },
    {
      ...orders,
      name: "activity",
      kind: "order",
      reads: "changes",
      query: { fields: TIMES, order: "id" },
      size: { most: 500, param: "limit" },
      changes: { since: "created_at[$gte]", inclusive: true, look: { back: HALF_A_YEAR, times: timesOf } },
      of: { list: "orders", by: "id" },
      decode
    }
  ]
})
