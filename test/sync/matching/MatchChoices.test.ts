/**
 * What a person says of a payment goes before every rule, and stands whatever is read later. As far as it cannot stand,
 * because the payment or its invoice is another now, the person is told.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as MatchCandidates from "../../../sync/matching/Candidates.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import { statements } from "../../../sync/reconciliation/PaymentStatement.ts"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { back, BAKERY, books, debits, matches, needs, received, take } from "../Paying.ts"

const one = invoice()
const two = invoice({ id: "I2", number: "INV-2", gross: "50.00" })

/** Reads invoices and payments; then `check` goes on, with a person's choice as `choose(payment, ...invoices)`. */
const given = (
  invoices: ReadonlyArray<Document>,
  payments: ReadonlyArray<Document>,
  check: (
    db: Database["Service"],
    choose: (payment: string, ...invoices: ReadonlyArray<string>) => Effect.Effect<void, unknown, Database>
  ) => Effect.Effect<void, unknown, Database>
) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, invoices)
    yield* take(debits, payments)
    yield* Matching.run
    yield* check(db, (payment, ...invoices) =>
      Effect.gen(function* () {
        const wanted = invoices.map((invoice) => ({ invoice }))
        assert.notProperty(yield* db.transaction(() => MatchChoices.choose(db, `debits/${payment}`, wanted, 0)), "why")
        yield* Matching.run
      })
    )
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

const says = (...lines: ReadonlyArray<string>) =>
  lines.map((line) => `debits/payment/P1 M4: ${line.replace("…", "received on 2026-01-31")}`)

describe("what went back of a payment that the source does not name", () => {
  it.effect("may be of the invoices that had a payment of its amount before, those first that its words name", () =>
    given(
      [
        invoice({ id: "I1", number: "INV-1", gross: "120.00", party: { name: "Harbour Lane Bakery" } }),
        invoice({ id: "I2", number: "INV-2", gross: "120.00", party: { name: "Tern & Sons" } }),
        invoice({ id: "I3", number: "INV-3", gross: "120.00", party: { name: "Nobody Ltd" } })
      ],
      [
        received("P1", { reference: "INV-1", amount: "120.00", date: "2026-01-20" }),
        received("P2", { reference: "INV-2", amount: "120.00", date: "2026-01-25" }),
        reversal("R1", {}, "chargeback", { currency: "GBP", unallocated: Decimal.of("120"), date: "2026-02-10" }),
        reversal("R2", {}, "chargeback", {
          currency: "GBP",
          unallocated: Decimal.of("120"),
          date: "2026-02-10",
          details: "returned: HARBOUR LANE BAKERY"
        }),
        reversal("R3", {}, "chargeback", { currency: "GBP", unallocated: Decimal.of("7"), date: "2026-02-10" })
      ],
      (db, choose) =>
        Effect.gen(function* () {
          const found = (id: string) =>
            MatchCandidates.candidates(db, `debits/reversal/${id}`).map(({ number, party }) => `${number} ${party}`)
          assert.deepStrictEqual(found("R1"), ["INV-2 Tern & Sons", "INV-1 Harbour Lane Bakery"])
          assert.deepStrictEqual(found("R2"), ["INV-1 Harbour Lane Bakery", "INV-2 Tern & Sons"])
          assert.deepStrictEqual(found("R3"), [])
          yield* choose("reversal/R2", "INV-1")
          assert.include(matches(db), "R2 → I1 120.00")
        })
    )
  )
})

describe("a person's choice", () => {
  it.effect("that leaves something of the payment over: the rest is named, until it has its place as well", () =>
    given([one, two], [received("P1", { amount: "150.00" })], (db, choose) =>
      Effect.gen(function* () {
        yield* choose("payment/P1", "INV-1")
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
        assert.deepStrictEqual(
          needs(db),
          says("150.00 GBP …: 30.00 GBP of it is unallocated: the source does not say what the rest is for")
        )
        yield* choose("payment/P1", "INV-1", "INV-2")
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P1 → I2 30.00"])
        assert.deepStrictEqual(needs(db), [])
        yield* choose("payment/P1")
        assert.deepStrictEqual([matches(db), needs(db)], [[], []], "for none, which is a word as well")
      })
    )
  )

  it.effect(
    "may name an invoice by what its buyer is asked to write, unless another one has that as its number",
    () => {
      const asked = invoice({ reference: "+++090/9337/55493+++" })
      const [named, other] = [
        invoice({ id: "I3", number: "RF-9000" }),
        invoice({ id: "I4", number: "INV-4", reference: "RF9000" })
      ]
      return given([asked, named, other], [received("P1", {}), received("P2", {})], (db, choose) =>
        Effect.gen(function* () {
          yield* choose("payment/P1", "090933755493")
          yield* choose("payment/P2", "RF-9000")
          assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I3 120.00"])
        })
      )
    }
  )

  it.effect("that is finer than the invoice's currency is refused, also where the payment has none", () => {
    const yen = invoice({ id: "I3", number: "INV-3", currency: "JPY", gross: "1000" })
    const { currency: _, ...plain } = received("P1", { amount: "500.50" })
    return given([one, yen], [plain], (db, choose) =>
      Effect.gen(function* () {
        const part = (invoice: string, amount: string) =>
          db.transaction(() =>
            MatchChoices.choose(db, "debits/payment/P1", [{ invoice, amount: Decimal.of(amount) }], 0)
          )
        const refused = (invoice: string, amount: string, currency: string, instead: string) => ({
          why: `${amount} for ${invoice} has more decimal places than ${currency} allows; give an amount that ${currency} has, like ${invoice}=${instead}`
        })
        assert.deepStrictEqual(yield* part("INV-3", "0.5"), {
          why: "0.5 for INV-3 has more decimal places than JPY allows; give an amount that JPY has"
        })
        assert.deepStrictEqual(yield* part("INV-1", "10.005"), refused("INV-1", "10.005", "GBP", "10.00"))
        const whole = yield* db.transaction(() =>
          MatchChoices.choose(db, "debits/payment/P1", [{ invoice: "INV-3" }], 0)
        )
        assert.deepStrictEqual(whole, refused("INV-3", "500.5", "JPY", "500"))
        yield* Matching.run
        assert.deepStrictEqual(matches(db), [])
        assert.notProperty(yield* part("INV-3", "500"), "why")
        yield* Matching.run
        assert.deepStrictEqual(matches(db), ["P1 → I3 500.00"])
        yield* choose("payment/P1", "INV-1")
        assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
      })
    )
  })

  it.effect(
    "M4: can be taken back: the rules match the payment again, and what it taught about its payer is forgotten",
    () =>
      given(
        [one, two, invoice({ id: "I4", number: "INV-4" })],
        [received("P1", { party: { id: "X9", name: "Somebody Else" }, date: "2026-01-01" })],
        (db, choose) =>
          Effect.gen(function* () {
            const first = needs(db)
            assert.lengthOf(first, 1)
            yield* choose("payment/P1", "INV-1")
            assert.deepStrictEqual([matches(db), needs(db)], [["P1 → I1 120.00"], []])
            assert.deepStrictEqual(
              MatchChoices.list(db, "debits").map(({ payment, shares }) => [payment, shares]),
              [["debits/payment/P1", [{ invoice: "books/invoice/I1", amount: "120.00" }]]]
            )
            // The next payment of that payer goes by its amount alone, because of that choice.
            yield* take(debits, [received("P2", { party: { id: "X9", name: "Somebody Else" } })])
            yield* Matching.run
            assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I4 120.00"])
            db.prepare("DELETE FROM changed").run()
            const undone = yield* db.transaction(() => MatchChoices.forget(db, "debits/payment/P1", 0))
            assert.strictEqual(undone?.payment, "debits/payment/P1")
            yield* Matching.run
            assert.deepStrictEqual(matches(db), [])
            assert.include(needs(db), first[0])
            assert.lengthOf(needs(db), 2)
            assert.deepStrictEqual(MatchChoices.list(db, "debits"), [])
            assert.includeMembers(db.prepare("SELECT subject FROM changed").pluck().all() as Array<string>, [
              "books/invoice/I1",
              "books/invoice/I4"
            ])
            assert.isUndefined(yield* db.transaction(() => MatchChoices.forget(db, "debits/payment/P1", 0)))
          })
      )
  )

  it.effect("that is taken back leaves what another choice says of the same payer", () =>
    given(
      [one, two, invoice({ id: "I4", number: "INV-4", gross: "70.00" })],
      [
        received("P1", { party: { id: "X9" }, date: "2026-01-01" }),
        received("P2", { party: { id: "X9" }, amount: "50.00" })
      ],
      (db, choose) =>
        Effect.gen(function* () {
          yield* choose("payment/P1", "INV-1")
          yield* choose("payment/P2", "INV-2")
          yield* db.transaction(() => MatchChoices.forget(db, "debits/payment/P2", 0))
          yield* take(debits, [received("P3", { party: { id: "X9" }, amount: "70.00" })])
          yield* Matching.run
          assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I2 50.00", "P3 → I4 70.00"])
        })
    )
  )

  it.effect("of more than the payment is by now: nothing of it is matched, and the person told", () =>
    given([one], [received("P1")], (db, choose) =>
      Effect.gen(function* () {
        yield* choose("payment/P1", "INV-1")
        yield* take(debits, [received("P1", { amount: "70.00" })])
        yield* Matching.run
        assert.deepStrictEqual(matches(db), [])
        assert.deepStrictEqual(
          needs(db),
          says("70.00 GBP …: 120.00 GBP of it was allocated by hand to INV-1, but its amount is now 70.00 GBP")
        )
        yield* take(debits, [received("P1")])
        yield* Matching.run
        assert.deepStrictEqual([matches(db), needs(db)], [["P1 → I1 120.00"], []])
      })
    )
  )

  it.effect("for an invoice that is deleted: the person is told, and it stands again once it is restored", () =>
    given([one, two], [received("P1", { amount: "170.00" })], (db, choose) =>
      Effect.gen(function* () {
        yield* choose("payment/P1", "INV-1", "INV-2")
        yield* take(books, [], [one])
        yield* Matching.run
        assert.deepStrictEqual(matches(db), ["P1 → I2 50.00"])
        assert.deepStrictEqual(
          needs(db),
          says(
            "170.00 GBP …: 120.00 GBP of it is unallocated: it was allocated by hand to INV-1, which was not found in books"
          )
        )
        yield* take(books, [one])
        yield* Matching.run
        assert.deepStrictEqual([matches(db), needs(db)], [["P1 → I1 120.00", "P1 → I2 50.00"], []])
        yield* take(books, [{ ...one, currency: "EUR" }])
        yield* Matching.run
        assert.deepStrictEqual(matches(db), ["P1 → I2 50.00"])
        assert.include(needs(db)[0], "it was allocated by hand to INV-1, which is in EUR")
      })
    )
  )

  it.effect("of what went back goes before its payment's invoices, whatever is open", () =>
    given(
      [one, two, payment("B1", { I2: "45.00" })],
      [received("P1", { reference: "INV-1 INV-2", amount: "125.00" }), back("R1", "P1", { amount: "20.00" })],
      (db, choose) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P1 → I2 5.00"])
          assert.include(needs(db)[0], "part of a payment for several invoices went back")
          yield* choose("reversal/R1", "INV-1")
          assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P1 → I2 5.00", "R1 → I1 20.00"])
          assert.deepStrictEqual(needs(db), [])
          // And leaves the invoice open for another payment.
          yield* take(debits, [received("P2", { ...BAKERY, amount: "20.00", date: "2026-02-10" })])
          yield* Matching.run
          assert.include(matches(db), "P2 → I1 20.00")
        })
    )
  )

  it.effect("of what went back stands though its payment is for no invoice", () =>
    given([one], [received("P1"), back("R1", "P1", { amount: "20.00" })], (db, choose) =>
      Effect.gen(function* () {
        yield* choose("reversal/R1", "INV-1")
        yield* choose("payment/P1")
        assert.deepStrictEqual(matches(db), ["R1 → I1 20.00"])
        const [{ matched, notForInvoices, received } = {}] = statements(db, ["debits"])
        assert.deepStrictEqual([received, matched, notForInvoices], ["100.00", "-20.00", "120.00"])
      })
    )
  )

  it.effect(
    "of what went back leaves that invoice open, not its payment's, and all of it however little was open",
    () =>
      given(
        [one, two, payment("B1", { I2: "45.00" })],
        [received("P1", { reference: "INV-1" }), back("R1", "P1", { amount: "20.00" })],
        (db, choose) =>
          Effect.gen(function* () {
            yield* choose("reversal/R1", "INV-2")
            assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "R1 → I2 20.00"])
            yield* take(debits, [received("P2", { ...BAKERY, amount: "25.00" })])
            yield* Matching.run
            assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I2 25.00", "R1 → I2 20.00"])
          })
      )
  )

  it.effect("is remembered of the payer, also for what went by its reference until now", () =>
    given(
      [one, two],
      [
        received("P1", { party: { id: "CU1" } }),
        received("P2", { party: { id: "CU1" }, amount: "50.00", reference: "INV-2" })
      ],
      (db, choose) =>
        Effect.gen(function* () {
          yield* choose("payment/P1", "INV-1")
          assert.deepStrictEqual(matches(db), ["P1 → I1 120.00", "P2 → I2 50.00"])
          yield* take(books, [{ ...two, number: "INV-9" }])
          yield* Matching.run
          assert.deepStrictEqual([matches(db), needs(db)], [["P1 → I1 120.00", "P2 → I2 50.00"], []])
          assert.deepStrictEqual(db.prepare("SELECT how FROM matching ORDER BY document").pluck().all(), [
            "choice",
            "amount"
          ])
        })
    )
  )

  it.effect(
    "of what went back stands without a place of its payment, in its own currency, until its invoice is gone",
    () =>
      given([one, two], [received("P1", { amount: "90.00", currency: "USD" })], (db, choose) =>
        Effect.gen(function* () {
          yield* take(books, [{ ...two, currency: "JPY" }])
          yield* take(debits, [{ ...back("R1", "P1", { amount: "30.00" }), currency: "JPY" }])
          yield* Matching.run
          yield* choose("reversal/R1", "INV-2")
          assert.deepStrictEqual(matches(db), ["R1 → I2 30.00"])
          const matched = "SELECT matched FROM matching WHERE back = 1"
          assert.strictEqual(db.prepare(matched).pluck().get(), 30, "yen, which have no cents")
          yield* take(books, [], [two])
          yield* Matching.run
          assert.deepStrictEqual([matches(db), db.prepare(matched).pluck().get()], [[], 0])
        })
      )
  )
})
