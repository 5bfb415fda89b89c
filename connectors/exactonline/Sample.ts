/** Provides fixtures for the Exact Online connector, and a simulated API that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { exactonline } from "./ExactOnline.ts"

const date = (day: string) => `/Date(${Date.parse(day)})/`
const guid = (n: number) => `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, "0")}`
const CUSTOMER = { Customer: "5c0d0000-7777-4000-8000-000000000009", CustomerName: "De Waag BV" }

const entry = (n: number, AmountFC: number, VATAmountFC: number, more: object = {}) => ({
  ...{ EntryID: guid(n), EntryNumber: 26_700_000 + n, Type: 20, Status: 20, Reversal: false, ...CUSTOMER },
  ...{ EntryDate: date("2026-01-31"), DueDate: date("2026-03-02"), Currency: "EUR", AmountFC, VATAmountFC },
  ...{ Modified: date("2026-02-01T09:00:00Z"), ...more }
})

const ENTRIES = [
  entry(4001, 121, 21),
  entry(4002, 605, 105, { Status: 50 }),
  entry(4003, -60.5, -10.5, { Type: 21 }),
  entry(4004, 50, 0, { Currency: "USD", DueDate: null }),
  entry(4005, 242, 42)
]

const term = (n: number, of: number, AmountFC: number, more: object = {}) => ({
  ...{ ID: guid(n), Timestamp: 8_000_000 + n * 31, LineType: 20, Status: 50, TransactionType: 20, AmountFC },
  ...{ TransactionEntryID: guid(of), TransactionAmountFC: 121, Currency: "EUR", LastPaymentDate: date("2026-02-03") },
  ...{ EndDate: date("2026-02-03"), PaymentReference: null, ...more }
})

/** A term that was deleted: it is in the list of what was deleted, and in no other. */
const GONE = { isGone: true }

const TERMS = [
  // Half of it was paid: the term was split.
  term(6001, 4001, -60.5, { PaymentReference: "RF18" }),
  term(6002, 4001, -60.5, { Status: 20, LastPaymentDate: null, EndDate: null }),
  term(6003, 4002, -544.5, { TransactionAmountFC: 605 }),
  // Matched with a credit note.
  term(6004, 4002, -60.5, { TransactionAmountFC: 605, LastPaymentDate: null, EndDate: date("2026-02-05") }),
  term(6005, 4003, 60.5, { TransactionType: 21, TransactionAmountFC: -60.5, LastPaymentDate: null }),
  // The money itself, a purchase, and a collection that was only sent to the bank.
  term(6006, 4099, 605, { TransactionType: 40 }),
  term(6007, 4098, 30, { LineType: 22, TransactionType: 30, TransactionAmountFC: -30 }),
  term(6008, 4005, -242, { Status: 40, TransactionAmountFC: 242, LastPaymentDate: null }),
  term(6010, 4005, -242, { TransactionAmountFC: 242, ...GONE }),
  term(6009, 4004, -50, { Currency: "USD", TransactionAmountFC: 50 })
]

const deletion = ({ ID, Timestamp }: Record) => ({ ID: `${ID}-deletion`, Timestamp, EntityKey: ID, EntityType: 10 })
const OTHER = { ID: guid(7001), Timestamp: 8_000_100, EntityKey: guid(4097), EntityType: 2 }

const no = (status: number, value: string) => ({ status, body: { error: { code: "", message: { lang: "", value } } } })
const millis = (written: string | null) => (written === null ? null : Number(/\d+/.exec(written)?.[0]))

const answerOf = ({ entries, terms }: Staging.Lists): Source["answer"] => {
  const given = Staging.tokenGiver(600)
  return ({ body, headers, path, query }, paging) => {
    if (path === "/api/oauth2/token")
      return new URLSearchParams(body).get("client_secret") === "sample-client-secret" ? given(body) : no(401, "client")
    if (!Staging.isAuthorised(headers)) return no(401, "Unauthorized")
    const [, list = "", id] = /^\/api\/v1\/1234567\/([\w/]+)(?:\(guid'(.+)'\))?$/.exec(decodeURIComponent(path)) ?? []
    const lists = {
      "salesentry/SalesEntries": entries!,
      "sync/Cashflow/PaymentTerms": terms!.filter(({ isGone }) => isGone !== true),
      "sync/Deleted": [OTHER, ...terms!.filter(({ isGone }) => isGone === true).map(deletion)]
    }
    const all = lists[list as keyof typeof lists]
    if (all === undefined) return no(404, "Resource not found for the segment")
    const selected = query.get("$select")?.split(",")
    const shown = (record: Record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => selected?.includes(name) !== false))
    if (id !== undefined) {
      const found = all.find(({ EntryID }) => EntryID === id)
      return found === undefined ? no(404, "Resource not found") : { body: { d: shown(found) } }
    }
    const filter = query.get("$filter") ?? ""
    const [, since] = /^Modified ge datetime'(.+)'$/.exec(filter) ?? []
    const [, above = "0"] = /^Timestamp gt (\d+)L$/.exec(filter) ?? []
    const isAsked = ({ Modified, Timestamp }: Record) =>
      Timestamp === undefined
        ? since === undefined || Modified === null || millis(Modified)! >= Date.parse(`${since}Z`)
        : Timestamp > Number(above)
    const key = all === entries ? "EntryID" : "ID"
    const token = query.get("$skiptoken")
    const { more, records } = paging.after(all.filter(isAsked), token?.slice(5, -1) ?? null, key)
    const next = new URLSearchParams(query)
    next.set("$skiptoken", `guid'${records.at(-1)?.[key] ?? token?.slice(5, -1)}'`)
    const link = more ? { __next: `https://start.exactonline.nl${path}?${next}` } : {}
    return { body: { d: { results: records.map(shown), ...link } } }
  }
}

const PARTY = `"party":{"id":"${CUSTOMER.Customer}","name":"De Waag BV"}`
const head = (n: number, net: string, gross: string, currency = "EUR", due = "2026-03-02") =>
  `{"kind":"invoice","id":"${guid(n)}","number":"${26_700_000 + n}","status":"open",${PARTY},"currency":"${currency}","issued":"2026-01-31","due":"${due}","net":"${net}n","gross":"${gross}n"}`
const fact = (
  kind: string,
  n: number,
  of: number,
  amount: string,
  more = "",
  [date, currency = "EUR"] = ["2026-02-03"]
) =>
  `{"kind":"${kind}","id":"${guid(n)}","date":"${date}","currency":"${currency}","shares":[{"invoice":"${guid(of)}","amount":"${amount}n"}]${more}}`

export const subject: Subject = {
  connector: exactonline,
  settings: { division: "1234567", client_id: { env: "ID" }, client_secret: { env: "SECRET" } },
  environment: { ID: "sample-client", SECRET: "sample-client-secret" },
  oauth: Staging.tokensAt("/api/oauth2/token"),
  documented: { perMinute: 60, page: 1000 },
  nothing: [4003, 6002, 6005, 6006, 6007, 6008, 6010].map(guid),
  golden: [
    head(4001, "10000000000", "12100000000"),
    head(4002, "50000000000", "60500000000"),
    head(4004, "5000000000", "5000000000", "USD", "2026-01-31"),
    head(4005, "20000000000", "24200000000"),
    fact("payment", 6001, 4001, "6050000000", `,"reference":"RF18"`),
    fact("payment", 6003, 4002, "54450000000"),
    fact("credit_note", 6004, 4002, "6050000000", "", ["2026-02-05"]),
    fact("payment", 6009, 4004, "5000000000", "", ["2026-02-03", "USD"])
  ],
  open: Staging.staged(
    { entries: ENTRIES, terms: TERMS },
    {
      id: "ID",
      lists: {
        terms: { number: "Timestamp" },
        entries: { id: "EntryID", stamp: Staging.stamping("Modified", (at) => `/Date(${at})/`) }
      },
      answer: answerOf,
      grow: (add, n) => {
        add("entries", entry(10_000 + n, 12.1, 2.1))
        const isOpen = n % 2 === 0 ? {} : { Status: 20, LastPaymentDate: null }
        add("terms", term(50_000 + n, 10_000 + n, -12.1, { TransactionAmountFC: 12.1, ...isOpen }))
      },
      changes: ({ entries, terms }) => ({
        edit: Staging.setting(entries[0], { EntryNumber: 26_799_999 }, guid(4001)),
        remove: Staging.setting(terms[0], { ...GONE, Timestamp: 9_900_000 }, `payment/${guid(6001)}`),
        ...Staging.amountOf(`invoice/${guid(4001)}`, (value) => void (entries[0].AmountFC = value))
      })
    }
  )
}
