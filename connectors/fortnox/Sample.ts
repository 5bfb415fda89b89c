/** Provides fixtures for the Fortnox connector, and a simulated API that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { fortnox } from "./Fortnox.ts"

/** When a record changed: Fortnox asks for it, and does not say it. */
const AT = { modified: Date.parse("2026-02-01T09:00:00Z") }

const invoice = (n: string, Total: number, Balance: number, more: object = {}) => ({
  ...AT,
  ...{ "@url": `https://api.fortnox.se/3/invoices/${n}`, DocumentNumber: n, Total, Balance, InvoiceType: "INVOICE" },
  ...{ Booked: true, Sent: true, Cancelled: false, Currency: "SEK", CurrencyRate: "1", CurrencyUnit: 1, OCR: "" },
  ...{ CustomerName: "Kund 100048", CustomerNumber: "100048", InvoiceDate: "2026-01-31", DueDate: "2026-03-02" },
  ...more
})

const INVOICES = [
  invoice("1001", 1250, 750, { OCR: "169268" }),
  invoice("1002", 1000, 0),
  invoice("1003", 5500, 5500, { Booked: false, Sent: false, DueDate: "" }),
  invoice("1004", 400, 0, { Cancelled: true, Booked: false, Sent: false }),
  // With cash accounting: sent, and not booked before it is paid.
  invoice("1005", 80.5, 80.5, { Booked: false, InvoiceType: "SUMMARYINVOICE" }),
  invoice("1006", 60, 0, { InvoiceType: "CASHINVOICE" }),
  invoice("1008", -200, 0),
  invoice("1009", -90, -40),
  invoice("1007", 300, 0, { Currency: "EUR", CurrencyRate: "11.25" })
]

const payment = (n: string, InvoiceNumber: string, Amount: number, more: object = {}) => ({
  ...AT,
  ...{ "@url": `https://api.fortnox.se/3/invoicepayments/${n}`, Number: n, InvoiceNumber, Amount, Booked: true },
  ...{ Currency: "SEK", CurrencyRate: 1, CurrencyUnit: 1, PaymentDate: "2026-02-03", Source: "direct" },
  ...{ WriteOffExist: false, ...more }
})

const off = (Amount: number, AccountNumber: number) => ({ Amount, AccountNumber, Currency: "SEK", Description: "" })
/** Members that only the payment itself has. */
const OWN: Readonly<globalThis.Record<string, object>> = {
  "2012": { WriteOffs: [off(5, 6570), off(15, 6351)] },
  "2014": { AmountCurrency: 300, WriteOffs: [off(40, 7960)] }
}

const PAYMENTS = [
  payment("2011", "1001", 500),
  payment("2012", "1002", 980, { WriteOffExist: true }),
  payment("2013", "1001", 750, { Booked: false }),
  payment("2014", "1007", 3375, { Currency: "EUR", CurrencyRate: 11.25, WriteOffExist: true }),
  payment("2015", "1008", -200),
  payment("2016", "1009", -50),
  payment("2017", "1005", 30),
  payment("2018", "1005", -30)
]

/** Of the invoices that are credit invoices, which one they credit. */
const CREDITS: Readonly<globalThis.Record<string, object>> = {
  "1008": { Credit: "true", InvoiceReference: 1002 },
  "1009": { Credit: true, InvoiceReference: 0 }
}

const no = (status: number, message: string) => ({ status, body: { ErrorInformation: { error: 1, message } } })
const shown = ({ modified: _, ...record }: Record) => record

const answerOf = (all: Staging.Lists): Source["answer"] => {
  const given = Staging.tokenGiver(3600)
  return ({ body, headers, path, query }, paging) => {
    if (path === "/oauth-v1/token") return given(body)
    if (!Staging.isAuthorised(headers)) return no(401, "Invalid token")
    const [, , list = "", id] = path.split("/")
    const [records, name] = list === "invoices" ? [all["invoices"]!, "Invoice"] : [all["payments"]!, "InvoicePayment"]
    if (id !== undefined) {
      const found = records.find((one) => one[list === "invoices" ? "DocumentNumber" : "Number"] === id)
      const its =
        list === "invoices" ? { Credit: "false", ...CREDITS[id] } : { AmountCurrency: found?.Amount, ...OWN[id] }
      return found === undefined
        ? no(404, "Kan inte hitta fakturan.")
        : { body: { [name]: { ...shown(found), ...its } } }
    }
    const since = query.get("lastmodified")
    const isLater = ({ modified }: Record) =>
      since === null || modified === null || modified > Date.parse(`${since.replace(" ", "T")}:00Z`)
    const [found, page] = [records.filter(isLater), Number(query.get("page") ?? 1)]
    const cut = paging.numbered(found, page, query.get("limit"))
    const counts = { "@TotalResources": found.length, "@TotalPages": cut.more ? page + 1 : page, "@CurrentPage": page }
    return { body: { MetaInformation: counts, [`${name}s`]: cut.records.map(shown) } }
  }
}

const PARTY = `"party":{"id":"100048","name":"Kund 100048"}`
const head = (n: string, status: string, more: string, due = "2026-03-02", currency = "SEK") =>
  `{"kind":"invoice","id":"${n}","number":"${n}","status":"${status}",${PARTY},"currency":"${currency}","issued":"2026-01-31","due":"${due}",${more}}`
const fact = (kind: string, id: string, invoice: string, amount: string, more = "", currency = "SEK") =>
  `{"kind":"${kind}","id":"${id}","date":"2026-02-03","currency":"${currency}","shares":[{"invoice":"${invoice}","amount":"${amount}n"}]${more}}`

/** A credit invoice is nothing by itself, although a payment of it is read with it. */
const shows = ({ DocumentNumber, Total }: Record) => (Total < 0 ? `credit invoice ${DocumentNumber}` : DocumentNumber)
const stamp = Staging.stamping("modified", (millis) => millis)

export const subject: Subject = {
  connector: fortnox,
  settings: { client_id: { env: "ID" }, client_secret: { env: "SECRET" } },
  environment: { ID: "sample-client", SECRET: "sample-client-secret" },
  oauth: Staging.tokensAt("/oauth-v1/token"),
  documented: { perMinute: 300, page: 500 },
  nothing: ["credit invoice 1008", "credit invoice 1009", "2013", "2016"],
  file: { id: "1001", path: "/3/invoices/1001/preview" },
  skips: { "tells net from gross": "the list of invoices has gross amounts only" },
  golden: [
    head("1001", "open", `"gross":"125000000000n","reference":"169268","stated":{"open":"75000000000n"}`),
    head("1002", "open", `"gross":"100000000000n","stated":{"open":"0n"}`),
    head("1003", "draft", `"gross":"550000000000n"`, "2026-01-31"),
    head("1004", "void", `"gross":"40000000000n"`),
    head("1005", "open", `"gross":"8050000000n","stated":{"open":"8050000000n"}`),
    head("1006", "paid", `"gross":"6000000000n","stated":{"open":"0n"},"paidOn":"2026-01-31"`),
    head("1007", "open", `"gross":"30000000000n"`, "2026-03-02", "EUR"),
    fact("payment", "2011", "1001", "50000000000"),
    fact("payment", "2012", "1002", "98000000000"),
    fact("credit_note", "2012", "1002", "500000000"),
    fact("payment", "2014", "1007", "30000000000", "", "EUR"),
    fact("reversal", "2015", "1002", "20000000000", `,"type":"refund"`),
    fact("credit_note", "2015", "1002", "20000000000", `,"refunded":true`),
    fact("payment", "2017", "1005", "3000000000"),
    fact("reversal", "2018", "1005", "3000000000", `,"type":"unknown"`)
  ],
  open: Staging.staged(
    { invoices: INVOICES, payments: PAYMENTS },
    {
      lists: { invoices: { id: "DocumentNumber", stamp, shows }, payments: { id: "Number", stamp } },
      answer: answerOf,
      grow: (add, n) => {
        add("invoices", invoice(`${5000 + n}`, 12, n % 2 === 0 ? 0 : 12))
        if (n % 2 === 0) add("payments", payment(`${90_000 + n}`, `${5000 + n}`, 12))
      },
      changes: ({ invoices }) => ({
        edit: Staging.setting(invoices[0], { CustomerName: "Kund AB" }, "1001"),
        remove: Staging.setting(invoices[0], { Cancelled: true, modified: Staging.LATER }, "invoice/1001"),
        ...Staging.amountOf("invoice/1001", (value) => void (invoices[0].Total = value))
      })
    }
  )
}
