/**
 * A page that goes from one thread to another arrives as it was, whatever its currencies and however large its sums.
 */
import { assert, describe, it } from "@effect/vitest"
import { packPage, unpackPage } from "../../../sync/books/PackedPage.ts"
import { readyPage } from "../../../sync/books/Ready.ts"
import type { Invoice } from "../../../connectors/Document.ts"

const invoice = (id: string, currency: string, gross: bigint): Invoice => ({
  kind: "invoice",
  id,
  number: id,
  status: "open",
  party: { name: "Müller & Söhne 日本" },
  currency,
  issued: "2026-01-31" as Invoice["issued"],
  due: "2026-02-28" as Invoice["due"],
  gross
})

const arrives = (...documents: ReadonlyArray<Invoice>) => {
  const read = documents.map((document, n) => ({ document, raw: `${n}`.repeat(n), origin: `a.csv:${n}` }))
  const page = readyPage("books", { read, quarantined: [], scan: { name: "a.csv", begins: true } })
  const { read: arrived, ...rest } = unpackPage(structuredClone(packPage(page)))
  assert.deepStrictEqual(rest, { quarantined: [], scan: { name: "a.csv", begins: true } })
  assert.deepStrictEqual(
    arrived.map(({ body, currency, document, key, kind, origin, raw, sum }) => {
      return { document, origin, raw, key, kind, body, currency, sum }
    }),
    [...page.read]
  )
}

describe("a page on its way between threads", () => {
  it("arrives as it was", () => {
    arrives()
    arrives(invoice("A", "GBP", 100n), invoice("B/1", "GBP", -(2n ** 63n)))
  })

  it("may have several currencies, and sums beyond 64 bits", () => {
    arrives(invoice("A", "GBP", 1n), invoice("B", "EUR", 2n ** 63n), invoice("C", "EUR", -(2n ** 80n)))
  })
})
