/** Provides fixtures for the BigCommerce connector, and a simulated API that serves them, for the conformance kit. */
import { type Paging, type Record, type Source, textOf } from "../testing/Simulator.ts"
import { type Add, amountOf, isSince, LATER, type Lists, setting, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { bigcommerce } from "./BigCommerce.ts"

const CREATED = "Thu, 29 Jan 2026 21:40:11 +0000"
const MODIFIED = "Sun, 01 Feb 2026 10:00:00 +0000"

const product = (id: number, quantity: number, total_inc_tax: string) => ({
  id,
  name: `Tea ${id}`,
  sku: `T-${id}`,
  type: "physical",
  quantity,
  total_inc_tax
})

const order = (
  id: number,
  status_id: number,
  total_inc_tax: string,
  line_items: ReadonlyArray<object>,
  more: object = {}
) => ({
  id,
  status_id,
  customer_id: 11,
  date_created: CREATED,
  date_modified: MODIFIED,
  date_shipped: "",
  total_inc_tax,
  shipping_cost_inc_tax: "12.0000",
  handling_cost_inc_tax: "0.0000",
  wrapping_cost_inc_tax: "0.0000",
  discount_amount: "5.0000",
  coupon_discount: "0.0000",
  items_shipped: 0,
  default_currency_code: "USD",
  is_deleted: false,
  payment_provider_id: `dp-${id}`,
  billing_address: {
    first_name: "Jane",
    last_name: "Doe",
    company: "Harbour Tea Ltd",
    street_1: "1 Quay",
    street_2: "",
    city: "Austin",
    zip: "78108",
    country_iso2: "US",
    phone: "1234567890",
    email: "jane@example.com"
  },
  fees: [],
  consignments: { pickups: [], downloads: [], email: { gift_certificates: [] }, shipping: [{ id: 1, line_items }] },
  ...more
})

const ORDERS = [
  order(101, 11, "107.0000", [product(1, 2, "100.0000")]),
  order(102, 14, "67.0000", [product(2, 3, "60.0000")], { items_shipped: 2 }),
  order(103, 5, "17.0000", [product(3, 1, "10.0000")]),
  order(104, 2, "17.0000", [product(4, 1, "10.0000")], { date_shipped: "Fri, 30 Jan 2026 05:22:10 +0000" }),
  order(105, 9, "17.0000", [product(5, 1, "10.0000")])
]

const shipment = (id: number, order_id: number, items: ReadonlyArray<object>, tracking_number = "") => ({
  id,
  order_id,
  date_created: "Fri, 30 Jan 2026 17:22:08 +0000",
  tracking_number,
  tracking_carrier: tracking_number === "" ? "" : "usps",
  tracking_link: "",
  generated_tracking_link: tracking_number === "" ? "" : `https://parcels.example/${tracking_number}`,
  shipping_provider: "",
  items
})
const SHIPMENTS = [
  shipment(6, 102, [{ order_product_id: 2, product_id: 0, quantity: 1 }], "9400"),
  shipment(7, 102, [{ order_product_id: 2, product_id: 0, quantity: 1 }])
]

const refund = (id: number, order_id: number, total_amount: number, items: ReadonlyArray<object>) => ({
  id,
  order_id,
  created: "2026-01-31T16:44:15+00:00",
  reason: "",
  total_amount,
  items,
  payments: [{ id, provider_id: "dp", amount: total_amount, is_declined: false }]
})
const REFUNDS = [
  refund(12, 102, 40, [{ item_type: "PRODUCT", item_id: 2, quantity: 2, requested_amount: null }]),
  refund(13, 102, 1.5, [{ item_type: "ORDER", item_id: 102, requested_amount: 1.5 }]),
  refund(14, 101, 0, [{ item_type: "PRODUCT", item_id: 1, quantity: 1, requested_amount: null }])
]

const byId = (records: ReadonlyArray<Record>) => records.toSorted((a, b) => a.id - b.id)

/** Version 2 answers 204 without a body for an empty list. */
const listed = (records: ReadonlyArray<Record>) =>
  records.length === 0 ? { status: 204, body: undefined } : { body: records }

type All = Lists<"orders" | "shipments" | "refunds">

const refundsOf = ({ refunds }: All, query: URLSearchParams, paging: Paging) => {
  const [of, page] = [query.get("order_id:in")?.split(","), Number(query.get("page") ?? 1)]
  const found = byId(refunds).filter(
    (one) => (of === undefined || of.includes(textOf(one.order_id))) && isSince(one.created, query.get("created:min"))
  )
  const { more, records } = paging.numbered(found, page, query.get("limit"))
  const pagination = { total: found.length, current_page: page, total_pages: more ? page + 1 : page }
  return { body: { data: records, meta: { pagination } } }
}

const ordersOf = ({ orders }: All, query: URLSearchParams, paging: Paging) => {
  const isArchived = query.get("is_deleted") === "true"
  const found = byId(orders).filter(
    (one) =>
      one.is_deleted === isArchived &&
      one.id >= Number(query.get("min_id") ?? 0) &&
      isSince(one.date_modified, query.get("min_date_modified"))
  )
  return listed(paging.after(found, null, "id", query.get("limit")).records)
}

const answerOf =
  (lists: All): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["x-auth-token"] !== "sample-secret") return { status: 401, body: { title: "Unauthorized" } }
    const at = path.replace("/stores/abc", "")
    if (at === "/v2/orders") return ordersOf(lists, query, paging)
    if (at === "/v3/orders/payment_actions/refunds") return refundsOf(lists, query, paging)
    const [, id, child] = /^\/v2\/orders\/(\d+)(\/shipments)?$/.exec(at) ?? []
    if (id === undefined) return undefined
    const own = lists.orders.find((one) => textOf(one.id) === id)
    if (own === undefined)
      return { status: 404, body: [{ status: 404, message: "The requested resource was not found." }] }
    if (child === undefined) return { body: own }
    const shipments = byId(lists.shipments).filter((one) => textOf(one.order_id) === id)
    return listed(paging.numbered(shipments, Number(query.get("page") ?? 1), query.get("limit")).records)
  }

const rfc2822 = (millis: number) => new Date(millis).toUTCString().replace("GMT", "+0000")

/** Every tenth order has a refund; few have shipments, because each of those takes a request. */
const grow = (add: Add, n: number): void => {
  const id = 1000 + n
  const isShipped = n % 250 === 7
  add(
    "orders",
    order(id, 11, "17.0000", [product(id, 1, "10.0000")], isShipped ? { items_shipped: 1, status_id: 3 } : {})
  )
  if (isShipped) add("shipments", shipment(id, id, [{ order_product_id: id, quantity: 1 }]))
  if (n % 10 === 3) add("refunds", refund(id, id, 1, [{ item_type: "ORDER", item_id: id, requested_amount: 1 }]))
}

export const subject: Subject = {
  connector: bigcommerce,
  settings: { store: "abc", token: { env: "BIGCOMMERCE_TOKEN" }, deferred_payment: "payment_provider_id" },
  environment: { BIGCOMMERCE_TOKEN: "sample-secret" },
  unread: { "refunds.total_amount": "its payments have the amounts, each by its provider" },
  skips: { "makes a document of each record": "a refund is part of what becomes of its order" },
  golden: [
    `{"kind":"order","id":"101","number":"101","status":"open","currency":"USD","placed":"2026-01-29","lines":[{"id":"1","type":"product","quantity":"200000000n","gross":"10000000000n","description":"Tea 1","sku":"T-1"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"1200000000n","description":"Shipping"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-500000000n","description":"Discount"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Austin","postcode":"78108","country":"US"},"deferredPayment":"dp-101","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"11","contact":"Jane Doe","phone":"1234567890","country":"US"},"state":{"lines":[{"line":"1","left":"0n","back":"0n","still":"100000000n"}],"total":"10700000000n","placed":"10700000000n","own":{"given":"0n","received":"10700000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"102","number":"102","status":"open","currency":"USD","placed":"2026-01-29","lines":[{"id":"2","type":"product","quantity":"300000000n","gross":"6000000000n","description":"Tea 2","sku":"T-2"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"1200000000n","description":"Shipping"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-500000000n","description":"Discount"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Austin","postcode":"78108","country":"US"},"deferredPayment":"dp-102","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"11","contact":"Jane Doe","phone":"1234567890","country":"US"},"state":{"lines":[{"line":"2","left":"200000000n","back":"100000000n","still":"100000000n","unsure":"100000000n"}],"total":"6700000000n","placed":"6700000000n","own":{"given":"4150000000n","received":"6700000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"102/6","order":"102","date":"2026-01-30","currency":"USD","lines":[{"line":"2","quantity":"100000000n"}],"tracking":[{"number":"9400","carrier":"usps","url":"https://parcels.example/9400"}]}`,
    `{"kind":"fulfilment","id":"102/7","order":"102","date":"2026-01-30","currency":"USD","lines":[{"line":"2","quantity":"100000000n"}]}`,
    `{"kind":"order","id":"103","number":"103","status":"cancelled","currency":"USD","placed":"2026-01-29","lines":[{"id":"3","type":"product","quantity":"100000000n","gross":"1000000000n","description":"Tea 3","sku":"T-3"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"1200000000n","description":"Shipping"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-500000000n","description":"Discount"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Austin","postcode":"78108","country":"US"},"deferredPayment":"dp-103","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"11","contact":"Jane Doe","phone":"1234567890","country":"US"},"state":{"lines":[{"line":"3","left":"0n","back":"0n","still":"100000000n"}],"total":"1700000000n","placed":"1700000000n","own":{"given":"0n","received":"1700000000n"},"others":{"received":"0n","given":"0n"},"end":"cancelled"}}`,
    `{"kind":"order","id":"104","number":"104","status":"closed","currency":"USD","placed":"2026-01-29","lines":[{"id":"4","type":"product","quantity":"100000000n","gross":"1000000000n","description":"Tea 4","sku":"T-4"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"1200000000n","description":"Shipping"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-500000000n","description":"Discount"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Austin","postcode":"78108","country":"US"},"deferredPayment":"dp-104","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"11","contact":"Jane Doe","phone":"1234567890","country":"US"},"state":{"lines":[{"line":"4","left":"100000000n","back":"0n","still":"0n"}],"total":"1700000000n","placed":"1700000000n","own":{"given":"0n","received":"1700000000n"},"others":{"received":"0n","given":"0n"},"end":"complete"}}`,
    `{"kind":"fulfilment","id":"104/rest","order":"104","date":"2026-01-30","currency":"USD","lines":[]}`,
    `{"kind":"order","id":"105","number":"105","status":"open","currency":"USD","placed":"2026-01-29","lines":[{"id":"5","type":"product","quantity":"100000000n","gross":"1000000000n","description":"Tea 5","sku":"T-5"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"1200000000n","description":"Shipping"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-500000000n","description":"Discount"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Austin","postcode":"78108","country":"US"},"deferredPayment":"dp-105","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"11","contact":"Jane Doe","phone":"1234567890","country":"US"},"state":{"lines":[{"line":"5","left":"0n","back":"0n","still":"100000000n"}],"total":"1700000000n","placed":"1700000000n","own":{"given":"0n","received":"1700000000n"},"others":{"received":"0n","given":"0n"}}}`
  ],
  open: staged(
    { orders: ORDERS, shipments: SHIPMENTS, refunds: REFUNDS },
    {
      lists: { orders: { stamp: stamping("date_modified", rfc2822) }, refunds: { stamp: stamping("created") } },
      answer: answerOf,
      grow,
      changes: ({ orders, shipments }) => ({
        remove: setting(orders[0], { is_deleted: true, date_modified: rfc2822(LATER) }, "order/101"),
        edit: () => {
          shipments[0].items[0].quantity = 2
          orders[1].payment_provider_id = "dp-new"
          return "102"
        },
        ...amountOf("order/101", (amount) => {
          orders[0].consignments.shipping[0].line_items[0].total_inc_tax = amount
          Object.assign(orders[0], {
            total_inc_tax: amount,
            shipping_cost_inc_tax: "0.0000",
            discount_amount: "0.0000"
          })
        })
      })
    }
  )
}
