/**
 * The books have what a bank or a processor states, and nothing but its payer tells: under a name that a bank cut, or that a person said is
 * a customer's. And what was tried and never received, which the books have already.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { always } from "../../../sync/decisions/Payers.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { waitsFor } from "../../../sync/rules/Closing.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { back, books, debits, needs, received, take } from "../Paying.ts"

interface Step {
  readonly own?: ReadonlyArray<Document>
  readonly others?: ReadonlyArray<Document>
  readonly says?: Effect.Effect<void, unknown, Database>
}

const step = ({ others = [], own = [], says = Effect.void }: Step) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, own)
    yield* take(debits, others)
    yield* says
    db.prepare("UPDATE bookmark SET reading = 0").run()
    yield* Matching.run
  })

/** What counts of each invoice, less what went back, and what a person is asked. */
const outcome = (steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (const one of steps) yield* step(one)
    const counts = ["I1", "I2"].map((id) => {
      const { payments, reversals } = invoiceFacts(db, `books/invoice/${id}`)
      const sum = (all: ReadonlyArray<{ readonly amount: bigint }>) => Decimal.sum(all.map(({ amount }) => amount))
      return Decimal.format(sum(payments) - sum(reversals), 2)
    })
    return { counts, asks: needs(db) }
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

/** Of the second alone it is certain that it was there when the money came. */
const DAYS: Readonly<Record<string, string>> = { I1: "2026-02-01", I2: "2026-01-01" }

/** Of two equal invoices the books have the first as paid. */
const invoicesOf = (name: string) =>
  ["I1", "I2"].map((id) =>
    invoice({ id, number: `INV-${id}`, issued: DAYS[id]!, due: "2026-03-01", party: { id: "c1", name } })
  )
const BOOKED = payment("P1", { I1: "120.00" }, "2026-02-02")
const paidBy = (name: string) => received("D1", { party: { name }, reference: "thanks", date: "2026-01-31" })

/** How the same is read: at once, the books first, the bank first. */
const orders = (
  invoices: ReadonlyArray<Document>,
  others: ReadonlyArray<Document>,
  says: Pick<Step, "says"> = {}
): ReadonlyArray<ReadonlyArray<Step>> => [
  [{ own: [...invoices, BOOKED], others, ...says }],
  [{ own: [...invoices, BOOKED] }, { others, ...says }],
  [{ own: invoices }, { others, ...says }, { own: [BOOKED] }],
  [{ own: invoices.slice(1) }, { others, ...says }, { own: [...invoices.slice(0, 1), BOOKED] }],
  [{ others, ...says }, { own: [...invoices, BOOKED] }]
]

const CUT: ReadonlyArray<readonly [bank: string, books: string]> = [
  ["TERN LOGISTIK GMBH & CO. KG", "Tern Logistik GmbH & Co. KG"],
  ["GROESSE STREET CAFE GMBH & ", "Größe Street Cafe GmbH & Co. KG"],
  ["GESELLSCHAFT FUER FEINMECHA", "Gesellschaft für Feinmechanik Nord mbH"]
]

describe("what the books have of a payer", () => {
  const typed = (gross: string) => [
    ...invoicesOf("Tern Logistik GmbH"),
    invoice({ id: "I7", number: "INV-7", gross, party: { id: "c2", name: "Fir Print AG" } })
  ]
  const line = received("D1", { party: { name: "Tern Logistik GmbH" }, reference: "Invoice INV-7", date: "2026-01-31" })

  it.effect("is what came in, whatever was read first, although it names another customer's invoice", () =>
    Effect.gen(function* () {
      for (const steps of orders(typed("77.00"), [line]))
        assert.deepStrictEqual(yield* outcome(steps), { counts: ["120.00", "0.00"], asks: [] })
    })
  )

  it.effect("is what came in, although the other customer's invoice asks for exactly this amount", () =>
    Effect.gen(function* () {
      for (const steps of orders(typed("120.00"), [line]).slice(0, 2))
        assert.deepStrictEqual(yield* outcome(steps), { counts: ["120.00", "0.00"], asks: [] })
    })
  )
})

describe("what the books have of a payer who writes nothing", () => {
  for (const [bank, name] of CUT)
    it.effect(`is what came from ${bank}`, () =>
      Effect.gen(function* () {
        assert.lengthOf(bank, 27)
        for (const [n, steps] of orders(invoicesOf(name), [paidBy(bank)]).entries())
          assert.deepStrictEqual(yield* outcome(steps), { counts: ["120.00", "0.00"], asks: [] }, `order ${n}`)
      })
    )

  for (const [bank, name, says] of [
    ...CUT.map(([bank, name]) => [bank, name, Effect.void] as const),
    [
      "Otto Holding",
      "Tern Logistik GmbH",
      Effect.flatMap(Database, (db) => db.transaction(() => always(db, "debits/payment/D1", "Tern Logistik GmbH", 1)))
    ] as const
  ])
    it.effect(
      `is what came from ${bank}, for which two of its invoices were open until the books had one of them`,
      () =>
        Effect.gen(function* () {
          const open = invoicesOf(name).map((one) => ({ ...one, issued: "2026-01-01" as never }))
          const line = { ...paidBy(bank), date: "2026-02-02" as never }
          // The books have others' payments already: only what changed is compared with the lines.
          const before = [
            invoice({ id: "I9", number: "INV-I9", gross: "9.00" }),
            payment("P9", { I9: "9.00" }, "2026-01-05")
          ]
          const steps = [{ own: [...open, ...before] }, { others: [line], says }, { own: [BOOKED] }]
          assert.deepStrictEqual(yield* outcome(steps), { counts: ["120.00", "0.00"], asks: [] })
        })
    )

  it.effect("is what came from somebody who pays for it, as a person said, and no longer once that is taken back", () =>
    Effect.gen(function* () {
      const parent = paidBy("Otto Holding")
      const says = Effect.gen(function* () {
        const db = yield* Database
        yield* db.transaction(() => always(db, "debits/payment/D1", "Tern Logistik GmbH", 1))
      })
      for (const [n, steps] of orders(invoicesOf("Tern Logistik GmbH"), [parent], { says }).entries())
        assert.deepStrictEqual(yield* outcome(steps), { counts: ["120.00", "0.00"], asks: [] }, `order ${n}`)
      for (const steps of orders(invoicesOf("Tern Logistik GmbH"), [parent])) {
        const { asks, counts } = yield* outcome(steps)
        assert.deepStrictEqual(counts, ["120.00", "0.00"])
        assert.include(asks[0], "debits/payment/D1 M3")
      }
    })
  )
})

describe("a debit that was never received", () => {
  const tried = received("D1", { link: "INV-I1", date: "2026-02-01", tried: "failed" })
  const took = back("D1/failed", "D1", { date: "2026-02-04" })

  it.effect("leaves the invoice open that the books have as paid by it, whatever is read first", () =>
    Effect.gen(function* () {
      for (const [n, steps] of orders(invoicesOf("Tern GmbH"), [tried, took]).entries())
        assert.deepStrictEqual(yield* outcome(steps), { counts: ["0.00", "0.00"], asks: [] }, `order ${n}`)
    })
  )

  it.effect("is nothing where the books do not have it, or have what was paid after it failed", () =>
    Effect.gen(function* () {
      const invoices = invoicesOf("Tern GmbH")
      assert.deepStrictEqual(yield* outcome([{ own: invoices, others: [tried, took] }]), {
        counts: ["0.00", "0.00"],
        asks: []
      })
      const pending = { ...tried, tried: "pending" } as const
      assert.deepStrictEqual(yield* outcome([{ own: invoices, others: [pending] }]), {
        counts: ["0.00", "0.00"],
        asks: []
      })
      const later = payment("P1", { I1: "120.00" }, "2026-02-06")
      for (const steps of [
        [{ own: [...invoices, later], others: [tried, took] }],
        [{ own: invoices, others: [tried, took] }, { own: [later] }]
      ])
        assert.deepStrictEqual(yield* outcome(steps), { counts: ["120.00", "0.00"], asks: [] })
    })
  )

  it.effect(
    "keeps the invoice from being marked as paid while it is pending, and is planned again once it is confirmed",
    () =>
      Effect.gen(function* () {
        const db = yield* Database
        yield* step({ own: [...invoicesOf("Tern GmbH"), BOOKED], others: [{ ...tried, tried: "pending" }] })
        const waits = () => {
          const facts = invoiceFacts(db, "books/invoice/I1")
          return waitsFor(facts, { balance: 0n, says: undefined, follows: 0n }, true)
        }
        assert.strictEqual(waits(), "debits/payment/D1 is confirmed: the books count it already")
        db.prepare("DELETE FROM changed").run()
        yield* step({ others: [received("D1", { link: "INV-I1", date: "2026-02-01" })] })
        assert.isUndefined(waits())
        assert.deepStrictEqual(
          db.prepare("SELECT subject FROM changed WHERE subject = 'books/invoice/I1'").pluck().all(),
          ["books/invoice/I1"]
        )
      }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )

  it.effect("is money once it is tried again and confirmed", () =>
    Effect.gen(function* () {
      const own = [...invoicesOf("Tern GmbH"), BOOKED]
      const { counts } = yield* Effect.gen(function* () {
        const db = yield* Database
        yield* step({ own, others: [tried, took] })
        yield* take(debits, [received("D1", { link: "INV-I1", date: "2026-02-09" })], [took])
        yield* step({})
        const { payments, reversals } = invoiceFacts(db, "books/invoice/I1")
        return { counts: [payments.length, reversals.length] }
      }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
      assert.deepStrictEqual(counts, [1, 0])
    })
  )
})
