/**
 * A document is what it was once it was stored and read again: every kind and every member; SQL finds each where `at` says;
 * and a record is found again among those of its page, however many pages it took.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import type * as Document from "../../../connectors/Document.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import * as History from "../../../sync/reports/History.ts"
import * as Body from "../../../sync/state/Body.ts"
import { Database } from "../../../sync/state/Database.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { invoice } from "../../support/Documents.ts"

const date = Day.of("2026-02-28")
const shares = [{ invoice: "INV-1", amount: of("90071992547409.93") }]
const lines = [{ line: "chair", quantity: of("2.5") }]
const small: Document.Invoice = {
  kind: "invoice",
  id: "INV-1",
  number: "INV-1",
  status: "open",
  party: { name: "123" },
  currency: "GBP",
  issued: date,
  due: date,
  net: of("-0.5")
}
const DOCUMENTS: ReadonlyArray<Document.Document> = [
  small,
  {
    ...small,
    number: "",
    gross: of("0.00000001"),
    schedule: [{ date, amount: of("1.20") }],
    party: { id: "7", name: "", country: "GB", regnum: "8", vat: "9", address: "10", company: "11" },
    paidOn: date,
    payMethod: "card",
    stated: { open: of("-3"), paid: of("4"), credited: of("5.5"), beforeReversals: true },
    metadata: JSON.parse('{"open":"1.5","amount":"7","__proto__":"8"}')
  },
  { kind: "payment", id: "P-1", date, shares, unallocated: of("3.01"), reference: "7", party: { id: "9" } },
  { kind: "payment", id: "P-2", currency: "JPY", date, shares: [], unallocated: of("100"), method: "bank" },
  { kind: "reversal", id: "R-1", payment: "P-1", date, shares, type: "refund", providerCode: "1", details: "1.5" },
  { kind: "credit_note", id: "C-1", date, shares: [{ ...shares[0]!, net: of("0.5") }] },
  {
    kind: "order",
    id: "O-1",
    number: "1",
    status: "open",
    currency: "JPY",
    placed: date,
    lines: [{ id: "chair", type: "product", quantity: of("2"), gross: of("-900"), description: "12.0", sku: "5" }],
    deferredPayment: "d",
    totals: { shipped: of("1"), refunded: of("0.5") }
  },
  { kind: "fulfilment", id: "F-1", order: "O-1", date, lines },
  { kind: "cancellation", id: "X-1", order: "O-1", date, lines, amount: of("12.34") },
  { kind: "return", id: "B-1", currency: "GBP", order: "O-1", date, lines: [], amount: of("0.05") }
]

describe("a stored document", () => {
  for (const document of DOCUMENTS) {
    it(`of kind ${document.kind} comes back as it was: ${document.id}`, () => {
      assert.deepStrictEqual(Body.read(Body.write(document)), document)
      assert.strictEqual(Body.write(Body.read(Body.write(document))), Body.write(document))
    })
  }

  it("is found by SQL, member by member", () => {
    const db = new Sqlite(":memory:")
    const look = (document: Document.Document, member: string) =>
      db
        .prepare(`SELECT ${Body.at(document.kind, member)} FROM (SELECT ? AS body) WHERE ${Body.is(document.kind)}`)
        .pluck()
        .get(Body.write(document))
    const found = DOCUMENTS.flatMap((document) =>
      ["id", "currency", "status", "party.name", "party.id", "date", "order", "number", "gross", "amount"].map(
        (member) => [`${document.id} ${member}`, look(document, member)] as const
      )
    ).filter(([, value]) => value !== null)
    assert.deepStrictEqual(
      found.slice(0, 12).map((one) => one.join(": ")),
      [
        "INV-1 id: INV-1",
        "INV-1 currency: GBP",
        "INV-1 status: open",
        "INV-1 party.name: 123",
        "INV-1 id: INV-1",
        "INV-1 currency: GBP",
        "INV-1 status: open",
        "INV-1 party.name: ",
        "INV-1 party.id: 7",
        "INV-1 number: ",
        "INV-1 gross: 0.00000001",
        "P-1 id: P-1"
      ]
    )
    const values = new Map(found)
    for (const [what, value] of [
      ["O-1 number", "1"],
      ["O-1 status", "open"],
      ["X-1 amount", "12.34"],
      ["X-1 order", "O-1"],
      ["B-1 currency", "GBP"],
      ["R-1 date", "2026-02-28"]
    ] as const)
      assert.strictEqual(values.get(what), value, what)
    db.close()
  })
})

describe("the record of a document", () => {
  it.effect("is found again, with where it stood, whatever is in it and however large its page was", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const intake = new Intake(db, "books")
      const raws = ["", "plain", "nul \u0000 and half of a pair \ud800", "long ".repeat(200_000), ...Array(4500).keys()]
      const read = raws.map((raw, n) => ({
        document: invoice({ id: `${n}` }),
        raw: `${raw}`,
        origin: `file.csv:${n}`
      }))
      yield* intake.keep({ read, quarantined: [], bookmark: null }, undefined)
      const late = { ...read[1]!, document: invoice({ id: "1", gross: "7" }), raw: "edited", origin: "file.csv:9" }
      yield* intake.keep({ read: [late], quarantined: [], bookmark: null }, undefined)
      const story = (id: string) => History.versions(db, `books/invoice/${id}`).map(({ origin, raw }) => [origin, raw])
      for (const n of [0, 2, 3, 4, 4000, 4503])
        assert.deepStrictEqual(story(`${n}`), [[read[n]!.origin, read[n]!.raw]], `${n}`)
      assert.deepStrictEqual(story("1"), [
        ["file.csv:1", "plain"],
        ["file.csv:9", "edited"]
      ])
      const { pages, size } = db
        .prepare("SELECT count(*) AS pages, sum(length(content)) AS size FROM record_page")
        .get() as {
        readonly pages: number
        readonly size: number
      }
      assert.strictEqual(pages, 4)
      assert.isBelow(size, 100_000)
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )
})
