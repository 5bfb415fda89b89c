/**
 * Exports of QuickBooks, Xero, Sage, Zoho, FreeAgent, Shopify, Stripe and a bank: with nothing said, or one answer,
 * `init` reaches the sums that a configuration written by hand reaches, which are what the program itself says.
 */
import { describe, expect, it } from "vitest"
import { bytes, EXPORTS } from "../../connectors/files/Programs.ts"
import { ANSWERS } from "./Layouts.ts"
import { readAll, sumsOf } from "./Reading.ts"

describe("init, of exports that have a configuration written by hand", () => {
  // What describes itself is read by another connector: test/connectors/ledger.
  for (const { name, open, source, sums } of EXPORTS.filter(({ name }) => name !== "DATEV, EXTF"))
    it(`reads ${name}`, async () => {
      const [path = ""] = Object.values(source).map((one) => (one as { readonly path: string }).path)
      const { documents, found, quarantined } = await readAll({ [path]: bytes(path) }, ANSWERS[name])
      expect(found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
      expect(quarantined).toEqual([])
      const read = sumsOf(documents)
      expect(read.sums).toEqual(sums)
      if (open !== undefined) expect(read.open).toBe(open)
    })
})
