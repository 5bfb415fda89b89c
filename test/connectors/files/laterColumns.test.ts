/** Columns that a later export has and the ones before had not, of which it is known what they change. */
import { describe, expect, it } from "vitest"
import { pull, write } from "./support.ts"

const path = "books.csv"
const base = { path, currency: "GBP" }
const invoices = (more: object) => ({
  invoices: {
    ...base,
    terms_days: 30,
    columns: { id: "No", customer: "Name", issued: "Date", gross: "Gross" },
    ...more
  }
})

describe("a table", () => {
  for (const heading of [
    ...["Status", "Payment Status", "Zahlungsstatus", "Statut", "Paid", "Bezahlt am", "Date Paid", "Amount Paid"],
    ...["Balance Due", "Openstaand bedrag", "Currency", "Währung", "Type", "Belegart", "Void", "Opłacona", "Refunded"]
  ])
    it(`has a column that was not there before, of which it is known what it changes: nothing is read: ${heading}`, async () => {
      const row = "1,Acme,2026-01-31,12.00"
      for (const [stream, settings] of [
        ["invoices", invoices],
        [
          "payments",
          (more: object) => ({
            payments: {
              path,
              currency: "GBP",
              columns: { id: "No", invoice: "Name", date: "Date", amount: "Gross" },
              ...more
            }
          })
        ]
      ] as const) {
        const folder = write({ [path]: `No,Name,Date,Gross\n${row}\n` })
        const first = await pull(folder, settings({}))
        expect(first.documents.length).toBe(1)
        write({ [path]: `No,Name,Date,Gross,${heading}\n${row},x\n` }, folder)
        for (const later of [60_000, 120_000]) {
          const second = await pull(folder, settings({}), { after: first.bookmark, later })
          expect(second.documents).toEqual([])
          expect(second.error?.message).toContain(`a column not there before: ${JSON.stringify(heading)}`)
          expect(JSON.stringify(second.error)).toContain(`source.${stream}.unused as`)
        }
        const left = await pull(folder, settings({ unused: { [heading]: "any" } }), {
          after: first.bookmark,
          later: 60_000
        })
        expect([left.error, left.documents.length]).toEqual([undefined, 1])
      }
    })
})
