/** The proof of delivery as a PDF: each parcel with its day, its tracking numbers and its goods, on as many pages as it takes. */
import { describe, expect, test } from "vitest"
import * as FileType from "../../../core/wire/FileType.ts"
import { type ParcelProof, deliveryPdf } from "../../../sync/collections/ProofOfDelivery.ts"
import { day } from "../../support/Documents.ts"
import { line, parcel } from "../../support/Orders.ts"
import { copied } from "../../support/PdfText.ts"

const delivery = (more: Partial<ParcelProof> = {}): ParcelProof => ({
  invoice: "INV-1",
  order: "1042",
  placed: day("2026-03-01"),
  seller: { name: "Harbour Lane Bakery Ltd", details: [] },
  to: { name: "Brightwater Foods", details: ["1 Quay Street", "EX1 1EX Exampleton", "GB"], country: "GB" },
  lines: [{ ...line("1", "4", "60.00"), description: "Chair, 椅子" }, line("2", "1", "5.00", "shipping")],
  parcels: [
    {
      ...parcel("F1", { "1": "2.5", "2": "1" }),
      tracking: [{ number: "1Z999", carrier: "Example Parcels", url: "https://parcels.example/1Z999" }, { number: "7" }]
    },
    parcel("F2", {}, "2026-03-05")
  ],
  ...more
})

const made = async (one: ParcelProof): Promise<Buffer> => {
  const pdf = await deliveryPdf(one)
  if ("why" in pdf) throw new Error(pdf.why)
  return pdf
}

describe("the proof of delivery", () => {
  test("names order, invoice, where it went, and each parcel with carrier, number, link, day and goods", async () => {
    const pdf = await made(delivery())
    expect(FileType.of(pdf)).toBe(FileType.PDF)
    const text = copied(pdf).join("")
    for (const words of [
      "Proof of delivery",
      "Order 1042 of 2026-03-01, invoice INV-1",
      "Brightwater Foods",
      "EX1 1EX Exampleton",
      "Parcel 1 of 2, left on 2026-03-02",
      "Example Parcels, tracking number 1Z999 (https://parcels.example/1Z999)",
      "Tracking number 7",
      "2.5 × Chair, 椅子",
      "Parcel 2 of 2, left on 2026-03-05",
      "Everything that was left of the order"
    ])
      expect(text).toContain(words)
    // What is no product is not in a parcel.
    expect(text).not.toContain("1 × 2")
    expect(await made(delivery())).toEqual(pdf)
  })

  test("goes on on further pages, and loses no parcel", async () => {
    const parcels = Array.from({ length: 60 }, (_, n) => parcel(`F${n}`, { "1": "1" }))
    const text = copied(await made(delivery({ parcels }))).join("\n")
    expect(text.match(/Parcel \d+ of 60/g)?.length).toBe(60)
    expect(text).toContain("Page 4 of 4")
  })

  test("says what of it cannot be written", async () => {
    expect(await deliveryPdf(delivery({ order: "😀" }))).toMatchObject({
      why: expect.stringContaining("cannot set 😀")
    })
  })
})
