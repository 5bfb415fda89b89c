/** Provides fixtures for the connector of Odoo's sales orders, and a simulated JSON-2 API, for the conformance kit. */
import { isChanged, odooServer, type Term } from "../testing/OdooServer.ts"
import type { Record } from "../testing/Simulator.ts"
import { amountOf, LATER, setting, spaced, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { odoosales } from "./OdooSales.ts"

const COMPANY = { id: 11, name: "Harbour Tea Ltd", email: "office@example.com" }
const at = (id: number, name: string, street: string) => ({
  id,
  name,
  email: "jane@example.com",
  phone: "+44 20 7946 0000",
  street,
  street2: false,
  city: "Bristol",
  zip: "BS1 4DJ",
  country_code: "GB",
  commercial_partner_id: COMPANY
})
const JANE = at(12, "Jane Doe", "1 Quay")
const DEPOT = at(13, "Depot", "2 Quay")

export const line = (id: number, product_uom_qty: number, price_total: number, more: object = {}) => ({
  id,
  name: `Tea ${id}`,
  display_type: false,
  product_type: "consu",
  product_uom_qty,
  product_uom_id: 1,
  price_total,
  product_id: { id: id * 10, default_code: `T-${id}` },
  ...more
})

const SERVICE = { product_type: "service", product_id: { id: 7, default_code: false } }

/** A quantity of an order line that a transfer moved to the customer. */
export const move = (sale_line_id: number, quantity: number, more: object = {}) => ({
  id: 7000 + sale_line_id,
  state: "done",
  quantity,
  product_uom_qty: quantity,
  origin_returned_move_id: false,
  product_id: sale_line_id * 10,
  product_uom: 1,
  sale_line_id,
  to_refund: false,
  location_usage: "internal",
  location_dest_usage: "customer",
  location_final_id: false,
  ...more
})

const BACK = { location_usage: "customer", location_dest_usage: "internal", to_refund: true }

/** The same from the customer, to be refunded. */
export const back = (line: number, quantity: number, more: object = {}) => move(line, quantity, { ...BACK, ...more })

export const transfer = (id: number, day: string, move_ids: ReadonlyArray<object>, more: object = {}) => ({
  id,
  name: `WH/OUT/${id}`,
  state: "done",
  date_done: `${day} 15:00:00`,
  move_ids,
  ...more
})

export const order = (id: number, lines: ReadonlyArray<{ readonly price_total: number }>, more: object = {}) => ({
  id,
  name: `S${id}`,
  state: "sale",
  delivery_status: "pending",
  date_order: "2026-01-29 21:40:11",
  write_date: "2026-02-01 09:00:00",
  amount_total: lines.reduce((sum, { price_total }) => sum + price_total, 0),
  client_order_ref: `dp-${id}`,
  company_id: { id: 1, display_name: "Harbour" },
  team_id: { id: 2, display_name: "Website" },
  payment_term_id: { id: 3, display_name: "Pay later" },
  currency_id: { id: 1, name: "EUR" },
  partner_id: JANE,
  partner_invoice_id: JANE,
  partner_shipping_id: DEPOT,
  order_line: lines,
  picking_ids: [],
  ...more
})

const NOTE = line(39, 0, 0, {
  display_type: "line_note",
  product_type: false,
  product_uom_id: false,
  product_id: false
})
const WAITING = { state: "assigned", date_done: false }

const ORDERS = [
  // Two of three left in one transfer, one came back to be refunded and one to be exchanged, and one is still to leave.
  order(101, [line(1, 3, 72), line(2, 1, 7.2, SERVICE), line(3, 1, -5, SERVICE)], {
    delivery_status: "partial",
    picking_ids: [
      transfer(61, "2026-01-30", [move(1, 1), move(1, 1)]),
      transfer(62, "2026-02-03", [back(1, 1)]),
      transfer(63, "2026-02-04", [back(1, 1, { to_refund: false })]),
      transfer(64, "2026-02-05", [move(1, 1, { state: "assigned" })], WAITING),
      transfer(65, "2026-01-30", [move(1, 2, { location_dest_usage: "internal" })])
    ]
  }),
  // All that will leave has left; taxes are rounded for the whole order.
  order(102, [line(21, 2, 48.004), NOTE], {
    delivery_status: "full",
    amount_total: 48.01,
    picking_ids: [transfer(66, "2026-01-31", [move(21, 1)]), transfer(67, "2026-01-31", [], { state: "cancel" })]
  }),
  order(103, [line(31, 1, 24)], { state: "cancel", client_order_ref: false }),
  ...[104, 105].map((id) => order(id, [line(id, 1, 24)]))
]

/** Whether an order is in one of the states that the domain names. */
const isInState = ({ state }: Record, term: Term): boolean =>
  (term("state", "in") as ReadonlyArray<unknown> | undefined)?.includes(state) ?? true

const parties = (now: string) =>
  `"totals":{"now":"${now}n"},"delivery":{"name":"Depot","line1":"2 Quay","city":"Bristol","postcode":"BS1 4DJ","country":"GB"},"invoicing":{"name":"Jane Doe","line1":"1 Quay","city":"Bristol","postcode":"BS1 4DJ","country":"GB"}`
const BUYER = `"buyer":{"name":"Harbour Tea Ltd","email":"jane@example.com","id":"11","contact":"Jane Doe","phone":"+44 20 7946 0000","country":"GB"}`
const PLACE = (said: string) => `"store":"Harbour","channel":"Website","said":"${said}","methods":["Pay later"]`
const head = (id: number, status: string) =>
  `{"kind":"order","id":"${id}","number":"S${id}","status":"${status}","currency":"EUR","placed":"2026-01-29"`
const product = (id: number, quantity: number, gross: string) =>
  `{"id":"${id}","type":"product","quantity":"${quantity}00000000n","gross":"${gross}n","description":"Tea ${id}","sku":"T-${id}"}`
const other = (id: string, type: string, gross: string, description: string) =>
  `{"id":"${id}","type":"${type}","quantity":"100000000n","gross":"${gross}n","description":"${description}"}`
const fact = (kind: string, id: string, day: string, line: number, quantity: number, more = "") =>
  `{"kind":"${kind}","id":"${id}","order":"${id.split("/")[0]}","date":"${day}","currency":"EUR","lines":[{"line":"${line}","quantity":"${quantity}00000000n"}]${more}}`

export const subject: Subject = {
  skips: { "quarantines what it does not know": "delivery_status says that everything was delivered, or nothing" },
  connector: odoosales,
  settings: {
    url: "https://acme.example",
    key: { env: "ODOO_KEY" },
    database: "acme",
    deferred_payment: "client_order_ref"
  },
  environment: { ODOO_KEY: "sample-secret" },
  golden: [
    `${head(101, "open")},"lines":[${product(1, 3, "7200000000")},${other("2", "fee", "720000000", "Tea 2")},${other("3", "discount", "-500000000", "Tea 3")}],${parties("7420000000")},"deferredPayment":"dp-101",${BUYER},${PLACE("sale")}}`,
    fact("fulfilment", "101/61", "2026-01-30", 1, 2),
    // A third of 72.00, less its share of a discount of 5.00.
    fact("return", "101/back-62", "2026-02-03", 1, 1, `,"amount":"2233000000n"`),
    `${head(102, "closed")},"lines":[${product(21, 2, "4800000000")},${other("rounding", "fee", "1000000", "Rounding")}],${parties("4801000000")},"deferredPayment":"dp-102",${BUYER},${PLACE("sale")}}`,
    fact("fulfilment", "102/66", "2026-01-31", 21, 1),
    `${head(103, "cancelled")},"lines":[${product(31, 1, "2400000000")}],${parties("2400000000")},${BUYER},${PLACE("cancel")}}`,
    ...[104, 105].map(
      (id) =>
        `${head(id, "open")},"lines":[${product(id, 1, "2400000000")}],${parties("2400000000")},"deferredPayment":"dp-${id}",${BUYER},${PLACE("sale")}}`
    )
  ],
  open: staged(
    { orders: ORDERS },
    {
      lists: { orders: { stamp: stamping("write_date", spaced) } },
      answer: ({ orders }) =>
        odooServer({ "sale.order": orders }, (one, term) => isChanged(one, term) && isInState(one, term)),
      grow: (add, n) => {
        const id = 10_000 + n
        add("orders", order(id, [line(id, 1, 24)], { picking_ids: [transfer(id, "2026-01-30", [move(id, 1)])] }))
      },
      changes: ({ orders }) => ({
        remove: setting(orders[3], { state: "cancel", write_date: spaced(LATER) }, "order/104"),
        edit: setting(orders[4].order_line[0], { product_uom_qty: 2 }, "105"),
        ...amountOf("order/104", (amount) => {
          orders[3].amount_total = amount
          orders[3].order_line[0].price_total = amount
        })
      })
    }
  )
}
