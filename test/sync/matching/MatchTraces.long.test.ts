/**
 * What goes back of a payment whose id the source does not know: found by the trace that the banks of both sides carry
 * along, whichever of the two is read first.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type * as Document from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoice } from "../../support/Documents.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import { back, books, debits, matches, needs, received, take } from "../Paying.ts"
import { BOTH, collected, inTurn, memory, ofOf, returned } from "./Traced.ts"

describe("a reversal with the trace of its payment", () => {
  it.effect("follows it, whichever of them is read first", () =>
    Effect.gen(function* () {
      const [payment, reversal] = [collected("P1", "2026-01-31"), returned("R1", "2026-02-09")]
      for (const steps of [
        [{ now: [payment, reversal] }],
        [{ now: [payment] }, { now: [reversal] }],
        [{ now: [reversal] }, { now: [payment] }]
      ]) {
        yield* inTurn(steps, (db) => {
          assert.deepStrictEqual(matches(db), BOTH)
          assert.deepStrictEqual(needs(db), [])
        })
      }
    })
  )

  it.effect("takes back the last one before it where the same debit was collected again", () =>
    inTurn(
      [
        { now: [returned("R1", "2026-02-09")] },
        { now: [collected("P2", "2026-02-15")] },
        { now: [collected("P1", "2026-01-31")] }
      ],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I1 120.00", "R1 → I1 120.00"])
    )
  )

  it.effect("waits for a person where its payment is not there, is gone, or may be one of two", () =>
    Effect.gen(function* () {
      const why =
        "debits/reversal/R1 M5: 120.00 GBP went back on 2026-02-09: no payment of this amount with its trace E2E-1 was found"
      const payment = collected("P1", "2026-01-31")
      const other = collected("P2", "2026-01-31", { reference: "something else" })
      const reversal = returned("R1", "2026-02-09")
      const cases = [
        [{ now: [reversal] }],
        [{ now: [payment, reversal] }, { gone: [payment] }],
        [{ now: [{ ...payment, currency: "EUR" }, reversal] }],
        [{ now: [payment, other, reversal] }],
        [{ now: [{ ...payment, trace: "E2E-2" }, reversal] }]
      ]
      for (const steps of cases) yield* inTurn(steps, (db) => assert.include(needs(db), why))
    })
  )

  it.effect(
    "names another invoice than its payment is for: a person is asked, or the payment that names it too is taken",
    () =>
      Effect.gen(function* () {
        const reversal = { ...returned("R1", "2026-02-09"), details: "return INV-2" }
        yield* inTurn([{ now: [collected("P1", "2026-01-31"), reversal] }], (db) => {
          assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
          assert.include(needs(db)[0], "it names INV-2, and the payment with its trace is for INV-1")
        })
        const both = [collected("P1", "2026-01-20", { reference: "INV-2" }), collected("P2", "2026-01-31")]
        yield* inTurn([{ now: [...both, reversal] }], (db) =>
          assert.deepStrictEqual(matches(db), ["P1 → I2 120.00", "P2 → I1 120.00", "R1 → I2 120.00"])
        )
      })
  )
})

describe("a reversal with the reference and the day of what was collected", () => {
  const failed = (id: string, date: string, collected: Document.Reversal["collected"]): Document.Reversal => {
    const { trace: _, ...reversal } = returned(id, date)
    return { ...reversal, details: "INV-1; REFER TO PAYER", ...(collected === undefined ? {} : { collected }) }
  }
  const paid = (id: string, date: string, more: Partial<Document.Payment> = {}) =>
    received(id, { date, reference: "Direct debit INV-1", ...more })

  it.effect("takes back the last payment of the amount whose text has it, whichever is read first", () =>
    Effect.gen(function* () {
      const all = [
        paid("P1", "2026-01-31"),
        paid("P2", "2026-02-28"),
        paid("P3", "2026-02-28", { reference: "INV-11" })
      ]
      const reversal = failed("R1", "2026-03-05", { reference: "INV-1" })
      for (const steps of [[{ now: [...all, reversal] }], [{ now: all }, { now: [reversal] }]])
        yield* inTurn(steps, (db) => assert.strictEqual(ofOf(db), "debits/payment/P2"))
      yield* inTurn([{ now: [reversal] }, { now: [paid("P1", "2026-01-31")] }], (db) => {
        assert.deepStrictEqual(matches(db), BOTH)
        assert.deepStrictEqual(needs(db), [])
      })
      yield* inTurn([{ now: [paid("P1", "2026-01-31", { reference: "", trace: "INV-1" }), reversal] }], (db) =>
        assert.strictEqual(ofOf(db), "debits/payment/P1")
      )
    })
  )

  it.effect("takes back the one of its day, where later ones have the same reference and amount", () =>
    inTurn(
      [
        { now: [paid("P1", "2026-01-31"), paid("P2", "2026-02-28")] },
        { now: [failed("R1", "2026-06-05", { reference: "INV-1", day: Day.of("2026-01-30") })] }
      ],
      (db) => assert.strictEqual(ofOf(db), "debits/payment/P1")
    )
  )

  it.effect("gives up a payment that an earlier one takes back, as soon as its own is there", () =>
    inTurn(
      [
        { now: [paid("P1", "2026-01-31"), failed("R2", "2026-03-05", { reference: "INV-1" })] },
        { now: [failed("R1", "2026-02-05", { reference: "INV-1" })] },
        { now: [paid("P2", "2026-02-28")] }
      ],
      (db) => {
        const found = db.prepare(
          "SELECT d.key, m.of FROM matching m JOIN document d ON d.id = m.document WHERE back = 1 ORDER BY 1"
        )
        assert.deepStrictEqual(
          found.all().map((one) => Object.values(one as object).map((key) => String(key).split("/").at(-1))),
          [
            ["R1", "P1"],
            ["R2", "P2"]
          ]
        )
      }
    )
  )

  it.effect("never takes back what went back already: a person is asked, until the other reversal is gone", () =>
    Effect.gen(function* () {
      const [payment, first] = [paid("P1", "2026-01-31"), failed("R1", "2026-02-02", { reference: "INV-1" })]
      const second = failed("R2", "2026-02-03", { reference: "INV-1" })
      const why =
        "debits/reversal/R2 M5: 120.00 GBP went back on 2026-02-03: no payment of this amount with its reference INV-1 was found that did not go back already"
      yield* inTurn([{ now: [payment, first, second] }], (db) => {
        assert.deepStrictEqual(matches(db), BOTH)
        assert.include(needs(db), why)
      })
      yield* inTurn([{ now: [payment, first, second] }, { gone: [first] }], (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "R2 → I1 120.00"])
        assert.deepStrictEqual(needs(db), [])
      })
    })
  )

  it.effect(
    "takes back what the books have as paid, whichever is read first, and once where they take it back too",
    () =>
      Effect.gen(function* () {
        const reversal = failed("R1", "2026-02-05", { reference: "INV-1", day: Day.of("2026-01-30") })
        const own = received("B1", { link: "I1", date: "2026-01-31" })
        const told = (steps: ReadonlyArray<readonly [typeof books, ReadonlyArray<Document.Document>]>) =>
          Effect.gen(function* () {
            yield* take(books, [invoice()])
            for (const [connection, documents] of steps) {
              yield* take(connection, documents)
              yield* Matching.run
            }
            const db = yield* Database
            return [matches(db), needs(db), Facts.invoiceFacts(db, "books/invoice/I1").reversals.length]
          }).pipe(Effect.provide(memory))
        const taken = [["R1 → I1 120.00"], [], 1]
        assert.deepStrictEqual(
          yield* told([
            [books, [own]],
            [debits, [reversal]]
          ]),
          taken
        )
        assert.deepStrictEqual(
          yield* told([
            [debits, [reversal]],
            [books, [own]]
          ]),
          taken
        )
        const { unallocated: amount = 0n, ...whole } = back("B2", "B1", { date: "2026-02-06" })
        const theirs = { ...whole, shares: [{ invoice: "I1", amount }] }
        assert.deepStrictEqual(
          yield* told([
            [books, [own]],
            [debits, [reversal]],
            [books, [own, theirs]]
          ]),
          taken
        )
        assert.deepStrictEqual(
          yield* told([
            [books, [own, theirs]],
            [debits, [reversal]]
          ]),
          taken
        )
        const twice = failed("R2", "2026-02-07", { reference: "INV-1", day: Day.of("2026-01-30") })
        const [placed, asked] = yield* told([
          [books, [own]],
          [debits, [reversal]],
          [debits, [reversal, twice]]
        ])
        assert.deepStrictEqual(placed, ["R1 → I1 120.00"])
        assert.include(
          (asked as ReadonlyArray<string>)[0],
          "no payment of this amount with its reference INV-1 was found"
        )
      })
  )
})

describe("a bank's line of money that went back, whose text has an invoice's number", () => {
  const unpaid = (details: string, more: Partial<Document.Reversal> = {}): Document.Reversal => {
    const { trace: _, ...line } = returned("R1", "2026-02-09")
    return { ...line, details, ...more }
  }
  const cheque = { ...received("P1", { date: "2026-01-31", reference: "CHQ 000123 INV-1" }) }
  const [one, two] = [invoice(), invoice({ id: "I2", number: "INV-2", party: { name: "Tern & Sons" } })]

  /** Matches and items after these lists were read, each in a run of its own. */
  const outcome = (steps: ReadonlyArray<readonly [typeof books, ReadonlyArray<Document.Document>]>) =>
    Effect.gen(function* () {
      for (const [connection, documents] of steps) {
        yield* take(connection, documents)
        yield* Matching.run
      }
      const db = yield* Database
      return [matches(db), needs(db)] as const
    }).pipe(Effect.provide(memory))

  it.effect("takes back the payment of its amount that was for it, whichever is read first", () =>
    Effect.gen(function* () {
      const line = unpaid("UNPAID CHQ 000123 INV-1")
      const [invoices, payments, lines] = [
        [books, [one, two]] as const,
        [debits, [cheque]] as const,
        [debits, [cheque, line]] as const
      ]
      for (const steps of [
        [invoices, lines],
        [invoices, payments, lines],
        [lines, invoices],
        [invoices, [debits, [line]] as const, lines],
        [[debits, [line]] as const, invoices, lines],
        [[debits, [line]] as const, lines, [books, [two]] as const, invoices]
      ])
        assert.deepStrictEqual(yield* outcome(steps), [BOTH, []])
    })
  )

  it.effect("takes back a part of the only payment for the invoice that it names, where it is a refund", () =>
    Effect.gen(function* () {
      const back = (amount: string, changes = {}) =>
        unpaid("Refund INV-1", { unallocated: of(amount), type: "refund", ...changes })
      const [invoices, payments] = [[books, [one, two]] as const, [debits, [cheque]] as const]
      const lines = [debits, [cheque, back("20.00")]] as const
      for (const steps of [
        [invoices, lines],
        [invoices, payments, lines],
        [lines, invoices],
        [[debits, [back("20.00")]] as const, lines, invoices]
      ]) {
        const [placed, asked] = yield* outcome(steps)
        assert.deepStrictEqual([placed, asked], [["P1 → I1 120.00", "R1 → I1 20.00"], []])
      }
      // Two of one payment, as much as there is of it; what is more, and what may be of another, waits.
      const more = { id: "R2", date: Day.of("2026-02-10") }
      const [both] = yield* outcome([invoices, [debits, [cheque, back("20.00"), back("100.00", more)]]])
      assert.deepStrictEqual(both, ["P1 → I1 120.00", "R1 → I1 20.00", "R2 → I1 100.00"])
      const [one_, asked] = yield* outcome([invoices, [debits, [cheque, back("20.00"), back("100.01", more)]]])
      assert.deepStrictEqual([one_.length, asked.length], [2, 1])
      const other = { ...cheque, id: "P2", reference: "INV-1 again" }
      const [, unsure] = yield* outcome([invoices, [debits, [cheque, other, back("20.00")]]])
      assert.isTrue(unsure.some((item) => item.includes("R1")))
    })
  )

  it.effect("waits for a person where that is another amount, went back already, or it names no invoice", () =>
    Effect.gen(function* () {
      for (const lines of [
        [cheque, unpaid("UNPAID INV-1", { unallocated: of("119.00") })],
        [cheque, unpaid("UNPAID INV-2")],
        [cheque, unpaid("UNPAID CHQ 000123")],
        [{ ...cheque, date: Day.of("2026-03-01") }, unpaid("UNPAID INV-1")]
      ]) {
        const [placed, asked] = yield* outcome([
          [books, [one, two]],
          [debits, lines]
        ])
        assert.deepStrictEqual([placed, asked.length], [["P1 → I1 120.00"], 1])
      }
      const [placed, asked] = yield* outcome([
        [books, [one, two]],
        [debits, [cheque, unpaid("UNPAID INV-1"), unpaid("UNPAID INV-1", { id: "R2", date: Day.of("2026-02-10") })]]
      ])
      assert.deepStrictEqual([placed, asked.length], [BOTH, 1])
    })
  )
})
