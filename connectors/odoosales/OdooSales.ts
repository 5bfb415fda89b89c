/**
 * Odoo's sales orders, version 19 and later: reads orders with the transfers that left or came back, over the JSON-2 API. An
 * order comes whole, with lines and transfers; a change of any of them counts as a change of the order.
 */
import { Schema } from "effect"
import { captureOf, onceComplete } from "../CaptureTrigger.ts"
import type * as Http from "../Http.ts"
import type * as Json from "../Json.ts"
import * as Odoo from "../OdooJson.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  ...Odoo.fields,
  /** The field of an order that holds its deferred-payment id: `client_order_ref`, `x_deferred_payment`. */
  deferred_payment: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[a-z]\w*$/, { message: "must be the technical name of a field" }))
  ),
  /** What makes an amount due: a transfer to the customer (the default), an invoice, or the order being delivered in full. */
  capture: captureOf("Odoo", ["shipment", "invoice", "complete"], "")
})
type Settings = typeof Settings.Type

const CONFIRMED = [["state", "in", ["sale", "cancel"]]]

/** An order's own time does not change when a transfer is done. Later on, quotations are read too: an order may be one again. */
const changed = (since: unknown, capture: Settings["capture"]) =>
  Odoo.either(
    ...["write_date", "order_line.write_date", "picking_ids.write_date", "picking_ids.move_ids.write_date"].map(
      (field) => [field, ">=", since]
    ),
    ...(capture === "invoice" ? ["write_date", "move_id.write_date"] : []).map((field) => [
      `order_line.invoice_lines.${field}`,
      ">=",
      since
    ])
  )

const question = (query: Http.Query, { capture, deferred_payment }: Settings) => ({
  domain: [
    ...(query["since"] === undefined && query["ids"] === undefined ? CONFIRMED : []),
    ...Odoo.domain(query),
    ...(query["since"] === undefined ? [] : changed(query["since"], capture))
  ],
  specification: Mapping.specification(deferred_payment, capture === "invoice"),
  limit: query["limit"],
  order: "id asc"
})

const orders = { path: "/json/2/sale.order/web_search_read", records: "records" } as const

export const odoosales = Rest.make({
  ...Odoo.declared,
  name: "odoosales",
  title: "Odoo's sales orders (19 and later): orders with fulfilments and returns",
  settings: Settings,
  kinds: ["order", "fulfilment", "return"],
  deletions: "status",
  blindSpots: ["an order that is deleted, which Odoo allows once it is cancelled: seen when it is read again by id"],
  lists: [
    {
      ...orders,
      name: "orders",
      kind: "order",
      question,
      size: { most: 200, param: "limit" },
      pagination: { by: "last id", param: "after" },
      changes: { since: "since", format: Odoo.time, inclusive: true },
      decode: ({ capture, deferred_payment }: Settings) => {
        const order = Mapping.order(deferred_payment, capture === "invoice")
        return capture === "complete" ? (fields: Json.Fields) => onceComplete(order(fields)) : order
      },
      several: Odoo.several,
      one: { ...orders, question: (id, settings: Settings) => question({ ids: id, limit: 1 }, settings) }
    }
  ]
})
