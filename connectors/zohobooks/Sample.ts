/** Provides fixtures for the Zoho Books connector, and a simulated API that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { zohobooks } from "./ZohoBooks.ts"

const AT = "2026-01-31T09:46:21-0400"
const PARTY = { customer_id: "9001", customer_name: "Harbour Tea Ltd" }
const WHEN = { date: "2026-01-31", due_date: "2026-03-02", created_time: AT, last_modified_time: AT }
const MONEY = { currency_code: "GBP", exchange_rate: 1, write_off_amount: 0 }

const invoice = (invoice_id: string, status: string, total: number, balance: number, more: object = {}) => {
  const its = { invoice_id, invoice_number: `INV-${invoice_id}`, reference_number: "", status, total, balance }
  return { ...its, ...PARTY, ...WHEN, ...MONEY, ...more }
}

const INVOICES = [
  invoice("501", "partially_paid", 120, 48),
  invoice("502", "paid", 75.5, 0, { currency_code: "EUR", exchange_rate: 0.86 }),
  invoice("503", "draft", 10, 10, { due_date: "" }),
  invoice("504", "void", 40, 0),
  invoice("505", "paid", 60, 0, { write_off_amount: 25.25 }),
  invoice("506", "overdue", 12000, 12000, { currency_code: "JPY" }),
  invoice("507", "paid", 10.125, 0, { currency_code: "KWD" })
]

const BY_BANK = { payment_mode: "banktransfer", date: "2026-02-10", description: "", reference_number: "" }
/** A payment of two invoices. */
const SHARED = { payment_id: "8300", is_single_invoice_payment: false, reference_number: "HARBOUR TEA" }

const payment = (invoice_payment_id: string, invoice_id: string, amount: number, more: object = {}) => {
  const its = { invoice_payment_id, invoice_id, amount, tax_amount_withheld: 0, is_single_invoice_payment: true }
  return { ...its, payment_id: `8${invoice_payment_id}`, payment_number: 7, ...BY_BANK, ...more }
}

const PAYMENTS = [
  payment("301", "501", 50, SHARED),
  payment("302", "505", 34.75, SHARED),
  payment("303", "501", 0, { tax_amount_withheld: 2 }),
  payment("304", "502", 75.5, { payment_mode: "Credit Card", description: "Thank you" }),
  payment("305", "507", 10.125, { payment_mode: "others", date: "2026-02-11" })
]

const credit = (creditnotes_invoice_id: string, invoice_id: string, amount_applied: number) => {
  const its = { creditnote_id: `7${creditnotes_invoice_id}`, creditnotes_number: "CN-7", credited_date: "2026-02-12" }
  return { creditnotes_invoice_id, invoice_id, amount_applied, ...its }
}

/** The list of all payments: without what each pays of which invoice. */
const paymentsOf = ({ invoices, payments }: Staging.Lists): ReadonlyArray<Record> => {
  const numbers = new Map(invoices!.map((one) => [one.invoice_id, one.invoice_number]))
  return Object.values(Object.groupBy(payments!, ({ payment_id }) => payment_id)).map((parts = []) => {
    const sum = (member: string) => parts.reduce((all, one) => all + one[member], 0)
    const { invoice_id: _, invoice_payment_id: __, ...its } = parts[0]
    const amounts = { amount: sum("amount"), unused_amount: 0, tax_amount_withheld: sum("tax_amount_withheld") }
    return { ...its, ...amounts, invoice_numbers: parts.map((one) => numbers.get(one.invoice_id)).join(", ") }
  })
}

const no = (status: number, code: number, message: string) => ({ status, body: { code, message } })

const answerOf = (all: Staging.Lists): Source["answer"] => {
  const given = Staging.tokenGiver(3600)
  return ({ body, headers, path, query }, paging) => {
    if (path === "/oauth/v2/token") {
      const { status, ...answer } = given(body)
      return status === undefined ? answer : { body: { error: "invalid_code" } }
    }
    const authorization = headers["authorization"]?.replace("Zoho-oauthtoken", "Bearer")
    if (!Staging.isAuthorised({ authorization })) return no(401, 57, "You are not authorized")
    if (query.get("organization_id") !== "10234695") return no(400, 6041, "This user is not associated with it")
    const [, , , kind = "", id, list] = path.split("/")
    const page = Number(query.get("page"))
    const cut = (found: ReadonlyArray<Record>, total: object = {}) => {
      const { more, records } = paging.numbered(found, page, query.get("per_page"))
      return { body: { code: 0, [kind]: records, page_context: { page, has_more_page: more, ...total } } }
    }
    if (kind === "customerpayments") return cut(paymentsOf(all))
    if (id === undefined) {
      const since = query.get("last_modified_time") ?? "1970-01-01T00:00:00+0000"
      if (!/T\d\d:\d\d:\d\d[+-]\d{4}$/.test(since)) return no(400, 2, "Invalid value passed for last_modified_time")
      const isLater = ({ last_modified_time: at }: Record) => at === null || Date.parse(at) > Date.parse(since)
      const found = all["invoices"]!.filter(isLater)
      return cut(found, query.get("response_option") === "1" ? { total: found.length } : {})
    }
    const invoice = all["invoices"]!.find((one) => one.invoice_id === id)
    if (invoice === undefined) return no(400, 1002, "Invoice does not exist.")
    const its = (list: string) => all[list]!.filter(({ invoice_id }) => invoice_id === id)
    if (list === "payments") return { body: { code: 0, payments: its("payments") } }
    return { body: { code: 0, ...(list === undefined ? { invoice } : { credits: its("credits") }) } }
  }
}

/** Every second invoice is paid, every twentieth credited. */
const grow = (add: Staging.Add, n: number): void => {
  const [id, balance] = [`n${n}`, n % 2 === 0 ? 0 : n % 20 === 3 ? 11 : 12]
  add("invoices", invoice(id, balance === 0 ? "paid" : "sent", 12, balance))
  if (balance === 0) add("payments", payment(`p${n}`, id, 12))
  if (balance === 11) add("credits", credit(`c${n}`, id, 1))
}

const head = (id: string, status: string, more = "", due = "2026-03-02", currency = "GBP") =>
  `{"kind":"invoice","id":"${id}","number":"INV-${id}","status":"${status}","party":{"id":"9001","name":"Harbour Tea Ltd"},"currency":"${currency}","issued":"2026-01-31","due":"${due}",${more}}`
const fact = (kind: string, id: string, invoice: string, amount: string, more = "", date = "2026-02-10", of = "GBP") =>
  `{"kind":"${kind}","id":"${id}","date":"${date}","currency":"${of}","shares":[{"invoice":"${invoice}","amount":"${amount}n"}]${more}}`

export const subject: Subject = {
  connector: zohobooks,
  settings: { organization: "10234695", region: "eu", client_id: { env: "ID" }, client_secret: { env: "SECRET" } },
  environment: { ID: "sample-client", SECRET: "sample-client-secret" },
  oauth: Staging.tokensAt("/oauth/v2/token"),
  skips: {
    "reads its lists in full pages":
      "Zoho has no list of what credit notes, and payments of several invoices, are applied to: it is asked for each such invoice"
  },
  lacks: ["payments.tax_amount_withheld"],
  golden: [
    head("501", "open", `"gross":"12000000000n","stated":{"open":"4800000000n"}`),
    head("502", "paid", `"gross":"7550000000n","stated":{"open":"0n"}`, "2026-03-02", "EUR"),
    head("503", "draft", `"gross":"1000000000n"`, "2026-01-31"),
    head("504", "void", `"gross":"4000000000n"`),
    head("505", "open", `"gross":"6000000000n"`),
    head("506", "open", `"gross":"1200000000000n","stated":{"open":"1200000000000n"}`, "2026-03-02", "JPY"),
    head("507", "paid", `"gross":"1012500000n","stated":{"open":"0n"}`, "2026-03-02", "KWD"),
    fact("payment", "8300/501", "501", "5000000000", `,"reference":"HARBOUR TEA","method":"bank"`),
    fact("payment", "8300/505", "505", "3475000000", `,"reference":"HARBOUR TEA","method":"bank"`),
    fact("credit_note", "8303/501", "501", "200000000"),
    fact("payment", "8304/502", "502", "7550000000", `,"reference":"Thank you","method":"card"`, "2026-02-10", "EUR"),
    fact("payment", "8305/507", "507", "1012500000", `,"method":"unknown"`, "2026-02-11", "KWD"),
    fact("credit_note", "401", "501", "2000000000", "", "2026-02-12")
  ],
  open: Staging.staged(
    { invoices: INVOICES, payments: PAYMENTS, credits: [credit("401", "501", 20)] },
    {
      lists: {
        invoices: { id: "invoice_id", stamp: Staging.stamping("last_modified_time") },
        payments: { id: "invoice_payment_id" },
        credits: { id: "creditnotes_invoice_id" }
      },
      answer: answerOf,
      grow,
      changes: ({ invoices, payments }) => ({
        remove: () => {
          payments.shift()
          Object.assign(invoices[0], { balance: 98, last_modified_time: "2026-03-01T12:30:00+0000" })
          return "payment/8300/501"
        },
        edit: () => {
          invoices[0].invoice_number = "INV-501b"
          return "501"
        },
        ...Staging.amountOf("invoice/502", (value) => void (invoices[1].total = value))
      })
    }
  )
}
