/** Provides fixtures for the Business Central connector, and a simulated API that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { businesscentral } from "./BusinessCentral.ts"

const NONE = "0001-01-01"
const TAGGED = { "@odata.etag": 'W/"JzE5OzI4NTY4NDc5OTgyNjM4OTU4ODQxOzAwOyc="' }

const entry = (
  Entry_No: number,
  Document_Type: string,
  Document_No: string,
  [amount, left]: number[],
  more: object = {}
) => ({
  ...{ ...TAGGED, Entry_No, Document_Type, Document_No, Document_Date: "2026-01-31", Posting_Date: "2026-01-31" },
  ...{ Due_Date: "2026-03-02", Customer_No: "20000", Customer_Name: "Trey Research", Currency_Code: "" },
  ...{ Original_Amount: amount, Remaining_Amount: left, Open: left !== 0, Reversed: false, ...more }
})

const ENTRIES = [
  entry(70_001, "Invoice", "PS-INV103001", [1250, 750]),
  entry(70_002, "Payment", "PAY-1", [-500, 0], {
    Document_Date: "2026-02-03",
    Posting_Date: "2026-02-03",
    Due_Date: NONE
  }),
  entry(70_003, "Invoice", "PS-INV103002", [1000, 0]),
  entry(70_004, "Payment", "PAY-2", [-980, 0], { Posting_Date: "2026-02-03" }),
  // Paid before it was posted.
  entry(70_005, "Payment", "PAY-3", [-300, 0], { Currency_Code: "EUR", Posting_Date: "2026-01-10" }),
  entry(70_006, "Invoice", "PS-INV103003", [300, 0], { Currency_Code: "EUR" }),
  entry(70_007, "Credit Memo", "PS-CR104001", [-80.5, -30.5]),
  entry(70_008, "Invoice", "PS-INV103004", [50, 0], { Due_Date: NONE, Document_Date: NONE }),
  entry(70_009, "Invoice", "OPENING'1", [40, 0], { Reversed: true }),
  entry(70_010, "Invoice", "PS-INV103005", [-60, -60]),
  entry(70_011, "Invoice", "PS-INV103006", [99.99, 99.99])
]

const detail = (n: number, of: number, [type, by, no]: string[], Amount: number, more: object = {}) => ({
  ...{ ...TAGGED, Entry_No: n, Cust_Ledger_Entry_No: of, Entry_Type: type, Document_Type: by, Document_No: no, Amount },
  ...{ Posting_Date: "2026-02-03", Currency_Code: "", Unapplied: false, Unapplied_by_Entry_No: 0, ...more }
})

const APPLIED = "Application"
const EURO = { Currency_Code: "EUR", Posting_Date: "2026-01-31" }

const DETAILS = [
  // The payment is applied to the invoice.
  detail(90_002, 70_001, [APPLIED, "Payment", "PAY-1"], -500),
  detail(90_003, 70_002, [APPLIED, "Payment", "PAY-1"], 500),
  detail(90_004, 70_003, [APPLIED, "Payment", "PAY-2"], -980),
  detail(90_005, 70_004, [APPLIED, "Payment", "PAY-2"], 980),
  detail(90_006, 70_003, ["Payment Discount", "Payment", "PAY-2"], -20),
  // The invoice is applied to the payment.
  detail(90_007, 70_006, [APPLIED, "Invoice", "PS-INV103003"], -300, EURO),
  detail(90_008, 70_005, [APPLIED, "Invoice", "PS-INV103003"], 300, EURO),
  detail(90_009, 70_006, ["Realized Loss", "Invoice", "PS-INV103003"], 0, EURO),
  detail(90_010, 70_008, [APPLIED, "Credit Memo", "PS-CR104001"], -50),
  detail(90_011, 70_007, [APPLIED, "Credit Memo", "PS-CR104001"], 50),
  // Applied, and taken back.
  detail(90_012, 70_011, [APPLIED, "Payment", "PAY-1"], -10, { Unapplied: true, Unapplied_by_Entry_No: 90_013 }),
  detail(90_013, 70_011, [APPLIED, "Payment", "PAY-1"], 10, { Unapplied: true, Unapplied_by_Entry_No: 90_012 }),
  detail(90_014, 70_011, [APPLIED, "Payment", "PAY-2"], -0.99)
]

const no = (status: number, message: string) => ({ status, body: { error: { code: "BadRequest", message } } })

const CONDITION = /(\w+) (eq|gt|ne) (?:'((?:[^']|'')*)'|(\d+))/g

/** The filters that the connector uses: conditions that are joined by `and`, of which some are joined by `or`. */
const matching = (filter: string): ((record: Record) => boolean) => {
  const conditions = [...filter.matchAll(CONDITION)].map(([, member = "", operator, text, digits]) => {
    const value = text?.replaceAll("''", "'") ?? digits
    return (record: Record): boolean =>
      operator === "gt" ? record[member] > Number(value) : (operator === "eq") === (String(record[member]) === value)
  })
  const form = filter.replaceAll(CONDITION, "?")
  if (!/^\?( or \?)*$|^\? and (\?|\(\?( or \?)*\))$/.test(form)) throw new Error(`no such filter: ${filter}`)
  const [first = () => true, ...rest] = conditions
  if (!form.includes(" and ")) return (record) => conditions.some((holds) => holds(record))
  return (record) => first(record) && rest.some((holds) => holds(record))
}

const TOKENS = "/fabrikam.example/oauth2/v2.0/token"
const BASE = "/v2.0/fabrikam.example/Production/ODataV4/Company('CRONUS%20UK%20Ltd.')"

const answerOf =
  ({ details, entries }: Staging.Lists): Source["answer"] =>
  ({ body, headers, path, query }, paging) => {
    if (path === TOKENS) {
      const asked = Object.fromEntries(new URLSearchParams(body))
      const isKnown =
        asked["client_secret"] === "sample-client-secret" && asked["scope"]?.endsWith("/.default") === true
      return isKnown ? { body: { access_token: "access-fresh", expires_in: 3599 } } : { status: 401, body: {} }
    }
    if (headers["authorization"] !== "Bearer access-fresh") return no(401, "The credentials provided are incorrect")
    const [, list = "", id] = /^\/(\w+)(?:\((\d+)\))?$/.exec(path.replace(BASE, "")) ?? []
    const all = { CustomerLedgerEntries: entries!, DetailedCustLedgEntries: details! }[list]
    if (all === undefined) return no(404, `No HTTP resource was found that matches the request URI '${path}'.`)
    const selected = query.get("$select")?.split(",")
    const shown = (record: Record) =>
      Object.fromEntries(
        Object.entries(record).filter(([name]) => name === "@odata.etag" || selected?.includes(name) !== false)
      )
    if (id !== undefined) {
      const found = all.find(({ Entry_No }) => String(Entry_No) === id)
      return found === undefined ? no(404, "The record was not found.") : { body: shown(found) }
    }
    const filter = query.get("$filter") ?? "Entry_No gt 0"
    const most = /odata\.maxpagesize=(\d+)/.exec(headers["prefer"] ?? "")?.[1]
    const { more, records } = paging.after(all.filter(matching(filter)), query.get("$skiptoken"), "Entry_No", most)
    const next = new URLSearchParams(query)
    next.set("$skiptoken", String(records.at(-1)?.Entry_No ?? query.get("$skiptoken")))
    const link = more ? { "@odata.nextLink": `https://api.businesscentral.dynamics.com${path}?${next}` } : {}
    return { body: { "@odata.context": "", value: records.map(shown), ...link } }
  }

const PARTY = `"party":{"id":"20000","name":"Trey Research"}`
const head = (n: number, number: string, status: string, more: string, currency = "GBP", due = "2026-03-02") =>
  `{"kind":"invoice","id":"${n}","number":"${number}","status":"${status}",${PARTY},"currency":"${currency}","issued":"2026-01-31","due":"${due}",${more}}`
const fact = (kind: string, n: number, of: number, amount: string, more = "", [date, of_ = "GBP"] = ["2026-02-03"]) =>
  `{"kind":"${kind}","id":"${n}","date":"${date}","currency":"${of_}","shares":[{"invoice":"${of}","amount":"${amount}n"}]${more}}`
const by = (reference: string) => `,"reference":"${reference}"`

export const subject: Subject = {
  connector: businesscentral,
  settings: {
    ...{ tenant: "fabrikam.example", company: "CRONUS UK Ltd.", currency: "GBP" },
    ...{ client_id: { env: "ID" }, client_secret: { env: "SECRET" } }
  },
  environment: { ID: "sample-client", SECRET: "sample-client-secret" },
  tokens: TOKENS,
  documented: { perMinute: 1200, page: 20_000 },
  nothing: ["70002", "70004", "70005", "70007", "70010", "90003", "90005", "90007", "90009", "90011", "90012", "90013"],
  skips: { "tells net from gross": "the customer ledger has gross amounts only" },
  golden: [
    head(70_001, "PS-INV103001", "open", `"gross":"125000000000n","stated":{"open":"75000000000n"}`),
    head(70_003, "PS-INV103002", "open", `"gross":"100000000000n","stated":{"open":"0n"}`),
    head(70_006, "PS-INV103003", "open", `"gross":"30000000000n","stated":{"open":"0n"}`, "EUR"),
    head(70_008, "PS-INV103004", "open", `"gross":"5000000000n","stated":{"open":"0n"}`, "GBP", "2026-01-31"),
    head(70_009, "OPENING'1", "void", `"gross":"4000000000n"`),
    head(70_011, "PS-INV103006", "open", `"gross":"9999000000n","stated":{"open":"9999000000n"}`),
    fact("payment", 90_002, 70_001, "50000000000", by("PAY-1")),
    fact("payment", 90_004, 70_003, "98000000000", by("PAY-2")),
    fact("credit_note", 90_006, 70_003, "2000000000"),
    fact("payment", 90_008, 70_006, "30000000000", by("PAY-3"), ["2026-01-31", "EUR"]),
    fact("credit_note", 90_010, 70_008, "5000000000"),
    fact("payment", 90_014, 70_011, "99000000", by("PAY-2"))
  ],
  open: Staging.staged(
    { entries: ENTRIES, details: DETAILS },
    {
      id: "Entry_No",
      lists: { entries: { number: "Entry_No" }, details: { number: "Entry_No" } },
      answer: answerOf,
      grow: (add, n) => {
        const [invoice, isPaid] = [100_000 + 2 * n, n % 2 === 0]
        add("entries", entry(invoice, "Invoice", `PS-INV${200_000 + n}`, [12, isPaid ? 0 : 12]))
        if (!isPaid) return
        add("entries", entry(invoice + 1, "Payment", `PAY-${200_000 + n}`, [-12, 0]))
        add("details", detail(invoice, invoice, [APPLIED, "Payment", `PAY-${200_000 + n}`], -12))
      },
      changes: ({ details, entries }) => ({
        edit: Staging.setting(entries[0], { Due_Date: "2026-04-01" }, "70001"),
        remove: () => {
          Object.assign(details[1], { Unapplied: true, Unapplied_by_Entry_No: 90_099 })
          const back = { Unapplied: true, Unapplied_by_Entry_No: 90_002 }
          details.push({ ...detail(90_099, 70_001, [APPLIED, "Payment", "PAY-1"], 500), ...back })
          entries[0].Remaining_Amount = 1250
          return "payment/90002"
        },
        ...Staging.amountOf("invoice/70001", (value) => void (entries[0].Original_Amount = value))
      })
    }
  )
}
