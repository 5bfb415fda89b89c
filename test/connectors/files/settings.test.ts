/**
 * Mistakes in a configuration, as a person is told of them: the member's whole path, and what to write there.
 */
import { describe, expect, it } from "vitest"
import { Result } from "effect"
import { decodeWith } from "../../../sync/library/config/Configuration.ts"
import { files } from "../../../connectors/files/Files.ts"
import { COLUMNS } from "./support.ts"

const invoices = { path: "invoices.csv", columns: COLUMNS, currency: "GBP" }
const payments = { path: "payments.csv", columns: { id: "a", invoice: "b", date: "c", amount: "d" } }

const problems = (source: object): ReadonlyArray<string> => {
  const owner = { organisation: { unique_id: "a", name: "A", registered: "2024-01-01T00:00:00Z" } }
  const decoded = decodeWith(
    {
      service: { url: "http://127.0.0.1:4010", key: { env: "KEY" } },
      connections: [{ id: "books", source: { connector: "files", ...source }, owner }]
    },
    { file: "daybook.config.json", folder: "/", environment: {}, connectors: new Map([["files", files]]) }
  )
  return Result.isFailure(decoded)
    ? decoded.failure.problems.map((one) => one.replace("connections[0].source", "source"))
    : []
}

describe("settings that are right", () => {
  it("are accepted: all of them", () => {
    const all = {
      date_format: "d/M/yyyy",
      decimal: ",",
      separator: ";",
      encoding: "latin1",
      sheet: "Sales",
      header_row: 3,
      null_values: ["N/A"],
      unpacked_limit: 4096
    }
    const more = {
      statuses: { Sent: "open" },
      countries: { "897": "GB" },
      unknown_country: "quarantine",
      customer_country: "United Kingdom",
      metadata: { order: "PO" },
      methods: { SEPA: "bank" }
    }
    expect(
      problems({
        invoices: { ...invoices, ...all, ...more },
        payments: { ...payments, ...all, types: { RLS: "refund", Paid: "settlement" }, methods: { SEPA: "bank" } },
        credit_notes: { path: "c.csv", columns: { id: "a", invoice: "b", date: "c", gross: "d", net: "e" }, ...all }
      })
    ).toEqual([])
  })
})

describe("a member that is not known", () => {
  it("is named with the nearest one that is", () => {
    const unknown = "is not a known setting"
    expect(problems({ invoces: invoices })).toEqual([`source.invoces: ${unknown}; did you mean "invoices"?`])
    expect(problems({ invoices: { ...invoices, date_fromat: "d/M/yyyy" } })).toEqual([
      `source.invoices.date_fromat: ${unknown}; did you mean "date_format"?`
    ])
    expect(problems({ invoices: { ...invoices, columns: { ...COLUMNS, customer_contry: "X" } } })).toEqual([
      `source.invoices.columns.customer_contry: ${unknown}; did you mean "customer_country"?`
    ])
    expect(problems({ payments: { ...payments, method: { SEPA: "bank" } } })).toEqual([
      `source.payments.method: ${unknown}; did you mean "methods"?`
    ])
  })
})

describe("a member that is missing or wrong", () => {
  it("is named with its whole path, all of them at once", () => {
    const found = problems({ invoices: { path: "x", columns: { id: "I", due: "D" } } })
    expect(found.map((one) => one.split(":")[0])).toEqual([
      "source.invoices.columns.customer",
      "source.invoices.columns.issued"
    ])
    expect(found.every((one) => one.includes("is missing"))).toBe(true)
  })

  const cases: ReadonlyArray<readonly [object, string]> = [
    [{}, "source: name at least one of invoices, payments, credit_notes, orders, fulfilments, cancellations, returns"],
    [
      { invoices: { ...invoices, columns: { id: "a", customer: "b", issued: "c", due: "d" } } },
      "source.invoices.columns: name a column for net or for gross (or both)"
    ],
    [{ invoices: { ...invoices, decimal: ";" } }, 'source.invoices.decimal: write one of ".", ","'],
    [
      { invoices: { ...invoices, date_format: "DD/MM/YYYY" } },
      "source.invoices.date_format: name the year (yyyy, yy), the month (MM, M, MMM) and the day (dd, d) once each, like d/M/yyyy"
    ],
    [
      { invoices: { ...invoices, currency: "POUND" } },
      'source.invoices.currency: write a code of ISO 4217, like "GBP"'
    ],
    [
      { invoices: { ...invoices, customer_country: "Utopia" } },
      'source.invoices.customer_country: write a country of ISO 3166-1, like "GB" or "United Kingdom"'
    ],
    [
      { invoices: { ...invoices, countries: { "897": "UX" } } },
      'source.invoices.countries.897: write a country of ISO 3166-1, like "GB" or "United Kingdom"'
    ],
    [
      { invoices: { ...invoices, statuses: { Sent: "opened" } } },
      'source.invoices.statuses.Sent: write one of "draft", "open", "paid", "void"'
    ],
    [
      { invoices: { ...invoices, header_row: -1 } },
      "source.invoices.header_row: write the number of a line, from 1 to 1000, or 0 if no line has headings"
    ],
    [
      { invoices: { ...invoices, unpacked_limit: 0 } },
      "source.invoices.unpacked_limit: write megabytes, a whole number like 4096"
    ],
    [
      { payments: { ...payments, types: { x: "refnd" } } },
      'source.payments.types.x: write one of "chargeback", "refund", "error", "unknown", "other", "settlement"'
    ]
  ]
  for (const [source, problem] of cases) {
    it(problem, () => expect(problems(source)).toEqual([problem]))
  }
})
