/** Which rows of a list of invoices lower others, and which: by the values of their columns, whatever these are called. */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { readAll, sumsOf } from "./Reading.ts"

const list = (lines: ReadonlyArray<string>, answers: SetupAnswers = {}) =>
  readAll({ "list.csv": [...lines, ""].join("\n") }, answers)

describe("a credit note", () => {
  for (const heading of ["StornoReferenz", "See also", "#"])
    it(`lowers the invoice whose number stands under ${JSON.stringify(heading)}`, async () => {
      const { documents, quarantined } = await list([
        `Rechnungsnummer;Rechnungsdatum;Fälligkeit;Belegart;${heading};Kunde;Brutto;Währung`,
        "RE-1;13.09.2026;13.10.2026;Rechnung;;Alder;119,00;EUR",
        "RE-2;14.09.2026;14.10.2026;Rechnung;;Beech;238,00;EUR",
        "RE-3;15.09.2026;15.09.2026;Storno;RE-1;Alder;-119,00;EUR"
      ])
      expect(quarantined).toEqual([])
      expect(documents.filter(({ kind }) => kind === "credit_note")).toMatchObject([
        { id: "RE-3/RE-1", shares: [{ invoice: "RE-1", amount: 11900000000n }] }
      ])
    })

  const SIDES: ReadonlyArray<readonly [heading: string, debit: string, credit: string]> = [
    ["Debet / credit", "D", "C"],
    ["Soll/Haben", "S", "H"],
    ["Side", "Debit", "Credit"],
    ["Booked", "Soll", "Haben"]
  ]
  for (const [heading, debit, credit] of SIDES)
    it(`is not read as an invoice if its ${JSON.stringify(heading)} is ${JSON.stringify(credit)}`, async () => {
      const { documents, quarantined } = await list([
        `Invoice Number,Customer,Invoice Date,Due Date,Total,Currency,${heading}`,
        `1,Alder,2026-09-13,2026-10-13,100.00,EUR,${debit}`,
        `2,Beech,2026-09-14,2026-10-14,250.00,EUR,${debit}`,
        `3,Beech,2026-09-15,2026-10-15,50.00,EUR,${credit}`
      ])
      expect(sumsOf(documents).sums).toEqual({ invoice: [2, "350.00"] })
      expect(quarantined).toEqual([
        expect.stringContaining(`says "${credit}" in 1 row, 50.00 EUR, and no stream reads it`)
      ])
    })
})
