/** What a document's page is called. */
import { assert, describe, it } from "@effect/vitest"
import { documentTitle } from "../../cli/page/DocumentTitle.ts"
import type { Story } from "../../sync/library/Explain.ts"
import { invoice, payment } from "../support/Documents.ts"

const story = (key: string, facts: object): Story => ({ key, facts }) as unknown as Story

describe("a document's page", () => {
  it("is called by its kind and number, and whom it is about; by the source's id where nothing else is known", () => {
    const one = invoice({ id: "7f3a", number: "INV-1049", party: { name: "Maison Verlaine" } })
    const rows: ReadonlyArray<readonly [Story, string]> = [
      [story("books/invoice/7f3a", { invoice: one }), "Invoice INV-1049 · Maison Verlaine"],
      [story("books/invoice/R%2F7", { invoice: undefined }), "Invoice R/7"],
      [story("books/payment/P-1", { document: payment("P-1", "1"), candidates: [] }), "Payment P-1"],
      [story("books/credit_note/C-1", { document: undefined, candidates: [] }), "Credit note C-1"],
      [
        story("shop/order/9", { order: { kind: "order", id: "9", number: "#1001", buyer: { name: "Ada" } } }),
        "Order #1001 · Ada"
      ],
      [story("shop/buyer/B1", { orders: [{ buyer: { name: "Old" } }, { buyer: { name: "Ada" } }] }), "Buyer B1 · Ada"],
      [story("books/owner", {}), "Owner of books"]
    ]
    for (const [given, title] of rows) assert.strictEqual(documentTitle(given), title)
  })
})
