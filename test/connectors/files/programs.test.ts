/**
 * Exports of QuickBooks, Xero, Sage, DATEV, Zoho, FreeAgent, Shopify, Stripe and a bank, as these programs write them: what
 * is read of them comes to what they themselves say.
 */
import { describe, expect, it } from "vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Document } from "../../../connectors/Document.ts"
import { bytes, EXPORTS } from "./Programs.ts"
import { pull } from "./support.ts"

const amount = (document: Document): bigint => {
  if (document.kind === "invoice") return document.gross!
  if (!("shares" in document)) return 0n
  return (
    Decimal.sum(document.shares.map((share) => share.amount)) +
    ("unallocated" in document ? (document.unallocated ?? 0n) : 0n)
  )
}

const counts = (document: Document) =>
  document.kind !== "invoice" || (document.status !== "draft" && document.status !== "void")

for (const { name, notices = [], open, quarantined = [], source, sums } of EXPORTS) {
  describe(name, () => {
    const names = [...new Set(Object.values(source).map((one) => (one as { readonly path: string }).path))]
    const read = () => pull(Object.fromEntries(names.map((one) => [one, bytes(one)])), source)

    it("comes to what it says itself", async () => {
      const found = await read()
      expect(found.error?.message).toBeUndefined()
      expect(found.quarantined.map(({ origin, why }) => `${origin}: ${why}`)).toEqual(quarantined)
      expect([...new Set(found.notices.map(({ what }) => what))]).toEqual(notices)
      const documents = found.documents.filter(counts)
      const kinds = [...new Set(documents.map(({ kind }) => kind))]
      const all = kinds.map((kind) => {
        const of = documents.filter((one) => one.kind === kind)
        return [kind, [of.length, Decimal.format(Decimal.sum(of.map(amount)), 2)]]
      })
      expect(Object.fromEntries(all)).toEqual(sums)
      const stated = documents.flatMap((one) => (one.kind === "invoice" ? (one.stated?.open ?? []) : []))
      if (open !== undefined) expect(Decimal.format(Decimal.sum(stated), 2)).toBe(open)
    })
  })
}
