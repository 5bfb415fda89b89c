/** Provides fixtures for the PrestaShop connector, and a simulated webservice that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { prestashop } from "./PrestaShop.ts"

const PLACED = "2026-01-29 21:40:11"
const AT = { date_add: PLACED, date_upd: "2026-01-30 17:22:08" }
const CURRENCIES = [{ id: 1, iso_code: "EUR", name: "Euro", conversion_rate: "1.000000", active: "1" }]
const CUSTOMERS = [{ id: 2001, firstname: "Jane", lastname: "Doe", email: "jane@example.com", company: "" }]
const ADDRESSES = [
  {
    ...{ id: 3001, company: "Harbour Tea Ltd", firstname: "Jane", lastname: "Doe", address1: "1 Quay", address2: "" },
    ...{ city: "Wien", postcode: "1010", id_country: "2", phone: "+431234", phone_mobile: "" }
  }
]

const order = (id: number, current_state: string, total: string, more: object = {}) => ({
  ...{ ...AT, id, current_state, reference: `REF${id}`, id_currency: "1", id_customer: "2001", id_shop: "1" },
  ...{ id_address_invoice: "3001", id_address_delivery: "3001", payment: "Pay later", module: "paylater", valid: "1" },
  ...{
    total_paid_tax_incl: total,
    total_paid_real: total,
    total_products_wt: total,
    total_wrapping_tax_incl: "0.000000"
  },
  ...{ total_shipping_tax_incl: "6.000000", total_discounts_tax_incl: "0.000000", ...more }
})
const ORDERS = [
  order(1001, "2", "66.000000"),
  order(1002, "4", "76.000000", { total_discounts_tax_incl: "10.000000" }),
  order(1003, "6", "46.000000", { total_paid_real: "0.000000" }),
  order(1004, "5", "36.000000")
]

const line = (id: number, of: number, quantity: number, total: string, returned = 0) => ({
  ...{ id, id_order: String(of), product_id: "5", product_quantity: String(quantity), product_name: `Tea ${id}` },
  ...{ product_reference: `T-${id}`, total_price_tax_incl: total, product_quantity_return: String(returned) },
  product_quantity_refunded: "0"
})
const LINES = [
  line(4001, 1001, 3, "60.000000"),
  line(4002, 1002, 2, "60.000000"),
  line(4003, 1002, 1, "20.000000"),
  line(4004, 1003, 2, "40.000000"),
  line(4005, 1004, 3, "30.000000", 1)
]

const state = (id: number, of: number, id_order_state: string, date_add: string) => ({
  ...{ id, id_order: String(of), id_order_state, date_add }
})
const HISTORIES = [
  state(5000, 1001, "10", PLACED),
  state(5001, 1001, "2", PLACED),
  state(5005, 1002, "2", PLACED),
  state(5002, 1002, "4", "2026-01-30 17:22:08"),
  state(5006, 1003, "6", "2026-01-30 09:00:00"),
  state(5003, 1004, "4", "2026-01-30 09:00:00"),
  state(5004, 1004, "5", "2026-01-31 09:00:00")
]

const payment = (id: number, of: number, amount: string) => ({
  ...{
    id,
    order_reference: `REF${of}`,
    id_currency: "1",
    amount,
    payment_method: "Pay later",
    transaction_id: `dp-${id}`
  }
})
const PAYMENTS = [payment(6001, 1001, "66.000000"), payment(6002, 1002, "76.000000"), payment(6004, 1004, "36.000000")]

const slip = (id: number, of: number, of_line: number, incl: string, excl: string) => ({
  ...{ ...AT, id, id_order: String(of), total_products_tax_incl: incl, total_products_tax_excl: excl, amount: excl },
  ...{ total_shipping_tax_incl: "0.000000", date_add: "2026-02-01 10:00:00" },
  associations: {
    order_slip_details: [
      { id: String(id), id_order_detail: String(of_line), product_quantity: "1", amount_tax_incl: incl }
    ]
  }
})
const SLIPS = [slip(7001, 1002, 4002, "30.000000", "25.000000")]
const CARRIERS = [{ id: 8001, id_order: "1002", id_carrier: "2", tracking_number: "JD014600003", date_add: PLACED }]

/** The lists by their paths, with the members that their records are in. */
const NODES: Readonly<globalThis.Record<string, string>> = { order_slip: "order_slips" }

/** `[1|2]`, `[from,to]` or a plain value. */
const fits = (value: string, filter: string): boolean => {
  const [, inner = filter] = /^\[(.*)\]$/.exec(filter) ?? []
  const [from = "", to] = inner.split(",")
  if (to === undefined) return inner.split("|").includes(value)
  return /^\d+$/.test(from) ? Number(value) >= Number(from) : value >= from && value <= to
}

const answerOf =
  (all: Staging.Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    const key = `Basic ${Buffer.from("sample-secret:").toString("base64")}`
    if (headers["authorization"] !== key) return { status: 401, body: { errors: [{ message: "Invalid key" }] } }
    const [, , list = "", id] = path.split("/")
    const records = all[list]
    if (records === undefined) return undefined
    if (id !== undefined) {
      const found = records.find((one) => String(one.id) === id)
      return found === undefined ? { status: 404, body: { errors: [] } } : { body: { order: found } }
    }
    const filters = [...query].flatMap(([name, value]) => {
      const [, member] = /^filter\[(\w+)\]$/.exec(name) ?? []
      return member === undefined ? [] : [[member, value] as const]
    })
    const isAsked = (one: Record) =>
      filters.every(([name, value]) => one[name] === null || fits(String(one[name]), value))
    const asked = records.filter(isAsked)
    const found = query.has("limit") ? paging.after(asked, null, "id", query.get("limit")).records : asked
    // Without any, PHP writes a list in place of the object.
    return { body: found.length === 0 ? [] : { [NODES[list] ?? list]: found } }
  }

export const subject: Subject = {
  connector: prestashop,
  settings: { url: "https://shop.example", key: { env: "PRESTASHOP_KEY" }, credit_slips: "refund" },
  environment: { PRESTASHOP_KEY: "sample-secret" },
  unread: { "order_histories.id_order_state": "the order has its present state, which must be known" },
  golden: [
    `{"kind":"order","id":"1001","number":"REF1001","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"4001","type":"product","quantity":"300000000n","gross":"6000000000n","description":"Tea 4001","sku":"T-4001"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"2001","contact":"Jane Doe","phone":"+431234"},"store":"1","said":"2","methods":["Pay later"],"state":{"lines":[{"line":"4001","left":"0n","back":"0n","still":"300000000n"}],"total":"6600000000n","own":{"given":"0n","received":"6600000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"1002","number":"REF1002","status":"open","currency":"EUR","placed":"2026-01-29","lines":[{"id":"4002","type":"product","quantity":"200000000n","gross":"6000000000n","description":"Tea 4002","sku":"T-4002"},{"id":"4003","type":"product","quantity":"100000000n","gross":"2000000000n","description":"Tea 4003","sku":"T-4003"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"},{"id":"discount","type":"discount","quantity":"100000000n","gross":"-1000000000n","description":"Discount"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"2001","contact":"Jane Doe","phone":"+431234"},"store":"1","said":"4","methods":["Pay later"],"state":{"lines":[{"line":"4002","left":"200000000n","back":"100000000n","still":"0n"},{"line":"4003","left":"100000000n","back":"0n","still":"0n"}],"total":"7600000000n","own":{"given":"3000000000n","received":"7600000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"1002/parcel","order":"1002","date":"2026-01-30","currency":"EUR","lines":[{"line":"4002","quantity":"200000000n"},{"line":"4003","quantity":"100000000n"}],"tracking":[{"number":"JD014600003"}]}`,
    `{"kind":"order","id":"1003","number":"REF1003","status":"cancelled","currency":"EUR","placed":"2026-01-29","lines":[{"id":"4004","type":"product","quantity":"200000000n","gross":"4000000000n","description":"Tea 4004","sku":"T-4004"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"2001","contact":"Jane Doe","phone":"+431234"},"store":"1","said":"6","methods":["Pay later"],"state":{"lines":[{"line":"4004","left":"0n","back":"0n","still":"200000000n"}],"total":"4600000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"},"end":"cancelled"}}`,
    `{"kind":"order","id":"1004","number":"REF1004","status":"closed","currency":"EUR","placed":"2026-01-29","lines":[{"id":"4005","type":"product","quantity":"300000000n","gross":"3000000000n","description":"Tea 4005","sku":"T-4005"},{"id":"shipping","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Shipping"}],"invoicing":{"name":"Harbour Tea Ltd","line1":"1 Quay","city":"Wien","postcode":"1010"},"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"2001","contact":"Jane Doe","phone":"+431234"},"store":"1","said":"5","methods":["Pay later"],"state":{"lines":[{"line":"4005","left":"300000000n","back":"100000000n","still":"0n"}],"total":"3600000000n","own":{"given":"0n","received":"3600000000n"},"others":{"received":"0n","given":"0n"},"end":"complete"}}`,
    `{"kind":"fulfilment","id":"1004/parcel","order":"1004","date":"2026-01-30","currency":"EUR","lines":[{"line":"4005","quantity":"300000000n"}]}`
  ],
  open: Staging.staged(
    {
      ...{ orders: ORDERS, order_details: LINES, order_histories: HISTORIES, order_payments: PAYMENTS },
      ...{
        order_slip: SLIPS,
        order_carriers: CARRIERS,
        currencies: CURRENCIES,
        customers: CUSTOMERS,
        addresses: ADDRESSES
      }
    },
    {
      lists: {
        orders: { stamp: Staging.stamping("date_upd", Staging.spaced) },
        order_slip: { stamp: Staging.stamping("date_upd", Staging.spaced), shows: ({ id_order }) => id_order }
      },
      answer: answerOf,
      grow: (add, n) => {
        const id = 10_000 + n
        add("orders", order(id, n % 2 === 0 ? "4" : "2", "16.000000"))
        add("order_details", line(20_000 + n, id, 1, "10.000000"))
        add("order_payments", payment(30_000 + n, id, "16.000000"))
        if (n % 2 === 0) add("order_histories", state(40_000 + n, id, "4", PLACED))
        if (n % 20 === 0) add("order_slip", slip(50_000 + n, id, 20_000 + n, "10.000000", "8.000000"))
      },
      changes: ({ addresses, order_details: lines, orders }) => ({
        edit: Staging.setting(addresses[0], { city: "Graz" }, "1001"),
        remove: Staging.setting(
          orders[0],
          { current_state: "6", date_upd: Staging.spaced(Staging.LATER) },
          "order/1001"
        ),
        ...Staging.amountOf("order/1001", (value) => {
          Object.assign(orders[0], { total_paid_tax_incl: value, total_shipping_tax_incl: "0" })
          lines[0].total_price_tax_incl = value
        })
      })
    }
  )
}
