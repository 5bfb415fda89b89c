/** Provides fixtures for the Xero connector, and a simulated API that serves them, for the conformance kit. */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Record, Source } from "../testing/Simulator.ts"
import {
  amountOf,
  isAuthorised,
  type Lists,
  setting,
  staged,
  stamping,
  tokenGiver,
  tokensAt
} from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { xero } from "./Xero.ts"

/** The start time of the kit's clock. */
const NOON = Date.parse("2026-03-01T12:00:00Z")
const date = (day: string) => `/Date(${Date.parse(`${day}T00:00:00Z`)}+0000)/`
const UPDATED = "/Date(1771063200123+0000)/"

const CONTACT = {
  ContactID: "c-1",
  Name: "Harbour Tea Ltd",
  TaxNumber: "GB123456789",
  Addresses: [
    { AddressType: "STREET" },
    {
      AddressType: "POBOX",
      AddressLine1: "4 Quay Street",
      City: "Bristol",
      PostalCode: "BS1 4DJ",
      Country: "United Kingdom"
    }
  ]
}

const invoice = (
  n: number,
  Status: string,
  CurrencyCode: string,
  SubTotal: number,
  Total: number,
  more: object = {}
) => ({
  Type: "ACCREC",
  InvoiceID: `inv-${n}`,
  InvoiceNumber: `INV-000${n}`,
  Contact: CONTACT,
  DateString: "2026-01-31T00:00:00",
  Date: date("2026-01-31"),
  DueDateString: "2026-03-02T00:00:00",
  DueDate: date("2026-03-02"),
  Status,
  SubTotal,
  TotalTax: +Decimal.format(Decimal.of(`${Total}`) - Decimal.of(`${SubTotal}`)),
  Total,
  LineAmountTypes: "Exclusive",
  LineItems: [{ Description: "Tea", Quantity: 1, UnitAmount: SubTotal, LineAmount: SubTotal }],
  CurrencyCode,
  UpdatedDateUTC: UPDATED,
  ...more
})

const figures = (AmountDue: number, AmountPaid: number, AmountCredited: number) => ({
  AmountDue,
  AmountPaid,
  AmountCredited
})

const INVOICES = [
  invoice(1, "AUTHORISED", "GBP", 100, 120, {
    ...figures(65, 50, 5),
    Payments: [{ PaymentID: "pay-1", Date: date("2026-02-10"), Amount: 50 }],
    Overpayments: [{ OverpaymentID: "over-1", Date: date("2026-02-15"), AppliedAmount: 5 }]
  }),
  invoice(6, "AUTHORISED", "GBP", 50, 60, { Type: "ACCPAY" }),
  invoice(2, "PAID", "JPY", 10000, 11000, { FullyPaidOnDate: date("2026-02-10"), ...figures(0, 11000, 0) }),
  invoice(3, "VOIDED", "EUR", 10.5, 12.6),
  invoice(4, "DRAFT", "GBP", 7, 8.4, { InvoiceNumber: "", DueDateString: undefined, DueDate: undefined }),
  invoice(5, "AUTHORISED", "EUR", 1000.1, 1200.12, {
    DateString: undefined,
    DueDateString: undefined,
    ...figures(1161.1, 0.02, 39)
  })
]

const payment = (
  n: number,
  of: number,
  Amount: number,
  CurrencyCode: string,
  Status = "AUTHORISED",
  more: object = {}
) => ({
  PaymentID: `pay-${n}`,
  Date: date("2026-02-10"),
  Amount,
  PaymentType: "ACCRECPAYMENT",
  Status,
  Invoice: { InvoiceID: `inv-${of}`, Type: "ACCREC", CurrencyCode },
  UpdatedDateUTC: UPDATED,
  ...more
})

const PAYMENTS = [
  payment(1, 1, 50, "GBP"),
  payment(2, 2, 11000, "JPY"),
  payment(3, 1, 10, "GBP", "DELETED"),
  payment(4, 6, 60, "GBP", "AUTHORISED", { PaymentType: "ACCPAYPAYMENT" }),
  payment(5, 5, 0.02, "EUR")
]

const allocated = (
  member: string,
  id: string,
  Type: string,
  Total: number,
  CurrencyCode: string,
  Allocations: ReadonlyArray<object>
) => ({
  [member]: id,
  Type,
  Status: "AUTHORISED",
  Contact: CONTACT,
  DateString: "2026-02-14T00:00:00",
  Date: date("2026-02-14"),
  Total,
  CurrencyCode,
  Allocations,
  UpdatedDateUTC: UPDATED
})
const to = (n: number, Amount: number, more: object = {}) => ({
  Amount,
  Date: date("2026-02-15"),
  Invoice: { InvoiceID: `inv-${n}` },
  ...more
})

const NOTES = [
  allocated("CreditNoteID", "cn-1", "ACCRECCREDIT", 25, "EUR", [to(5, 20), to(5, 5)]),
  allocated("CreditNoteID", "cn-2", "ACCRECCREDIT", 25, "EUR", []),
  allocated("CreditNoteID", "cn-3", "ACCPAYCREDIT", 25, "GBP", [to(6, 25)])
]
const OVER = [
  allocated("OverpaymentID", "over-1", "RECEIVE-OVERPAYMENT", 5, "GBP", [to(1, 5), to(1, 1, { IsDeleted: true })]),
  allocated("OverpaymentID", "over-2", "AROVERPAYMENT", 3, "EUR", [to(5, 3)])
]
const PRE = [
  allocated("PrepaymentID", "pre-1", "RECEIVE-PREPAYMENT", 9, "EUR", [to(5, 9)]),
  allocated("PrepaymentID", "pre-3", "ARPREPAYMENT", 2, "EUR", [to(5, 2)]),
  allocated("PrepaymentID", "pre-2", "SPEND-PREPAYMENT", 9, "EUR", [to(6, 9)])
]

const written = (millis: number) => `/Date(${millis}+0000)/`
const stamp = stamping("UpdatedDateUTC", written)

const LISTS = {
  Invoices: { id: "InvoiceID", stamp },
  CreditNotes: { id: "CreditNoteID", stamp },
  Overpayments: { id: "OverpaymentID", stamp },
  Prepayments: { id: "PrepaymentID", stamp },
  Payments: { id: "PaymentID", stamp }
}

const isList = (name: string): name is keyof typeof LISTS => Object.hasOwn(LISTS, name)

const updated = (record: Record): number => Number(/\d+/.exec(String(record.UpdatedDateUTC))?.[0] ?? 0)

const answerOf = (all: Lists): Source["answer"] => {
  const token = tokenGiver(1800)
  return ({ body, headers, method, now = NOON, path, query }, paging) => {
    if (path === "/connect/token" && method === "POST") return token(body)
    if (!isAuthorised(headers)) return { status: 401, body: { Title: "Unauthorized", Detail: "TokenExpired" } }
    if (headers["xero-tenant-id"] !== "tenant-1") {
      return { status: 403, body: { Title: "Forbidden", Detail: "AuthenticationUnsuccessful" } }
    }
    const name = path.split("/").pop() ?? ""
    if (!isList(name)) return undefined
    const { id } = LISTS[name]
    const since = headers["if-modified-since"]
    const from = since === undefined ? 0 : Date.parse(since)
    const wanted = query.get("IDs")?.split(",")
    const where = query.get("where") ?? ""
    const named = [...where.matchAll(/guid\("([^"]*)"\)/g)].map(([, guid]) => guid)
    const fits = (record: Record) =>
      (wanted === undefined ? updated(record) >= from : wanted.includes(record[id])) &&
      (!where.startsWith("Type") || record.Type === "ACCREC") &&
      (named.length === 0 || named.includes(record[id]))
    const records = all[name]!.filter(fits).sort((a, b) => (String(a[id]) < String(b[id]) ? -1 : 1))
    const page = Number(query.get("page") ?? 1)
    const cut = wanted === undefined ? paging.numbered(records, page, query.get("pageSize")) : { records, more: false }
    return {
      body: {
        Status: "OK",
        DateTimeUTC: `/Date(${now})/`,
        pagination: { page, pageSize: paging.size, pageCount: cut.more ? page + 1 : page, itemCount: records.length },
        [name]: cut.records
      }
    }
  }
}

const PARTY = `"party":{"id":"c-1","name":"Harbour Tea Ltd","country":"GB","vat":"GB123456789","address":"4 Quay Street, BS1 4DJ, Bristol"}`
const DAYS = `"issued":"2026-01-31","due":"2026-03-02"`

export const subject: Subject = {
  connector: xero,
  settings: { tenant: "tenant-1", client_id: { env: "XERO_CLIENT_ID" }, client_secret: { env: "XERO_CLIENT_SECRET" } },
  environment: { XERO_CLIENT_ID: "sample-client", XERO_CLIENT_SECRET: "sample-client-secret" },
  oauth: tokensAt("/connect/token"),
  nothing: ["inv-6", "cn-2", "cn-3", "pre-2", "pay-3", "pay-4"],
  file: { id: "inv-1", path: "/api.xro/2.0/Invoices/inv-1" },
  unread: {
    "CreditNotes.Total": "its allocations lower invoices; what is left is the customer's to use",
    "Overpayments.Total": "its allocations lower invoices; what is left is the customer's to use",
    "Prepayments.Total": "its allocations lower invoices; what is left is the customer's to use"
  },
  golden: [
    `{"kind":"invoice","id":"inv-1","number":"INV-0001","status":"open",${PARTY},"currency":"GBP",${DAYS},"net":"10000000000n","gross":"12000000000n","stated":{"open":"6500000000n","paid":"5000000000n","credited":"500000000n"}}`,
    `{"kind":"invoice","id":"inv-2","number":"INV-0002","status":"paid",${PARTY},"currency":"JPY",${DAYS},"net":"1000000000000n","gross":"1100000000000n","stated":{"open":"0n","paid":"1100000000000n","credited":"0n"},"paidOn":"2026-02-10"}`,
    `{"kind":"invoice","id":"inv-3","number":"INV-0003","status":"void",${PARTY},"currency":"EUR",${DAYS},"net":"1050000000n","gross":"1260000000n"}`,
    `{"kind":"invoice","id":"inv-4","number":"inv-4","status":"draft",${PARTY},"currency":"GBP","issued":"2026-01-31","due":"2026-01-31","net":"700000000n","gross":"840000000n"}`,
    `{"kind":"invoice","id":"inv-5","number":"INV-0005","status":"open",${PARTY},"currency":"EUR",${DAYS},"net":"100010000000n","gross":"120012000000n","stated":{"open":"116110000000n","paid":"2000000n","credited":"3900000000n"}}`,
    `{"kind":"payment","id":"pay-1","date":"2026-02-10","currency":"GBP","shares":[{"invoice":"inv-1","amount":"5000000000n"}]}`,
    `{"kind":"payment","id":"pay-2","date":"2026-02-10","currency":"JPY","shares":[{"invoice":"inv-2","amount":"1100000000000n"}]}`,
    `{"kind":"payment","id":"pay-5","date":"2026-02-10","currency":"EUR","shares":[{"invoice":"inv-5","amount":"2000000n"}]}`,
    `{"kind":"payment","id":"over-1","date":"2026-02-14","currency":"GBP","shares":[{"invoice":"inv-1","amount":"500000000n"}]}`,
    `{"kind":"payment","id":"over-2","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"inv-5","amount":"300000000n"}]}`,
    `{"kind":"payment","id":"pre-3","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"inv-5","amount":"200000000n"}]}`,
    `{"kind":"payment","id":"pre-1","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"inv-5","amount":"900000000n"}]}`,
    `{"kind":"credit_note","id":"cn-1","date":"2026-02-14","currency":"EUR","shares":[{"invoice":"inv-5","amount":"2500000000n"}]}`
  ],
  open: staged(
    { Invoices: INVOICES, CreditNotes: NOTES, Overpayments: OVER, Prepayments: PRE, Payments: PAYMENTS },
    {
      lists: LISTS,
      answer: answerOf,
      // Each invoice is paid; every tenth partly by a credit note.
      grow: (add, n) => {
        const id = 1000 + n
        add("Invoices", invoice(id, "PAID", "GBP", 100, 120, figures(0, 120, 0)))
        add("Payments", payment(id, id, 120, "GBP"))
        if (n % 10 === 0)
          add("CreditNotes", allocated("CreditNoteID", `cn-${id}`, "ACCRECCREDIT", 25, "GBP", [to(id, 20)]))
      },
      changes: ({ Invoices, Payments }) => ({
        remove: setting(Payments[0], { Status: "DELETED", UpdatedDateUTC: written(NOON + 60_000) }, "payment/pay-1"),
        // The due date of a partly paid invoice: Xero does not update the invoice's time of change.
        edit: setting(Invoices[0], { DueDateString: "2026-06-30T00:00:00" }, "inv-1"),
        ...amountOf("invoice/inv-1", (Total) => void Object.assign(Invoices[0], { Total, TotalTax: null }))
      })
    }
  )
}
