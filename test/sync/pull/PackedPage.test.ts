/**
 * A page that goes from one thread to another arrives as it was, whatever its currencies and however large its sums.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import { packPage, unpackPage } from "../../../sync/books/PackedPage.ts"
import { readyPage } from "../../../sync/books/Ready.ts"
import { Database } from "../../../sync/state/Database.ts"
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

/** Stores a page that came from another thread, and returns what the books then have of it. */
const stored = (...pages: ReadonlyArray<ReadonlyArray<Invoice>>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const intake = new Intake(db, "books")
    for (const documents of pages) {
      const read = documents.map((document, n) => ({ document, raw: `${n}`, origin: `a.csv:${n}` }))
      yield* intake.keep(unpackPage(packPage(readyPage("books", { read, quarantined: [] }))), undefined)
    }
    return db.prepare("SELECT n, body ->> '$[7]' AS gross FROM document ORDER BY key").all()
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

describe("a page on its way between threads", () => {
  it.effect("changes what the books have", () =>
    Effect.map(stored([invoice("A", "GBP", 100_000_000n)], [invoice("A", "GBP", 200_000_000n)]), (rows) =>
      assert.deepStrictEqual(rows, [{ n: 2, gross: "2" }])
    )
  )

  it("arrives as it was", () => {
    arrives()
    arrives(invoice("A", "GBP", 100n), invoice("B/1", "GBP", -(2n ** 63n)))
  })

  it("may have several currencies, and sums beyond 64 bits", () => {
    arrives(invoice("A", "GBP", 1n), invoice("B", "EUR", 2n ** 63n), invoice("C", "EUR", -(2n ** 80n)))
  })
})
