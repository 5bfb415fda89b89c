/** A document is what it was once it has been written down and read again: every kind, every amount. */
import { assert, describe, it } from "@effect/vitest"
import * as Document from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"

const date = Day.of("2026-02-28")
const shares = [{ invoice: "INV-1", amount: of("90071992547409.93") }]
const lines = [{ line: "chair", quantity: of("2.5") }]

const DOCUMENTS: ReadonlyArray<Document.Document> = [
  {
    kind: "invoice",
    id: "INV-1",
    number: "INV-1",
    status: "open",
    party: { name: "123n" },
    currency: "GBP",
    issued: date,
    due: date,
    net: of("1"),
    gross: of("1.20"),
    schedule: [{ date, amount: of("1.20") }]
  },
  { kind: "payment", id: "P-1", date, shares, unallocated: of("3.01"), reference: "7n", party: { id: "9n" } },
  { kind: "reversal", id: "R-1", date, shares, unallocated: of("0.01"), type: "refund" },
  { kind: "credit_note", id: "C-1", date, shares: [{ ...shares[0]!, net: of("0.5") }] },
  {
    kind: "payout",
    id: "po_1n",
    date,
    currency: "GBP",
    amount: of("12.34"),
    status: "paid",
    by: "5n",
    settled: { currency: "EUR", amount: of("14.01") },
    references: ["7n"],
    items: [{ part: "fees", name: "9n", count: 3, amount: of("-0.403") }]
  },
  {
    kind: "order",
    id: "O-1",
    number: "1n",
    status: "open",
    currency: "JPY",
    placed: date,
    lines: [{ id: "chair", type: "product", quantity: of("2"), gross: of("-900") }]
  },
  { kind: "fulfilment", id: "F-1", order: "O-1", date, lines },
  { kind: "cancellation", id: "X-1", order: "O-1", date, lines, amount: of("12.34") },
  { kind: "return", id: "B-1", order: "O-1", date, lines: [], amount: of("0.05") }
]

describe("a document", () => {
  for (const document of DOCUMENTS) {
    it(`of kind ${document.kind} comes back as it was`, () => {
      assert.deepStrictEqual(Document.decode(Document.encode(document)), document)
    })
  }

  it("of every kind is tried", () => {
    assert.deepStrictEqual(
      Document.KINDS.filter((kind) => !DOCUMENTS.some((one) => one.kind === kind)),
      []
    )
  })
})
