/** Provides fixtures for the WooCommerce connector, and a simulated API that serves them, for the kit and for tests. */
import { copy, digits, type Record, type Source } from "../testing/Simulator.ts"
import { amountOf, setting } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { woocommerce } from "./WooCommerce.ts"

export const line = (id: number, name: string, quantity: number, total: string, total_tax = "0.00") => ({
  id,
  name,
  product_id: id + 500,
  variation_id: 0,
  quantity,
  subtotal: total,
  total,
  total_tax,
  meta_data: []
})

export const shipping = (id: number, total: string, total_tax = "0.00") => ({
  id,
  method_title: "Flat rate",
  total,
  total_tax
})

export const fee = (id: number, name: string, total: string) => ({ id, name, total, total_tax: "0.00" })

/** By line id: the quantity returned, and the amount refunded for it, including each tax. */
type Back = Readonly<globalThis.Record<string, readonly [quantity: number, total: string]>>

/** The shop is west of Greenwich, so its day may differ from the UTC day. */
const HOURS_BEHIND = 3
/** In the shop's time zone. */
const own = (gmt: string): string =>
  new Date(Date.parse(`${gmt}Z`) - HOURS_BEHIND * 3_600_000).toISOString().slice(0, 19)

export const refund = (id: number, created: string, amount: string, lines: Back = {}) => ({
  id,
  date_created: own(created),
  date_created_gmt: created,
  amount,
  reason: "",
  line_items: Object.entries(lines).map(([of, [quantity, total]], n) => ({
    id: id * 10 + n,
    name: of,
    quantity: -quantity,
    total: `-${total}`,
    total_tax: "0.00",
    meta_data: [{ id: 1, key: "_refunded_item_id", value: of }]
  }))
})

/** @param more its times are in GMT; the shop's local times are added */
export const order = (id: number, status: string, currency: string, total: string, more: object) => {
  const gmt = (name: string, otherwise: string | null) => (more as Record)[`${name}_gmt`] ?? otherwise
  const times = (name: string, otherwise: string | null) => {
    const at: string | null = gmt(name, otherwise)
    return { [name]: at === null ? null : own(at), [`${name}_gmt`]: at }
  }
  return {
    id,
    parent_id: 0,
    number: `W-${id}`,
    status,
    currency,
    prices_include_tax: false,
    ...times("date_created", "2026-02-04T01:30:00"),
    ...times("date_modified", "2026-02-20T10:00:00"),
    ...times("date_completed", null),
    date_paid_gmt: null,
    transaction_id: "",
    total,
    meta_data: [{ id: 900 + id, key: "deferred_payment", value: `defpay-${id}` }],
    line_items: [],
    shipping_lines: [],
    fee_lines: [],
    coupon_lines: [],
    refunds: [],
    ...more
  }
}

const ORDERS = [
  // Two lamps were cancelled before everything left, a chair was returned after it.
  order(71, "completed", "GBP", "125.00", {
    date_completed_gmt: "2026-02-07T09:00:00",
    line_items: [line(1, "Chair", 4, "50.00", "10.00"), line(2, "Lamp", 3, "40.00", "8.00")],
    shipping_lines: [shipping(3, "10.00", "2.00")],
    fee_lines: [fee(4, "Gift wrap", "10.00"), fee(5, "Loyalty", "-5.00")]
  }),
  order(72, "processing", "USD", "20.01", {
    transaction_id: "order-72",
    meta_data: [
      {
        id: 1,
        key: "_wc_shipment_tracking_items",
        value: [
          {
            tracking_id: "t1",
            tracking_number: "1Z",
            tracking_provider: "ups",
            custom_tracking_provider: "",
            custom_tracking_link: "https://parcels.example/1Z",
            date_shipped: "1770422400",
            products_list: [{ product: "507", item_id: "7", qty: "1" }]
          },
          { tracking_id: "t2", tracking_number: "2Z", date_shipped: "1770508800" }
        ]
      }
    ],
    line_items: [line(7, "Cup", 3, "18.33", "1.67")]
  }),
  order(73, "refunded", "JPY", "5400", {
    date_completed_gmt: "2026-02-09T09:00:00",
    line_items: [line(8, "Teapot", 2, "5000", "400")]
  }),
  order(74, "on-hold", "KWD", "1.234", { meta_data: [], line_items: [line(9, "Spoon", 1, "1.234", "0.000")] }),
  order(75, "cancelled", "GBP", "9.00", { line_items: [line(10, "Rug", 1, "9.00")] })
]

export type Refunds = Readonly<globalThis.Record<string, ReadonlyArray<object>>>

const REFUNDS: Refunds = {
  "71": [
    refund(81, "2026-02-06T09:00:00", "26.67", { "2": [2, "26.67"] }),
    refund(82, "2026-02-15T09:00:00", "15.00", { "1": [1, "15.00"] })
  ],
  "73": [refund(83, "2026-02-18T09:00:00", "5400")]
}

const millis = (gmt: unknown) => Date.parse(`${String(gmt)}Z`)

const REFUSED = {
  status: 401,
  body: {
    code: "woocommerce_rest_cannot_view",
    message: "Sorry, you cannot list resources.",
    data: { status: 401 }
  }
}
const NO_ORDER = {
  status: 404,
  body: { code: "woocommerce_rest_shop_order_invalid_id", message: "Invalid ID.", data: { status: 404 } }
}

/** Serves these orders and refunds; `refunds` by order id. */
export const shopOf = (
  orders: ReadonlyArray<object>,
  refunds: Refunds
): Source & { readonly refunds: Array<Record> } => {
  const records = copy(orders)
  const back = Object.entries(refunds).flatMap(([parent, of]) =>
    copy(of).map((one) => ({ ...one, parent_id: digits(parent) }))
  )
  const text = (value: unknown) => JSON.stringify(value)
  for (const record of records)
    record.refunds = back
      .filter((one) => text(one.parent_id) === text(record.id))
      .map(({ amount, id }) => ({ id, reason: "", total: `-${amount}` }))
  const stamp = (record: Record, at: number | null) => {
    const gmt = at === null ? null : new Date(at).toISOString().slice(0, 19)
    Object.assign(record, { date_modified: gmt === null ? null : own(gmt), date_modified_gmt: gmt })
  }
  return {
    refunds: back,
    lists: {
      orders: {
        records,
        id: "id",
        stamp,
        shows: (record) => `"number":${text(record.number)}`,
        childless: (copied) => void (copied.refunds = [])
      },
      refunds: { records: back, id: "id" }
    },
    answer: ({ headers, method, path, query }, paging) => {
      const [, root, parent, id, list] =
        /^(\/wp-json\/wc\/v3)\/(orders|refunds)(?:\/(\d+))?(?:\/(refunds))?$/.exec(path) ?? []
      if (method !== "GET" || root === undefined) return undefined
      if (headers["authorization"] !== `Basic ${Buffer.from("ck_sample:cs_sample").toString("base64")}`) return REFUSED
      // Times without a zone are the shop's own, unless the query says otherwise.
      const shift = query.get("dates_are_gmt") === "true" ? 0 : HOURS_BEHIND * 3_600_000
      const since = (name: string, time: unknown) =>
        query.get(name) === null || millis(time) > millis(query.get(name)) + shift
      const paged = (all: ReadonlyArray<Record>) => {
        const page = Number(query.get("page") ?? 1)
        const sorted = [...all].sort((a, b) => Number(text(a.id)) - Number(text(b.id)))
        const { more, records: body } = paging.numbered(sorted, page, query.get("per_page"))
        return { body, headers: { "x-wp-total": `${all.length}`, "x-wp-totalpages": `${more ? page + 1 : page}` } }
      }
      if (parent === "refunds") return paged(back.filter((one) => since("after", one.date_created_gmt)))
      if (list !== undefined) return paged(back.filter((one) => text(one.parent_id) === id))
      if (id !== undefined) {
        const one = records.find((record) => text(record.id) === id)
        return one === undefined ? NO_ORDER : { body: one }
      }
      const listed = records.filter(({ status }) => status !== "trash")
      const wanted = query.get("include")?.split(",")
      if (wanted !== undefined) return { body: listed.filter((one) => wanted.includes(text(one.id))) }
      return paged(listed.filter((one) => since("modified_after", one.date_modified_gmt)))
    }
  }
}

export const subject: Subject = {
  skips: {
    "quarantines what it does not know": "the statuses of orders are the shop's own: `statuses` says what they mean"
  },
  connector: woocommerce,
  settings: { url: "https://shop.example", key: { env: "WOO_KEY" }, secret: { env: "WOO_SECRET" } },
  environment: { WOO_KEY: "ck_sample", WOO_SECRET: "cs_sample" },
  golden: [
    `{"kind":"order","id":"71","number":"W-71","status":"closed","currency":"GBP","placed":"2026-02-03","lines":[{"id":"1","type":"product","quantity":"400000000n","gross":"6000000000n","description":"Chair"},{"id":"2","type":"product","quantity":"300000000n","gross":"4800000000n","description":"Lamp"},{"id":"shipping/3","type":"shipping","quantity":"100000000n","gross":"1200000000n","description":"Flat rate"},{"id":"fee/4","type":"fee","quantity":"100000000n","gross":"1000000000n","description":"Gift wrap"},{"id":"fee/5","type":"discount","quantity":"100000000n","gross":"-500000000n","description":"Loyalty"}],"deferredPayment":"defpay-71","said":"completed","state":{"lines":[{"line":"1","left":"400000000n","back":"100000000n","still":"0n"},{"line":"2","left":"300000000n","back":"200000000n","still":"0n"}],"total":"12500000000n","placed":"12500000000n","own":{"given":"4167000000n"},"others":{"received":"0n","given":"0n"},"end":"complete"}}`,
    `{"kind":"fulfilment","id":"71/all","order":"71","date":"2026-02-07","currency":"GBP","lines":[]}`,
    `{"kind":"order","id":"72","number":"W-72","status":"open","currency":"USD","placed":"2026-02-03","lines":[{"id":"7","type":"product","quantity":"300000000n","gross":"2000000000n","description":"Cup"},{"id":"difference","type":"fee","quantity":"100000000n","gross":"1000000n","description":"Rounding"}],"serviceOrder":"order-72","said":"processing","state":{"lines":[{"line":"7","left":"100000000n","back":"0n","still":"200000000n"}],"total":"2001000000n","placed":"2001000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"72/t1","order":"72","date":"2026-02-07","currency":"USD","lines":[{"line":"7","quantity":"100000000n"}],"tracking":[{"number":"1Z","carrier":"ups","url":"https://parcels.example/1Z"}]}`,
    `{"kind":"order","id":"73","number":"W-73","status":"closed","currency":"JPY","placed":"2026-02-03","lines":[{"id":"8","type":"product","quantity":"200000000n","gross":"540000000000n","description":"Teapot"}],"deferredPayment":"defpay-73","said":"refunded","state":{"lines":[{"line":"8","left":"200000000n","back":"0n","still":"0n"}],"total":"540000000000n","placed":"540000000000n","own":{"given":"540000000000n"},"others":{"received":"0n","given":"0n"},"end":"complete"}}`,
    `{"kind":"fulfilment","id":"73/all","order":"73","date":"2026-02-09","currency":"JPY","lines":[]}`,
    `{"kind":"order","id":"74","number":"W-74","status":"open","currency":"KWD","placed":"2026-02-03","lines":[{"id":"9","type":"product","quantity":"100000000n","gross":"123400000n","description":"Spoon"}],"said":"on-hold","state":{"lines":[{"line":"9","left":"0n","back":"0n","still":"100000000n"}],"total":"123400000n","placed":"123400000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"75","number":"W-75","status":"cancelled","currency":"GBP","placed":"2026-02-03","lines":[{"id":"10","type":"product","quantity":"100000000n","gross":"900000000n","description":"Rug"}],"deferredPayment":"defpay-75","said":"cancelled","state":{"lines":[{"line":"10","left":"0n","back":"0n","still":"100000000n"}],"total":"900000000n","placed":"900000000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"},"end":"cancelled"}}`
  ],
  open: () => {
    const source = shopOf(ORDERS, REFUNDS)
    const { records, stamp } = source.lists["orders"]!
    const last = records[3]
    return {
      source,
      // Every tenth order has a return.
      grow: (count) => {
        for (let n = 1; n <= count; n++) {
          const [id, item] = [1000 + n, 10_000 + n]
          const status = n % 10 === 0 ? "completed" : "processing"
          records.push(...copy([order(id, status, "GBP", "9.00", { line_items: [line(item, "Rug", 1, "9.00")] })]))
          if (n % 10 > 0) continue
          const made = refund(20_000 + n, "2026-02-15T09:00:00", "9.00", { [item]: [1, "9.00"] })
          source.refunds.push(...copy([{ ...made, parent_id: id }]))
          records.at(-1).refunds = copy([{ id: made.id, reason: "", total: "-9.00" }])
        }
      },
      remove: () => {
        last.status = "cancelled"
        stamp!(last, Date.parse("2026-03-01T12:01:00Z"))
        return "order/74"
      },
      // WooCommerce does not update an order's time of change when its metadata changes.
      edit: setting(last, { meta_data: [{ id: digits("1"), key: "deferred_payment", value: "defpay-74" }] }, "74"),
      ...amountOf("order/74", (amount) => {
        last.currency = "GBP"
        last.line_items[0].total = amount
        last.total = amount
      })
    }
  }
}
