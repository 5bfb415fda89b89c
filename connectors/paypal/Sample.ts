/** Provides fixtures for the PayPal connector, and a simulated API that serves them, for the conformance kit. */
import { copy, type Source } from "../testing/Simulator.ts"
import { type Add, amountOf, type Lists, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { paypal } from "./PayPal.ts"

const money = (value: string, currency_code = "EUR") => ({ currency_code, value })

const transaction = (transaction_id: string, transaction_event_code: string, value: string, more: object = {}) => ({
  paypal_account_id: "6STWC2LSUYYYE",
  transaction_id,
  transaction_event_code,
  transaction_initiation_date: "2026-01-12T11:58:35+0000",
  transaction_updated_date: "2026-01-12T11:58:35+0000",
  transaction_amount: money(value),
  transaction_status: "S",
  ...more
})

const LATER = { transaction_initiation_date: "2026-02-14T17:09:02+0000" }
const of = (paypal_reference_id: string, more: object = {}) => ({
  ...LATER,
  paypal_reference_id,
  paypal_reference_id_type: "TXN",
  ...more
})

const TRANSACTIONS = [
  transaction("1AB23456CD789012E", "T0006", "465.00", {
    fee_amount: money("-13.79"),
    invoice_id: "INV-1",
    transaction_subject: "Order 1",
    instrument_type: "CREDIT_CARD"
  }),
  transaction("2AB23456CD789012E", "T0003", "100.50", { transaction_amount: money("100.50", "USD"), ...LATER }),
  transaction("3AB23456CD789012E", "T0006", "20.00", { transaction_status: "P", invoice_id: "INV-3" }),
  transaction("4AB23456CD789012E", "T0007", "75.00", { transaction_status: "V", invoice_id: "INV-4" }),
  transaction("5AB23456CD789012E", "T1107", "-65.00", of("1AB23456CD789012E", { invoice_id: "INV-1" })),
  transaction("6AB23456CD789012E", "T1106", "-75.00", of("4AB23456CD789012E", { invoice_id: "INV-4" })),
  transaction(
    "7AB23456CD789012E",
    "T1201",
    "-100.50",
    of("2AB23456CD789012E", { transaction_amount: money("-100.50", "USD") })
  ),
  transaction("12B23456CD789012E", "T1107", "-5.00", { ...LATER, transaction_status: "D" }),
  transaction("9AB23456CD789012E", "T0006", "-12.00", { invoice_id: "SUPPLIER-7" }),
  transaction("10B23456CD789012E", "T1110", "-75.00", of("4AB23456CD789012E")),
  transaction("11B23456CD789012E", "T0403", "-300.00", LATER),
  transaction(
    "8AB23456CD789012E",
    "T1202",
    "100.50",
    of("2AB23456CD789012E", {
      transaction_amount: money("100.50", "USD"),
      transaction_initiation_date: "2026-02-21T09:13:37+0000"
    })
  )
]

const dispute = (dispute_id: string, transaction: string, reason: string, status: string) => ({
  dispute_id,
  transaction,
  create_time: "2026-02-10T08:00:00.000Z",
  update_time: "2026-02-14T17:09:02.000Z",
  reason,
  status,
  dispute_state: "RESOLVED",
  dispute_life_cycle_stage: "CHARGEBACK"
})

const DISPUTES = [
  dispute("PP-D-4012", "4AB23456CD789012E", "MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED", "RESOLVED"),
  dispute("PP-D-4013", "2AB23456CD789012E", "UNAUTHORISED", "WAITING_FOR_SELLER_RESPONSE")
]

/** The longest period that PayPal answers at once, in milliseconds. */
const MOST_MS = 31 * 86_400_000
const PAYER = { account_id: "MAY7CMA6G8CAA", payer_name: { alternate_full_name: "Test Buyer" } }

const answerOf =
  (all: Lists): Source["answer"] =>
  ({ body, headers, path, query }, paging) => {
    if (path === "/v1/oauth2/token") {
      const isOurs = headers["authorization"] === `Basic ${Buffer.from("client:sample-secret").toString("base64")}`
      if (!isOurs || body !== "grant_type=client_credentials") return { status: 401, body: { error: "invalid_client" } }
      return { body: { access_token: "A21AAsample", token_type: "Bearer", expires_in: 31668 } }
    }
    if (headers["authorization"] !== "Bearer A21AAsample") {
      return { status: 401, body: { error: "invalid_token", error_description: "Token signature verification failed" } }
    }
    if (path === "/v1/customer/disputes") {
      const items = all["disputes"]!.filter((one) => one.transaction === query.get("disputed_transaction_id"))
      return { body: { ...(items.length === 0 ? {} : { items }), links: [] } }
    }
    if (path !== "/v1/reporting/transactions") return undefined
    const [start, end] = [Date.parse(query.get("start_date") ?? ""), Date.parse(query.get("end_date") ?? "")]
    if (!(end > start && end - start <= MOST_MS))
      return { status: 400, body: { name: "INVALID_REQUEST", message: "Date range is greater than 31 days" } }
    const found = all["transactions"]!.filter(({ transaction_initiation_date: at }) => {
      return at === null || (Date.parse(at) >= start && Date.parse(at) <= end)
    })
    const page = Number(query.get("page") ?? 1)
    const { more, records } = paging.numbered(found, page, query.get("page_size"))
    const details = records.map((transaction_info) => ({ transaction_info, payer_info: PAYER }))
    const pages = more ? page + 1 : page
    return { body: { transaction_details: details, page, total_items: found.length, total_pages: pages, links: [] } }
  }

const stamp = stamping("transaction_initiation_date")

/** Payments in January; every twentieth has a refund, every hundredth a chargeback. */
const grow = (add: Add, n: number): void => {
  const at = { transaction_initiation_date: "2026-01-13T11:58:35+0000" }
  const id = `N${n}`
  add("transactions", transaction(id, "T0006", "12.00", { ...at, invoice_id: `INV-${id}` }))
  if (n % 20 === 3) add("transactions", transaction(`R${n}`, "T1107", "-1.00", of(id, at)))
  if (n % 250 === 9) add("transactions", transaction(`C${n}`, "T1201", "-12.00", of(id, at)))
}

const BUYER = `"party":{"id":"MAY7CMA6G8CAA","name":"Test Buyer"}`

export const subject: Subject = {
  connector: paypal,
  settings: {
    client_id: { env: "PAYPAL_CLIENT_ID" },
    client_secret: { env: "PAYPAL_CLIENT_SECRET" },
    since: "2026-01-10"
  },
  environment: { PAYPAL_CLIENT_ID: "client", PAYPAL_CLIENT_SECRET: "sample-secret" },
  tokens: "/v1/oauth2/token",
  nothing: ["3AB23456CD789012E", "9AB23456CD789012E", "10B23456CD789012E", "12B23456CD789012E"],
  skips: {
    "loses nothing to a deletion while it pages": "PayPal's transactions are a ledger: nothing is deleted from it"
  },
  golden: [
    `{"kind":"payment","id":"1AB23456CD789012E","date":"2026-01-12","currency":"EUR","shares":[{"invoice":"INV-1","amount":"46500000000n"}],"method":"card","reference":"Order 1",${BUYER}}`,
    `{"kind":"payment","id":"2AB23456CD789012E","date":"2026-02-14","currency":"USD","shares":[],"unallocated":"10050000000n","method":"unknown",${BUYER}}`,
    `{"kind":"payment","id":"4AB23456CD789012E","date":"2026-01-12","currency":"EUR","shares":[{"invoice":"INV-4","amount":"7500000000n"}],"method":"unknown",${BUYER}}`,
    `{"kind":"reversal","id":"5AB23456CD789012E","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"INV-1","amount":"6500000000n"}],"payment":"1AB23456CD789012E","type":"refund","providerCode":"T1107"}`,
    `{"kind":"reversal","id":"6AB23456CD789012E","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"INV-4","amount":"7500000000n"}],"payment":"4AB23456CD789012E","details":"PP-D-4012 MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED RESOLVED","type":"chargeback","providerCode":"T1106"}`,
    `{"kind":"reversal","id":"7AB23456CD789012E","date":"2026-02-14","currency":"USD","shares":[],"unallocated":"10050000000n","payment":"2AB23456CD789012E","details":"PP-D-4013 UNAUTHORISED WAITING_FOR_SELLER_RESPONSE","type":"chargeback","providerCode":"T1201"}`,
    `{"kind":"payment","id":"8AB23456CD789012E","date":"2026-02-21","currency":"USD","shares":[],"unallocated":"10050000000n","method":"unknown",${BUYER}}`,
    `{"kind":"payout","id":"11B23456CD789012E","date":"2026-02-14","currency":"EUR","amount":"30000000000n","status":"paid","by":"PayPal","items":[]}`
  ],
  open: staged(
    { transactions: TRANSACTIONS, disputes: DISPUTES },
    {
      lists: { transactions: { id: "transaction_id", stamp }, disputes: { id: "dispute_id" } },
      answer: answerOf,
      grow,
      changes: ({ transactions }) => ({
        remove: () => {
          const more = of("1AB23456CD789012E", { transaction_initiation_date: "2026-03-01T12:30:00+0000" })
          transactions.push(...copy([transaction("99B23456CD789012E", "T1201", "-400.00", more)]))
          return "payment/1AB23456CD789012E"
        },
        ...amountOf("payment/1AB23456CD789012E", (value) => void (transactions[0].transaction_amount.value = value))
      })
    }
  )
}
