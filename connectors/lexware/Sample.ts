/** Provides fixtures for the Lexware Office connector, and a simulated API that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import { amountOf, LATER, type Lists, setting, staged } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { lexware } from "./Lexware.ts"

/** As Lexware writes times, in Berlin. */
const written = (millis: number) => new Date(millis + 3_600_000).toISOString().replace("Z", "+01:00")
const at = (day: string) => `${day}T00:00:00.000+01:00`

const voucher = (n: number, voucherStatus: string, totalAmount: number, openAmount: number, more: object = {}) => ({
  ...{ id: `e9066f04-8cc7-4616-93f8-${n}`, voucherType: "invoice", voucherStatus, voucherNumber: `RE${n}` },
  ...{ voucherDate: at("2026-01-31"), dueDate: at("2026-03-02"), createdDate: at("2026-01-31") },
  ...{
    updatedDate: at("2026-02-01"),
    contactId: "c0ffee00-0000-4000-8000-000000000001",
    contactName: "Testkunde Delta GmbH"
  },
  ...{ totalAmount, openAmount, currency: "EUR", archived: false, ...more }
})
const VOUCHERS = [
  voucher(1001, "overdue", 107, 57),
  voucher(1002, "paid", 1190, 0),
  voucher(1003, "draft", 50, 50, { voucherNumber: null, dueDate: null }),
  voucher(1004, "voided", 75.5, 0),
  voucher(1005, "paidoff", 20, 0),
  voucher(1006, "paid", 30, 0)
]

const item = (of: number, paymentItemType: string, amount: number) => ({
  ...{
    voucherId: `e9066f04-8cc7-4616-93f8-${of}`,
    paymentItemType,
    amount,
    currency: "EUR",
    postingDate: at("2026-02-10")
  }
})
const ITEMS = [
  item(1001, "partPaymentFinancialTransaction", 25),
  item(1001, "partPaymentFinancialTransaction", 25),
  item(1002, "manualPayment", 1166.2),
  item(1002, "cashDiscount", 23.8),
  item(1005, "partPaymentCreditNote", 20),
  item(1006, "partPaymentCashBox", 10),
  item(1006, "irrecoverableReceivable", 20)
]

const answerOf =
  ({ items, vouchers }: Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["authorization"] !== "Bearer sample-secret") return { status: 401, body: { message: "Unauthorized" } }
    const [, id] = /\/payments\/(.+)$/.exec(path) ?? []
    if (id !== undefined) {
      const paymentItems = items!.filter(({ voucherId }) => voucherId === id)
      return { body: { openAmount: 0, paymentStatus: "balanced", paymentItems } }
    }
    if (!path.endsWith("/voucherlist")) return undefined
    const [from, any] = [query.get("updatedDateFrom"), query.get("voucherStatus") === "any"]
    const isAsked = ({ updatedDate, voucherStatus }: Record) =>
      (any || voucherStatus === query.get("voucherStatus")) &&
      (from === null || updatedDate === null || updatedDate.slice(0, 10) >= from)
    const found = vouchers!.filter(isAsked).sort((a, b) => (a.id < b.id ? -1 : 1))
    const { more, records } = paging.numbered(found, Number(query.get("page") ?? 0) + 1, query.get("size"))
    const page = Number(query.get("page") ?? 0)
    return {
      body: { content: records, totalElements: found.length, totalPages: more ? page + 2 : page + 1, last: !more }
    }
  }

const PARTY = `"party":{"id":"c0ffee00-0000-4000-8000-000000000001","name":"Testkunde Delta GmbH"},"currency":"EUR"`
const id = (n: number) => `e9066f04-8cc7-4616-93f8-${n}`
const head = (n: number, status: string, number = `RE${n}`, due = "2026-03-02") =>
  `{"kind":"invoice","id":"${id(n)}","number":"${number}","status":"${status}",${PARTY},"issued":"2026-01-31","due":"${due}"`
const of = (kind: string, n: number, name: string, amount: string) =>
  `{"kind":"${kind}","id":"${id(n)}/2026-02-10/${name}","date":"2026-02-10","currency":"EUR","shares":[{"invoice":"${id(n)}","amount":"${amount}"}]`

export const subject: Subject = {
  connector: lexware,
  settings: { key: { env: "LEXWARE_KEY" } },
  environment: { LEXWARE_KEY: "sample-secret" },
  documented: { perMinute: 120 },
  file: { id: id(1002), path: `/v1/invoices/${id(1002)}/file` },
  skips: {
    "reads its lists in full pages":
      "Lexware has no list of payments: what settles an invoice is one request, where anything does",
    "tells net from gross": "the list of vouchers has gross amounts only",
    "leaves nothing out by a filter that its sample lacks": "voucherStatus=any leaves nothing out"
  },
  golden: [
    `${head(1001, "open")},"gross":"10700000000n","stated":{"open":"5700000000n"}}`,
    `${of("payment", 1001, "partPaymentFinancialTransaction/25.00", "2500000000n")},"method":"bank"}`,
    `${of("payment", 1001, "partPaymentFinancialTransaction/25.00/2", "2500000000n")},"method":"bank"}`,
    `${head(1002, "paid")},"gross":"119000000000n","stated":{"open":"0n"}}`,
    `${of("payment", 1002, "manualPayment/1166.20", "116620000000n")},"method":"unknown"}`,
    `${of("credit_note", 1002, "cashDiscount/23.80", "2380000000n")}}`,
    `${head(1003, "draft", id(1003), "2026-01-31")},"gross":"5000000000n"}`,
    `${head(1004, "void")},"gross":"7550000000n"}`,
    `${head(1005, "paid")},"gross":"2000000000n","stated":{"open":"0n"}}`,
    `${of("credit_note", 1005, "partPaymentCreditNote/20.00", "2000000000n")}}`,
    `${head(1006, "open")},"gross":"3000000000n"}`,
    `${of("payment", 1006, "partPaymentCashBox/10.00", "1000000000n")},"method":"cash"}`
  ],
  open: staged(
    { vouchers: VOUCHERS, items: ITEMS },
    {
      lists: {
        vouchers: {
          stamp: (record, millis) => void (record.updatedDate = millis === null ? null : written(millis))
        }
      },
      answer: answerOf,
      grow: (add, n) => {
        add("vouchers", voucher(50_000 + n, n % 2 === 0 ? "paid" : "open", 12, n % 2 === 0 ? 0 : 12))
        if (n % 2 === 0) add("items", item(50_000 + n, "partPaymentFinancialTransaction", 12))
      },
      changes: ({ vouchers }) => ({
        remove: setting(vouchers![0], { voucherStatus: "voided", updatedDate: written(LATER) }, `invoice/${id(1001)}`),
        ...amountOf(`invoice/${id(1001)}`, (value) => void (vouchers![0].totalAmount = value))
      })
    }
  )
}
