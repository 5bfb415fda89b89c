/**
 * Two payments of one list that nothing tells apart, of which the books have one: once something goes back of one of them, a person says
 * for which invoice, and until then what is in no books waits. Whatever they say, both invoices come out as they said.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { back, BAKERY, books, debits, received, take } from "../Paying.ts"

const ONE = invoice()
const TWO = invoice({ id: "I2", number: "INV-2" })
const BOOKED = payment("P1", { I1: "120.00" }, "2026-02-05")
const DEBITS = ["D1", "D2"].map((id) => received(id, { ...BAKERY, reference: "a debit" }))

const fresh = <A, E>(work: Effect.Effect<A, E, Database>) =>
  work.pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

const read = (own: ReadonlyArray<Document>, others: ReadonlyArray<Document>) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, own)
    yield* take(debits, others)
    db.prepare("UPDATE bookmark SET reading = 0").run()
    yield* Matching.run
    assert.isUndefined(db.prepare("SELECT 1 FROM to_match").get(), "it comes to an end")
  })

const choose = (key: string, number: string, amount: string) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* db.transaction(() => MatchChoices.choose(db, key, [{ invoice: number, amount: Decimal.of(amount) }], 0))
    yield* Matching.run
  })

describe("what went back of one of two payments that nothing tells apart", () => {
  for (const returned of ["D1", "D2"])
    for (const amount of ["120.00", "60.00"])
      for (const [number, id] of [
        ["INV-1", "I1"],
        ["INV-2", "I2"]
      ] as const)
        it.effect(`${returned}, ${amount}: a person says ${number}`, () =>
          fresh(
            Effect.gen(function* () {
              const db = yield* Database
              yield* read([ONE, TWO, BOOKED], [...DEBITS, back("B1", returned, { amount })])
              const counts = () =>
                ["I1", "I2"].map((one) => {
                  const { payments, reversals } = invoiceFacts(db, `books/invoice/${one}`)
                  return [payments.length, reversals.length]
                })
              const whys = () =>
                db.prepare("SELECT why FROM matching WHERE why IS NOT NULL ORDER BY rule").pluck().all()
              const isHeld = (one: string) => invoiceFacts(db, `books/invoice/${one}`).returned?.length === 1
              // The books are believed, and nothing else is.
              assert.deepStrictEqual(counts(), [
                [1, 0],
                [0, 0]
              ])
              assert.isTrue(isHeld("I1"))
              assert.lengthOf(whys(), 2)
              assert.match(
                String(whys()[0]),
                /^something went back of it or of D[12], which is of the same payer and amount/
              )
              assert.match(String(whys()[1]), /say for which invoice the money was that went back/)

              yield* choose("debits/reversal/B1", number, amount)
              const other = returned === "D1" ? "D2" : "D1"
              if (number === "INV-1" && amount === "120.00") {
                // It is open again: the other may be for it, too.
                assert.deepStrictEqual(whys(), [
                  "its reference names no invoice that is known; it could be for INV-1 and INV-2"
                ])
                yield* choose(`debits/payment/${other}`, "INV-2", "120.00")
              }
              assert.deepStrictEqual(whys(), [])
              assert.isFalse(isHeld("I1") || isHeld("I2"))
              assert.deepStrictEqual(
                counts(),
                id === "I1"
                  ? [
                      [1, 1],
                      [1, 0]
                    ]
                  : [
                      [1, 0],
                      [1, 1]
                    ]
              )
            })
          )
        )
})

describe("a link that is the id of one invoice and the number of another's", () => {
  // QuickBooks counts ids and numbers apart: the customer tells which is meant.
  const TERN = { name: "Tern & Sons", country: "GB" }
  const linked = (id: string, date: string) => received(id, { ...BAKERY, link: "1074", date })

  for (const means of ["number", "id"])
    for (const order of ["first", "last"])
      it.effect(
        `goes by its customer, also where its own books have the payment: its ${means}, the books ${order}`,
        () =>
          fresh(
            Effect.gen(function* () {
              const db = yield* Database
              const [number, id] = [
                { id: "1066", number: "1074", ...(means === "id" ? { party: TERN } : {}) },
                { id: "1074", number: "1082", ...(means === "id" ? {} : { party: TERN }) }
              ].map((one) => invoice(one))
              const mine = means === "id" ? "1074" : "1066"
              const booked = payment("P1", { [mine]: "120.00" }, "2026-02-14")
              const debited = [linked("D1", "2026-01-31"), back("B1", "D1"), linked("D2", "2026-02-14")]
              if (order === "last") yield* read([number!, id!], debited)
              yield* read([number!, id!, booked], order === "last" ? [] : debited)
              const facts = invoiceFacts(db, `books/invoice/${mine}`)
              assert.sameMembers(
                facts.payments.map(({ key }) => key),
                ["books/payment/P1", "debits/payment/D1"]
              )
              assert.lengthOf(facts.reversals, 1)
              assert.deepStrictEqual(db.prepare("SELECT why FROM matching WHERE why IS NOT NULL").all(), [])
              const follows =
                "SELECT d.key, s.how FROM sighting s JOIN document d ON d.id = s.document WHERE s.leader IS NOT NULL"
              assert.deepStrictEqual(db.prepare(follows).all(), [{ key: "debits/payment/D2", how: "invoice" }])
            })
          )
      )
})

describe("what went back of a payment that is on no invoice any more", () => {
  it.effect("holds up nothing where its payment is gone", () =>
    fresh(
      Effect.gen(function* () {
        const db = yield* Database
        const paid = received("D1", { ...BAKERY, reference: "INV-1" })
        yield* read([ONE], [paid, back("B1", "D1")])
        yield* take(debits, [], [paid])
        yield* read([], [])
        assert.deepStrictEqual(db.prepare("SELECT was, why FROM matching").all(), [
          { was: '["books/invoice/I1"]', why: "its payment D1 was not found" }
        ])
        assert.isUndefined(invoiceFacts(db, "books/invoice/I1").returned)
      })
    )
  )

  it.effect("holds up nothing: nobody is asked about it", () =>
    fresh(
      Effect.gen(function* () {
        const db = yield* Database
        yield* read([ONE], [received("D1", { ...BAKERY, reference: "INV-1" }), back("B1", "D1")])
        yield* read([], [received("D1", { reference: "of somebody else" })])
        assert.strictEqual(db.prepare("SELECT was FROM matching WHERE back = 1").pluck().get(), '["books/invoice/I1"]')
        assert.isUndefined(invoiceFacts(db, "books/invoice/I1").returned)
      })
    )
  )
})

describe("two invoices of one amount, of which the source says that one is paid", () => {
  const stated = (id: string, open: string) => invoice({ id: `I${id}`, number: id, stated: { open: Decimal.of(open) } })
  const asPaid = (id: string, open: string) =>
    invoice({ id: `I${id}`, number: id, stated: { paid: Decimal.of("120.00") - Decimal.of(open) } })
  const given = (first: string, second: string, text: string, says = stated) =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* read([says("1042", first), says("1050", second)], [received("D1", { ...BAKERY, reference: text })])
      return {
        placed: db.prepare("SELECT invoice FROM allocation").pluck().all(),
        whys: db.prepare("SELECT why FROM matching WHERE why IS NOT NULL").pluck().all()
      }
    })

  for (const [figure, says] of [
    ["what is open", stated],
    ["what was paid", asPaid]
  ] as const)
    it.effect(
      `are a person's choice where a digit that may be typed wrong means the one that is open: by ${figure}`,
      () =>
        fresh(
          Effect.gen(function* () {
            const { placed, whys } = yield* given("0.00", "120.00", "1058", says)
            assert.deepStrictEqual(placed, [])
            assert.deepStrictEqual(whys, [
              "it could be for 1050, but the source says that 1050 is open, and that 1042, of the same amount, is paid"
            ])
          })
        )
    )

  for (const [first, second, text] of [
    ["120.00", "0.00", "1058"],
    ["120.00", "120.00", "1058"],
    ["0.00", "120.00", "my 1050"]
  ] as const)
    it.effect(`are not asked about where nothing speaks against it: open ${first} and ${second}, "${text}"`, () =>
      fresh(
        Effect.gen(function* () {
          const { placed, whys } = yield* given(first, second, text)
          assert.deepStrictEqual([placed, whys], [["books/invoice/I1050"], []])
        })
      )
    )
})

describe("a debit that failed and was taken again", () => {
  for (const steps of ["at once", "one by one", "what went back last"])
    it.effect(`is not what the books have, whatever a person says of it: read ${steps}`, () =>
      fresh(
        Effect.gen(function* () {
          const db = yield* Database
          const failed = received("D1", { ...BAKERY, reference: "a debit", date: "2026-01-31" })
          const again = received("D2", { ...BAKERY, reference: "a debit", date: "2026-02-14" })
          const gone = back("B1", "D1")
          const booked = payment("P1", { I1: "120.00" }, "2026-02-14")
          if (steps === "at once") yield* read([ONE, TWO, booked], [failed, gone, again])
          else if (steps === "one by one") {
            yield* read([ONE, TWO], [failed])
            yield* read([], [gone])
            yield* read([booked], [again])
          } else {
            yield* read([ONE, TWO, booked], [failed, again])
            yield* read([], [gone])
          }
          yield* choose("debits/payment/D1", "INV-1", "120.00")
          const follows = "SELECT d.key FROM sighting s JOIN document d ON d.id = s.document WHERE s.leader IS NOT NULL"
          assert.deepStrictEqual(db.prepare(follows).pluck().all(), ["debits/payment/D2"])
          const { payments, reversals } = invoiceFacts(db, "books/invoice/I1")
          assert.deepStrictEqual([payments.length, reversals.length], [2, 1])
        })
      )
    )
})
