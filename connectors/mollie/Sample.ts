/** Provides fixtures for the Mollie connector, and a simulated API that serves them, for the conformance kit. */
import { copy, type Record, type Source } from "../testing/Simulator.ts"
import { type Add, amountOf, type Lists, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { mollie } from "./Mollie.ts"

const amount = (value: string, currency = "EUR") => ({ value, currency })

const payment = (id: string, status: string, value: string, more: object = {}) => ({
  resource: "payment",
  id,
  mode: "live",
  status,
  amount: amount(value),
  description: `Order ${id}`,
  method: "ideal",
  metadata: { invoice: `INV-${id}` },
  createdAt: "2026-01-12T11:58:35+00:00",
  profileId: "pfl_QkEhN94Ba",
  ...(status === "paid" ? { paidAt: "2026-01-12T23:59:35+00:00" } : {}),
  ...more
})

const MANUAL = {
  captureMode: "manual",
  method: "creditcard",
  amountCaptured: amount("8.00"),
  amountRemaining: amount("8.00")
}

const PAYMENTS = [
  payment("tr_1", "paid", "75.00", { details: { consumerName: "T. Test", consumerAccount: "NL17RABO0213698412" } }),
  payment("tr_2", "open", "10.00", { createdAt: "2026-01-13T11:58:35+00:00" }),
  payment("tr_3", "paid", "43.38", {
    amount: amount("43.38", "USD"),
    method: "directdebit",
    customerId: "cst_8wmqcHMN4U"
  }),
  payment("tr_4", "paid", "10.00", { ...MANUAL, createdAt: "2026-01-15T13:06:22+00:00" }),
  payment("tr_6", "expired", "20.00"),
  payment("tr_5", "paid", "20.00", { metadata: null })
]

const capture = (id: string, paymentId: string, status: string, value: string) => ({
  resource: "capture",
  id,
  mode: "live",
  amount: amount(value),
  status,
  paymentId,
  createdAt: "2026-01-16T09:29:56+00:00"
})

const CAPTURES = [
  capture("cpt_1", "tr_4", "succeeded", "5.00"),
  capture("cpt_2", "tr_4", "succeeded", "3.00"),
  capture("cpt_3", "tr_4", "failed", "2.00")
]

const refund = (id: string, paymentId: string, status: string, value: string, more: object = {}) => ({
  resource: "refund",
  id,
  mode: "live",
  description: "Order",
  amount: amount(value),
  status,
  metadata: { bookkeeping_id: 12345 },
  paymentId,
  createdAt: "2026-02-14T17:09:02+00:00",
  ...more
})

const REFUNDS = [
  refund("re_1", "tr_1", "refunded", "5.95"),
  refund("re_2", "tr_1", "failed", "1.00"),
  refund("re_3", "tr_1", "pending", "2.00"),
  refund("re_4", "tr_4", "processing", "3.00"),
  refund("re_5", "tr_1", "canceled", "4.00")
]

const chargeback = (id: string, paymentId: string, value: string, currency: string, more: object = {}) => ({
  resource: "chargeback",
  id,
  amount: amount(value, currency),
  paymentId,
  createdAt: "2026-02-14T17:09:02+00:00",
  reversedAt: null,
  ...more
})

const REASON = { code: "AC01", description: "Account identifier incorrect (i.e. invalid IBAN)" }

const CHARGEBACKS = [
  chargeback("chb_1", "tr_3", "43.38", "USD", { reason: REASON }),
  chargeback("chb_2", "tr_5", "20.00", "EUR", { reversedAt: "2026-02-21T09:13:37+00:00" })
]

const gross = (value: string) => ({ amountNet: amount(value), amountVat: null, amountGross: amount(value) })

const settlement = (id: string, status: string, value: string, more: object = {}) => ({
  resource: "settlement",
  id,
  reference: "1234567.2602.03",
  status,
  amount: amount(value),
  balanceId: "bal_3kUf4yU2nT",
  createdAt: "2026-02-16T00:00:00+00:00",
  settledAt: "2026-02-17T09:41:44+00:00",
  periods: {
    "2026": {
      "02": {
        revenue: [
          { description: "iDEAL", method: "ideal", count: 6, ...gross("86.1000") },
          { description: "Refunds iDEAL", method: "refund", count: 2, ...gross("-43.2000") }
        ],
        costs: [
          { description: "iDEAL", method: "ideal", count: 6, ...gross("2.5410") },
          { description: "Refunds iDEAL", method: "refund", count: 2, ...gross("0.6050") }
        ]
      }
    }
  },
  ...more
})

const SETTLEMENTS = [
  settlement("stl_1", "paidout", "39.75"),
  settlement("open", "open", "12.00", { reference: null, settledAt: null })
]

const answerOf =
  (all: Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["authorization"] !== "Bearer live_sample") {
      return { status: 401, body: { status: 401, title: "Unauthorized Request", detail: "Missing authentication" } }
    }
    const [, , list = "", id, child] = path.split("/")
    const embed = (name: string) => query.get("embed")?.split(",").includes(name) === true
    const whole = (one: Record) => all["payments"]!.find((payment) => payment.id === one.paymentId)
    const parts = (name: string, payment: string) => all[name]!.filter(({ paymentId }) => paymentId === payment)
    if (child === "captures") {
      const captures = parts("captures", id!)
      return { body: { count: captures.length, _embedded: { captures }, _links: { next: null } } }
    }
    if (list === "payments" && id !== undefined) {
      const found = all["payments"]!.find((one) => one.id === id)
      if (found === undefined) return { status: 404, body: { status: 404, title: "Not Found" } }
      const names = ["refunds", "chargebacks"].filter(embed)
      return { body: { ...found, _embedded: Object.fromEntries(names.map((name) => [name, parts(name, id)])) } }
    }
    if (id !== undefined || all[list] === undefined) return undefined
    const newest = all[list]!.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
    const from = query.get("from")
    if (from !== null && !newest.some((one) => one.id === from))
      return { status: 400, body: { status: 400, title: "Bad Request", detail: "Invalid cursor value", field: "from" } }
    const before = newest.findIndex((one) => one.id === from) - 1
    const { records } = paging.after(newest, before < 0 ? null : newest[before].id, "id", query.get("limit"))
    const next = newest[newest.indexOf(records.at(-1)) + 1]
    const href = `https://api.mollie.com/v2/${list}?from=${next?.id}&limit=${query.get("limit")}`
    const shown = embed("payment") ? records.map((one) => ({ ...one, _embedded: { payment: whole(one) } })) : records
    const links = { next: next === undefined ? null : { href: `${href}${embed("payment") ? "&embed=payment" : ""}` } }
    return { body: { count: records.length, _embedded: { [list]: shown }, _links: links } }
  }

const stamp = stamping("createdAt")

/** Payments of the previous year; every twentieth has a refund, every hundredth a chargeback, few have captures. */
const grow = (add: Add, n: number): void => {
  const createdAt = "2025-06-12T11:58:35+00:00"
  const id = `tr_n${n}`
  const isManual = n % 250 === 247
  add("payments", payment(id, "paid", "12.00", { createdAt, ...(isManual ? MANUAL : {}) }))
  if (isManual) add("captures", capture(`cpt_n${n}`, id, "succeeded", "8.00"))
  if (n % 20 === 3) add("refunds", refund(`re_n${n}`, id, "refunded", "1.00", { createdAt }))
  if (n % 100 === 9) add("chargebacks", chargeback(`chb_n${n}`, id, "12.00", "EUR", { createdAt }))
}

export const subject: Subject = {
  connector: mollie,
  settings: { key: { env: "MOLLIE_KEY" }, profile: "pfl_QkEhN94Ba" },
  environment: { MOLLIE_KEY: "live_sample" },
  nothing: ["tr_2", "tr_6", "re_3", "re_5", "open"],
  unread: { "payments.captureMode": "what is not captured by hand has no captures" },
  skips: {
    "takes back what a record no longer is": "a payment that is paid, has failed or was canceled stays that at Mollie"
  },
  golden: [
    `{"kind":"payment","method":"card","reference":"Order tr_4","id":"cpt_1","date":"2026-01-16","currency":"EUR","shares":[{"invoice":"INV-tr_4","amount":"500000000n"}]}`,
    `{"kind":"payment","method":"card","reference":"Order tr_4","id":"cpt_2","date":"2026-01-16","currency":"EUR","shares":[{"invoice":"INV-tr_4","amount":"300000000n"}]}`,
    `{"kind":"payment","method":"bank","reference":"Order tr_1","party":{"name":"T. Test"},"id":"tr_1","date":"2026-01-12","currency":"EUR","shares":[{"invoice":"INV-tr_1","amount":"7500000000n"}]}`,
    `{"kind":"payment","method":"bank","reference":"Order tr_3","party":{"id":"cst_8wmqcHMN4U"},"id":"tr_3","date":"2026-01-12","currency":"USD","shares":[{"invoice":"INV-tr_3","amount":"4338000000n"}]}`,
    `{"kind":"payment","method":"bank","reference":"Order tr_5","id":"tr_5","date":"2026-01-12","currency":"EUR","shares":[],"unallocated":"2000000000n"}`,
    `{"kind":"reversal","id":"re_1","payment":"tr_1","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"INV-tr_1","amount":"595000000n"}],"type":"refund"}`,
    `{"kind":"reversal","id":"re_2","payment":"tr_1","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"INV-tr_1","amount":"100000000n"}],"type":"refund"}`,
    `{"kind":"payment","method":"bank","reference":"Order tr_1","party":{"name":"T. Test"},"id":"re_2/returned","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"INV-tr_1","amount":"100000000n"}]}`,
    `{"kind":"reversal","id":"re_4","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"INV-tr_4","amount":"300000000n"}],"type":"refund"}`,
    `{"kind":"reversal","id":"chb_1","payment":"tr_3","date":"2026-02-14","currency":"USD","shares":[{"invoice":"INV-tr_3","amount":"4338000000n"}],"type":"chargeback","providerCode":"AC01","details":"Account identifier incorrect (i.e. invalid IBAN)"}`,
    `{"kind":"reversal","id":"chb_2","payment":"tr_5","date":"2026-02-14","currency":"EUR","shares":[],"unallocated":"2000000000n","type":"chargeback"}`,
    `{"kind":"payment","method":"bank","reference":"Order tr_5","id":"chb_2/reversed","date":"2026-02-21","currency":"EUR","shares":[],"unallocated":"2000000000n"}`,
    `{"kind":"payout","id":"stl_1","date":"2026-02-17","currency":"EUR","amount":"3975000000n","status":"paid","by":"Mollie","account":"bal_3kUf4yU2nT","references":["1234567.2602.03"],"items":[{"part":"collected","name":"iDEAL","count":6,"amount":"8610000000n"},{"part":"refunds","name":"Refunds iDEAL","count":2,"amount":"-4320000000n"},{"part":"fees","name":"Refunds iDEAL","count":2,"amount":"-60500000n"},{"part":"fees","name":"iDEAL","count":6,"amount":"-254100000n"},{"part":"adjustments","name":"rounding","count":1,"amount":"-400000n"}]}`
  ],
  open: staged(
    {
      payments: PAYMENTS,
      refunds: REFUNDS,
      chargebacks: CHARGEBACKS,
      captures: CAPTURES,
      settlements: SETTLEMENTS
    },
    {
      lists: { payments: { stamp }, refunds: { stamp }, chargebacks: { stamp }, settlements: { stamp } },
      answer: answerOf,
      grow,
      changes: ({ chargebacks, payments }) => ({
        remove: () => {
          const more = { createdAt: "2026-03-01T12:30:00+00:00", reason: REASON }
          chargebacks.push(...copy([chargeback("chb_9", "tr_1", "75.00", "EUR", more)]))
          return "payment/tr_1"
        },
        ...amountOf("payment/tr_1", (value) => void (payments[0].amount.value = value))
      })
    }
  )
}
