/** Provides fixtures for the GoCardless connector, and a simulated API that serves them, for the conformance kit. */
import { digits, type Record, type Source } from "../testing/Simulator.ts"
import { type Add, amountOf, type Lists, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { gocardless } from "./GoCardless.ts"

const MANDATES = [
  { id: "MD1", scheme: "bacs", links: { customer: "CU1" } },
  { id: "MD2", scheme: "sepa_core", links: { customer: "CU2" } },
  { id: "MD3", scheme: "bacs", links: { customer: "CU3" } }
]

/** The third customer's data was removed. */
const CUSTOMERS = [
  {
    id: "CU1",
    company_name: "Harbour Lane Bakery",
    given_name: "Ada",
    family_name: "Byron",
    email: "ada@bakery.example"
  },
  { id: "CU2", company_name: null, given_name: "Grace", family_name: "Hopper", email: "grace@navy.example" }
]

const payment = (id: string, amount: number, currency: string, status: string, invoice: string, mandate = "MD1") => ({
  id,
  amount,
  amount_refunded: 0,
  currency,
  charge_date: "2026-02-03",
  created_at: "2026-01-28T09:00:00.000Z",
  description: "Monthly invoice",
  reference: `REF-${id}`,
  status,
  metadata: { invoice },
  links: { mandate, creditor: "CR1" }
})

const PAYMENTS = [
  payment("PM1", 5000, "GBP", "paid_out", "INV-1"),
  payment("PM2", 12050, "EUR", "failed", "INV-2", "MD2"),
  payment("PM3", 7700, "GBP", "paid_out", "INV-3", "MD3"),
  payment("PM4", 900, "GBP", "pending_submission", "INV-4"),
  payment("PM5", 3100, "GBP", "failed", "INV-5")
]

const event = (id: string, of: string, action: string, created_at: string, details: object = {}) => ({
  id,
  action,
  created_at,
  resource_type: "payments",
  links: { payment: of },
  details: { origin: "bank", cause: "other", scheme: "bacs", ...details }
})

const ofRefund = (id: string, refund: string, action: string, created_at: string) => ({
  id,
  action,
  created_at,
  resource_type: "refunds",
  links: { refund },
  details: {}
})

const EVENTS = [
  event("EV08", "PM1", "paid_out", "2026-02-07T04:00:00.000Z"),
  event("EV01", "PM1", "confirmed", "2026-02-05T04:00:00.000Z"),
  event("EV02", "PM2", "confirmed", "2026-02-05T04:00:01.000Z"),
  event("EV03", "PM2", "paid_out", "2026-02-06T04:00:00.000Z"),
  event("EV04", "PM2", "failed", "2026-02-09T23:30:00.000Z", { reason_code: "MD01", description: "No mandate" }),
  event("EV06", "PM3", "confirmed", "2026-02-05T04:00:02.000Z"),
  event("EV07", "PM3", "charged_back", "2026-02-12T10:00:00.000Z", { reason_code: "DDICA-1" }),
  event("EV09", "PM3", "chargeback_cancelled", "2026-02-20T10:00:00.000Z"),
  event("EV10", "PM5", "failed", "2026-02-05T04:00:03.000Z", { reason_code: "ARUDD-0" }),
  ofRefund("EV11", "RF1", "paid", "2026-02-28T10:00:00.000Z"),
  ofRefund("EV12", "RF2", "bounced", "2026-02-28T11:00:00.000Z"),
  { ...event("EV13", "", "paid", "2026-02-18T04:00:00.000Z"), resource_type: "payouts", links: { payout: "PO1" } },
  event("EV05", "PM2", "late_failure_settled", "2026-02-11T04:00:00.000Z")
]

const refund = (id: string, payment: string, amount: number, status: string, created_at: string) => ({
  id,
  amount,
  currency: "GBP",
  created_at,
  status,
  metadata: {},
  links: { payment }
})

const REFUNDS = [
  refund("RF1", "PM1", 1000, "paid", "2026-02-27T10:00:00.000Z"),
  refund("RF2", "PM3", 200, "bounced", "2026-02-27T11:00:00.000Z")
]

const item = (n: number, type: string, amount: string) => ({
  id: `n${n}`,
  type,
  amount,
  taxes: [],
  links: { payout: "PO1" }
})

/** The fees have parts of a penny: GoCardless rounds the sum. */
const ITEMS = [
  item(1, "payment_paid_out", "5000.0"),
  item(2, "payment_paid_out", "7700.0"),
  item(3, "payment_charged_back", "-7700.0"),
  item(4, "gocardless_fee", "-40.3"),
  item(5, "gocardless_fee", "-40.3"),
  item(6, "gocardless_fee", "40.3")
]

const payout = (id: string, amount: number, status: string, more: object = {}) => ({
  id,
  amount,
  currency: "GBP",
  status,
  arrival_date: "2026-02-20",
  created_at: "2026-02-17T10:00:00.000Z",
  deducted_fees: 40,
  fx: null,
  payout_type: "merchant",
  reference: "HARBOUR-1A2B3C",
  links: { creditor: "CR1", creditor_bank_account: "BA1" },
  ...more
})

const PAYOUTS = [
  payout("PO3", 5000, "pending", { arrival_date: null }),
  payout("PO2", 10000, "paid", { fx: { fx_amount: 11650, fx_currency: "EUR", exchange_rate: "1.165" } }),
  payout("PO1", 4960, "paid")
]

/** Filters of a list by id. */
const ABOUT = ["payment", "refund", "payout"]

/** Newest first; for equal times, the last added. */
const newest = (events: ReadonlyArray<Record>, query: URLSearchParams): ReadonlyArray<Record> => {
  const since = query.get("created_at[gte]") ?? ""
  const isOf = (record: Record) =>
    ["resource_type", "action"].every((of) => query.get(of) === null || record[of] === query.get(of))
  return events
    .filter((record) => isOf(record) && String(record.created_at) >= since)
    .map((record, n) => ({ record, n }))
    .sort((a, b) =>
      a.record.created_at < b.record.created_at ? 1 : a.record.created_at > b.record.created_at ? -1 : b.n - a.n
    )
    .map(({ record }) => record)
}

const answerOf =
  (all: Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["authorization"] !== "Bearer sample-token") {
      return { status: 401, body: { error: { message: "The access token you've used is not a valid" } } }
    }
    const [, name = "", id] = path.split("/")
    const records = all[name]
    if (records === undefined) return undefined
    if (id !== undefined) {
      const found = records.find((record) => record.id === id)
      if (found !== undefined) return { body: { [name]: found } }
      return name === "customers"
        ? { status: 410, body: { error: { message: "This customer data has been removed" } } }
        : undefined
    }
    // They are kept for six months.
    if (name === "payout_items" && query.get("payout") === "PO2")
      return { status: 410, body: { error: { message: "This resource is no longer available" } } }
    const about = records.filter((record) =>
      ABOUT.every((of) => query.get(of) === null || record.links[of] === query.get(of))
    )
    const sorted = name === "events" ? newest(about, query) : about
    const { more, records: page } = paging.after(sorted, query.get("after"), "id", query.get("limit"))
    const after = more ? (page.length > 0 ? page[page.length - 1].id : query.get("after")) : null
    const included = () => all["payments"]!.filter(({ id }) => page.some(({ links }) => links.payment === id))
    const linked = query.get("include") === "payment" ? { linked: { payments: included() } } : {}
    return { body: { [name]: page, ...linked, meta: { cursors: { before: null, after }, limit: paging.size } } }
  }

/** As many payments, of a tenth as many customers; every fiftieth failed late, every twentieth has a refund. */
const grow = (add: Add, n: number): void => {
  const [id, of] = [`PMn${n}`, Math.floor(n / 10)]
  const day = `2026-01-${String(1 + (n % 28)).padStart(2, "0")}T04:00:00.000Z`
  if (n % 10 === 0) {
    add("mandates", { ...MANDATES[0]!, id: `MDn${of}`, links: { customer: `CUn${of}` } })
    add("customers", { ...CUSTOMERS[0]!, id: `CUn${of}` })
  }
  add("payments", payment(id, 5000, "GBP", n % 50 === 7 ? "failed" : "paid_out", `INV-n${n}`, `MDn${of}`))
  if (n % 50 === 7) add("events", event(`EVf${n}`, id, "failed", "2026-01-30T04:00:00.000Z", { reason_code: "MD01" }))
  if (n % 20 === 3) add("refunds", { ...REFUNDS[0]!, id: `RFn${n}`, links: { payment: id } })
  add("events", event(`EVc${n}`, id, "confirmed", day))
}

export const subject: Subject = {
  unread: {
    "events.links.payment": "events of mandates, payouts and refunds have none",
    "events.resource_type": "events are asked for by it",
    "events.action": "of the actions, those that move money are known; the others say nothing of it"
  },
  skips: {
    "sees what changes while it reads": "events do not change",
    "makes a document of each record": "several events are about one payment",
    "counts nothing before its time":
      "a payment that failed late was received before: its events say so, and that is a payment and its reversal"
  },
  connector: gocardless,
  settings: { token: { env: "GOCARDLESS_TOKEN" }, environment: "sandbox" },
  environment: { GOCARDLESS_TOKEN: "sample-token" },
  /** The first pull does not request events of payments that were confirmed and nothing else, and of payouts. */
  nothing: ["EV08", "EV01", "EV11", "EV13"],
  golden: [
    `{"kind":"payment","currency":"GBP","shares":[{"invoice":"INV-1","amount":"5000000000n"}],"reference":"REF-PM1; Monthly invoice","party":{"id":"CU1","name":"Harbour Lane Bakery"},"method":"bank","id":"PM1","date":"2026-02-03"}`,
    `{"kind":"reversal","id":"RF1","payment":"PM1","date":"2026-02-27","currency":"GBP","shares":[{"invoice":"INV-1","amount":"1000000000n"}],"type":"refund"}`,
    `{"kind":"payment","currency":"EUR","shares":[{"invoice":"INV-2","amount":"12050000000n"}],"reference":"REF-PM2; Monthly invoice","party":{"id":"CU2","name":"Grace Hopper"},"method":"bank","id":"PM2","date":"2026-02-03"}`,
    `{"kind":"reversal","id":"EV04","payment":"PM2","date":"2026-02-09","currency":"EUR","shares":[{"invoice":"INV-2","amount":"12050000000n"}],"type":"error","providerCode":"MD01","details":"No mandate"}`,
    `{"kind":"payment","currency":"GBP","shares":[{"invoice":"INV-3","amount":"7700000000n"}],"reference":"REF-PM3; Monthly invoice","party":{"id":"CU3"},"method":"bank","id":"PM3","date":"2026-02-03"}`,
    `{"kind":"reversal","id":"EV07","payment":"PM3","date":"2026-02-12","currency":"GBP","shares":[{"invoice":"INV-3","amount":"7700000000n"}],"type":"chargeback","providerCode":"DDICA-1"}`,
    `{"kind":"payment","currency":"GBP","shares":[{"invoice":"INV-3","amount":"7700000000n"}],"reference":"REF-PM3; Monthly invoice","party":{"id":"CU3"},"method":"bank","id":"EV09","date":"2026-02-20"}`,
    `{"kind":"reversal","id":"RF2","payment":"PM3","date":"2026-02-27","currency":"GBP","shares":[{"invoice":"INV-3","amount":"200000000n"}],"type":"refund"}`,
    `{"kind":"payment","currency":"GBP","shares":[{"invoice":"INV-3","amount":"200000000n"}],"reference":"REF-PM3; Monthly invoice","party":{"id":"CU3"},"method":"bank","id":"RF2/returned","date":"2026-02-28"}`,
    `{"kind":"payment","currency":"GBP","shares":[{"invoice":"INV-4","amount":"900000000n"}],"reference":"REF-PM4; Monthly invoice","party":{"id":"CU1","name":"Harbour Lane Bakery"},"method":"bank","id":"PM4","date":"2026-02-03","tried":"pending"}`,
    `{"kind":"payment","currency":"GBP","shares":[{"invoice":"INV-5","amount":"3100000000n"}],"reference":"REF-PM5; Monthly invoice","party":{"id":"CU1","name":"Harbour Lane Bakery"},"method":"bank","id":"PM5","date":"2026-02-03","tried":"failed"}`,
    `{"kind":"reversal","id":"PM5/failed","payment":"PM5","currency":"GBP","shares":[{"invoice":"INV-5","amount":"3100000000n"}],"type":"error","date":"2026-02-05","providerCode":"ARUDD-0"}`,
    `{"kind":"payout","id":"PO1","date":"2026-02-20","currency":"GBP","amount":"4960000000n","status":"paid","by":"GoCardless","account":"CR1","references":["HARBOUR-1A2B3C"],"items":[{"part":"collected","name":"payment_paid_out","count":2,"amount":"12700000000n"},{"part":"chargebacks","name":"payment_charged_back","count":1,"amount":"-7700000000n"},{"part":"fees","name":"gocardless_fee","count":3,"amount":"-40300000n"},{"part":"adjustments","name":"rounding","count":1,"amount":"300000n"}]}`,
    `{"kind":"payout","id":"PO2","date":"2026-02-20","currency":"GBP","amount":"10000000000n","status":"paid","by":"GoCardless","settled":{"currency":"EUR","amount":"11650000000n"},"account":"CR1","references":["HARBOUR-1A2B3C"],"items":[]}`,
    `{"kind":"payout","id":"PO3","date":"2026-02-17","currency":"GBP","amount":"5000000000n","status":"pending","by":"GoCardless","account":"CR1","references":["HARBOUR-1A2B3C"],"items":[]}`
  ],
  open: staged(
    {
      events: EVENTS,
      payments: PAYMENTS,
      refunds: REFUNDS,
      mandates: MANDATES,
      customers: CUSTOMERS,
      payouts: PAYOUTS,
      payout_items: ITEMS
    },
    {
      lists: { events: { stamp: stamping("created_at") } },
      answer: answerOf,
      grow,
      changes: ({ events, payments }) => ({
        remove: () => {
          payments[0].status = "failed"
          events.push(event("EV99", "PM1", "failed", "2026-03-01T12:30:00.000Z", { reason_code: "ARUDD-2" }))
          return "payment/PM1"
        },
        ...amountOf("payment/PM1", (value) => void (payments[0].amount = value), digits("9007199254740993"))
      })
    }
  )
}
