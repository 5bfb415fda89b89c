/**
 * Payments of one connection for the invoices of another: by link, by reference, by amount and payer; what goes back; and
 * what is left to a person.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { of } from "../../../core/money/Decimal.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import { creditNote, invoice, payment } from "../../support/Documents.ts"
import { back, BAKERY, books, debits, given, matches, needs, received, take } from "../Paying.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

const one = invoice()
const two = invoice({ id: "I2", number: "INV-2", gross: "50.00" })

describe("by the source's own link", () => {
  it.effect("M1: an id or a number of the invoice, however it is written", () =>
    given([one, two], [received("P1", { link: "I1" }), received("P2", { link: "inv 2", amount: "50.00" })], (db) => {
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I2 50.00"])
      assert.deepStrictEqual(needs(db), [])
      assert.deepStrictEqual(db.prepare("SELECT subject FROM changed ORDER BY 1").pluck().all(), [
        "books/invoice/I1",
        "books/invoice/I2"
      ])
    })
  )

  it.effect("a number of the paying source's own invoice will do as well", () =>
    given([one], [invoice({ id: "in_1", number: "INV-1" }), received("P1", { link: "in_1" })], (db) =>
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
    )
  )

  it.effect("an invoice that is not there is a person's matter, and never another one of the same amount", () =>
    given([one], [received("P1", { link: "X-77", ...BAKERY })], (db) => {
      assert.deepStrictEqual(matches(db), [])
      assert.deepStrictEqual(needs(db), [
        "debits/payment/P1 M1: 120.00 GBP received on 2026-01-31 from harbour-lane BAKERY: it is for X-77, which was not found in books"
      ])
    })
  )

  it.effect("is followed beyond what is open: what is sent of it is decided by the invoice", () =>
    given([one, payment("B1", { I1: "100.00" })], [received("P1", { link: "I1" })], (db) => {
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      assert.deepStrictEqual(needs(db), [])
    })
  )

  it.effect("currencies must agree", () =>
    given([one], [received("P1", { link: "I1", currency: "EUR" })], (db) => {
      assert.deepStrictEqual(matches(db), [])
      assert.deepStrictEqual(needs(db), [
        "debits/payment/P1 M1: 120.00 EUR received on 2026-01-31: it is for INV-1, which is in GBP"
      ])
    })
  )

  it.effect("one payment for several invoices; what it leaves over is named", () =>
    given(
      [one, two],
      [
        received("P1", {
          shares: [
            { invoice: "I1", amount: of("120.00") },
            { invoice: "INV-2", amount: of("30.00") }
          ],
          unallocated: of("5.00")
        })
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P1 → I2 30.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/payment/P1 M1: 155.00 GBP received on 2026-01-31: 5.00 GBP of it is unallocated: the source does not say what the rest is for"
        ])
      }
    )
  )
})

describe("by reference", () => {
  const reference = (id: string, text: string, amount: string, date = "2026-01-31") =>
    received(id, { reference: text, amount, date })

  it.effect("M2: a number in the text; part of what is open; several payments until nothing is", () =>
    given(
      [one],
      [
        reference("P1", "Thanks for Inv. 1!", "70.00", "2026-02-01"),
        reference("P2", "inv-1 rest", "50.00", "2026-02-02"),
        reference("P3", "INV1", "1.00", "2026-02-03")
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 70.00", "P2 → I1 50.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/payment/P3 M2: 1.00 GBP received on 2026-02-03: it names INV-1, but no amount of that is open"
        ])
      }
    )
  )

  it.effect("several numbers where the sum is right, and a person where it is not", () =>
    given([one, two], [reference("P1", "INV-1, INV-2", "170.00")], (db) => {
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P1 → I2 50.00"])
      assert.deepStrictEqual(needs(db), [])
    }).pipe(
      Effect.andThen(
        given([one, two], [reference("P1", "INV-1, INV-2", "100.00")], (db) => {
          assert.deepStrictEqual(matches(db), [])
          assert.deepStrictEqual(needs(db), [
            "debits/payment/P1 M2: 100.00 GBP received on 2026-01-31: it names INV-1 and INV-2, 170.00 GBP in total, but does not say how much is for each"
          ])
        })
      )
    )
  )

  it.effect("never more than is open, credit notes and payments of the books counted", () =>
    given(
      [one, creditNote("C1", { I1: "20.00" }), payment("B1", { I1: "30.00" })],
      [reference("P1", "INV-1", "120.00"), reference("P2", "INV-1", "70.00")],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P2 → I1 70.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/payment/P1 M2: 120.00 GBP received on 2026-01-31: it names INV-1, but only 70.00 GBP of that is open"
        ])
      }
    )
  )

  it.effect("a year is the number of an invoice only where the amount agrees", () =>
    given(
      [invoice({ id: "I9", number: "2026" })],
      [reference("P1", "subscription 2026", "60.00"), reference("P2", "subscription 2026", "120.00")],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P2 → I9 120.00"])
        assert.strictEqual(needs(db).length, 1)
      }
    )
  )

  it.effect("the longest number counts: INV-12-3 is not INV-12", () =>
    given(
      [invoice({ id: "A", number: "INV-12" }), invoice({ id: "B", number: "INV-12-3" })],
      [reference("P1", "re INV-12-3", "120.00")],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → B 120.00"])
    )
  )
})

describe("by amount and payer", () => {
  it.effect("M3: where there is one invoice and one payment; else a person is told between which", () =>
    given(
      [
        one,
        invoice({ id: "I3", number: "INV-3", gross: "80.00" }),
        invoice({ id: "I4", number: "INV-4", gross: "80.00" })
      ],
      [received("P1", BAKERY), received("P2", { ...BAKERY, amount: "80.00" }), received("P3", { amount: "120.00" })],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/payment/P2 M3: 80.00 GBP received on 2026-01-31 from harbour-lane BAKERY: no reference; it could be for INV-3 and INV-4",
          "debits/payment/P3 M3: 120.00 GBP received on 2026-01-31: no reference, and the source does not say who paid"
        ])
      }
    )
  )

  it.effect("within a window of days, so that each month has its own", () =>
    given(
      [one, invoice({ id: "I2", number: "INV-2", issued: "2026-02-01", due: "2026-02-28" })],
      [
        received("P1", BAKERY),
        received("P2", { ...BAKERY, date: "2026-02-27" }),
        received("P3", { ...BAKERY, date: "2026-05-01" })
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I2 120.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/payment/P3 M3: 120.00 GBP received on 2026-05-01 from harbour-lane BAKERY: no reference, and no open invoice of this payer has this amount"
        ])
      }
    )
  )

  it.effect(
    "a person is told what kept it: the window by its setting, another payment, or that nothing has this amount",
    () =>
      given(
        [
          invoice({ id: "I1", number: "INV-1", gross: "80.00" }),
          invoice({ id: "I2", number: "INV-2", gross: "90.00", issued: "2026-04-20", due: "2026-05-20" }),
          invoice({ id: "I3", number: "INV-3", gross: "70.00" })
        ],
        [
          received("P1", { ...BAKERY, amount: "80.00", date: "2026-03-03" }),
          received("P2", { ...BAKERY, amount: "90.00", date: "2026-04-01" }),
          received("P3", { ...BAKERY, amount: "70.00" }),
          received("P4", { ...BAKERY, amount: "70.00", date: "2026-02-20" }),
          received("P5", { ...BAKERY, amount: "11.00" })
        ],
        (db) => {
          assert.deepStrictEqual(matches(db), ["P3 → I3 70.00"])
          assert.deepStrictEqual(
            needs(db).map((line) => line.slice(line.indexOf("no reference"))),
            [
              "no reference, and of this payer's open invoices of this amount INV-1 was due more than 30 days before (match.days)",
              "no reference, and of this payer's open invoices of this amount INV-2 was issued only after it",
              "no reference, and INV-3, of this payer and amount, was paid by another payment",
              "no reference, and no open invoice of this payer has this amount"
            ]
          )
        }
      )
  )

  it.effect("two payments that may be for the same invoice are both left to a person", () =>
    given([one], [received("P1", BAKERY), received("P2", BAKERY)], (db) => {
      assert.deepStrictEqual(matches(db), [])
      assert.strictEqual(needs(db).length, 2)
    })
  )
})

describe("what goes back", () => {
  it.effect("M5: follows its payment, and leaves the invoice open for the next", () =>
    given(
      [one],
      [received("P1", BAKERY), back("R1", "P1"), received("P2", { ...BAKERY, date: "2026-02-10" })],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I1 120.00", "R1 → I1 120.00"])
        assert.deepStrictEqual(needs(db), [])
        const facts = Facts.invoiceFacts(db, "books/invoice/I1")
        assert.deepStrictEqual([...facts.payments, ...facts.reversals].map(({ how, key }) => `${key} ${how}`).sort(), [
          "debits/payment/P1 amount",
          "debits/payment/P2 amount",
          "debits/reversal/R1 amount"
        ])
      }
    )
  )

  it.effect("of a payment for several invoices: all of it, or a person is told", () =>
    given(
      [one, two],
      [
        received("P1", { reference: "INV-1 INV-2", amount: "170.00" }),
        back("R1", "P1", { amount: "20.00", date: "2026-02-05" })
      ],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P1 → I2 50.00"])
        assert.deepStrictEqual(needs(db), [
          "debits/reversal/R1 M5: 20.00 GBP went back on 2026-02-05: part of a payment for several invoices went back, and the source does not say for which invoice"
        ])
      }
    )
  )
})

describe("what went back in another currency than its payment", () => {
  it.effect("is no part of it", () =>
    given([one], [received("P1", { link: "I1" }), { ...back("R1", "P1"), currency: "JPY" }], (db) => {
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      assert.deepStrictEqual(needs(db), [
        "debits/reversal/R1 M5: 120 JPY went back on 2026-02-05: it is in JPY, but its payment is not"
      ])
    })
  )
})

describe("what went back before its payment is known", () => {
  it.effect("leaves the invoice that it names once its payment shows another", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const reversal = {
        ...back("R1", "P1"),
        shares: [{ invoice: "I1", amount: of("20.00") }],
        unallocated: 0n
      }
      yield* take(books, [one, two])
      yield* take(debits, [reversal])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["R1 → I1 20.00"])
      yield* take(debits, [received("P1", { link: "I2", amount: "50.00" })])
      yield* take(debits, [received("P2", { ...BAKERY, amount: "140.00" })])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I2 50.00", "R1 → I2 20.00"])
    }).pipe(Effect.provide(memory))
  )
})

describe("an invoice that the source deleted", () => {
  it.effect("is none: the same as where it was never read", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const payments = [
        received("P1", { link: "I1" }),
        received("P2", { ...BAKERY, amount: "50.00", reference: "for INV-3" }),
        received("P3", { link: "I3", currency: "EUR" })
      ]
      const three = invoice({ id: "I3", number: "INV-3" })
      yield* take(books, [one, two, three])
      yield* take(debits, payments)
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      assert.include(needs(db)[0], "it names INV-3, of which 120.00 GBP is open, but is exactly what INV-2 asks for")
      yield* take(books, [], [one, three])
      yield* Matching.run
      const [matched, items] = [matches(db), needs(db)]
      assert.deepStrictEqual(matched, ["P2 → I2 50.00"])
      assert.include(items[0], "P1 M1: 120.00 GBP received on 2026-01-31: it is for I1, which was not found in")
      assert.strictEqual(items.length, 2)
      yield* given([two], payments, (fresh) => {
        assert.deepStrictEqual(matches(fresh), matched)
        assert.deepStrictEqual(needs(fresh), items)
      })
      yield* take(books, [one, three])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
    }).pipe(Effect.provide(memory))
  )
})
