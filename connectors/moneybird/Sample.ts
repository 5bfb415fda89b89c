/** Provides fixtures for the Moneybird connector, and a simulated API that serves them, for the conformance kit. */
import type { Source } from "../testing/Simulator.ts"
import { amountOf, type Lists, setting, staged, stamping } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { moneybird } from "./Moneybird.ts"

const CONTACT = {
  ...{ id: "496081500019623592", company_name: "Foobar Holding B.V.", firstname: null, lastname: null },
  ...{ address1: "Hoofdstraat 12", address2: null, zipcode: "1234AB", city: "Amsterdam", country: "NL" },
  ...{ tax_number: "NL001234567B01", chamber_of_commerce: "12345678" }
}

const invoice = (id: string, state: string, incl: string, unpaid: string, more: object = {}) => ({
  ...{ id, administration_id: 123, contact_id: CONTACT.id, contact: CONTACT, invoice_id: `2026-${id}`, state },
  ...{
    invoice_date: "2026-01-31",
    due_date: "2026-02-14",
    currency: "EUR",
    original_sales_invoice_id: null,
    paid_at: null
  },
  ...{ created_at: "2026-01-31T09:00:00.000Z", updated_at: "2026-02-01T09:00:00.000Z", version: 1787320272 },
  ...{ total_unpaid: unpaid, total_price_excl_tax: incl, total_price_incl_tax: incl, payments: [], ...more }
})

const payment = (id: string, invoice_id: string, price: string, more: object = {}) => ({
  ...{ id, administration_id: 123, invoice_type: "SalesInvoice", invoice_id, price, payment_date: "2026-02-03" },
  ...{
    transaction_identifier: null,
    credit_invoice_id: null,
    financial_mutation_id: null,
    manual_payment_action: null
  },
  ...more
})

const INVOICES = [
  invoice("1001", "open", "363.0", "163.0", {
    total_price_excl_tax: "300.0",
    payment_reference: "RF18539007547034",
    details: [{ description: "Tea", total_price_excl_tax_with_discount: "300.0" }],
    tax_totals: [{ taxable_amount: "300.0", tax_amount: "63.0" }],
    payments: [payment("2001", "1001", "200.0", { financial_mutation_id: "3001", transaction_identifier: "TR 1" })]
  }),
  invoice("1002", "paid", "121.0", "0.0", {
    total_price_excl_tax: "100.0",
    paid_at: "2026-02-05",
    payments: [
      payment("2002", "1002", "100.0"),
      payment("2003", "1002", "20.99", { credit_invoice_id: "8005" }),
      payment("2004", "1002", "0.01", { manual_payment_action: "rounding_error" })
    ]
  }),
  invoice("1003", "draft", "50.0", "50.0", { invoice_id: null, invoice_date: null, due_date: null }),
  invoice("1004", "uncollectible", "75.5", "75.5"),
  invoice("1005", "paid", "-20.99", "0.0", { original_sales_invoice_id: "1002" }),
  invoice("1006", "late", "10.0", "10.0", {
    payments: [
      payment("2005", "1006", "10.0", { manual_payment_action: "cash_payment" }),
      payment("2006", "1006", "-10.0")
    ]
  })
]

const timed = stamping("updated_at")

const answerOf =
  ({ sales_invoices: all }: Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    if (headers["authorization"] !== "Bearer sample-secret") return { status: 401, body: { error: "Unauthorized" } }
    const [, id] = /\/sales_invoices\/([^/]+)\.json$/.exec(path) ?? []
    if (id !== undefined) {
      const found = all!.find((one) => one.id === id)
      return found === undefined ? { status: 404, body: { error: "not found" } } : { body: found }
    }
    if (!path.endsWith("/sales_invoices.json")) return undefined
    const filter = query.get("filter") ?? ""
    const [, after] = /updated_after:([^,]+)/.exec(filter) ?? []
    // The default is this year; the kit's is 2026, and one fixture is older for it.
    const isOf = (one: (typeof INVOICES)[number]) =>
      after !== undefined
        ? one.updated_at === null || Date.parse(one.updated_at) > Date.parse(after)
        : filter.includes("period:")
    const changed = all!.filter(isOf)
    const { records } = paging.numbered(changed, Number(query.get("page") ?? 1), query.get("per_page"))
    return { body: records, headers: { "x-total-count": String(changed.length) } }
  }

const PARTY = `"party":{"id":"496081500019623592","name":"Foobar Holding B.V.","country":"NL","regnum":"12345678","vat":"NL001234567B01","address":"Hoofdstraat 12, 1234AB, Amsterdam"},"currency":"EUR"`
const head = (id: string, status: string, number = `2026-${id}`, due = "2026-02-14") =>
  `{"kind":"invoice","id":"${id}","number":"${number}","status":"${status}",${PARTY},"issued":"2026-01-31","due":"${due}"`
const of = (kind: string, id: string, invoice: string, amount: string) =>
  `{"kind":"${kind}","id":"${id}","date":"2026-02-03","currency":"EUR","shares":[{"invoice":"${invoice}","amount":"${amount}"}]`

export const subject: Subject = {
  connector: moneybird,
  settings: { administration: "123", token: { env: "MONEYBIRD_TOKEN" } },
  environment: { MONEYBIRD_TOKEN: "sample-secret" },
  nothing: ["1005"],
  file: { id: "1001", path: "/api/v2/123/sales_invoices/1001/download_pdf" },
  documented: { perMinute: 30 },
  golden: [
    `${head("1001", "open")},"net":"30000000000n","gross":"36300000000n","reference":"RF18539007547034","stated":{"open":"16300000000n"}}`,
    `${of("payment", "2001", "1001", "20000000000n")},"reference":"TR 1","method":"bank"}`,
    `${head("1002", "paid")},"net":"10000000000n","gross":"12100000000n","stated":{"open":"0n"},"paidOn":"2026-02-05"}`,
    `${of("payment", "2002", "1002", "10000000000n")},"method":"unknown"}`,
    `${of("credit_note", "2003", "1002", "2099000000n")}}`,
    `${of("credit_note", "2004", "1002", "1000000n")}}`,
    `${head("1003", "draft", "1003", "2026-01-31")},"net":"5000000000n","gross":"5000000000n"}`,
    `${head("1004", "open")},"net":"7550000000n","gross":"7550000000n"}`,
    `${head("1006", "open")},"net":"1000000000n","gross":"1000000000n","stated":{"open":"1000000000n"}}`,
    `${of("payment", "2005", "1006", "1000000000n")},"method":"unknown"}`,
    `${of("reversal", "2006", "1006", "1000000000n")},"type":"refund"}`
  ],
  open: staged(
    { sales_invoices: INVOICES },
    {
      lists: { sales_invoices: { stamp: timed } },
      answer: answerOf,
      grow: (add, n) => {
        const id = `${50_000 + n}`
        add("sales_invoices", invoice(id, "paid", "12.0", "0.0", { payments: [payment(`9${id}`, id, "12.0")] }))
      },
      changes: ({ sales_invoices: all }) => ({
        edit: setting(all![0], { invoice_id: "2026-1001b" }, "1001"),
        ...amountOf(
          "invoice/1001",
          (value) => void Object.assign(all![0], { total_price_incl_tax: value, tax_totals: [] })
        )
      })
    }
  )
}
