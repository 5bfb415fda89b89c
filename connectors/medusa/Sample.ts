/** Provides fixtures for the Medusa connector, and a simulated API that serves them, for the conformance kit. */
import { type Paging, type Record, type Source, textOf } from "../testing/Simulator.ts"
import { type Add, amountOf, isSince, LATER, type Lists, setting, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { medusa } from "./Medusa.ts"

const PLACED = "2026-01-29T21:40:11.618Z"
const UPDATED = "2026-02-01T10:00:00.000Z"
const LEFT = "2026-01-30T17:22:08.641Z"
const BACK = "2026-01-31T16:44:15.681Z"

/** A line: the quantity left on the order, and its price less returned goods. */
const item = (id: string, quantity: number, total: number, back = 0, more: object = {}) => ({
  id: `ordli_${id}`,
  title: "Tea",
  variant_sku: `T-${id}`,
  quantity,
  total,
  return_received_total: back,
  return_dismissed_total: 0,
  ...more
})

const totals = (now: unknown, first = now) => ({ current_order_total: now, original_order_total: first })

const order = (id: string, items: ReadonlyArray<ReturnType<typeof item>>, more: object = {}) => {
  const total = items.reduce((sum, one) => sum + one.total, 0) + 7.2
  return {
    id: `order_${id}`,
    display_id: 1000 + id.charCodeAt(0),
    version: 1,
    status: "pending",
    is_draft_order: false,
    currency_code: "eur",
    email: "jane@example.com",
    created_at: PLACED,
    updated_at: UPDATED,
    canceled_at: null,
    total,
    metadata: { payment: `dp-${id}` },
    summary: totals(total),
    customer: { id: "cus_7", email: "jane@example.com", company_name: null, first_name: "Jane", last_name: "Doe" },
    billing_address: null,
    shipping_address: {
      company: "Harbour Tea Ltd",
      address_1: "1 Quay",
      city: "Wien",
      postal_code: "1010",
      country_code: "at"
    },
    items,
    shipping_methods: [{ id: `ordsm_${id}`, name: "Parcel", total: 7.2, detail: { return_id: null } }],
    credit_lines: [],
    returns: [],
    fulfillments: [],
    payment_collections: [{ payments: [payment(id, [])] }],
    ...more
  }
}

const payment = (id: string, refunds: ReadonlyArray<object>) => ({
  id: `pay_${id}`,
  provider_id: "pp_deferred",
  data: { reference: `ref-${id}` },
  updated_at: PLACED,
  captures: refunds.length === 0 ? [] : [{ id: `cap_${id}`, amount: 79.2, created_at: LEFT }],
  refunds
})

const parcel = (id: string, line: string, quantity: number, marks: object = { shipped_at: LEFT }) => ({
  id: `ful_${id}`,
  created_at: "2026-01-30T09:00:00.000Z",
  updated_at: LEFT,
  shipped_at: null,
  delivered_at: null,
  canceled_at: null,
  items: [{ line_item_id: `ordli_${line}`, quantity }],
  labels: [],
  ...marks
})

const refund = (id: string, amount: number, created_at = BACK) => ({ id: `ref_${id}`, amount, created_at })

const ORDERS = [
  order("A", [item("a", 3, 72)]),
  // Two were shipped, one of them returned and refunded. Another parcel is only packed, and a third was cancelled.
  order("B", [item("b", 3, 48, 24, { detail: { shipped_quantity: 2, return_received_quantity: 1 } })], {
    version: 7,
    summary: totals(55.2, 79.2),
    fulfillments: [
      parcel("b1", "b", 2, {
        shipped_at: LEFT,
        labels: [{ tracking_number: "JD014600003", tracking_url: "https://dhl.example/JD014600003" }]
      }),
      parcel("b2", "b", 1, {}),
      parcel("b3", "b", 1, { shipped_at: LEFT, canceled_at: LEFT })
    ],
    returns: [{ id: "return_b", received_at: BACK }],
    payment_collections: [{ payments: [payment("B", [refund("b", 24)])] }]
  }),
  // Cancelled and refunded.
  order("C", [item("c", 2, 48)], {
    version: 2,
    status: "canceled",
    total: 0,
    summary: totals(0, 55.2),
    credit_lines: [{ amount: 55.2 }],
    payment_collections: [{ payments: [payment("C", [refund("c", 55.2)])] }]
  }),
  // An edit removed one of three units and a whole line; both were refunded.
  order("D", [item("d", 2, 48)], {
    version: 3,
    status: "completed",
    summary: totals(55.2, 103.2),
    payment_collections: [{ payments: [payment("D", [refund("d", 48, "2026-01-31T17:00:00.000Z")])] }]
  }),
  order("Zdraft", [item("z", 1, 24)], { status: "draft", is_draft_order: true }),
  order("E", [item("e", 1, 24)])
]

const byId = (a: Record, b: Record) => (a.id < b.id ? -1 : 1)

const answerOf =
  ({ orders }: Lists<"orders">): Source["answer"] =>
  ({ headers, path, query }, paging: Paging) => {
    if (headers["authorization"] !== `Basic ${Buffer.from("sample-secret:").toString("base64")}`)
      return { status: 401, body: { message: "Unauthorized" } }
    const [, id] = /^\/admin\/orders(?:\/([^/]+))?$/.exec(path) ?? []
    if (path === "/admin/orders") {
      const found = orders
        .filter(
          (one) =>
            isSince(one.updated_at, query.get("updated_at[$gte]")) &&
            isSince(one.created_at, query.get("created_at[$gte]"))
        )
        .toSorted(byId)
      const after = query.get("id[$gt]")
      const limit = Number(query.get("limit"))
      // Returns as many records as requested; queries for times ask for five hundred.
      if (paging.size < 100) return { body: { orders: paging.after(found, after, "id", limit).records } }
      return { body: { orders: found.filter((one) => after === null || one.id > after).slice(0, limit) } }
    }
    if (id === undefined) return undefined
    const own = orders.find((one) => textOf(one.id) === id)
    return own === undefined
      ? { status: 404, body: { message: `Order id not found: ${id}` } }
      : { body: { order: own } }
  }

/** Every second order is shipped, and every tenth has a refund. */
const grow = (add: Add, n: number): void => {
  const id = `N${100_000 + n}`
  const fulfillments = n % 2 === 0 ? [parcel(id, id, 1)] : []
  const payment_collections = [{ payments: [payment(id, n % 10 === 0 ? [refund(id, 1)] : [])] }]
  const version = n % 2 === 0 ? 3 : 1
  add("orders", order(id, [item(id, 1, 24)], { version, fulfillments, payment_collections }))
}

export const subject: Subject = {
  skips: {
    "quarantines what it does not know": "the status of an order change: only confirmed ones have changed the order"
  },
  connector: medusa,
  settings: { url: "https://shop.example", key: { env: "MEDUSA_KEY" }, deferred_payment: "metadata.payment" },
  environment: { MEDUSA_KEY: "sample-secret" },
  nothing: ["order_Zdraft"],
  golden: [
    `{"kind":"order","id":"order_A","number":"1065","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"ordli_a","type":"product","quantity":"300000000n","gross":"7200000000n","description":"Tea","sku":"T-a"},{"id":"ordsm_A","type":"shipping","quantity":"100000000n","gross":"720000000n","description":"Parcel"}],"delivery":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-A","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"cus_7","contact":"Jane Doe","country":"AT"},"said":"pending","methods":["pp_deferred"],"state":{"lines":[{"line":"ordli_a","left":"0n","back":"0n","still":"300000000n"}],"total":"7920000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"order_B","number":"1066","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"ordli_b","type":"product","quantity":"300000000n","gross":"7200000000n","description":"Tea","sku":"T-b"},{"id":"ordsm_B","type":"shipping","quantity":"100000000n","gross":"720000000n","description":"Parcel"}],"delivery":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-B","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"cus_7","contact":"Jane Doe","country":"AT"},"said":"pending","methods":["pp_deferred"],"state":{"lines":[{"line":"ordli_b","left":"200000000n","back":"100000000n","still":"100000000n"}],"total":"5520000000n","own":{"given":"2400000000n","received":"7920000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"order_B/ful_b1","order":"order_B","date":"2026-01-30","currency":"EUR","lines":[{"line":"ordli_b","quantity":"200000000n"}],"tracking":[{"number":"JD014600003","url":"https://dhl.example/JD014600003"}]}`,
    `{"kind":"order","id":"order_C","number":"1067","status":"cancelled","currency":"EUR","placed":"2026-01-29","lines":[{"id":"ordli_c","type":"product","quantity":"200000000n","gross":"4800000000n","description":"Tea","sku":"T-c"},{"id":"ordsm_C","type":"shipping","quantity":"100000000n","gross":"720000000n","description":"Parcel"}],"delivery":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-C","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"cus_7","contact":"Jane Doe","country":"AT"},"said":"canceled","methods":["pp_deferred"],"state":{"lines":[{"line":"ordli_c","left":"0n","back":"0n","still":"200000000n"}],"total":"0n","own":{"given":"5520000000n","received":"7920000000n"},"others":{"received":"0n","given":"0n"},"end":"cancelled"}}`,
    `{"kind":"order","id":"order_D","number":"1068","status":"closed","currency":"EUR","placed":"2026-01-29","lines":[{"id":"ordli_d","type":"product","quantity":"200000000n","gross":"4800000000n","description":"Tea","sku":"T-d"},{"id":"ordsm_D","type":"shipping","quantity":"100000000n","gross":"720000000n","description":"Parcel"}],"delivery":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-D","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"cus_7","contact":"Jane Doe","country":"AT"},"said":"completed","methods":["pp_deferred"],"state":{"lines":[{"line":"ordli_d","left":"0n","back":"0n","still":"200000000n"}],"total":"5520000000n","own":{"given":"4800000000n","received":"7920000000n"},"others":{"received":"0n","given":"0n"},"end":"complete"}}`,
    `{"kind":"order","id":"order_E","number":"1069","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"ordli_e","type":"product","quantity":"100000000n","gross":"2400000000n","description":"Tea","sku":"T-e"},{"id":"ordsm_E","type":"shipping","quantity":"100000000n","gross":"720000000n","description":"Parcel"}],"delivery":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-E","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"cus_7","contact":"Jane Doe","country":"AT"},"said":"pending","methods":["pp_deferred"],"state":{"lines":[{"line":"ordli_e","left":"0n","back":"0n","still":"100000000n"}],"total":"3120000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`
  ],
  open: staged(
    { orders: ORDERS },
    {
      lists: { orders: { stamp: stamping("updated_at") } },
      answer: answerOf,
      grow,
      changes: ({ orders }) => ({
        remove: setting(orders[5], { status: "canceled", updated_at: new Date(LATER).toISOString() }, "order/order_E"),
        edit: setting(orders[1].metadata, { payment: "dp-new" }, "order_B"),
        ...amountOf("order/order_A", (amount) => {
          orders[0].items[0].total = amount
          Object.assign(orders[0], { total: amount, summary: totals(amount), shipping_methods: [] })
        })
      })
    }
  )
}
