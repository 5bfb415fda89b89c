/** What decisions say of other payments: whose invoices a payer pays, and which kinds are for no invoice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Payers from "../../../sync/decisions/Payers.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Aliases from "../../../sync/matching/Aliases.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import * as PaymentStatement from "../../../sync/reconciliation/PaymentStatement.ts"
import { invoice } from "../../support/Documents.ts"
import { back, books, debits, matches, needs, received, take } from "../Paying.ts"

const of = (id: string, name: string, gross = "120.00", more: Parameters<typeof invoice>[0] = {}) =>
  invoice({ id, number: id, gross, party: { name }, ...more })
const by = (id: string, name: string, reference: string, amount = "120.00", date = "2026-01-31") =>
  received(id, { amount, date, reference, party: { name } })

const choose = (payment: string, ...invoices: ReadonlyArray<readonly [invoice: string, amount?: string]>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const wanted = invoices.map(([invoice, amount]) => ({
      invoice,
      ...(amount === undefined ? {} : { amount: Decimal.of(amount) })
    }))
    const chosen = yield* db.transaction(() => MatchChoices.choose(db, `debits/payment/${payment}`, wanted, 0))
    yield* Matching.run
    return chosen
  })

const more = (...documents: ReadonlyArray<Document>) => Effect.andThen(take(debits, documents), Matching.run)

const inMemory = (work: Effect.Effect<void, unknown, Database>) =>
  Effect.provide(work, Database.layer({ file: ":memory:", mode: "write" }))

describe("whose invoices a payer pays, as a person said", () => {
  const world = [
    of("A-1", "Otto", "100.00"),
    of("A-2", "Otto", "70.00"),
    of("A-3", "Otto", "44.00"),
    of("M-1", "Meyer", "70.00")
  ]

  it.effect("is added to its own name: its own invoice of the amount is no longer certain, and never overridden", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, world)
        yield* more(by("P1", "Meyer", "for my friend", "100.00"))
        yield* choose("P1", ["A-1"])
        yield* more(by("P2", "Meyer", "hi", "70.00"), by("P3", "Meyer", "hi", "44.00"))
        assert.deepStrictEqual(matches(db), ["P1 → A-1 100.00", "P3 → A-3 44.00"])
        assert.include(needs(db)[0], "it could be for A-2 and M-1")
        assert.deepStrictEqual(
          Aliases.list(db, "debits").map(({ customer, payer }) => `${payer} → ${customer}`),
          ["Meyer → Otto"]
        )
        yield* db.transaction(() => Payers.forget(db, { connection: "debits", payer: "Meyer", customer: "Otto" }, 0))
        yield* Matching.run
        assert.deepStrictEqual(matches(db), ["P1 → A-1 100.00", "P2 → M-1 70.00"])
      })
    )
  )

  it.effect("counts for its account: another one of the same name is another payer", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        const from = (id: string, account: string, amount: string) =>
          received(id, { amount, reference: "hi", party: { id: account, name: "PayPal Europe" } })
        yield* take(books, world)
        yield* more(from("P1", "DE1", "100.00"))
        yield* choose("P1", ["A-1"])
        yield* more(from("P2", "DE2", "44.00"))
        assert.deepStrictEqual(matches(db), ["P1 → A-1 100.00"])
        yield* more(from("P3", "DE1", "44.00"))
        assert.deepStrictEqual(matches(db), ["P1 → A-1 100.00", "P3 → A-3 44.00"])
      })
    )
  )

  it.effect("counts for invoices that come later, and for numbers of that customer in a text", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, world)
        yield* more(by("P1", "Meyer", "for my friend", "100.00"))
        yield* choose("P1", ["A-1"])
        yield* more(by("P2", "Meyer", "hi", "31.00"), by("P3", "Meyer", "A-3", "40.00"))
        yield* take(books, [of("A-4", "Otto", "31.00")])
        yield* Matching.run
        assert.deepStrictEqual(matches(db), ["P1 → A-1 100.00", "P2 → A-4 31.00", "P3 → A-3 40.00"])
      })
    )
  )
})

describe("a payment that is for no invoice, as a person said", () => {
  const payout = (id: string, name = "PAYPAL EUROPE", text = "PAYOUT", amount = "900.00") =>
    by(id, name, `${text} 10348${id}`, amount)
  const sums = (db: Database["Service"]) =>
    PaymentStatement.statements(db, ["debits"]).map(({ differences, matched, notForInvoices, received }) => [
      received,
      matched,
      notForInvoices,
      differences.length
    ])

  it.effect("is settled, in a column of its own, and so is the next of its kind", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, [of("R-1", "Harbour", "500.00")])
        yield* more(payout("1"), by("9", "Harbour", "R-1", "500.00"))
        assert.deepStrictEqual(sums(db), [["1400.00", "500.00", "0.00", 1]])
        yield* choose("1")
        assert.deepStrictEqual([sums(db), needs(db)], [[["1400.00", "500.00", "900.00", 0]], []])
        yield* more(payout("2"), back("R2", "2", { amount: "900.00" }))
        assert.deepStrictEqual([sums(db), needs(db)], [[["1400.00", "500.00", "900.00", 0]], []])
        yield* more(payout("3", "PAYPAL EUROPE", "REFUND"), payout("4", "STRIPE"))
        assert.lengthOf(needs(db), 2, "another kind, another payer")
        yield* db.transaction(() => MatchChoices.forget(db, "debits/payment/1", 0))
        yield* Matching.run
        assert.lengthOf(needs(db), 4, "and what the decision said is forgotten with it")
      })
    )
  )

  it.effect("is of every kind once it was said of two texts of one payer", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, [of("INV-77", "Harbour", "500.00")])
        yield* more(payout("1"), payout("2", "PAYPAL EUROPE", "REFUND"), payout("3", "PAYPAL EUROPE", "GC ABCD"))
        yield* choose("1")
        assert.lengthOf(needs(db), 2)
        yield* choose("2")
        assert.deepStrictEqual(needs(db), [])
        yield* more(payout("4", "PAYPAL EUROPE", "INV-77", "20.00"), payout("5", "STRIPE", "GC ABCD"))
        assert.lengthOf(needs(db), 2, "one names an invoice, the other is another payer's")
        yield* db.transaction(() => MatchChoices.forget(db, "debits/payment/2", 0))
        yield* Matching.run
        assert.lengthOf(needs(db), 4)
      })
    )
  )

  it.effect("is asked about again once its payer is a customer", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, [of("R-1", "Harbour", "500.00")])
        yield* more(payout("1", "Quay Bakery"), payout("2", "Quay Bakery", "PAYOUT", "70.00"))
        yield* choose("1")
        assert.deepStrictEqual(needs(db), [])
        yield* take(books, [of("R-2", "Quay Bakery", "44.00")])
        yield* Matching.run
        assert.match(needs(db).join(), /no open invoice of this payer has this amount/)
      })
    )
  )

  it.effect("says nothing of a customer, who may owe the next one", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, [of("R-1", "Harbour", "500.00")])
        yield* more(payout("1", "Harbour", "thanks"))
        yield* choose("1")
        yield* more(payout("2", "Harbour", "thanks"))
        assert.lengthOf(needs(db), 1)
        yield* more(payout("3", "Newcomer", "thanks"))
        yield* choose("3")
        yield* take(books, [of("N-1", "Newcomer", "11.00")])
        yield* more(payout("4", "Newcomer", "thanks"), payout("5", "Newcomer", "thanks", "11.00"))
        assert.include(matches(db), "5 → N-1 11.00")
        assert.lengthOf(needs(db), 2)
      })
    )
  )

  it.effect("leaves one of its kind that names an invoice to a person", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, [of("INV-77", "Harbour", "500.00")])
        yield* more(payout("1"))
        yield* choose("1")
        yield* more(by("2", "PAYPAL EUROPE", "PAYOUT INV-77", "100.00"))
        assert.include(needs(db)[0], "it names INV-77")
      })
    )
  )
})

describe("a payment in another currency than its invoice", () => {
  it.effect("is for as much of it as a person says, in the invoice's currency", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        yield* take(books, [of("U-1", "Harbour", "100.00", { currency: "USD" }), of("G-1", "Harbour", "10.00")])
        yield* more(by("P1", "Harbour", "U-1", "78.10"))
        assert.include(needs(db)[0], "it names U-1, which is in USD")
        assert.deepStrictEqual(yield* choose("P1", ["U-1"]), {
          why: "U-1 is in USD, and the payment in GBP; say how much of the invoice it pays, in USD: U-1=AMOUNT"
        })
        assert.deepStrictEqual(yield* choose("P1", ["U-1", "99.00"], ["G-1"]), {
          why: "give invoices in GBP only, or in another currency only"
        })
        assert.notProperty(yield* choose("P1", ["U-1", "100.00"]), "why")
        assert.deepStrictEqual([matches(db), needs(db)], [["P1 → U-1 100.00"], []])
        const [fact] = invoiceFacts(db, "books/invoice/U-1").payments
        assert.strictEqual(fact?.amount, Decimal.of("100.00"))
        const [statement] = PaymentStatement.statements(db, ["debits"])
        assert.deepStrictEqual([statement?.matched, statement?.differences], ["78.10", []])
        yield* more(back("R1", "P1", { amount: "10.00" }))
        assert.include(needs(db)[0], "part of a payment went back whose invoice is in another currency")
        yield* more(back("R1", "P1", { amount: "78.10" }))
        assert.deepStrictEqual([matches(db), needs(db)], [["P1 → U-1 100.00", "R1 → U-1 100.00"], []])
      })
    )
  )
})
