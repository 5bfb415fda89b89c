/**
 * One ledger in four formats, in four folders of the fixtures, is the same documents: those written beside it.
 */
import { describe, expect, it } from "vitest"
import { day, FIXTURES, fixture, plain, pull, workbook, write } from "./support.ts"

const source = (ending: string) => {
  const german = ending === "tsv" ? { date_format: "d.M.yyyy", decimal: "," } : {}
  return {
    invoices: {
      path: `${ending}/invoices.${ending}`,
      columns: {
        id: "Invoice",
        number: "Number",
        customer: "Buyer",
        customer_id: "Buyer no",
        customer_country: "Country",
        customer_regnum: "Reg",
        customer_vat: "VAT",
        customer_address: "Address",
        issued: "Issued",
        due: "Due",
        net: "Net",
        gross: "Gross",
        currency: "Currency",
        status: "State",
        method: "Paid by"
      },
      metadata: { order: "PO" },
      statuses: { Sent: "open", Cancelled: "void" },
      ...german
    },
    payments: {
      path: `${ending}/payments.${ending}`,
      columns: {
        id: "Ref",
        invoice: "Invoice",
        date: "Date",
        amount: "Amount",
        currency: "Currency",
        type: "Type",
        provider_code: "Code",
        details: "Details",
        method: "How",
        payment: "Of"
      },
      types: { Rückzahlung: "refund" },
      methods: { Kort: "card" },
      ...german
    },
    credit_notes: {
      path: `${ending}/credit_notes.${ending}`,
      columns: { id: "Note", invoice: "For", date: "Date", gross: "Gross", net: "Net" },
      currency: "EUR",
      ...german
    }
  }
}

const STREAMS = ["invoices", "credit_notes", "payments"]

const expected = (): unknown => STREAMS.flatMap((name) => JSON.parse(fixture(`expected/${name}.json`)))

const HEADERS: Readonly<Record<string, ReadonlyArray<string>>> = Object.fromEntries(
  STREAMS.map((name) => [name, fixture(`csv/${name}.csv`).split("\n")[0]!.split(",")])
)

/** The JSON Lines fixture as sheets: numbers as numbers, days as serial numbers that are shown as dates. */
const sheets = () => {
  const serial = (text: string) => day(Date.parse(`${text}T00:00:00Z`) / 86_400_000 + 25_569)
  return Object.fromEntries(
    STREAMS.map((name) => {
      const records = fixture(`jsonl/${name}.jsonl`).trimEnd().split("\n")
      const rows = records.map((record) => {
        const members = JSON.parse(record) as Record<string, string | number>
        return HEADERS[name]!.map((column) => {
          const value = members[column]
          return typeof value === "string" && /^\d{4}-/.test(value) ? serial(value) : value
        })
      })
      return [`xlsx/${name}.xlsx`, workbook([HEADERS[name]!, ...rows])]
    })
  )
}

describe("golden documents", () => {
  for (const ending of ["csv", "tsv", "jsonl", "xlsx"]) {
    it(ending, async () => {
      const where = ending === "xlsx" ? write(sheets()) : FIXTURES
      const { documents, error, notices, quarantined } = await pull(where, source(ending))
      expect(error).toBeUndefined()
      expect(quarantined).toEqual([])
      // What is no way of paying costs nothing, and is named.
      expect(notices.map(({ what }) => what)).toEqual([
        'Paid by "wire" is not a payment method (unknown, bank, card, cash); ignored (map it under methods)'
      ])
      expect(plain(documents)).toEqual(expected())
    })
  }

  it("each document says where it stood, and keeps its own text", async () => {
    const { pages } = await pull(FIXTURES, source("csv"))
    const read = pages.flatMap(({ read }) => read)
    expect(read.map(({ origin }) => origin)).toEqual([
      "csv/invoices.csv:2",
      "csv/invoices.csv:4",
      "csv/invoices.csv:5",
      "csv/invoices.csv:6",
      "csv/credit_notes.csv:2",
      "csv/credit_notes.csv:3",
      "csv/payments.csv:2",
      "csv/payments.csv:3",
      "csv/payments.csv:4",
      "csv/payments.csv:5",
      "csv/payments.csv:6"
    ])
    expect(read[0]!.raw).toContain('"Hauptstr. 1\n10115 Berlin"')
  })
})
