/** Provides fixtures for the Shopware connector, and a simulated API that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { shopware } from "./Shopware.ts"

const AT = { createdAt: "2026-01-29T21:40:11.000+00:00", updatedAt: "2026-01-30T17:22:08.000+00:00" }
/** Ids are 32 hexadecimal digits. */
const hex = (n: number) => n.toString(16).padStart(32, "a")
const state = (technicalName: string) => ({ stateMachineState: { technicalName, name: technicalName } })
const price = (totalPrice: number, tax = 0) => ({
  ...{ quantity: 1, unitPrice: totalPrice, totalPrice },
  calculatedTaxes: [{ tax, taxRate: 20, price: totalPrice }]
})

const line = (n: number, quantity: number, total: number, more: object = {}) => ({
  ...{ ...AT, id: hex(n), type: "product", label: `Tea ${n}`, quantity, good: true, states: ["is-physical"] },
  ...{ payload: { productNumber: `T-${n}` }, price: price(total), parentId: null, ...more }
})

const delivery = (
  n: number,
  technicalName: string,
  parts: ReadonlyArray<readonly [line: number, quantity: number]>
) => ({
  ...{ ...AT, ...state(technicalName), id: hex(n), shippingMethod: { name: "DHL" } },
  trackingCodes: technicalName === "shipped" ? ["JD014600003"] : [],
  positions: parts.map(([of, quantity]) => ({ id: hex(n + of), orderLineItemId: hex(of), quantity }))
})

const payment = (n: number, technicalName: string, total: number, more: object = {}) => ({
  ...{
    ...AT,
    ...state(technicalName),
    id: hex(n),
    amount: price(total),
    captures: [],
    customFields: { service_id: `dp-${n}` }
  },
  ...{ paymentMethod: { technicalName: "payment_deferred", name: "Pay later" }, ...more }
})

const refund = (technicalName: string, total: number) => ({
  captures: [{ ...state("completed"), refunds: [{ ...AT, ...state(technicalName), amount: price(total) }] }]
})

const order = (n: number, technicalName: string, amountTotal: number, more: object = {}) => ({
  ...{
    ...AT,
    ...state(technicalName),
    id: hex(n),
    autoIncrement: n,
    orderNumber: `1${n}`,
    orderDateTime: AT.createdAt
  },
  ...{ taxStatus: "gross", amountTotal, shippingCosts: price(6, 1), currency: { isoCode: "EUR" }, customFields: null },
  ...{ salesChannelId: hex(1), lineItems: [line(n + 1, 3, amountTotal - 6)], transactions: [], deliveries: [] },
  orderCustomer: {
    ...{ customerId: hex(2), firstName: "Jane", lastName: "Doe", email: "jane@example.com", company: "Harbour Tea Ltd" }
  },
  billingAddress: {
    ...{ company: "Harbour Tea Ltd", street: "1 Quay", city: "Wien", zipcode: "1010", phoneNumber: "+431234" },
    country: { iso: "AT" }
  },
  ...more
})

const ORDERS = [
  order(100, "open", 66, {
    transactions: [payment(105, "failed", 66), payment(106, "authorized", 66)],
    deliveries: [delivery(109, "open", [[101, 3]])]
  }),
  // Net prices, a promotion, a download, and a second delivery that is only a discount.
  order(200, "in_progress", 91.2, {
    taxStatus: "net",
    lineItems: [
      line(201, 2, 60, { price: price(60, 12) }),
      line(202, 1, 20, { price: price(20, 4), states: ["is-download"] }),
      line(203, 1, -10, { price: price(-10, -2), type: "promotion", good: false }),
      line(204, 1, 30, { parentId: hex(201) })
    ],
    shippingCosts: price(6, 1.2),
    transactions: [payment(205, "refunded_partially", 91.2, refund("completed", 10))],
    deliveries: [delivery(209, "shipped", [[201, 2]]), delivery(210, "shipped", [])]
  }),
  order(300, "cancelled", 46, {
    transactions: [payment(305, "refunded", 46)],
    deliveries: [delivery(309, "cancelled", [[301, 3]])]
  }),
  order(400, "completed", 36, {
    transactions: [payment(405, "paid", 36, refund("failed", 5))],
    deliveries: [delivery(409, "returned", [[401, 1]])]
  }),
  order(500, "in_progress", 26, {
    transactions: [payment(505, "paid_partially", 26)],
    deliveries: [delivery(509, "shipped_partially", [[501, 3]])]
  })
]

const timesOf = ({ createdAt, deliveries, lineItems, transactions, updatedAt }: Record): ReadonlyArray<unknown> => [
  ...[createdAt, updatedAt],
  ...[...deliveries, ...lineItems, ...transactions].flatMap((one: Record) => [one.createdAt, one.updatedAt])
]

const answerOf =
  ({ orders }: Staging.Lists<"orders">): Source["answer"] =>
  ({ body, headers, path }, paging) => {
    const pair = `Basic ${Buffer.from("sample-client:sample-secret").toString("base64")}`
    if (path === "/api/oauth/token")
      return headers["authorization"] === pair
        ? { body: { access_token: "access-fresh", expires_in: 600, token_type: "Bearer" } }
        : { status: 401, body: { errors: [{ detail: "Client authentication failed" }] } }
    if (!Staging.isAuthorised(headers)) return { status: 401, body: { errors: [{ detail: "Not authorised" }] } }
    if (path !== "/api/search/order") return undefined
    const { filter, limit, page = 1 } = JSON.parse(body)
    const [{ queries = [], value = undefined } = {}] = filter
    const since = queries[0]?.parameters.gte ?? null
    const isAsked = (one: Record) =>
      value === undefined ? timesOf(one).some((time) => Staging.isSince(time, since)) : one.id === value
    const found = orders.filter(isAsked)
    return { body: { total: found.length, data: paging.numbered(found, page, limit).records, aggregations: [] } }
  }

export const subject: Subject = {
  connector: shopware,
  settings: {
    ...{ url: "https://shop.example", client_id: { env: "ID" }, client_secret: { env: "SECRET" } },
    deferred_payment: "service_id"
  },
  environment: { ID: "sample-client", SECRET: "sample-secret" },
  tokens: "/api/oauth/token",
  golden: [
    `{"kind":"order","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa64","number":"1100","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa65","type":"product","quantity":"300000000n","gross":"6000000000n","description":"Tea 101","sku":"T-101"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2","contact":"Jane Doe","phone":"+431234","country":"AT"},"deferredPayment":"dp-106","channel":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1","said":"open","methods":["payment_deferred"],"state":{"lines":[{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa65","left":"0n","back":"0n","still":"300000000n"}],"total":"6600000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac8","number":"1200","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac9","type":"product","quantity":"200000000n","gross":"7200000000n","description":"Tea 201","sku":"T-201"},{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaca","type":"product","quantity":"100000000n","gross":"2400000000n","description":"Tea 202","sku":"T-202"},{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaacb","type":"discount","quantity":"100000000n","gross":"-1200000000n","description":"Tea 203","sku":"T-203"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"720000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2","contact":"Jane Doe","phone":"+431234","country":"AT"},"deferredPayment":"dp-205","channel":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1","said":"in_progress","methods":["payment_deferred"],"state":{"lines":[{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac9","left":"200000000n","back":"0n","still":"0n"},{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaca","left":"100000000n","back":"0n","still":"0n"}],"total":"9120000000n","own":{"given":"1000000000n","received":"9120000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac8/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaad1","order":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac8","date":"2026-01-30","currency":"EUR","lines":[{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac9","quantity":"200000000n"}],"tracking":[{"number":"JD014600003","carrier":"DHL"}]}`,
    `{"kind":"order","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa12c","number":"1300","status":"cancelled","currency":"EUR","placed":"2026-01-29","lines":[{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa12d","type":"product","quantity":"300000000n","gross":"4000000000n","description":"Tea 301","sku":"T-301"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2","contact":"Jane Doe","phone":"+431234","country":"AT"},"deferredPayment":"dp-305","channel":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1","said":"cancelled","methods":["payment_deferred"],"state":{"lines":[{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa12d","left":"0n","back":"0n","still":"300000000n"}],"total":"4600000000n","own":{"given":"4600000000n","received":"4600000000n"},"others":{"received":"0n","given":"0n"},"end":"cancelled"}}`,
    `{"kind":"order","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa190","number":"1400","status":"closed","currency":"EUR","placed":"2026-01-29","lines":[{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa191","type":"product","quantity":"300000000n","gross":"3000000000n","description":"Tea 401","sku":"T-401"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2","contact":"Jane Doe","phone":"+431234","country":"AT"},"deferredPayment":"dp-405","channel":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1","said":"completed","methods":["payment_deferred"],"state":{"lines":[{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa191","back":"0n","still":"0n"}],"total":"3600000000n","own":{"given":"0n","received":"3600000000n"},"others":{"received":"0n","given":"0n"},"end":"complete"}}`,
    `{"kind":"fulfilment","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa190/aaaaaaaaaaaaaaaaaaaaaaaaaaaaa199","order":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa190","date":"2026-01-30","currency":"EUR","lines":[{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa191","quantity":"100000000n"}]}`,
    `{"kind":"order","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa1f4","number":"1500","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa1f5","type":"product","quantity":"300000000n","gross":"2000000000n","description":"Tea 501","sku":"T-501"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010","country":"AT"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2","contact":"Jane Doe","phone":"+431234","country":"AT"},"deferredPayment":"dp-505","channel":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1","said":"in_progress","methods":["payment_deferred"],"state":{"lines":[{"line":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa1f5","back":"0n","still":"300000000n"}],"total":"2600000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`
  ],
  open: Staging.staged(
    { orders: ORDERS },
    {
      lists: { orders: { stamp: Staging.stamping("updatedAt") } },
      answer: answerOf,
      grow: (add, n) => {
        const id = 100_000 + n * 20
        const deliveries = n % 2 === 0 ? [delivery(id + 9, "shipped", [[id + 1, 3]])] : []
        add("orders", order(id, "in_progress", 16, { deliveries, transactions: [payment(id + 5, "paid", 16)] }))
      },
      changes: ({ orders }) => ({
        edit: Staging.setting(orders[0].billingAddress, { city: "Graz" }, hex(100)),
        remove: () => {
          Object.assign(orders[0], state("cancelled"), { updatedAt: new Date(Staging.LATER).toISOString() })
          return `order/${hex(100)}`
        },
        ...Staging.amountOf(`order/${hex(100)}`, (value) => {
          Object.assign(orders[0], { amountTotal: value, shippingCosts: price(0) })
          orders[0].lineItems[0].price.totalPrice = value
        })
      })
    }
  )
}
