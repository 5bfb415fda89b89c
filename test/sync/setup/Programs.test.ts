/**
 * `daybook init` on exports as programs write them: with nothing said, or one answer, it reaches the sums that a
 * configuration written by hand reaches, which are what the program itself says.
 */
import { describe, expect, it } from "vitest"
import { join } from "node:path"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Document } from "../../../connectors/Document.ts"
import { glance } from "../../../connectors/list.ts"
import { drafted } from "../../../sync/setup/Draft.ts"
import { tablesOf } from "../../../sync/setup/HeadingRow.ts"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import * as Day from "../../../core/wire/Day.ts"
import { bytes, EXPORTS } from "../../connectors/files/Programs.ts"
import { pull, write } from "../../connectors/files/support.ts"

const amount = (document: Document): bigint => {
  if (document.kind === "invoice") return document.gross ?? document.net ?? 0n
  if (!("shares" in document)) return 0n
  const unallocated = "unallocated" in document ? (document.unallocated ?? 0n) : 0n
  return Decimal.sum(document.shares.map((share) => share.amount)) + unallocated
}

const counts = (document: Document) =>
  document.kind !== "invoice" || (document.status !== "draft" && document.status !== "void")

const ANSWERS: Readonly<Record<string, SetupAnswers>> = {
  "QuickBooks, list of invoices": { currency: "USD" },
  "QuickBooks, transactions by customer": { currency: "USD" },
  "Sage, audit trail with every type of transaction": { currency: "GBP" },
  "a bank's statement": { currency: "GBP" }
}

for (const { name, open, source, sums } of EXPORTS) {
  describe(name, () => {
    it("is read as by hand", async () => {
      const [path] = Object.values(source).map((one) => (one as { readonly path: string }).path)
      const folder = write({ [path!]: bytes(path!) })
      const tables = await tablesOf({ path: path!, glances: await glance(join(folder, path!)) })
      const found = drafted(tables, ANSWERS[name] ?? {}, { today: Day.of("2026-07-07"), zone: "Europe/Berlin" })
      expect(found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
      const documents: Array<Document> = []
      for (const one of [found.sources.books, found.sources.payments]) {
        if (one === undefined) continue
        const { connector: _, ...settings } = one
        const read = await pull(folder, settings)
        expect(read.error?.message).toBeUndefined()
        expect(read.quarantined.map(({ origin, why }) => `${origin}: ${why}`)).toEqual([])
        documents.push(...read.documents.filter(counts))
      }
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
