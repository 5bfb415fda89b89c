/** Adobe Commerce (Magento 2): reads orders with their shipments and credit memos; a new one also updates its order. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Shop from "../Shop.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The shop's address: `https://shop.example`. */
  url: Http.Url,
  token: Rest.secret("ADOBE_COMMERCE_TOKEN"),
  /** The member of an order that holds its deferred-payment id: `ext_order_id`, `payment.last_trans_id`. */
  deferred_payment: Schema.optionalKey(Schema.NonEmptyString),
  /** The payment methods (`payment.method`) that are the deferred payment; by default every order's own. */
  method: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** `order`: amounts in the currency that the buyer pays in, or `base`: in the store's own. Default: in the deferred payment's. */
  money: Schema.optionalKey(Schema.Literals(["order", "base"])),
  /** What makes an amount due: a shipment (the default), the shop's invoice, or the order's completion. */
  capture: Schema.optionalKey(Schema.Literals(["shipment", "invoice", "complete"]))
})
type Settings = typeof Settings.Type

const FILTER = "searchCriteria[filterGroups][0][filters][0]"
const by = (field: string, condition: string, value: string) => ({
  [`${FILTER}[field]`]: field,
  [`${FILTER}[conditionType]`]: condition,
  [`${FILTER}[value]`]: value
})
const sorted = {
  "searchCriteria[sortOrders][0][field]": "entity_id",
  "searchCriteria[sortOrders][0][direction]": "ASC"
}

/** Beyond the last page, the source repeats the last page: the total count shows where the list ends. */
const list = (path: string) =>
  ({
    path: `/rest/V1/${path}`,
    records: "items",
    id: "entity_id",
    query: sorted,
    size: { most: 100, param: "searchCriteria[pageSize]" },
    pagination: { by: "page", param: "searchCriteria[currentPage]", total: "total_count" }
  }) as const

const ofOrders = (path: string) => ({
  ...list(path),
  by: "ids" as const,
  query: { ...sorted, [`${FILTER}[field]`]: "order_id", [`${FILTER}[conditionType]`]: "in" },
  param: `${FILTER}[value]`,
  key: "order_id"
})

export const adobecommerce = Rest.make({
  ...Shop.declared,
  name: "adobecommerce",
  title: "Adobe Commerce (Magento 2): orders as they stand, with their fulfilments",
  settings: Settings,
  identity: ({ url }: Settings) => `shop ${new URL(url).host}${new URL(url).pathname.replace(/(?<!\/)\/+$/, "")}`,
  page: ({ url }: Settings, kind, id) => Shop.page(url, kind, `admin/sales/order/view/order_id/${id}`),
  blindSpots: [
    "changes by an extension that does not save the order: seen with the order's next change, or when it is read again by id"
  ],
  authorise: Rest.bearer(({ token }: Settings) => token),
  said: ["message"],
  lists: [
    {
      ...list("orders"),
      name: "orders",
      kind: "order",
      changes: {
        since: (at) => by("updated_at", "gteq", at),
        format: (at) => new Date(at).toISOString().slice(0, 19).replace("T", " "),
        inclusive: true
      },
      decode: ({ capture, deferred_payment, method, money }) =>
        Mapping.order({
          carried: deferred_payment,
          methods: method,
          money,
          capture: capture ?? "shipment"
        }),
      one: { path: "/rest/V1/orders/{id}" },
      several: (ids) => by("entity_id", "in", ids.join(",")),
      children: { shipments: ofOrders("shipments"), memos: ofOrders("creditmemos") }
    }
  ]
})
