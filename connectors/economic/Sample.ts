/** Provides fixtures for the e-conomic connector, and a simulated API that serves them, for the conformance kit. */
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { economic } from "./Economic.ts"

const INVOICE = 1
const PAYMENT = 2
const REMINDER = 6
const MANUAL = 10

const entry = (entryNumber: number, type: number, [amount, remainder]: number[], more: object = {}) => ({
  ...{
    entryNumber,
    accountNumber: 5600,
    projectNumber: null,
    amount,
    amountInBaseCurrency: amount,
    currencyCode: "DKK"
  },
  ...{ date: "2026-01-31T00:00:00Z", dueDate: type === PAYMENT ? null : "2026-03-02T00:00:00Z", text: null, type },
  ...{ vatAccountNumber: null, voucherNumber: entryNumber - 30_000, customerNumber: 20_001 },
  ...{ customerInvoiceNumber: null, supplierNumber: null, supplierInvoiceNumber: null, remainder, ...more }
})

const invoice = (entryNumber: number, customerInvoiceNumber: number, amounts: number[], more: object = {}) =>
  entry(entryNumber, INVOICE, amounts, { customerInvoiceNumber, ...more })
const paid = (entryNumber: number, amounts: number[], more: object = {}) =>
  entry(entryNumber, PAYMENT, amounts, { date: "2026-02-03T00:00:00Z", ...more })

const EURO = { currencyCode: "EUR", customerNumber: 20_002 }

const ENTRIES = [
  invoice(70_001, 30_001, [1250, 750]),
  paid(70_002, [-500, 0], { customerInvoiceNumber: 30_001, text: "Harbour Tea, faktura 30001" }),
  invoice(70_003, 30_002, [300, 0], EURO),
  invoice(70_004, 30_003, [100, 0], EURO),
  paid(70_005, [-420, -20], { ...EURO, text: "30002 og 30003" }),
  invoice(70_006, 30_004, [-80.5, -30.5]),
  // Its currency is that of the books.
  entry(70_007, MANUAL, [50, 0], { dueDate: null, currencyCode: null }),
  paid(70_008, [60, 0], { text: "Tilbagebetaling" }),
  paid(70_009, [-60, 0]),
  entry(70_010, REMINDER, [12, 12]),
  invoice(70_011, 30_005, [100, 0]),
  invoice(70_012, 30_006, [100, 70]),
  // Matched with two invoices, of which it does not use up both.
  paid(70_013, [-130, 0], { text: "a conto" }),
  paid(70_014, [-10, -10]),
  entry(70_016, INVOICE, [40, 40], { customerNumber: null }),
  invoice(70_015, 30_007, [99.99, 99.99])
]

const sizeOf = (entry: number): number => ENTRIES.find(({ entryNumber }) => entryNumber === entry)?.amount ?? 0
const pair = (fromEntry: number, toEntry: number, amounts = [sizeOf(fromEntry), sizeOf(toEntry)]) => ({
  id: `${fromEntry}:${toEntry}`,
  ...{ fromEntry, fromEntryDate: "2026-02-03T00:00:00Z", fromEntryAmount: amounts[0], fromEntryAmountDKK: amounts[0] },
  ...{ toEntry, toEntryDate: "2026-01-31T00:00:00Z", toEntryAmount: amounts[1], toEntryAmountDKK: amounts[1] }
})

const PAIRS = [
  pair(70_002, 70_001),
  pair(70_005, 70_003),
  pair(70_004, 70_005),
  pair(70_006, 70_007),
  pair(70_008, 70_009),
  pair(70_013, 70_011),
  pair(70_013, 70_012)
]

const CUSTOMERS = [
  { customerNumber: 20_001, name: "Harbour Tea ApS", currency: "DKK", access: true, country: "Danmark" },
  { customerNumber: 20_002, name: "Trey Research GmbH", currency: "EUR", access: true, country: "Tyskland" }
]

const no = (status: number, message: string) => ({
  status,
  body: { title: "Bad request", status, errors: [{ message, errorCode: "BadFilterRequest" }] }
})

const CONDITION = /^(\w+)\$(gt|ne|in):(?:(\d+)|(\$null:)|\[([\d,]+)\])$/

/** The filters that the connector uses: conditions that are joined by `$and:`. */
const matching = (filter: string): ((record: Record) => boolean) => {
  const all = filter.split("$and:").map((condition) => {
    const [, member = "", operator, number, nothing, list] = CONDITION.exec(condition) ?? []
    if (operator === "gt" && number !== undefined) return (record: Record) => record[member] > Number(number)
    if (operator === "ne" && nothing !== undefined) return (record: Record) => record[member] !== null
    const among = list?.split(",")
    if (operator !== "in" || among === undefined) throw new Error(`no such filter: ${filter}`)
    return (record: Record) => among.includes(String(record[member]))
  })
  return (record) => all.every((holds) => holds(record))
}

const ENTRIES_AT = "/bookedEntriesapi/v4.0.0/booked-entries"

/** Its cursor is the first record of the next page. */
const answerOf =
  ({ customers, entries, pairs }: Staging.Lists): Source["answer"] =>
  ({ headers, path, query }, paging) => {
    const isKnown = headers["x-appsecrettoken"] === "sample-app-secret"
    if (!isKnown || headers["x-agreementgranttoken"] !== "sample-grant") return no(401, "Access not granted")
    const found = {
      [ENTRIES_AT]: { records: entries!, id: "entryNumber" },
      [`${ENTRIES_AT}/matched-pairs`]: { records: pairs!, id: "id" },
      "/customersapi/v3.1.0/Customers": { records: customers!, id: "customerNumber" }
    }[path]
    if (found === undefined) return no(404, "Not found")
    const filtered = found.records.filter(matching(query.get("filter") ?? "entryNumber$gt:0"))
    const cursor = query.get("cursor")
    const before = Math.max(
      0,
      filtered.findIndex((one) => String(one[found.id]) === cursor)
    )
    const { more, records } = paging.from(filtered, before)
    const next = filtered[before + records.length]
    const shown = records.map(({ id: _, ...record }: Record) => record)
    return { body: { ...(more ? { cursor: String(next?.[found.id] ?? cursor) } : {}), items: shown } }
  }

const party = (id: number, name: string) => `"party":{"id":"${id}","name":"${name}"}`
const HARBOUR = party(20_001, "Harbour Tea ApS")
const TREY = party(20_002, "Trey Research GmbH")
const head = (n: number, number: number, [gross, open]: string[], of = HARBOUR, currency = "DKK", due = "2026-03-02") =>
  `{"kind":"invoice","id":"${n}","number":"${number}","status":"open",${of},"currency":"${currency}","issued":"2026-01-31","due":"${due}","gross":"${gross}n","stated":{"open":"${open}n"}}`
const money = (n: number, shares: string, of: string, more: string, currency = "DKK") =>
  `{"kind":"payment","id":"${n}","date":"2026-02-03","currency":"${currency}","shares":[${shares}],${of}${more}}`
const share = (invoice: number, amount: string) => `{"invoice":"${invoice}","amount":"${amount}n"}`

export const subject: Subject = {
  connector: economic,
  settings: { app_secret: { env: "SECRET" }, agreement_grant: { env: "GRANT" }, currency: "DKK" },
  environment: { SECRET: "sample-app-secret", GRANT: "sample-grant" },
  documented: { perDay: 50_000, page: 1000 },
  nothing: ["70010", "70016"],
  unread: { "customers.currency": "entries have their own" },
  skips: { "tells net from gross": "the ledger has gross amounts only" },
  golden: [
    head(70_001, 30_001, ["125000000000", "75000000000"]),
    money(70_002, share(70_001, "50000000000"), HARBOUR, `,"reference":"Harbour Tea, faktura 30001, 30001"`),
    head(70_003, 30_002, ["30000000000", "0"], TREY, "EUR"),
    head(70_004, 30_003, ["10000000000", "0"], TREY, "EUR"),
    money(
      70_005,
      `${share(70_003, "30000000000")},${share(70_004, "10000000000")}`,
      TREY,
      `,"unallocated":"2000000000n","reference":"30002 og 30003"`,
      "EUR"
    ),
    `{"kind":"credit_note","id":"70006","date":"2026-01-31","currency":"DKK","shares":[${share(70_007, "5000000000")}]}`,
    head(70_007, 40_007, ["5000000000", "0"], HARBOUR, "DKK", "2026-01-31"),
    `{"kind":"reversal","id":"70008","date":"2026-02-03","currency":"DKK","shares":[],"unallocated":"6000000000n","type":"refund","details":"Tilbagebetaling"}`,
    money(70_009, share(70_008, "6000000000"), HARBOUR, ""),
    head(70_011, 30_005, ["10000000000", "0"]),
    head(70_012, 30_006, ["10000000000", "7000000000"]),
    money(70_013, "", HARBOUR, `,"unallocated":"13000000000n","reference":"a conto"`),
    money(70_014, "", HARBOUR, `,"unallocated":"1000000000n"`),
    head(70_015, 30_007, ["9999000000", "9999000000"])
  ],
  open: Staging.staged(
    { entries: ENTRIES, pairs: PAIRS, customers: CUSTOMERS },
    {
      lists: {
        entries: { id: "entryNumber", number: "entryNumber" },
        customers: { id: "customerNumber" }
      },
      answer: answerOf,
      grow: (add, n) => {
        const isPaid = n % 2 === 0
        add("entries", invoice(100_000 + 2 * n, 200_000 + n, [12, isPaid ? 0 : 12]))
        if (!isPaid) return
        add("entries", paid(100_001 + 2 * n, [-12, 0]))
        add("pairs", pair(100_001 + 2 * n, 100_000 + 2 * n, [-12, 12]))
      },
      changes: ({ entries, pairs }) => ({
        // Matched by hand, after both were booked.
        edit: () => {
          const [late, open] = [entries[13], entries[15]]
          Object.assign(late, { remainder: 0 })
          Object.assign(open, { remainder: 89.99 })
          pairs.push(pair(late.entryNumber, open.entryNumber))
          return String(open.entryNumber)
        },
        ...Staging.amountOf("invoice/70001", (value) => void (entries[0].amount = value))
      })
    }
  )
}
