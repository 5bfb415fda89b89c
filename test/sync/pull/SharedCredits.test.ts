/** Credit notes that give one amount for several invoices: how they are split, when they cannot be, and what the witness makes of them. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import type { CreditNote, Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import * as Body from "../../../sync/state/Body.ts"
import { Database } from "../../../sync/state/Database.ts"
import { splitCredits } from "../../../sync/witness/Credits.ts"
import { Notes } from "../../../sync/witness/Notes.ts"
import { day, invoice, payment, reversal } from "../../support/Documents.ts"
import { connection, connector, read } from "../Source.ts"

const layer = Layer.mergeAll(
  Database.layer({ file: ":memory:", mode: "write" }),
  NodeFileSystem.layer,
  FetchHttpClient.layer
)

const note = (amount: string, among: ReadonlyArray<string>, changes: Partial<CreditNote> = {}): CreditNote => ({
  kind: "credit_note",
  id: "C1",
  date: day("2026-02-01"),
  currency: "GBP",
  shares: [{ invoice: among[0]!, amount: Decimal.of(amount), among }],
  ...changes
})

/** Of 120.00, and of 240.00 with a net amount of 200.00. */
const ASKED = [invoice(), invoice({ id: "I2", number: "INV-2", gross: "240.00", net: "200.00" })]

/** What each has after pulls of a source that has these documents, each time the note last. */
const pulled = (...pulls: ReadonlyArray<readonly [documents: ReadonlyArray<Document>, note: CreditNote]>) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (const [documents, last] of pulls) {
      const page = (these: ReadonlyArray<Document>, ends: boolean) => ({
        read: these.map(read),
        quarantined: [],
        bookmark: { page: 1 },
        scan: { name: "all", ...(ends ? { ends } : { begins: true }) }
      })
      const pages = Stream.make(page(documents, false), page([last], true))
      yield* pull(connection(connector(() => pages)), { folder: "." })
    }
    const bodies = db
      .prepare(`SELECT body FROM document WHERE ${Body.is("credit_note")} AND deleted = 0`)
      .pluck()
      .all()
    return {
      shares: (bodies as ReadonlyArray<string>).flatMap((body) => {
        const { shares } = Body.read(body) as CreditNote
        return shares.map((share) => {
          assert.notProperty(share, "among")
          const { amount, invoice: of, net } = share
          return `${of} ${Decimal.format(amount, 2)}${net === undefined ? "" : `, ${Decimal.format(net, 2)} without tax`}`
        })
      }),
      why: db.prepare("SELECT why FROM quarantine").pluck().all() as ReadonlyArray<string>
    }
  }).pipe(Effect.provide(layer))

/** What the witness makes of the same. */
const witnessed = (documents: ReadonlyArray<Document>, one: CreditNote) => {
  const notes = new Notes()
  for (const each of [...documents, one]) notes.document("books", each)
  splitCredits(notes, "books")
  const isUnread = ["books/invoice/I1", "books/invoice/I2"].map((key) => notes.isUnread(key))
  const { shares = [] } = notes.find("books/credit_note/C1") ?? {}
  notes.close()
  return isUnread.includes(true)
    ? isUnread
    : shares.flatMap(({ amount, invoice: of }) => (amount === 0n ? [] : [`${of} ${Decimal.format(amount, 2)}`]))
}

const plain = (shares: ReadonlyArray<string>) => shares.map((one) => one.replace(/,.*/, ""))

describe("a credit note of several invoices", () => {
  const CASES: ReadonlyArray<
    readonly [what: string, documents: ReadonlyArray<Document>, note: CreditNote, shares: ReadonlyArray<string>]
  > = [
    [
      "of all that they ask for",
      ASKED,
      note("360.00", ["I1", "I2"]),
      ["I1 120.00, 100.00 without tax", "I2 240.00, 200.00 without tax"]
    ],
    [
      "of all that is open after a payment",
      [...ASKED, payment("P1", { I2: "200.00" })],
      note("160.00", ["I1", "I2"]),
      ["I1 120.00, 100.00 without tax", "I2 40.00"]
    ],
    [
      "of which one was paid",
      [...ASKED, payment("P1", { I1: "120.00" })],
      note("240.00", ["I1", "I2"]),
      ["I2 240.00, 200.00 without tax"]
    ],
    [
      "of all that they ask for, though something was paid",
      [...ASKED, payment("P1", { I2: "200.00" })],
      note("360.00", ["I1", "I2"]),
      ["I1 120.00, 100.00 without tax", "I2 240.00, 200.00 without tax"]
    ],
    [
      "of what was open before a later payment",
      [...ASKED, payment("P1", { I2: "200.00" }), payment("P2", { I2: "40.00" }, "2026-02-02")],
      note("160.00", ["I1", "I2"]),
      ["I1 120.00, 100.00 without tax", "I2 40.00"]
    ],
    [
      "after money went back",
      [...ASKED, payment("P1", { I1: "120.00" }), reversal("X1", { I1: "120.00" }, "chargeback", { payment: "P1" })],
      note("360.00", ["I1", "I2"]),
      ["I1 120.00, 100.00 without tax", "I2 240.00, 200.00 without tax"]
    ],
    [
      "after another credit note",
      [...ASKED, { ...note("20.00", []), id: "C0", shares: [{ invoice: "I1", amount: Decimal.of("20.00") }] }],
      note("340.00", ["I1", "I2"]),
      ["I1 20.00", "I1 100.00", "I2 240.00, 200.00 without tax"]
    ]
  ]
  for (const [what, documents, one, shares] of CASES)
    it.effect(`${what}: each has its own`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* pulled([documents, one]), { shares: [...shares], why: [] })
        const its = shares.filter((share) => share !== "I1 20.00")
        assert.deepStrictEqual(witnessed(documents, one), plain(its))
      })
    )

  const REFUSED: ReadonlyArray<
    readonly [what: string, documents: ReadonlyArray<Document>, note: CreditNote, why: RegExp]
  > = [
    [
      "of another amount",
      ASKED,
      note("100.00", ["I1", "I2"]),
      /^it credits 2 invoices \(I1, I2\) and does not say how much of each: 360\.00 GBP of them was open on 2026-02-01, and it is of 100\.00 GBP; write one for each invoice/
    ],
    [
      "of an invoice that is not there",
      ASKED,
      note("360.00", ["I1", "I2", "I3"]),
      /^it credits 3 invoices \(I1, I2, I3\) and does not say how much of each; I3 was not found$/
    ],
    ["in another currency", ASKED, note("360.00", ["I1", "I2"], { currency: "EUR" }), /; I1 is in GBP$/]
  ]
  for (const [what, documents, one, why] of REFUSED)
    it.effect(`${what}: is quarantined, and says what is known`, () =>
      Effect.gen(function* () {
        const { shares, why: said } = yield* pulled([documents, one])
        assert.deepStrictEqual(shares, [])
        assert.match(said.join("\n"), why)
        assert.deepStrictEqual(witnessed(documents, one), [true, true])
      })
    )

  it.effect("is split when the payment is known that it waited for, and stays so when more is paid", () =>
    Effect.gen(function* () {
      const one = note("160.00", ["I1", "I2"])
      const paid = [...ASKED, payment("P1", { I2: "200.00" })]
      const more = [...paid, payment("P2", { I1: "120.00" }, "2026-01-31")]
      const shares = ["I1 120.00, 100.00 without tax", "I2 40.00"]
      assert.deepStrictEqual(yield* pulled([ASKED, one], [paid, one]), { shares, why: [] })
      assert.deepStrictEqual(yield* pulled([paid, one], [more, one]), { shares, why: [] })
    })
  )
})
