/** Provides fixtures for the Vendure connector, and a simulated API that serves them, for the conformance kit. */
import { digits, type Paging, type Source, textOf } from "../testing/Simulator.ts"
import { type Add, amountOf, LATER, type Lists, setting, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { vendure } from "./Vendure.ts"

const PLACED = "2026-01-29T21:40:11.000Z"
const UPDATED = "2026-02-01T10:00:00.000Z"
const LEFT = "2026-01-30T17:22:08.000Z"
const BACK = "2026-01-31T16:44:15.000Z"

/** A line: the quantity left on the order, and its price. */
const line = (id: number, quantity: number, price: number, unit = price / Math.max(1, quantity)) => ({
  id: String(id),
  quantity,
  proratedLinePriceWithTax: price,
  proratedUnitPriceWithTax: unit,
  productVariant: { name: `Tea ${id}`, sku: `T-${id}` }
})

const sumOf = (lines: ReadonlyArray<{ readonly proratedLinePriceWithTax: number }>) =>
  lines.reduce((sum, one) => sum + one.proratedLinePriceWithTax, 0)

const history = (items: ReadonlyArray<object>) => ({ totalItems: items.length, items })

const order = (id: number, state: string, lines: ReadonlyArray<ReturnType<typeof line>>, more: object = {}) => ({
  id: String(id),
  code: `V${id}`,
  type: "Regular",
  state,
  currencyCode: "EUR",
  orderPlacedAt: PLACED,
  updatedAt: UPDATED,
  totalWithTax: sumOf(lines) + 600,
  customer: { id: "7", firstName: "Jane", lastName: "Doe", emailAddress: "jane@example.com", phoneNumber: "+431234" },
  billingAddress: {
    company: "Harbour Tea Ltd",
    streetLine1: "1 Quay",
    city: "Wien",
    postalCode: "1010",
    countryCode: "AT"
  },
  shippingAddress: {},
  lines,
  surcharges: [],
  shippingLines: [{ id: `9${id}`, discountedPriceWithTax: 600, discounts: [], shippingMethod: { name: "Parcel" } }],
  fulfillments: [],
  payments: [payment(id, sumOf(lines) + 600, [])],
  history: history([]),
  ...more
})

const payment = (id: number, amount: number, refunds: ReadonlyArray<object>) => ({
  id: String(id),
  state: "Settled",
  method: "deferred",
  transactionId: `dp-${id}`,
  amount,
  updatedAt: PLACED,
  refunds
})

const parcel = (id: number, state: string, orderLineId: number, quantity: number) => ({
  id: String(id),
  createdAt: "2026-01-30T09:00:00.000Z",
  updatedAt: LEFT,
  state,
  method: "DHL",
  trackingCode: id === 61 ? "JD014600003" : "",
  lines: [{ orderLineId: String(orderLineId), quantity }]
})

const refund = (id: number, total: number, state = "Settled") => ({
  id: String(id),
  createdAt: BACK,
  updatedAt: BACK,
  state,
  total,
  destination: null
})

const moved = (id: number, kind: "fulfillmentId" | "refundId", of: number, to: string, createdAt: string) => ({
  id: String(id),
  type: kind === "refundId" ? "ORDER_REFUND_TRANSITION" : "ORDER_FULFILLMENT_TRANSITION",
  createdAt,
  data: { [kind]: String(of), from: "Pending", to }
})

const withdrawn = (id: number, orderLineId: number, quantity: number, shippingCancelled = false) => ({
  id: String(id),
  type: "ORDER_CANCELLATION",
  createdAt: "2026-01-31T16:44:14.000Z",
  data: { lines: [{ orderLineId: String(orderLineId), quantity }], shippingCancelled }
})

const ORDERS = [
  order(1, "PaymentAuthorized", [line(11, 3, 6000)]),
  // Two were shipped; one of them was returned and refunded.
  order(2, "PartiallyShipped", [line(21, 1, 3000), line(22, 1, 1000)], {
    fulfillments: [parcel(61, "Delivered", 21, 2), parcel(62, "Pending", 22, 1)],
    payments: [payment(2, 7600, [refund(71, 3000), refund(72, 100, "Pending")])],
    history: history([
      moved(81, "fulfillmentId", 61, "Pending", "2026-01-30T09:00:00.000Z"),
      moved(82, "fulfillmentId", 61, "Shipped", LEFT),
      moved(83, "fulfillmentId", 61, "Delivered", "2026-02-02T11:00:00.000Z"),
      withdrawn(84, 21, 1),
      moved(85, "refundId", 71, "Settled", BACK)
    ])
  }),
  // Cancelled before it was shipped, with its delivery, and refunded: reported once.
  order(3, "Cancelled", [line(31, 0, 0, 2500)], {
    totalWithTax: 0,
    shippingLines: [
      {
        id: "93",
        discountedPriceWithTax: 0,
        discounts: [{ adjustmentSource: "CANCEL_ORDER", amountWithTax: -600 }],
        shippingMethod: { name: "Parcel" }
      }
    ],
    payments: [payment(3, 5100, [refund(73, 5100)])],
    history: history([withdrawn(86, 31, 2, true), moved(87, "refundId", 73, "Settled", BACK)])
  }),
  // A discount after the sale, and goods that will not be shipped.
  order(4, "PartiallyShipped", [line(41, 1, 2000), line(42, 1, 2000)], {
    fulfillments: [parcel(64, "Shipped", 41, 1)],
    payments: [payment(4, 6600, [refund(74, 500)])],
    history: history([
      moved(88, "fulfillmentId", 64, "Shipped", LEFT),
      withdrawn(89, 42, 1),
      moved(90, "refundId", 74, "Settled", "2026-01-30T18:00:00.000Z")
    ])
  }),
  order(77_777, "PaymentSettled", [line(61, 1, 1000)], { type: "Seller" }),
  order(5, "PaymentSettled", [line(51, 1, 1000)], {
    surcharges: [{ id: "5", description: "Insurance", priceWithTax: 200 }],
    totalWithTax: 1800
  })
]

const isAfter = (value: unknown, least: string | undefined): boolean =>
  least === undefined || value === null || Date.parse(String(value)) > Date.parse(least)

const answerOf =
  ({ orders }: Lists<"orders">): Source["answer"] =>
  ({ body, headers, path }, paging: Paging) => {
    if (path !== "/admin-api") return undefined
    if (headers["vendure-api-key"] !== "sample-secret") {
      const extensions = { code: "FORBIDDEN" }
      return {
        body: {
          errors: [{ message: "You are not currently authorized to perform this action", extensions }],
          data: null
        }
      }
    }
    const { filter, skip, take } = JSON.parse(body).variables.options
    const found = orders.filter(
      (one) =>
        (filter.id === undefined || filter.id.eq === textOf(one.id)) &&
        isAfter(one.orderPlacedAt, filter.orderPlacedAt.after) &&
        isAfter(one.updatedAt, filter.updatedAt?.after)
    )
    const sorted = found.toSorted((a, b) => Number(a.id) - Number(b.id))
    const rest = paging.from(sorted, skip, take)
    // Returns as many records as requested; queries for times ask for five hundred.
    const records = paging.size < 100 ? rest.records : sorted.slice(skip, skip + take)
    return { body: { data: { orders: { totalItems: sorted.length, items: records } } } }
  }

/** Every second order is shipped, and every tenth has a refund. */
const grow = (add: Add, n: number): void => {
  const id = 1000 + n
  const fulfillments = n % 2 === 0 ? [parcel(id, "Shipped", id, 1)] : []
  const payments = [payment(id, 1600, n % 10 === 0 ? [refund(id, 100)] : [])]
  const state = n % 2 === 0 ? "Shipped" : "PaymentSettled"
  add("orders", order(id, state, [line(id, 1, 1000)], { fulfillments, payments }))
}

export const subject: Subject = {
  skips: { "quarantines what it does not know": "the history of an order has entries of plugins" },
  connector: vendure,
  settings: { url: "https://shop.example", key: { env: "VENDURE_KEY" }, deferred_payment: "transactionId" },
  environment: { VENDURE_KEY: "sample-secret" },
  nothing: ["77777"],
  golden: [
    `{"kind":"order","id":"1","number":"V1","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"11","type":"product","quantity":"300000000n","gross":"6000000000n","description":"Tea 11","sku":"T-11"},{"id":"shipping-91","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Parcel"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-1","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"7","contact":"Jane Doe","phone":"+431234","country":"AT"},"said":"PaymentAuthorized","methods":["deferred"],"state":{"lines":[{"line":"11","left":"0n","back":"0n","still":"300000000n"}],"total":"6600000000n","own":{"given":"0n","received":"6600000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"2","number":"V2","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"21","type":"product","quantity":"200000000n","gross":"6000000000n","description":"Tea 21","sku":"T-21"},{"id":"22","type":"product","quantity":"100000000n","gross":"1000000000n","description":"Tea 22","sku":"T-22"},{"id":"shipping-92","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Parcel"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-2","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"7","contact":"Jane Doe","phone":"+431234","country":"AT"},"said":"PartiallyShipped","methods":["deferred"],"state":{"lines":[{"line":"21","left":"200000000n","back":"100000000n","still":"0n"},{"line":"22","left":"0n","back":"0n","still":"100000000n"}],"total":"4600000000n","own":{"given":"3000000000n","received":"7600000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"2/61","order":"2","date":"2026-01-30","currency":"EUR","lines":[{"line":"21","quantity":"200000000n"}],"tracking":[{"number":"JD014600003","carrier":"DHL"}]}`,
    `{"kind":"order","id":"3","number":"V3","status":"cancelled","currency":"EUR","placed":"2026-01-29","lines":[{"id":"31","type":"product","quantity":"200000000n","gross":"5000000000n","description":"Tea 31","sku":"T-31"},{"id":"shipping-93","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Parcel"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-500000000n","description":"Discount"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-3","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"7","contact":"Jane Doe","phone":"+431234","country":"AT"},"said":"Cancelled","methods":["deferred"],"state":{"lines":[{"line":"31","left":"0n","back":"0n","still":"0n"}],"total":"0n","own":{"given":"5100000000n","received":"5100000000n"},"others":{"received":"0n","given":"0n"},"end":"cancelled"}}`,
    `{"kind":"order","id":"4","number":"V4","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"41","type":"product","quantity":"100000000n","gross":"2000000000n","description":"Tea 41","sku":"T-41"},{"id":"42","type":"product","quantity":"200000000n","gross":"4000000000n","description":"Tea 42","sku":"T-42"},{"id":"shipping-94","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Parcel"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-4","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"7","contact":"Jane Doe","phone":"+431234","country":"AT"},"said":"PartiallyShipped","methods":["deferred"],"state":{"lines":[{"line":"41","left":"100000000n","back":"0n","still":"0n"},{"line":"42","left":"0n","back":"0n","still":"100000000n"}],"total":"4600000000n","own":{"given":"500000000n","received":"6600000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"4/64","order":"4","date":"2026-01-30","currency":"EUR","lines":[{"line":"41","quantity":"100000000n"}]}`,
    `{"kind":"order","id":"5","number":"V5","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"51","type":"product","quantity":"100000000n","gross":"1000000000n","description":"Tea 51","sku":"T-51"},{"id":"shipping-95","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Parcel"},{"id":"surcharge-5","type":"fee","quantity":"100000000n","gross":"200000000n","description":"Insurance"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"deferredPayment":"dp-5","buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"7","contact":"Jane Doe","phone":"+431234","country":"AT"},"said":"PaymentSettled","methods":["deferred"],"state":{"lines":[{"line":"51","left":"0n","back":"0n","still":"100000000n"}],"total":"1800000000n","own":{"given":"0n","received":"1600000000n"},"others":{"received":"0n","given":"0n"}}}`
  ],
  open: staged(
    { orders: ORDERS },
    {
      lists: { orders: { stamp: stamping("updatedAt") } },
      answer: answerOf,
      grow,
      changes: ({ orders }) => ({
        remove: setting(orders[5], { state: "Cancelled", updatedAt: new Date(LATER).toISOString() }, "order/5"),
        edit: setting(orders[1].payments[0], { transactionId: "dp-new" }, "2"),
        ...amountOf(
          "order/1",
          (amount) => {
            orders[0].lines[0].proratedLinePriceWithTax = amount
            Object.assign(orders[0], { totalWithTax: amount, shippingLines: [] })
          },
          digits("9007199254740993")
        )
      })
    }
  )
}
