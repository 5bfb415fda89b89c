/** What is matched without asking within limits that a person wrote down, and only then. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import type { MatchLimits } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { trials } from "../../../sync/matching/Trials.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { books, DAYS, debits, matches, needs, received, take } from "../Paying.ts"
import { by, given, of } from "./OneCustomer.ts"

const three = [of("I1", "100.00"), of("I2", "70.00"), of("I3", "33.10")]
const DISCOUNT: MatchLimits = { discount: { percent: "2", days: 14 } }

describe("without limits", () => {
  it.effect("nothing but exact amounts is matched", () =>
    given({}, three, [[by("P1", "98.00"), by("P2", "133.10"), by("P3", "60.00")]], (db) =>
      assert.deepStrictEqual(matches(db), [])
    )
  )
})

describe("an invoice that a text names and that is not in the books", () => {
  const limits: MatchLimits = { fee: "10.00", several: 3 }
  const own = [of("INV-1049", "100.00"), of("INV-1050", "70.00")]

  for (const [amount, found] of [
    ["98.00", ["P1 → INV-1049 98.00"]],
    ["170.00", ["P1 → INV-1049 100.00", "P1 → INV-1050 70.00"]]
  ] as const)
    it.effect(`is not replaced by others within the limits: ${amount}`, () =>
      Effect.andThen(
        given(limits, own, [[by("P1", amount, "INV-1120")]], (db) => assert.deepStrictEqual(matches(db), [])),
        given(limits, own, [[by("P1", amount, "order 1120")]], (db) => assert.deepStrictEqual(matches(db), found))
      )
    )
})

describe("an early payment discount", () => {
  it.effect("is taken up to its percentage and day, of one invoice or of several that are named", () =>
    given(
      DISCOUNT,
      [...three, of("INV-4", "50.00"), of("INV-5", "60.00")],
      [[by("P1", "98.00"), by("P2", "107.80", "INV-4, INV-5"), by("P3", "67.90")]],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 98.00", "P2 → INV-4 49.00", "P2 → INV-5 58.80"])
        assert.lengthOf(needs(db), 1, "3 % is more")
      }
    ).pipe(
      Effect.andThen(
        given(DISCOUNT, three, [[by("P1", "98.00", "thanks", "2026-01-16")]], (db) =>
          assert.deepStrictEqual(matches(db), [], "15 days are too late")
        )
      )
    )
  )

  it.effect("that two payments may have taken of one invoice is for a person", () =>
    given(DISCOUNT, three, [[by("P1", "98.00"), by("P2", "98.00")]], (db) => {
      assert.deepStrictEqual(matches(db), [])
      assert.lengthOf(needs(db), 2)
    })
  )

  it.effect("gives way to a payment of the exact amount that comes later, as nothing is reported yet", () =>
    given(DISCOUNT, three, [[by("P1", "98.00")], [by("P2", "100.00")]], (db) => {
      assert.deepStrictEqual(matches(db), ["P2 → I1 100.00"])
      assert.include(needs(db)[0], "what it was matched with before no longer adds up")
    })
  )
})

describe("a fee of a bank", () => {
  it.effect("is at most what was written down", () =>
    given({ fee: "10.00" }, three, [[by("P1", "60.00")]], (db) =>
      assert.deepStrictEqual(matches(db), ["P1 → I2 60.00"])
    ).pipe(
      Effect.andThen(
        given({ fee: "9.99" }, three, [[by("P1", "60.00")]], (db) => assert.deepStrictEqual(matches(db), []))
      )
    )
  )

  it.effect("waits while an earlier payment of the payer is unexplained", () =>
    given({ fee: "10.00" }, three, [[by("P0", "1.23", "thanks", "2026-01-05"), by("P1", "60.00")]], (db) =>
      assert.deepStrictEqual(matches(db), [])
    )
  )
})

describe("a discount that may be a fee as well", () => {
  it.effect("is of the one invoice, whichever it is", () =>
    given({ ...DISCOUNT, fee: "15.00" }, [of("I1", "99.00")], [[by("P1", "97.02")]], (db) =>
      assert.deepStrictEqual(matches(db), ["P1 → I1 97.02"])
    )
  )
})

describe("several invoices that are not named", () => {
  it.effect("are up to as many as was written down, if only one set of them adds up", () =>
    given({ several: 2 }, three, [[by("P1", "133.10")]], (db) =>
      assert.deepStrictEqual(matches(db), ["P1 → I1 100.00", "P1 → I3 33.10"])
    ).pipe(
      Effect.andThen(
        given({ several: 2 }, three, [[by("P1", "203.10")]], (db) => assert.deepStrictEqual(matches(db), []))
      ),
      Effect.andThen(
        given({ several: 3 }, [...three, of("I4", "30.00"), of("I5", "103.10")], [[by("P1", "133.10")]], (db) =>
          assert.deepStrictEqual(matches(db), [], "two sets")
        )
      )
    )
  )
})

describe("several invoices of which a text names some", () => {
  const own = [of("100252", "66.94"), of("100303", "39.49"), of("100401", "41.72")]
  const both = ["P1 → 100252 66.94", "P1 → 100303 39.49"]
  for (const [text, amount, found] of [
    ["100252/03", "106.43", both],
    ["100252 1003", "106.43", both],
    ["Invoice 100252 and others", "148.15", [...both, "P1 → 100401 41.72"]],
    ["100252/01", "106.43", []],
    ["100252 less credit note", "106.43", []],
    ["100252", "120.00", []]
  ] as const)
    it.effect(`are those that make up the amount: ${text}, ${amount}`, () =>
      Effect.gen(function* () {
        const paid = [[by("P1", amount, text)]]
        yield* given({ several: 3 }, own, paid, (db) => assert.deepStrictEqual(matches(db), found))
        yield* given({}, own, paid, (db) => assert.deepStrictEqual(matches(db), []))
        yield* given({ several: 3 }, [], [[by("P1", amount, text)]], () => undefined)
      })
    )

  it.effect("are found whichever is read first, and are left where one is paid otherwise", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const paying = { ...debits, pays: { connection: "books", days: DAYS, limits: { several: 3 } } }
      yield* take(paying, [by("P1", "106.43", "100252/03")])
      for (const one of own) {
        yield* take(books, [one])
        yield* Matching.run
      }
      assert.deepStrictEqual(matches(db), both)
      yield* take(paying, [by("P2", "39.49", "100303")])
      yield* Matching.run
      assert.deepStrictEqual(matches(db), ["P2 → 100303 39.49"])
      assert.lengthOf(needs(db), 1)
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )

  it.effect("are the payer's own, whoever else has a number that may be meant in short", () =>
    given(
      { several: 3 },
      [...own, invoice({ id: "100203", number: "100203", gross: "10.00", party: { name: "Otto" } })],
      [[by("P1", "106.43", "100252/03")]],
      (db) => assert.deepStrictEqual(matches(db), both)
    )
  )

  it.effect("are not taken for another payment that names none", () =>
    given(
      { several: 3 },
      [of("100231", "49.00"), of("100336", "73.93"), of("100380", "49.00"), of("100400", "16.29")],
      [[by("P1", "65.29"), by("P2", "122.93", "100231/36")]],
      (db) =>
        assert.deepStrictEqual(matches(db), [
          "P1 → 100380 49.00",
          "P1 → 100400 16.29",
          "P2 → 100231 49.00",
          "P2 → 100336 73.93"
        ])
    )
  )

  it.effect("are asked about where two are as good, unless the oldest may be taken", () =>
    Effect.gen(function* () {
      const own = [of("I1", "49.00"), of("I2", "49.00"), of("I3", "70.00")]
      const paid = [[by("P1", "119.00")]]
      yield* given({ several: 3 }, own, paid, (db) => assert.deepStrictEqual(matches(db), []))
      yield* given({ several: 3, undesignated: "oldest" }, own, paid, (db) =>
        assert.deepStrictEqual(matches(db), ["P1 → I1 49.00", "P1 → I3 70.00"])
      )
      yield* given({ several: 3 }, own, [[by("P1", "168.00")]], (db) => assert.lengthOf(matches(db), 3))
    })
  )
})

describe("a link that is one invoice's id and another's number", () => {
  const two = [
    invoice({ id: "1042", number: "2001", gross: "900.00" }),
    invoice({ id: "1050", number: "1042", gross: "420.50", party: { name: "Tern & Sons" } })
  ]

  it.effect("means the one whose customer and open amount fit, or a person decides", () =>
    given({}, two, [[received("P1", { link: "1042", amount: "420.50", party: { name: "Tern & Sons" } })]], (db) =>
      assert.deepStrictEqual(matches(db), ["P1 → 1050 420.50"])
    ).pipe(
      Effect.andThen(
        given({}, two, [[received("P1", { link: "1042", amount: "420.50" })]], (db) => {
          assert.deepStrictEqual(matches(db), [])
          assert.include(needs(db)[0], "2 invoices of books have that number or id")
        })
      )
    )
  )

  it.effect("joins no payment of the books by the one that it may not mean", () =>
    given(
      {},
      [two[0]!, { ...two[1]!, gross: two[0]!.gross! } as Document, payment("B1", { 1042: "100.00" }, "2026-01-29")],
      [[received("P1", { link: "1042", amount: "100.00", date: "2026-01-29" })]],
      (db) => assert.include(needs(db)[0], "2 invoices of books have that number or id")
    )
  )

  it.effect("is not what a person says either: both keys are named", () =>
    given({}, two, [[received("P1", { link: "1042", amount: "420.50" })]], (db) => {
      const said = (name: string) => MatchChoices.choose(db, "debits/payment/P1", [{ invoice: name }], 0)
      const both = "books/invoice/1042, books/invoice/1050"
      assert.deepStrictEqual(said("1042"), { why: `2 invoices of books match 1042; use the key of one: ${both}` })
      assert.notProperty(said("books/invoice/1050"), "why")
    })
  )

  it.effect("is not what a person says where only the id is there: its invoice may not be readable", () =>
    given({}, [two.find((one) => one.id === "1042")!], [[received("P1", { amount: "420.50" })]], (db) => {
      const said = (name: string) => MatchChoices.choose(db, "debits/payment/P1", [{ invoice: name }], 0)
      const why = "no invoice of books that can be read has the number 1042; if its id is meant, use the key"
      assert.deepStrictEqual(said("1042"), { why: `${why}: books/invoice/1042` })
      assert.notProperty(said("books/invoice/1042"), "why")
    })
  )
})

describe("a rule that is tried on the past", () => {
  it.effect("says what it would have decided as a person did, and what otherwise", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const equal = [of("E1", "500.00", { due: "2026-01-15" }), of("E2", "500.00", { due: "2026-01-20" })]
      yield* take(books, [...three, ...equal])
      yield* take(debits, [
        by("P1", "98.00"),
        by("P2", "103.10", "thanks", "2026-01-11"),
        by("P3", "500.00", "thanks", "2026-01-12"),
        by("P4", "60.00", "thanks", "2026-01-13")
      ])
      yield* Matching.run
      const choose = (payment: string, ...invoices: ReadonlyArray<string>) =>
        db.transaction(() =>
          MatchChoices.choose(
            db,
            `debits/payment/${payment}`,
            invoices.map((invoice) => ({ invoice })),
            0
          )
        )
      yield* choose("P1", "I1")
      yield* choose("P2", "I2", "I3")
      yield* choose("P3", "E2")
      yield* choose("P4", "E1")
      yield* Matching.run
      const tried = (limits: MatchLimits) => {
        const [one] = trials(db, "debits", [limits])
        return [one?.same, one?.otherwise, one?.untouched]
      }
      assert.deepStrictEqual(tried({ discount: { percent: "2", days: 14 } }), [1, 0, 3])
      assert.deepStrictEqual(tried({ several: 2 }), [1, 0, 3])
      assert.deepStrictEqual(tried({ undesignated: "oldest" }), [0, 1, 3])
      assert.deepStrictEqual(tried({ fee: "2.00" }), [1, 0, 3], "98.00 of 100.00")
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )
})
