/** Each report is declared once: what a document, a preview or a story has, its schema for other programs has as well. */
import { expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type * as Document from "../../../connectors/Document.ts"
import type { PlainStory } from "../../../sync/library/Explain.ts"
import type * as Books from "../../../sync/model/reports/Books.ts"
import type { Preview } from "../../../sync/pull/Preview.ts"

/** `true` if two types have the same members; otherwise those that one of them lacks, which the compiler names. */
type Same<One, Other> = [Exclude<keyof One, keyof Other> | Exclude<keyof Other, keyof One>] extends [never]
  ? true
  : Exclude<keyof One, keyof Other> | Exclude<keyof Other, keyof One>

/** Types are derived from the schemas, except those whose amounts are computed with: here the compiler compares them. */
const SAME: {
  readonly invoice: Same<Document.Invoice, typeof Books.InvoiceShown.Type>
  readonly stated: Same<Document.Stated, NonNullable<(typeof Books.InvoiceShown.Type)["stated"]>>
  readonly party: Same<Document.Party, (typeof Books.InvoiceShown.Type)["party"]>
  readonly payment: Same<Document.Payment, typeof Books.PaymentShown.Type>
  readonly reversal: Same<Document.Reversal, typeof Books.ReversalShown.Type>
  readonly creditNote: Same<Document.CreditNote, typeof Books.CreditNoteShown.Type>
  readonly payout: Same<Document.Payout, typeof Books.PayoutShown.Type>
  readonly payoutItem: Same<Document.PayoutItem, (typeof Books.PayoutShown.Type)["items"][number]>
  readonly preview: Same<Preview, typeof Books.Previewed.Type>
  readonly story: Same<PlainStory, typeof Books.StoryShown.Type>
} = {
  invoice: true,
  stated: true,
  party: true,
  payment: true,
  reversal: true,
  creditNote: true,
  payout: true,
  payoutItem: true,
  preview: true,
  story: true
}

it("declares what the HTTP interface answers with beside the reports, and never again in the interface", () => {
  expect(Object.values(SAME).every((one) => one)).toBe(true)
  // What was decided is answered with its number and a yes: that is no report.
  const groups = ["ReadGroup.ts", "PlanGroup.ts", "CoverGroup.ts"]
  const texts = groups.map((name) => [name, readFileSync(`cli/remote/${name}`, "utf8")] as const)
  expect(texts.filter(([, text]) => /\bsuccess: Schema\.|\brecord\("/.test(text)).map(([name]) => name)).toEqual([])
  // Nor is a result of the library derived from what is stored: that is derived from the result.
  expect(readFileSync("sync/library/Api.ts", "utf8")).not.toMatch(/\bDated</)
})
