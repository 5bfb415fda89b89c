/** The proof of an order as a PDF: who ordered what for how much, and what was cancelled or came back since. */
import { describe, expect, test } from "vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as FileType from "../../../core/wire/FileType.ts"
import { type OrderProof, orderPdf } from "../../../sync/collections/ProofOfOrder.ts"
import { day } from "../../support/Documents.ts"
import { cancellation, line, returned } from "../../support/Orders.ts"
import { copied } from "../../support/PdfText.ts"

const ordered = (more: Partial<OrderProof> = {}): OrderProof => ({
  invoice: "INV-1",
  order: "1042",
  placed: day("2026-03-01"),
  seller: { name: "Harbour Lane Bakery Ltd", details: [] },
  buyer: { name: "Brightwater Foods", details: ["1 Quay Street", "DE"], country: "DE" },
  currency: "EUR",
  lines: [
    { ...line("1", "4", "6000.50"), description: "Chair, 椅子" },
    line("2", "1", "5.00", "shipping"),
    { ...line("3", "1", "-1.00", "discount"), description: "Thank you" }
  ],
  changes: [
    cancellation("C1", { "1": "1" }, "2026-03-03"),
    { ...returned("R1", { "1": "0.5" }, "2026-03-05"), amount: Decimal.of("12.30") },
    returned("R2", {}, "2026-03-06"),
    { ...returned("R3", {}, "2026-03-07"), amount: Decimal.of("7") }
  ],
  ...more
})

const made = async (one: OrderProof): Promise<Buffer> => {
  const pdf = await orderPdf(one)
  if ("why" in pdf) throw new Error(pdf.why)
  return pdf
}

describe("the proof of order", () => {
  test("names who ordered, each line with its amount, the sum, and what was cancelled or came back", async () => {
    const pdf = await made(ordered())
    expect(FileType.of(pdf)).toBe(FileType.PDF)
    const text = copied(pdf).join("")
    for (const words of [
      "Proof of order",
      "Order 1042 of 2026-03-01, invoice INV-1",
      "Brightwater Foods",
      "Chair, 椅子",
      "6.000,50",
      "2 (shipping)",
      "Thank you (discount)",
      "-1,00",
      "6.004,50 EUR",
      "Cancelled on 2026-03-03: 1 × Chair, 椅子",
      "Returned on 2026-03-05: 0.5 × Chair, 椅子, 12,30 EUR",
      "Returned on 2026-03-06: everything that was shipped",
      "Returned on 2026-03-07: 7,00 EUR"
    ])
      expect(text).toContain(words)
    expect(await made(ordered())).toEqual(pdf)
  })

  test("goes on on further pages, and loses no line", async () => {
    const lines = Array.from({ length: 130 }, (_, n) => ({
      ...line(`${n}`, "1", "1.00"),
      description: `Article ${n}.`
    }))
    const text = copied(await made(ordered({ lines, changes: [] }))).join("\n")
    expect(text.match(/Article \d+\./g)?.length).toBe(130)
    expect(text).toContain("130,00 EUR")
    expect(text).toContain("Page 3 of 3")
  })

  test("says what of it cannot be written", async () => {
    expect(await orderPdf(ordered({ order: "😀" }))).toMatchObject({ why: expect.stringContaining("cannot set 😀") })
  })
})
