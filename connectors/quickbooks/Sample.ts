/** Provides fixtures for the QuickBooks Online connector, and a simulated API that serves them, for the conformance kit. */
import * as Instant from "../../core/wire/Instant.ts"
import { copy, type Record, type Source } from "../testing/Simulator.ts"
import { amountOf, isAuthorised, setting, tokenGiver, tokensAt } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { quickbooks } from "./QuickBooks.ts"

/** The start time of the kit's clock. */
const NOON = Date.parse("2026-03-01T12:00:00Z")

/** Formats a time as QuickBooks does: in Pacific time, with the offset. */
const pacific = (millis: number) => `${new Date(millis - 8 * 3_600_000).toISOString().slice(0, 19)}-08:00`

const made = (CreateTime = "2026-02-03T09:15:00-08:00") => ({
  CreateTime,
  LastUpdatedTime: "2026-02-20T16:30:00-08:00"
})

const gbp = { value: "GBP", name: "British Pound Sterling" }
const eur = { value: "EUR", name: "Euro" }

const invoice = (Id: string, TotalAmt: number, TotalTax: number, more: object = {}) => ({
  Id,
  domain: "QBO",
  SyncToken: "1",
  MetaData: made(),
  DocNumber: `Q-${Id}`,
  TxnDate: "2026-01-31",
  DueDate: "2026-03-02",
  CurrencyRef: gbp,
  CustomerRef: { value: "58", name: "Harbour Tea Ltd" },
  BillAddr: { Id: "95", Line1: "4 Quay Street", City: "Bristol", Country: "United Kingdom", PostalCode: "BS1 4DJ" },
  TxnTaxDetail: { TotalTax },
  TotalAmt,
  Balance: TotalAmt,
  Deposit: 0,
  LinkedTxn: [],
  Line: [
    { Id: "1", Amount: TotalAmt - TotalTax, DetailType: "SalesItemLineDetail", SalesItemLineDetail: {} },
    { Amount: TotalAmt - TotalTax, DetailType: "SubTotalLineDetail", SubTotalLineDetail: {} }
  ],
  ...more
})

const paidBy = (...ids: ReadonlyArray<string>) => ids.map((TxnId) => ({ TxnId, TxnType: "Payment" }))

const INVOICES = [
  invoice("101", 120, 20, { Balance: 0, LinkedTxn: paidBy("201", "206") }),
  invoice("102", 240.5, 0, { Balance: 0, LinkedTxn: paidBy("201", "202") }),
  invoice("103", 75, 12.5, { MetaData: made("2026-02-04T00:30:00+01:00"), Balance: 50, Deposit: 25 }),
  invoice("104", 0, 0, { MetaData: made("2026-02-05T08:00:00-08:00"), PrivateNote: "Voided - sent twice" }),
  invoice("105", 11000, 1000, {
    MetaData: made("2026-02-05T08:00:00-08:00"),
    CurrencyRef: { value: "JPY", name: "Japanese Yen" },
    DueDate: undefined,
    DocNumber: undefined
  }),
  invoice("106", 300, 0, { CurrencyRef: eur, TxnTaxDetail: undefined, Balance: 0, LinkedTxn: paidBy("204") })
]

const line = (Amount: number, TxnType: string, TxnId: string) => ({ Amount, LinkedTxn: [{ TxnId, TxnType }] })

const payment = (Id: string, TotalAmt: number, Line: ReadonlyArray<object>, more: object = {}) => ({
  Id,
  domain: "QBO",
  SyncToken: "0",
  MetaData: made(),
  TxnDate: "2026-02-10",
  CurrencyRef: gbp,
  CustomerRef: { value: "58", name: "Harbour Tea Ltd" },
  TotalAmt,
  UnappliedAmt: 0,
  ProcessPayment: false,
  Line,
  ...more
})

const PAYMENTS = [
  payment("201", 200, [line(60, "Invoice", "101"), line(130, "Invoice", "102")], {
    UnappliedAmt: 10,
    PaymentMethodRef: { value: "1", name: "Cash" }
  }),
  // A credit memo is applied: no money is received.
  payment("202", 0, [line(110.5, "Invoice", "102"), line(110.5, "CreditMemo", "301")]),
  payment("203", 0, [], { PrivateNote: "Voided" }),
  // Paid partly by a credit memo and partly with money.
  payment("204", 250, [line(300, "Invoice", "106"), line(50, "CreditMemo", "302")], { CurrencyRef: eur }),
  payment("205", 40, [], { UnappliedAmt: 40 }),
  // Money that was entered as a bank deposit, and then linked.
  payment("206", 0, [line(60, "Invoice", "101"), line(60, "Deposit", "501")])
]

const refund = (Id: string, TotalAmt: number, more: object) => ({
  Id,
  domain: "QBO",
  MetaData: made(),
  TxnDate: "2026-02-14",
  CurrencyRef: gbp,
  TotalAmt,
  Line: [{ Id: "1", Amount: TotalAmt, DetailType: "SubTotalLineDetail", SubTotalLineDetail: {} }],
  ...more
})

const REFUNDS = [
  refund("401", 20, {
    LinkedTxn: [
      { TxnId: "101", TxnType: "Invoice" },
      { TxnId: "201", TxnType: "Payment" }
    ]
  }),
  refund("402", 9.99, {})
]

type Lists = { readonly [entity: string]: Array<Record> }

const QUERY =
  /^SELECT \* FROM (\w+) (?:WHERE (?:MetaData\.CreateTime >= '([^']+)'|Id IN \(([^)]+)\)) ?)?(?:ORDERBY MetaData\.CreateTime STARTPOSITION (\d+) )?MAXRESULTS 1000$/

const created = (record: Record): number => Instant.toEpochMillis(record.MetaData.CreateTime)

const fault = (Detail: string, code: string) => ({ Fault: { Error: [{ Message: "", Detail, code }], type: "SERVICE" } })

const sourceOf = () => {
  const all: Lists = { Invoice: copy(INVOICES), Payment: copy(PAYMENTS), RefundReceipt: copy(REFUNDS) }
  const deleted: Lists = { Invoice: [], Payment: [], RefundReceipt: [] }
  const stamp = (record: Record, millis: number | null) => {
    record.MetaData.LastUpdatedTime = millis === null ? null : pacific(millis)
  }
  const token = tokenGiver(3600)
  const source: Source = {
    lists: Object.fromEntries(Object.entries(all).map(([name, records]) => [name, { records, id: "Id", stamp }])),
    answer: ({ body, headers, method, now = NOON, path, query }, paging) => {
      if (path === "/oauth2/v1/tokens/bearer" && method === "POST") return token(body)
      if (!isAuthorised(headers)) return { status: 401, body: fault("Token expired", "3200") }
      const [, version, company, realm, name] = path.split("/")
      if (version !== "v3" || company !== "company" || realm !== "4620816365") {
        return { status: 403, body: fault("ApplicationAuthorizationFailed: statusCode: 403", "3100") }
      }
      const time = pacific(now)
      if (name === "cdc") {
        const since = Instant.toEpochMillis(query.get("changedSince") ?? "")
        const after = (record: Record) => Instant.toEpochMillis(String(record.MetaData.LastUpdatedTime)) >= since
        const entities = (query.get("entities") ?? "").split(",")
        const found = entities.map((one) => {
          const changed = [...all[one]!, ...deleted[one]!].filter(after)
          return changed.length === 0 ? {} : { [one]: changed, startPosition: 1, maxResults: changed.length }
        })
        return { body: { CDCResponse: [{ QueryResponse: found }], time } }
      }
      const asked = QUERY.exec(query.get("query") ?? "")
      if (name !== "query" || asked === null) return { status: 400, body: fault("QueryParserError", "4000") }
      const [, entity = "", from, ids, start = "1"] = asked
      const wanted = ids?.split(",").map((id) => id.slice(1, -1))
      const fits = (record: Record) =>
        wanted === undefined
          ? from === undefined || created(record) >= Instant.toEpochMillis(from)
          : wanted.includes(record.Id)
      const ordered = all[entity]!.filter(fits).sort((a, b) => created(a) - created(b))
      const before = ordered[Number(start) - 2]?.Id ?? (Number(start) > 1 ? ordered[ordered.length - 1]?.Id : null)
      const records = wanted === undefined ? paging.after(ordered, before ?? null, "Id", 1000).records : ordered
      const QueryResponse =
        records.length === 0 ? {} : { [entity]: records, startPosition: Number(start), maxResults: records.length }
      return { body: { QueryResponse, time } }
    }
  }
  return { source, all, deleted }
}

const PARTY = `"party":{"id":"58","name":"Harbour Tea Ltd","country":"GB","address":"4 Quay Street, BS1 4DJ, Bristol"}`
const head = (id: string, number: string, status: string) =>
  `{"kind":"invoice","id":"${id}","number":"${number}","status":"${status}",${PARTY}`
const DAYS = `"issued":"2026-01-31","due":"2026-03-02"`

export const subject: Subject = {
  connector: quickbooks,
  settings: {
    company: "4620816365",
    client_id: { env: "QUICKBOOKS_CLIENT_ID" },
    client_secret: { env: "QUICKBOOKS_CLIENT_SECRET" }
  },
  environment: { QUICKBOOKS_CLIENT_ID: "sample-client", QUICKBOOKS_CLIENT_SECRET: "sample-client-secret" },
  oauth: tokensAt("/oauth2/v1/tokens/bearer"),
  nothing: ["203", "205", "402"],
  unread: {
    "Invoice.Balance": "invoices have no status; nothing but payments and credits lowers the balance",
    "RefundReceipt.LinkedTxn.*.TxnType": "only what is linked with an invoice is money of it",
    "Payment.Line.*.LinkedTxn.*.TxnType":
      "what is linked beside invoices is for none; what they lack then is quarantined"
  },
  skips: {
    "reads every page of every list":
      "a page begins with the second of the last record before: of one record, it would bring nothing new"
  },
  file: { id: "101", path: "/v3/company/4620816365/invoice/101/pdf" },
  lacks: ["Invoice.Deposit"],
  golden: [
    `${head("101", "Q-101", "paid")},"currency":"GBP",${DAYS},"net":"10000000000n","gross":"12000000000n","stated":{"open":"0n","paid":"12000000000n","beforeReversals":true}}`,
    `${head("102", "Q-102", "paid")},"currency":"GBP",${DAYS},"net":"24050000000n","gross":"24050000000n","stated":{"open":"0n","paid":"24050000000n","beforeReversals":true}}`,
    `${head("103", "Q-103", "open")},"currency":"GBP",${DAYS},"net":"6250000000n","gross":"7500000000n","stated":{"open":"5000000000n","paid":"2500000000n","beforeReversals":true}}`,
    `${head("104", "Q-104", "void")},"currency":"GBP",${DAYS},"net":"0n","gross":"0n","stated":{"open":"0n","paid":"0n","beforeReversals":true}}`,
    `${head("105", "105", "open")},"currency":"JPY","issued":"2026-01-31","due":"2026-01-31","net":"1000000000000n","gross":"1100000000000n","stated":{"open":"1100000000000n","paid":"0n","beforeReversals":true}}`,
    `${head("106", "Q-106", "paid")},"currency":"EUR",${DAYS},"gross":"30000000000n","stated":{"open":"0n","paid":"30000000000n","beforeReversals":true}}`,
    `{"kind":"payment","id":"103/deposit","date":"2026-01-31","currency":"GBP","shares":[{"invoice":"103","amount":"2500000000n"}]}`,
    `{"kind":"payment","id":"201","date":"2026-02-10","currency":"GBP","shares":[{"invoice":"101","amount":"6000000000n"},{"invoice":"102","amount":"13000000000n"}],"method":"cash"}`,
    `{"kind":"credit_note","id":"202/credit","date":"2026-02-10","currency":"GBP","shares":[{"invoice":"102","amount":"11050000000n"}]}`,
    `{"kind":"payment","id":"204","date":"2026-02-10","currency":"EUR","shares":[{"invoice":"106","amount":"25000000000n"}]}`,
    `{"kind":"credit_note","id":"204/credit","date":"2026-02-10","currency":"EUR","shares":[{"invoice":"106","amount":"5000000000n"}]}`,
    `{"kind":"payment","id":"206","date":"2026-02-10","currency":"GBP","shares":[{"invoice":"101","amount":"6000000000n"}]}`,
    `{"kind":"reversal","id":"401","payment":"201","date":"2026-02-14","currency":"GBP","shares":[{"invoice":"101","amount":"2000000000n"}],"type":"refund"}`
  ],
  open: () => {
    const { all, deleted, source } = sourceOf()
    const [first] = all["Invoice"]!
    return {
      source,
      // Each invoice is paid; every tenth has a refund.
      grow: (records) => {
        for (let n = 10_000; n < 10_000 + records; n++) {
          const MetaData = made(pacific(Date.parse("2025-01-01T00:00:00Z") + n * 60_000))
          const add = (list: string, record: object) => void all[list]!.push(...copy([{ ...record, MetaData }]))
          add("Invoice", invoice(`${n}`, 120, 20, { Balance: 0, LinkedTxn: paidBy(`p${n}`) }))
          add("Payment", payment(`p${n}`, 120, [line(120, "Invoice", `${n}`)]))
          if (n % 10 === 0)
            add("RefundReceipt", refund(`r${n}`, 20, { LinkedTxn: [{ TxnId: `${n}`, TxnType: "Invoice" }] }))
        }
      },
      remove: () => {
        const [payment] = all["Payment"]!.splice(0, 1)
        deleted["Payment"]!.push({
          domain: "QBO",
          status: "Deleted",
          Id: payment.Id,
          MetaData: { LastUpdatedTime: pacific(NOON + 60_000) }
        })
        return "payment/201"
      },
      edit: setting(first, { DueDate: "2026-06-30" }, "101"),
      ...amountOf("invoice/101", (value) => void Object.assign(first, { TotalAmt: value, Line: [] }))
    }
  }
}
