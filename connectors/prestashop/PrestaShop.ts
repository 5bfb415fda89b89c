/** PrestaShop: reads orders with their lines, payments, states and credit slips, by a key of its webservice. */
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
  key: Rest.secret("PRESTASHOP_KEY"),
  /** The payment methods (the names of payments) that are the deferred payment; by default the order's only one. */
  payment_method: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What states mean that the shop added, by their ids: `open`, `closed` or `cancelled`. */
  states: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** Ids of further states in which the goods have left. */
  shipped: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** How the shop gives back what a credit slip is of. */
  credit_slips: Schema.optionalKey(Schema.Literals(["refund", "voucher"])),
  /** What makes an amount due: a shipment (the default), or the order being complete. */
  capture: captureOf("PrestaShop", ["shipment", "complete"], "it invoices the whole order as soon as it is paid")
})
type Settings = typeof Settings.Type

const decode = (settings: Settings) => {
  const order = Mapping.order(settings)
  return settings.capture === "complete" ? (fields: Json.Fields) => onceComplete(order(fields)) : order
}

/** `2026-02-01 09:00:00` by the shop's clock: half a day earlier, wherever it is. */
const HALF_A_DAY_MS = 43_200_000
const local = (millis: number): string => new Date(millis - HALF_A_DAY_MS).toISOString().slice(0, 19).replace("T", " ")
const since = (at: string): Http.Query => ({ "filter[date_upd]": `[${at},9999-12-31 23:59:59]`, date: 1 })

const list = (path: string, records: string) =>
  ({ path: `/api/${path}`, records, absent: "[]", query: { display: "full", output_format: "JSON" } }) as const
/** No id is larger. */
const LAST = "18446744073709551615"
const PAGES = {
  size: { most: 50, param: "limit" },
  pagination: { by: "last id", param: "filter[id]", inclusive: "numbers", written: (id: string) => `[${id},${LAST}]` }
} as const
const changes = { since, format: local, inclusive: true } as const
const sorted = { display: "full", output_format: "JSON", sort: "[id_ASC]" } as const

const of = (path: string, records: string, key: string, whose?: string) =>
  ({
    ...list(path, records),
    by: "ids",
    param: `filter[${key}]`,
    written: (ids: ReadonlyArray<string>) => `[${ids.join("|")}]`,
    key,
    ...(whose === undefined ? {} : { whose }),
    size: { most: 50 },
    pagination: { by: "none" }
  }) as const

export const prestashop = Rest.make({
  ...Shop.declared,
  name: "prestashop",
  title: "PrestaShop: orders as they stand, with their fulfilments",
  settings: Settings,
  blindSpots: ["a tracking number, if it is changed and the order is not"],
  authorise: {
    by: "key",
    variables: ({ key }: Settings) => [key.env],
    headers: (key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` })
  },
  said: ["errors.0.message"],
  lists: [
    {
      ...list("orders", "orders"),
      ...PAGES,
      name: "orders",
      kind: "order",
      query: sorted,
      changes,
      one: { path: "/api/orders/{id}", query: { output_format: "JSON" }, record: "order" },
      children: {
        its_lines: of("order_details", "order_details", "id_order"),
        its_states: of("order_histories", "order_histories", "id_order"),
        its_parcels: of("order_carriers", "order_carriers", "id_order"),
        its_slips: of("order_slip", "order_slips", "id_order"),
        its_payments: of("order_payments", "order_payments", "order_reference", "reference"),
        its_currency: of("currencies", "currencies", "id", "id_currency"),
        its_customer: of("customers", "customers", "id", "id_customer"),
        its_address: of("addresses", "addresses", "id", "id_address_invoice")
      },
      decode
    },
    {
      ...list("order_slip", "order_slips"),
      ...PAGES,
      name: "slips",
      kind: "order",
      query: sorted,
      changes,
      reads: "changes",
      of: { list: "orders", by: "id_order" },
      decode
    }
  ]
})
