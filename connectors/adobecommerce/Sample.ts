/** Provides fixtures for the Adobe Commerce connector, and a simulated API that serves them, for the conformance kit. */
import { type Record, type Source, textOf } from "../testing/Simulator.ts"
import { type Add, amountOf, LATER, type Lists, setting, spaced, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { adobecommerce } from "./AdobeCommerce.ts"

const AT = "2026-02-01 10:00:00"

const item = (item_id: number, qty_ordered: number, row_total_incl_tax: number, more: object = {}) => ({
  item_id,
  sku: `T-${item_id}`,
  name: `Tea ${item_id}`,
  qty_ordered,
  row_total_incl_tax,
  discount_amount: 0,
  ...more
})

const order = (
  entity_id: number,
  state: string,
  grand_total: number,
  items: ReadonlyArray<object>,
  more: object = {}
) => ({
  entity_id,
  increment_id: `0000000${entity_id}`,
  state,
  order_currency_code: "EUR",
  created_at: "2026-01-29 23:40:11",
  updated_at: AT,
  grand_total,
  shipping_incl_tax: 5,
  discount_amount: 0,
  ext_order_id: `dp-${entity_id}`,
  items,
  ...more
})

const ORDERS = [
  order(1, "processing", 65, [item(11, 3, 60)]),
  // A configured product, and the simple product that is part of it.
  order(2, "processing", 95.5, [item(21, 2, 100), item(22, 2, 0, { parent_item_id: 21 })], { discount_amount: -9.5 }),
  order(3, "canceled", 25, [item(31, 1, 20)]),
  order(4, "complete", 20, [item(41, 1, 20, { is_virtual: 1, qty_invoiced: 1 })], {
    shipping_incl_tax: 0,
    total_paid: 20,
    total_refunded: 2.5
  }),
  order(5, "processing", 45, [item(51, 2, 40)])
]

const shipment = (
  entity_id: number,
  order_id: number,
  created_at: string,
  items: ReadonlyArray<object>,
  numbers: ReadonlyArray<string> = []
) => ({
  entity_id,
  order_id,
  created_at,
  items,
  tracks: numbers.map((track_number) => ({ track_number, title: "DHL", carrier_code: "custom" }))
})
const SHIPMENTS = [
  shipment(61, 1, "2026-01-30 09:00:00", [{ order_item_id: 11, qty: 2 }], ["JD01", "JD02"]),
  shipment(62, 2, "2026-01-31 09:00:00", [
    { order_item_id: 21, qty: 1 },
    { order_item_id: 22, qty: 1 }
  ])
]

const memo = (entity_id: number, order_id: number, grand_total: number, items: ReadonlyArray<object>, state = 2) => ({
  entity_id,
  order_id,
  state,
  created_at: "2026-02-01 10:00:00",
  grand_total,
  items
})
const MEMOS = [
  memo(71, 1, 40, [{ order_item_id: 11, qty: 2, row_total_incl_tax: 40, discount_amount: 0 }]),
  memo(72, 2, 45, [
    { order_item_id: 21, qty: 1, row_total_incl_tax: 50, discount_amount: 5 },
    { order_item_id: 22, qty: 1, row_total_incl_tax: 0 }
  ]),
  memo(73, 4, 2.5, []),
  memo(75, 5, 20, [{ order_item_id: 51, qty: 1, row_total_incl_tax: 20, discount_amount: 0 }]),
  memo(74, 1, 20, [{ order_item_id: 11, qty: 1, row_total_incl_tax: 20 }], 3)
]

const FILTER = "searchCriteria[filterGroups][0][filters][0]"

const answerOf =
  (all: Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["authorization"] !== "Bearer sample-token") {
      return { status: 401, body: { message: "The consumer isn't authorized to access %resources." } }
    }
    const [, , , name = "", id] = path.split("/")
    const records = all[name]
    if (records === undefined) return undefined
    if (id !== undefined) {
      const found = records.find((one) => textOf(one.entity_id) === id)
      if (found !== undefined) return { body: found }
      return { status: 404, body: { message: "The entity that was requested doesn't exist." } }
    }
    const [field, value] = [query.get(`${FILTER}[field]`), query.get(`${FILTER}[value]`) ?? ""]
    const fits = (one: Record) =>
      field === null ||
      (field === "updated_at" ? String(one.updated_at) >= value : value.split(",").includes(textOf(one[field])))
    const found = records.filter(fits).sort((a, b) => a.entity_id - b.entity_id)
    const size = query.get("searchCriteria[pageSize]")
    const page = Number(query.get("searchCriteria[currentPage]") ?? 1)
    return { body: { items: paging.numbered(found, page, size).records, total_count: found.length } }
  }

/** Every second order is shipped, and every tenth has a credit memo. */
const grow = (add: Add, n: number): void => {
  const id = 1000 + n
  add("orders", order(id, "processing", 25, [item(id, 1, 20)]))
  if (n % 2 === 0) add("shipments", shipment(id, id, "2026-01-30 09:00:00", [{ order_item_id: id, qty: 1 }]))
  if (n % 10 === 0) add("creditmemos", memo(id, id, 1, []))
}

export const subject: Subject = {
  skips: {
    "quarantines what it does not know":
      "the state of a credit memo: only that of a cancelled one, 3, is looked for; shops may have states of their own"
  },
  connector: adobecommerce,
  settings: { url: "https://shop.example", token: { env: "ADOBE_COMMERCE_TOKEN" }, deferred_payment: "ext_order_id" },
  environment: { ADOBE_COMMERCE_TOKEN: "sample-token" },
  golden: [
    `{"kind":"order","id":"1","number":"00000001","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"11","type":"product","quantity":"300000000n","gross":"6000000000n","description":"Tea 11","sku":"T-11"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"500000000n","description":"Shipping"}],"deferredPayment":"dp-1","state":{"lines":[{"line":"11","left":"200000000n","back":"100000000n","still":"100000000n","unsure":"100000000n"}],"total":"6500000000n","placed":"6500000000n","own":{"given":"4000000000n"},"others":{"received":"0n","given":"0n"},"cancelled":"0n"}}`,
    `{"kind":"fulfilment","id":"61","order":"1","date":"2026-01-30","currency":"EUR","lines":[{"line":"11","quantity":"200000000n"}],"tracking":[{"number":"JD01","carrier":"DHL"},{"number":"JD02","carrier":"DHL"}]}`,
    `{"kind":"order","id":"2","number":"00000002","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"21","type":"product","quantity":"200000000n","gross":"10000000000n","description":"Tea 21","sku":"T-21"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"500000000n","description":"Shipping"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-950000000n","description":"Discount"}],"deferredPayment":"dp-2","state":{"lines":[{"line":"21","left":"100000000n","back":"0n","still":"100000000n","unsure":"100000000n"}],"total":"9550000000n","placed":"9550000000n","own":{"given":"4500000000n"},"others":{"received":"0n","given":"0n"},"cancelled":"0n"}}`,
    `{"kind":"fulfilment","id":"62","order":"2","date":"2026-01-31","currency":"EUR","lines":[{"line":"21","quantity":"100000000n"}]}`,
    `{"kind":"order","id":"3","number":"00000003","status":"cancelled","currency":"EUR","placed":"2026-01-29","lines":[{"id":"31","type":"product","quantity":"100000000n","gross":"2000000000n","description":"Tea 31","sku":"T-31"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"500000000n","description":"Shipping"}],"deferredPayment":"dp-3","state":{"lines":[{"line":"31","left":"0n","back":"0n","still":"100000000n"}],"total":"2500000000n","placed":"2500000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"},"cancelled":"0n","end":"cancelled"}}`,
    `{"kind":"order","id":"4","number":"00000004","status":"closed","currency":"EUR","placed":"2026-01-29","lines":[{"id":"41","type":"product","quantity":"100000000n","gross":"2000000000n","description":"Tea 41","sku":"T-41"}],"deferredPayment":"dp-4","state":{"lines":[{"line":"41","left":"100000000n","back":"0n","still":"0n"}],"total":"2000000000n","placed":"2000000000n","own":{"received":"2000000000n","given":"250000000n"},"others":{"received":"0n","given":"0n"},"cancelled":"0n","end":"complete"}}`,
    `{"kind":"order","id":"5","number":"00000005","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"51","type":"product","quantity":"200000000n","gross":"4000000000n","description":"Tea 51","sku":"T-51"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"500000000n","description":"Shipping"}],"deferredPayment":"dp-5","state":{"lines":[{"line":"51","left":"0n","back":"0n","still":"100000000n"}],"total":"4500000000n","placed":"4500000000n","own":{"given":"2000000000n"},"others":{"received":"0n","given":"0n"},"cancelled":"0n"}}`
  ],
  open: staged(
    { orders: ORDERS, shipments: SHIPMENTS, creditmemos: MEMOS },
    {
      id: "entity_id",
      lists: { orders: { stamp: stamping("updated_at", spaced) } },
      answer: answerOf,
      grow,
      changes: ({ orders, shipments }) => ({
        remove: setting(orders[4], { state: "canceled", updated_at: spaced(LATER) }, "order/5"),
        edit: () => {
          shipments[0].items[0].qty = 3
          orders[0].ext_order_id = "dp-new"
          return "1"
        },
        ...amountOf("order/5", (amount) => {
          orders[4].items[0].row_total_incl_tax = amount
          Object.assign(orders[4], { grand_total: amount, shipping_incl_tax: 0 })
        })
      })
    }
  )
}
