/**
 * Exports of QuickBooks, Xero, Sage, DATEV, Zoho, FreeAgent, Shopify, Stripe and a bank: with nothing said, or one answer,
 * `init` reaches the sums that a configuration written by hand reaches, which are what the program itself says.
 */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { bytes, EXPORTS } from "../../connectors/files/Programs.ts"
import { readAll, sumsOf } from "./Reading.ts"

/** What these files do not say. */
const ANSWERS: Readonly<Record<string, SetupAnswers>> = {
  "QuickBooks, list of invoices": { currency: "USD" },
  "QuickBooks, transactions by customer": { currency: "USD" },
  "Sage, audit trail with every type of transaction": { currency: "GBP" },
  "a bank's statement": { currency: "GBP" }
}

describe("init, of exports that have a configuration written by hand", () => {
  for (const { name, open, source, sums } of EXPORTS)
    it(`reads ${name}`, async () => {
      const [path = ""] = Object.values(source).map((one) => (one as { readonly path: string }).path)
      const { documents, found, quarantined } = await readAll({ [path]: bytes(path) }, ANSWERS[name])
      expect(found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
      expect(quarantined).toEqual([])
      const read = sumsOf(documents)
      expect(read.sums).toEqual(sums)
      if (open !== undefined) expect(read.open).toBe(open)
    })

  it("reads a posting of DATEV in the currency that it says itself, and others in that of the first line", async () => {
    const text = Buffer.from(bytes("datev-extf.csv")).toString("latin1")
    const other = text.replace('"EUR";;;"";10001', '"USD";;;"";10001').replaceAll('"EUR";;;"";10002', '"";;;"";10002')
    const { documents } = await readAll({ "datev-extf.csv": Buffer.from(other, "latin1") })
    const said = documents.flatMap((one) => (one.kind === "invoice" ? [`${one.number} ${one.currency}`] : []))
    expect(said.slice(0, 2)).toEqual(["RE-2601 USD", "RE-2602 EUR"])
  })
})
