/** Provides fixtures for the Pennylane connector, and a simulated API that serves them, for the conformance kit. */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { pennylane } from "./Pennylane.ts"

const AT = "2026-02-01T09:06:19.330107Z"
const LATER = "2026-03-01T12:30:00Z"
const CUSTOMER = {
  ...{ id: 1338681847808, customer_type: "company", name: "Acme Corp Test", payment_conditions: "30_days", phone: "" },
  ...{ vat_number: "FR12345678901", reg_no: "123456789", created_at: AT, updated_at: AT },
  billing_address: { address: "1 rue de Test", postal_code: "75001", city: "Paris", country_alpha2: "FR" }
}

const invoice = (id: number, status: string, [net, amount]: string[], remaining: string | null, more: object = {}) => ({
  ...{ id, label: `Facture Acme Corp Test - F-${id}`, invoice_number: `F-${id}`, currency: "EUR", amount, status },
  ...{ currency_amount: amount, currency_amount_before_tax: net, exchange_rate: "1.0" },
  currency_tax: Decimal.format(Decimal.of(amount!) - Decimal.of(net!)),
  ...{ remaining_amount_with_tax: remaining, draft: false, paid: status === "paid", date: "2026-01-31" },
  ...{ deadline: "2026-03-02", created_at: "2026-01-31T12:06:19.330107Z", updated_at: AT, archived_at: null },
  ...{ customer: { id: CUSTOMER.id, url: "" }, credited_invoice: null, ...more }
})

const INVOICES = [
  invoice(25461646001, "partially_paid", ["540.0", "600.0"], "400.0"),
  invoice(25461646002, "paid", ["108.0", "120.0"], "0.0"),
  invoice(25461646003, "draft", ["45.0", "50.0"], null, { invoice_number: "", draft: true, deadline: null }),
  invoice(25461646005, "cancelled", ["72.0", "80.0"], "0.0"),
  invoice(25461646006, "credit_note", ["-72.0", "-80.0"], "0.0", { credited_invoice: { id: 25461646005, url: "" } }),
  invoice(25461646007, "credit_note", ["-27.0", "-30.0"], "0.0", { credited_invoice: { id: 25461646002, url: "" } }),
  // Marked as paid by hand.
  invoice(25461646008, "paid", ["9.0", "10.0"], "0.0"),
  invoice(25461646009, "incomplete", ["63.45", "70.5"], "70.5", { currency: "USD", amount: "65.0" })
]

const transaction = (id: number, of: number, currency_amount: string) => ({
  ...{ id, of, amount: currency_amount, currency_amount, currency: "EUR", date: "2026-02-03" },
  ...{ label: `VIR ${id}`, outstanding_balance: "0.0", updated_at: AT }
})

const TRANSACTIONS = [
  transaction(7701, 25461646001, "150.0"),
  transaction(7702, 25461646001, "50.0"),
  // Of this and other invoices.
  transaction(7703, 25461646002, "500.0"),
  transaction(7704, 25461646007, "-30.0")
]

const no = (status: number, message: string) => ({ status, body: { status, message } })

const answerOf =
  ({ customers, invoices, transactions }: Staging.Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["authorization"] !== "Bearer sample-secret") return no(401, "Unauthorized")
    const [, , , , list = "", id, within] = path.split("/")
    const cut = (all: ReadonlyArray<Record>) => {
      const { more, records } = paging.after(all, query.get("cursor"), "id", query.get("limit"))
      const next_cursor = more ? String(records.at(-1)?.id ?? query.get("cursor")) : null
      return { body: { items: records, has_more: more, next_cursor } }
    }
    if (list === "changelogs") {
      const changed = invoices!.filter(({ updated_at }) => Staging.isSince(updated_at, query.get("start_date")))
      return cut(changed.map(({ id, updated_at }) => ({ id, operation: "update", processed_at: updated_at })))
    }
    if (within === "matched_transactions") return cut(transactions!.filter(({ of }) => String(of) === id))
    const all = list === "customers" ? customers! : invoices!
    if (id === undefined) return cut([...all].reverse())
    const found = all.find((one) => String(one.id) === id)
    return found === undefined ? no(404, "Not found") : { body: found }
  }

const PARTY = `"party":{"id":"1338681847808","name":"Acme Corp Test","country":"FR","regnum":"123456789","vat":"FR12345678901","address":"1 rue de Test, 75001, Paris"}`
const head = (
  n: string,
  status: string,
  more: string,
  currency = "EUR",
  number = `F-254616460${n}`,
  due = "2026-03-02"
) =>
  `{"kind":"invoice","id":"254616460${n}","number":"${number}","status":"${status}",${PARTY},"currency":"${currency}","issued":"2026-01-31","due":"${due}",${more}}`
const fact = (kind: string, id: string, invoice: string, amount: string, more = "", date = "2026-02-03") =>
  `{"kind":"${kind}","id":"254616460${id}","date":"${date}","currency":"EUR","shares":[{"invoice":"254616460${invoice}","amount":"${amount}n"}]${more}}`

export const subject: Subject = {
  connector: pennylane,
  settings: { token: { env: "PENNYLANE_TOKEN" } },
  environment: { PENNYLANE_TOKEN: "sample-secret" },
  documented: { perMinute: 300, page: 100 },
  skips: {
    "counts nothing before its time":
      "a cancelled invoice is settled by its credit note, which is a document of its own",
    "asks at most twice for what changed":
      "Pennylane's invoices name their customer by id: a changed one takes a request for itself, its customer and its transactions",
    "reads its lists in full pages":
      "Pennylane has no list of what is matched to invoices: it is asked for each invoice that is settled in part"
  },
  unread: {
    "invoices.credited_invoice.id": "a credit note without one changes no invoice",
    "invoices.amount": "it is in the company's currency, and the document in the invoice's",
    "transactions.amount": "what was matched with an invoice is the payment"
  },
  golden: [
    head("01", "open", `"net":"54000000000n","gross":"60000000000n","stated":{"open":"40000000000n"}`),
    fact("payment", "01/1", "01", "15000000000", `,"reference":"VIR 7701","method":"bank"`),
    fact("payment", "01/2", "01", "5000000000", `,"reference":"VIR 7702","method":"bank"`),
    head("02", "paid", `"net":"10800000000n","gross":"12000000000n","stated":{"open":"0n"}`),
    fact("payment", "02/1", "02", "12000000000", `,"reference":"VIR 7703","method":"bank"`),
    head("03", "draft", `"net":"4500000000n","gross":"5000000000n"`, "EUR", "25461646003", "2026-01-31"),
    head("05", "open", `"net":"7200000000n","gross":"8000000000n","stated":{"open":"0n"}`),
    fact("credit_note", "06", "05", "8000000000", "", "2026-01-31"),
    fact("credit_note", "07", "02", "3000000000", "", "2026-01-31"),
    fact("reversal", "07/1", "02", "3000000000", `,"type":"refund"`),
    head("08", "paid", `"net":"900000000n","gross":"1000000000n","stated":{"open":"0n"}`),
    head("09", "open", `"net":"6345000000n","gross":"7050000000n"`, "USD")
  ],
  open: Staging.staged(
    { customers: [CUSTOMER], invoices: INVOICES, transactions: TRANSACTIONS },
    {
      lists: { invoices: { stamp: Staging.stamping("updated_at") } },
      answer: answerOf,
      grow: (add, n) => {
        const [id, isPaid] = [30_000_000 + n, n % 2 === 0]
        add("invoices", invoice(id, isPaid ? "paid" : "upcoming", ["10.0", "12.0"], isPaid ? "0.0" : "12.0"))
        if (isPaid) add("transactions", transaction(90_000_000 + n, id, "12.0"))
      },
      changes: ({ invoices, transactions }) => ({
        edit: Staging.setting(invoices[0], { invoice_number: "F-1b" }, "25461646001"),
        remove: () => {
          transactions.splice(1, 1)
          Object.assign(invoices[0], { remaining_amount_with_tax: "450.0", updated_at: LATER })
          return "payment/25461646001/2"
        },
        ...Staging.amountOf(
          "invoice/25461646001",
          (value) => void Object.assign(invoices[0], { currency_amount: value, currency_tax: null })
        )
      })
    }
  )
}
