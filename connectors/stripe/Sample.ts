/** Provides fixtures for the Stripe connector, and a simulated API that serves them, for the conformance kit. */
import { type Asked, copy, digits, type Paging, type Record, type Source } from "../testing/Simulator.ts"
import { type Add, type Lists, setting, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { stripe } from "./Stripe.ts"

/** So many days after 2026-02-03T10:00:00Z. */
const at = (day: number) => 1_770_112_800 + day * 86_400

const invoice = (
  id: string,
  number: string | null,
  status: string,
  currency: string,
  total: number,
  more: object = {}
) => ({
  id,
  object: "invoice",
  number,
  status,
  currency,
  customer: `cus_${id}`,
  customer_name: "Harbour Tea Ltd",
  customer_address: { line1: "4 Quay Street", line2: null, city: "Bristol", postal_code: "BS1 4DJ", country: "GB" },
  customer_tax_ids: [],
  created: at(0),
  effective_at: at(0),
  due_date: at(30),
  subtotal: total,
  total,
  total_discount_amounts: [],
  total_taxes: [],
  lines: { object: "list", data: [{ id: `il_${id}`, object: "line_item", amount: total }], has_more: false },
  total_excluding_tax: null,
  amount_paid: status === "paid" ? total : 0,
  amount_remaining: status === "paid" ? 0 : total,
  metadata: {},
  ...more
})

const taxed = (subtotal: number, amount: number) => ({
  subtotal,
  total_excluding_tax: subtotal,
  total_taxes: [{ amount, tax_behavior: "exclusive", type: "tax_rate_details" }],
  lines: { object: "list", data: [{ id: "il_t", object: "line_item", amount: subtotal }], has_more: false }
})

const INVOICES = [
  invoice("in_6", null, "draft", "gbp", 700, { effective_at: null }),
  invoice("in_5", "A-5", "void", "gbp", 5000),
  invoice("in_4", "A-4", "open", "usd", 5000, {
    due_date: null,
    // After a credit note.
    amount_remaining: 4000,
    customer_tax_ids: [{ type: "us_ein", value: "12-3456789" }]
  }),
  invoice("in_3", "A-3", "paid", "kwd", 12340),
  invoice("in_2", "A-2", "paid", "jpy", 11000, taxed(10000, 1000)),
  invoice("in_1", "A-1", "paid", "gbp", 12000, taxed(10000, 2000))
]

const payment = (
  id: string,
  of: string,
  currency: string,
  amount_paid: number | null,
  status: string,
  intent: string
) => ({
  id,
  object: "invoice_payment",
  invoice: of,
  currency,
  amount_paid,
  status,
  created: at(1),
  status_transitions: { paid_at: status === "paid" ? at(2) : null, canceled_at: null },
  payment: { type: "payment_intent", payment_intent: intent }
})

const PAYMENTS = [
  payment("inpay_1", "in_1", "gbp", 12000, "paid", "pi_1"),
  payment("inpay_2", "in_2", "jpy", 11000, "paid", "pi_2"),
  payment("inpay_3", "in_3", "kwd", 12340, "paid", "pi_3"),
  payment("inpay_4", "in_4", "usd", null, "open", "pi_4")
]

const refund = (id: string, amount: number, status: string) => ({
  id,
  object: "refund",
  payment_intent: "pi_1",
  charge: "ch_1",
  amount,
  currency: "gbp",
  created: at(5),
  status
})

const REFUNDS = [refund("re_1", 2000, "succeeded"), refund("re_2", 100, "failed")]

const dispute = (
  id: string,
  intent: string,
  amount: number,
  currency: string,
  status: string,
  returned: number | null
) => ({
  id,
  object: "dispute",
  payment_intent: intent,
  charge: `ch_${id}`,
  amount,
  currency,
  created: at(9),
  reason: "fraudulent",
  status,
  payment_method_details: { type: "card", card: { network_reason_code: "10.4" } },
  balance_transactions: [
    { id: `txn_${id}a`, amount: -amount, created: at(9) },
    ...(returned === null ? [] : [{ id: `txn_${id}b`, amount, created: returned }])
  ]
})

const DISPUTES = [
  dispute("dp_1", "pi_2", 11000, "jpy", "won", at(20)),
  dispute("dp_2", "pi_3", 12340, "kwd", "lost", null),
  dispute("dp_3", "pi_1", 10, "gbp", "warning_needs_response", null)
]

const note = (id: string, total: number, status: string) => ({
  id,
  object: "credit_note",
  invoice: "in_4",
  currency: "usd",
  total,
  status,
  type: "pre_payment",
  created: at(3)
})

const NOTES = [note("cn_1", 1000, "issued"), note("cn_2", 500, "void")]

const transaction = (payout: string, n: number, type: string, category: string, amount: number, fee = 0) => ({
  id: `txn_${payout}_${n}`,
  object: "balance_transaction",
  created: at(8),
  payout,
  type,
  reporting_category: category,
  currency: "gbp",
  amount,
  fee,
  net: amount - fee,
  source: type === "payout" ? payout : `src_${n}`
})

const TRANSACTIONS = [
  transaction("po_1", 0, "payout", "payout", -9770),
  transaction("po_1", 1, "charge", "charge", 12000, 200),
  transaction("po_1", 2, "refund", "refund", -2000),
  transaction("po_1", 3, "adjustment", "dispute", -10, 15),
  transaction("po_1", 4, "stripe_fee", "fee", -5)
]

const payout = (id: string, amount: number, status: string, more: object) => ({
  id,
  object: "payout",
  amount,
  currency: "gbp",
  arrival_date: at(10) - 36_000,
  created: at(8),
  automatic: true,
  status,
  statement_descriptor: null,
  source_type: "card",
  trace_id: { status: "pending", value: null },
  ...more
})

const PAYOUTS = [
  payout("po_2", 5000, "failed", { automatic: false }),
  payout("po_1", 9770, "paid", { trace_id: { status: "supported", value: "1234567890A" } })
]

const event = (id: string, day: number, type: string, object: object) => ({
  id,
  object: "event",
  type,
  created: at(day),
  data: { object }
})

const EVENTS = [
  event("evt_5", 26, "charge.dispute.closed", DISPUTES[0]!),
  event("evt_6", 26, "payout.paid", PAYOUTS[1]!),
  event("evt_4", 26, "refund.created", REFUNDS[0]!),
  event("evt_3", 26, "plan.created", { id: "plan_1", object: "plan" }),
  event("evt_2", 25, "credit_note.created", NOTES[0]!),
  event("evt_1", 25, "invoice.updated", { id: "in_1", object: "invoice" })
]

const refusal = (headers: Asked["headers"], query: URLSearchParams) => {
  if (headers["authorization"] !== "Bearer rk_sample") {
    return { status: 401, body: { error: { message: "Invalid API Key provided: rk_s****" } } }
  }
  if (headers["stripe-version"] !== "2025-05-28.basil") {
    return { status: 400, body: { error: { message: "Other versions answer otherwise" } } }
  }
  // The only payment type that this list can be filtered by.
  return [null, "payment_intent"].includes(query.get("payment[type]"))
    ? undefined
    : { status: 400, body: { error: { message: "Invalid payment[type]: must be payment_intent" } } }
}

/** An invoice, with its first payments if the query expands them. */
const shown =
  (all: Lists, query: URLSearchParams, paging: Paging) =>
  (record: Record): Record => {
    // Stripe does not say of a transaction which payout it is in.
    if (record.object === "balance_transaction") return { ...record, payout: undefined }
    if (!["payments", "data.payments"].includes(query.get("expand[]") ?? "")) return record
    const its = all["invoice_payments"]!.filter(({ invoice }) => invoice === record.id)
    const { more, records } = paging.after(its, null, "id", 10)
    return { ...record, payments: { object: "list", data: records, has_more: more } }
  }

const fits =
  (query: URLSearchParams) =>
  (record: Record): boolean =>
    ["invoice", "payment_intent", "charge", "status", "payout"].every(
      (by) => query.get(by) === null || record[by] === query.get(by)
    ) &&
    (query.get("payment[payment_intent]") ?? record.payment?.payment_intent) === record.payment?.payment_intent &&
    Number(record.created) >= Number(query.get("created[gte]") ?? 0)

const answerOf =
  (all: Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    const refused = refusal(headers, query)
    if (refused !== undefined) return refused
    const [, , name = "", id] = path.split("/")
    if (name === "account") return { body: { id: "acct_1", settings: { dashboard: { timezone: "Europe/London" } } } }
    const list = all[name]
    if (list === undefined) return undefined
    const show = shown(all, query, paging)
    if (id !== undefined) {
      const found = list.find((record) => record.id === id)
      return found === undefined
        ? { status: 404, body: { error: { code: "resource_missing" } } }
        : { body: show(found) }
    }
    const sorted = list.filter(fits(query))
    if (name === "events") sorted.sort((a, b) => Number(b.created) - Number(a.created))
    const { more, records } = paging.after(sorted, query.get("starting_after"), "id", query.get("limit"))
    return { body: { object: "list", data: records.map(show), has_more: more, url: path } }
  }

const stamp = stamping("created", (millis) => Math.floor(millis / 1000))

const lost = (n: number) => dispute(`dp_n${n}`, `pi_n${n}`, 12000, "gbp", "lost", null)

/**
 * An invoice, which is paid; every tenth has a refund, every twentieth a credit note. What happened last are disputes, which
 * take most requests to read again.
 */
const grow = (add: Add, n: number, count: number): void => {
  const [id, intent] = [`in_n${n}`, `pi_n${n}`]
  add("invoices", invoice(id, `N-${n}`, "paid", "gbp", 12000))
  add("invoice_payments", payment(`inpay_n${n}`, id, "gbp", 12000, "paid", intent))
  if (n % 10 === 0) add("refunds", { ...REFUNDS[0]!, id: `re_n${n}`, payment_intent: intent, charge: `ch_n${n}` })
  if (n % 20 === 1) add("disputes", lost(n))
  if (n % 20 === 2) add("credit_notes", { ...NOTES[0]!, id: `cn_n${n}`, invoice: id, currency: "gbp" })
  if (n % 10 === 3) add("events", event(`evt_n${n}`, 0, "invoice.updated", { id, object: "invoice" }))
  if (n < count - 1) return
  for (let m = n - (n % 20) + 1; m > 0 && m > n - 400; m -= 20)
    add("events", event(`evt_dp_n${m}`, 0, "charge.dispute.updated", lost(m)))
}

const PARTY = (id: string, more = "") =>
  `"party":{"id":"cus_${id}","name":"Harbour Tea Ltd","country":"GB"${more},"address":"4 Quay Street, BS1 4DJ, Bristol"}`
const head = (id: string, number: string, status: string, more = "") =>
  `{"kind":"invoice","id":"${id}","number":"${number}","status":"${status}",${PARTY(id, more)}`
const DAYS = `"issued":"2026-02-03","due":"2026-03-05"`

export const subject: Subject = {
  unread: { "events.data.object.currency": "an event says what to read again" },
  skips: {
    "sees what changes while it reads": "events do not change",
    "leaves nothing out by a filter that its sample lacks":
      "payments of invoices with another status have moved no money, and the mapping leaves them out as well"
  },
  connector: stripe,
  settings: { key: { env: "STRIPE_KEY" } },
  environment: { STRIPE_KEY: "rk_sample" },
  nothing: ["plan_1"],
  golden: [
    `${head("in_1", "A-1", "paid")},"currency":"GBP",${DAYS},"net":"10000000000n","gross":"12000000000n","stated":{"open":"0n","paid":"12000000000n","beforeReversals":true}}`,
    `${head("in_2", "A-2", "paid")},"currency":"JPY",${DAYS},"net":"1000000000000n","gross":"1100000000000n","stated":{"open":"0n","paid":"1100000000000n","beforeReversals":true}}`,
    `${head("in_3", "A-3", "paid")},"currency":"KWD",${DAYS},"gross":"1234000000n","stated":{"open":"0n","paid":"1234000000n","beforeReversals":true}}`,
    `${head("in_4", "A-4", "open", `,"vat":"12-3456789"`)},"currency":"USD","issued":"2026-02-03","due":"2026-02-03","gross":"5000000000n","stated":{"open":"4000000000n","paid":"0n","beforeReversals":true}}`,
    `${head("in_5", "A-5", "void")},"currency":"GBP",${DAYS},"gross":"5000000000n","stated":{"open":"5000000000n","paid":"0n","beforeReversals":true}}`,
    `${head("in_6", "in_6", "draft")},"currency":"GBP",${DAYS},"gross":"700000000n","stated":{"open":"700000000n","paid":"0n","beforeReversals":true}}`,
    `{"kind":"payment","id":"inpay_1","date":"2026-02-05","currency":"GBP","shares":[{"invoice":"in_1","amount":"12000000000n"}],"party":{"id":"cus_in_1","name":"Harbour Tea Ltd"}}`,
    `{"kind":"payment","id":"inpay_2","date":"2026-02-05","currency":"JPY","shares":[{"invoice":"in_2","amount":"1100000000000n"}],"party":{"id":"cus_in_2","name":"Harbour Tea Ltd"}}`,
    `{"kind":"payment","id":"inpay_3","date":"2026-02-05","currency":"KWD","shares":[{"invoice":"in_3","amount":"1234000000n"}],"party":{"id":"cus_in_3","name":"Harbour Tea Ltd"}}`,
    `{"kind":"reversal","id":"re_1","payment":"inpay_1","date":"2026-02-08","currency":"GBP","shares":[{"invoice":"in_1","amount":"2000000000n"}],"type":"refund"}`,
    `{"kind":"reversal","id":"dp_1","payment":"inpay_2","date":"2026-02-12","currency":"JPY","shares":[{"invoice":"in_2","amount":"1100000000000n"}],"type":"chargeback","providerCode":"10.4","details":"fraudulent"}`,
    `{"kind":"payment","id":"dp_1/won","date":"2026-02-23","currency":"JPY","shares":[{"invoice":"in_2","amount":"1100000000000n"}]}`,
    `{"kind":"reversal","id":"dp_2","payment":"inpay_3","date":"2026-02-12","currency":"KWD","shares":[{"invoice":"in_3","amount":"1234000000n"}],"type":"chargeback","providerCode":"10.4","details":"fraudulent"}`,
    `{"kind":"payout","id":"po_1","date":"2026-02-13","currency":"GBP","amount":"9770000000n","status":"paid","by":"Stripe","references":["1234567890A"],"items":[{"part":"collected","name":"charge","count":1,"amount":"12000000000n"},{"part":"refunds","name":"refund","count":1,"amount":"-2000000000n"},{"part":"chargebacks","name":"dispute","count":1,"amount":"-10000000n"},{"part":"fees","name":"fee","count":1,"amount":"-5000000n"},{"part":"fees","name":"fee of charge","count":1,"amount":"-200000000n"},{"part":"fees","name":"fee of dispute","count":1,"amount":"-15000000n"}]}`,
    `{"kind":"payout","id":"po_2","date":"2026-02-13","currency":"GBP","amount":"5000000000n","status":"failed","by":"Stripe","items":[]}`,
    `{"kind":"credit_note","id":"cn_1","date":"2026-02-06","currency":"USD","shares":[{"invoice":"in_4","amount":"1000000000n"}]}`
  ],
  open: staged(
    {
      events: EVENTS,
      invoices: INVOICES,
      invoice_payments: PAYMENTS,
      refunds: REFUNDS,
      disputes: DISPUTES,
      credit_notes: NOTES,
      payouts: PAYOUTS,
      balance_transactions: TRANSACTIONS
    },
    {
      lists: { events: { stamp, shows: (record) => record.data.object.id } },
      answer: answerOf,
      grow,
      changes: ({ events, invoices }) => ({
        malform: () => {
          invoices.at(-1).total = { deleted: "wrong" }
          return `"deleted":"wrong"`
        },
        remove: () => {
          invoices[2].status = "void"
          events.unshift(...copy([event("evt_9", 26, "invoice.voided", { id: "in_4", object: "invoice" })]))
          return "invoice/in_4"
        },
        edit: setting(invoices[2], { due_date: at(60) }, "in_4"),
        enlarge: () => {
          Object.assign(invoices[2], { total: digits("9007199254740993"), subtotal: null })
          return { document: "invoice/in_4", amount: "90071992547409.93" }
        }
      })
    }
  )
}
