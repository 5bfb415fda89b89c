/** Invoices of which the books and another list state the same money: what is open of them for what names them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { concerned } from "../../../sync/decisions/Concerned.ts"
import * as Movements from "../../../sync/decisions/Movements.ts"
import * as Choices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { inWorld, open, report } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { back, BAKERY, received } from "../Paying.ts"
import type { World } from "../World.ts"

const NOTHING = new URLSearchParams()

const one = invoice()
const two = invoice({ id: "I2", number: "INV-2", gross: "240.00" })

const WAITING = `SELECT subject || ': ' || why AS item FROM attention WHERE closed IS NULL
  UNION SELECT d.key || ': ' || m.why FROM to_report t JOIN document d ON d.id = t.document
    JOIN matching m ON m.document = d.id WHERE t.due > 0 ORDER BY 1`

/** Why each payment waits: for a person, or for the books. */
const waiting = (world: World): ReadonlyArray<string> => open(world, WAITING).map(({ item }) => String(item))

const agrees = async (world: World): Promise<void> => {
  await world.sync()
  await world.sync()
  assert.deepStrictEqual(await violations(world), [])
}

/** A person says that two payments are the same: the one that waits, and the one that counts. */
const same = (world: World, waits = "books/payment/P1", like = "debits/payment/D1") =>
  world.life(
    Effect.gen(function* () {
      const db = yield* Database
      yield* db.transaction(() => Movements.answer(db, { payment: waits, like: [like] }, { same: like }, 0))
      yield* Matching.run
    })
  )

describe("an invoice whose money two lists state", () => {
  it("is open again by what went back of a payment that the books have as well, whatever was read first", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, payment("P1", "120.00", "2026-01-31")]
      world.payments = [
        received("D1", { ...BAKERY, reference: "INV-1" }),
        received("D2", { ...BAKERY, amount: "150.00", reference: "INV-1" })
      ]
      await agrees(world)
      world.payments = [...world.payments, back("B1", "D1", { amount: "60.00" })]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /D2: .*only 60\.00 GBP of that is open/)
    })())

  it("is open again once where both lists say that it went back", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [
        one,
        payment("P1", "120.00", "2026-01-31"),
        reversal("R1", "60.00", "error", { payment: "P1", date: "2026-02-04" })
      ]
      world.payments = [received("D1", { ...BAKERY, reference: "INV-1" }), back("B1", "D1", { amount: "60.00" })]
      await agrees(world)
      const later = { ...BAKERY, date: "2026-05-31", amount: "150.00", reference: "INV-1" }
      world.payments = [...world.payments, received("D2", later)]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /D2: .*only 60\.00 GBP of that is open/)
    })())

  it("is open again by what went back, where the books moved the payment to another invoice since", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, two, payment("P1", "120.00", "2026-01-31")]
      world.payments = [received("D1", BAKERY), back("B1", "D1", { amount: "120.00" })]
      await agrees(world)
      world.documents = [one, two, payment("P1", { I2: "120.00" }, "2026-01-31")]
      await agrees(world)
      const places = "SELECT invoice FROM allocation a JOIN document d ON d.id = a.document WHERE d.key LIKE 'debits/%'"
      assert.deepStrictEqual(open(world, places), [{ invoice: "books/invoice/I2" }])
    })())

  it("is open again by each of two that went back alike, of payments that are two", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [
        one,
        payment("P1", "120.00", "2026-02-28"),
        payment("P2", "120.00", "2026-03-31"),
        reversal("R2", "120.00", "error", { payment: "P2", date: "2026-02-28" })
      ]
      // The first was taken, and charged back.
      world.payments = [
        received("D1", { ...BAKERY, date: "2026-02-14", reference: "INV-1" }),
        back("B1", "D1", { amount: "120.00", date: "2026-02-28" })
      ]
      await agrees(world)
      assert.deepStrictEqual(
        [...world.service.transaction.values()].map(({ status }) => status),
        ["pending"]
      )
    })())

  it("is open by what went back of its own payment, where its books return one that they have on another invoice", () =>
    inWorld({ pays: true }, async (world) => {
      const two = invoice({ id: "I2", number: "INV-2" })
      world.documents = [
        one,
        two,
        payment("P1", { I2: "60.00" }, "2026-01-10"),
        reversal("R1", "120.00", "refund", { payment: "P1", date: "2026-02-28" })
      ]
      world.payments = [
        received("D1", { ...BAKERY, date: "2026-02-14", reference: "INV-1" }),
        back("B1", "D1", { amount: "120.00", date: "2026-02-20" })
      ]
      report(await world.sync())
      report(await world.sync())
      // Two went back, and what the books return is not on it.
      assert.match(waiting(world).join("\n"), /I1: 120\.00 GBP cannot be reversed/)
      assert.deepStrictEqual(await violations(world), [])
    })())

  it("V1: has again what is reported and was the same money as a payment that its books state no more", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      world.payments = [received("D1", BAKERY)]
      await agrees(world)
      world.documents = [one, payment("P1", "120.00", "2026-01-31")]
      await agrees(world)
      world.documents = [one]
      await agrees(world)
      assert.deepStrictEqual(open(world, "SELECT invoice FROM allocation WHERE amount IS NOT NULL"), [
        { invoice: "books/invoice/I1" }
      ])
    })())

  it("has its part of a payment for several, once a person says that the books' payment of it is the same money", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, two, payment("P1", "119.00", "2026-01-31")]
      world.payments = [received("D1", { ...BAKERY, amount: "360.00", reference: "a debit" })]
      report(await world.sync())
      await world.life(
        Effect.gen(function* () {
          const db = yield* Database
          const parts = [
            { invoice: "INV-1", amount: Decimal.of("120.00") },
            { invoice: "INV-2", amount: Decimal.of("240.00") }
          ]
          yield* db.transaction(() => Choices.choose(db, "debits/payment/D1", parts, 0))
          yield* Matching.run
        })
      )
      report(await world.sync())
      assert.match(waiting(world).join("\n"), /120\.00 GBP on 2026-01-31 .* may be the same money as 119\.00 GBP/)
      await same(world, "debits/payment/D1", "books/payment/P1")
      report(await world.sync())
      report(await world.sync())
      assert.deepStrictEqual(held(world), ["INV-1 paid: 119.00, -119.00, 120.00", "INV-2 paid: 240.00"])
      assert.deepStrictEqual(waiting(world), [])
    })())

  it("has the payment of another list that paid another invoice, once that was taken back", () =>
    inWorld({ pays: true }, async (world) => {
      const small = invoice({ id: "I2", number: "INV-2", gross: "40.00" })
      world.documents = [one, small, payment("P1", "120.00", "2026-01-31")]
      world.payments = [received("D1", { ...BAKERY, amount: "40.00", reference: "INV-2" })]
      await agrees(world)
      world.payments = [received("D1", { ...BAKERY, amount: "120.00", reference: "standing order" })]
      await agrees(world)
      await agrees(world)
      const found = open(world, "SELECT l.key AS leader FROM sighting s JOIN document l ON l.id = s.leader")
      assert.deepStrictEqual(found, [{ leader: "books/payment/P1" }])
      assert.notInclude(waiting(world).join("\n"), "debits/payment/D1")
    })())

  it("has the payment of another list that paid another invoice, once that is void and gone", () =>
    inWorld({ pays: true }, async (world) => {
      const other = invoice({ id: "I2", number: "INV-2", gross: "120.00" })
      world.documents = [other]
      world.payments = [received("D1", { ...BAKERY, amount: "120.00", reference: "standing order" })]
      await agrees(world)
      world.documents = [{ ...other, status: "void" }, one, payment("P1", "120.00", "2026-01-31")]
      await agrees(world)
      await agrees(world)
      const found = open(world, "SELECT l.key AS leader, s.how FROM sighting s JOIN document l ON l.id = s.leader")
      assert.deepStrictEqual(found, [{ leader: "books/payment/P1", how: "payer" }])
      assert.deepStrictEqual(waiting(world), [])
    })())

  it("has not what was left to pay of it besides, of a payment that the books have already and a person places on it", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one, payment("P1", "119.00", "2026-01-31")]
      world.payments = [received("D1", { ...BAKERY, amount: "115.00", date: "2026-01-31", reference: "INV-1" })]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /D1: .*only 1\.00 GBP of that is open/)
      const wanted = [{ invoice: "books/invoice/I1" }]
      await world.life(
        Effect.flatMap(Database, (db) => db.transaction(() => Choices.choose(db, "debits/payment/D1", wanted, 0)))
      )
      await agrees(world)
      assert.match(waiting(world).join("\n"), /I1: 1\.00 GBP .* may be the same money as 119\.00 GBP/)
      assert.deepStrictEqual(held(world), ["INV-1 pending: 119.00"])
      await same(world, "debits/payment/D1", "books/payment/P1")
      world.documents = [one, payment("P1", "120.00", "2026-01-31")]
      await world.sync()
      await world.sync()
      assert.deepStrictEqual(held(world), ["INV-1 paid: 119.00, -119.00, 120.00"])
      assert.deepStrictEqual(waiting(world), [])
    })())

  it("keeps what its books stated in place of what another list states from then on", () =>
    inWorld({ pays: true }, async (world) => {
      const two = invoice({ id: "I2", number: "INV-2", gross: "40.00", net: "33.33" })
      world.documents = [one, two, payment("P1", "120.00", "2026-01-31")]
      await agrees(world)
      world.documents = [one, two]
      world.payments = [received("D1", { ...BAKERY, date: "2026-01-31", link: "I1" })]
      await agrees(world)
      assert.strictEqual(world.service.payment.size, 1)
    })())

  it("has what its own books state, also while that may be the same as what is reported already", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [one]
      world.payments = [
        received("D1", { ...BAKERY, amount: "100.00", link: "INV-1" }),
        received("D2", { ...BAKERY, reference: "INV-1" })
      ]
      await agrees(world)
      world.documents = [one, payment("P1", "30.00", "2026-04-30")]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /D2: .*no amount of that is open/)
    })())
})

/** What the service received on each invoice, and whether it is marked as paid. */
const held = (world: World) =>
  [...world.service.transaction.values()].map(({ id, number, status }) => {
    const all = [...world.service.payment.values()].filter(({ transaction }) => transaction === id)
    return `${number} ${status}: ${all.map(({ amount }) => `${amount}`).join(", ")}`
  })

describe("a payment that is reported on an invoice marked as paid", () => {
  const reported = async (world: World, says = {}) => {
    world.documents = [one, two]
    world.payments = [received("D1", { ...BAKERY, date: "2026-01-31", ...says })]
    await agrees(world)
    assert.deepStrictEqual(held(world), ["INV-1 paid: 120.00", "INV-2 pending: "])
  }

  it("stays there while the books have it for another one, and a person is asked", () =>
    inWorld({ pays: true }, async (world) => {
      await reported(world)
      world.documents = [one, two, payment("P1", { I2: "120.00" }, "2026-01-31")]
      await agrees(world)
      assert.deepStrictEqual(held(world), ["INV-1 paid: 120.00", "INV-2 pending: "])
      assert.match(waiting(world).join("\n"), /I2: .*D1\), which is reported on I1, and that is marked as paid/)
      world.documents = [one, two, payment("P1", "120.00", "2026-01-31")]
      await agrees(world)
      assert.deepStrictEqual(held(world), ["INV-1 paid: 120.00", "INV-2 pending: "])
      assert.deepStrictEqual(waiting(world), [])
    })())

  it("stays where it is if the books correct what a person said is the same, before it was moved", () =>
    inWorld({ pays: true }, async (world) => {
      await reported(world, { reference: "INV-1" })
      world.documents = [one, two, payment("P1", { I2: "120.00" }, "2026-02-05")]
      await agrees(world)
      await same(world)
      world.documents = [one, two, payment("P2", "120.00", "2026-03-05")]
      await agrees(world)
      assert.deepStrictEqual(held(world), ["INV-1 paid: 120.00", "INV-2 pending: "])
    })())

  it("counts what came in, where the books have less and a person said that it is the same", () =>
    inWorld({ pays: true }, async (world) => {
      await reported(world, { reference: "INV-1" })
      world.documents = [one, two, payment("P1", "119.00", "2026-01-31")]
      await agrees(world)
      assert.match(waiting(world).join("\n"), /I1: 119\.00 GBP .* may be the same money as 120\.00 GBP/)
      // Whoever answers changes the invoices of both, and must be somebody who may.
      const asks = Effect.map(Database, (db) => {
        const item = AttentionStore.list(db).find(({ rule }) => rule === "V1")
        return concerned(db, ["attention", `${item?.id}`], NOTHING)
      })
      const about = await world.life(asks)
      assert.sameMembers(Exit.isSuccess(about) ? [...about.value] : [], ["books", "debits"])
      await same(world)
      await world.sync()
      assert.deepStrictEqual(held(world), ["INV-1 paid: 120.00", "INV-2 pending: "])
      world.documents = [one, two, payment("P1", "120.00", "2026-01-31")]
      await agrees(world)
      assert.deepStrictEqual(held(world), ["INV-1 paid: 120.00", "INV-2 pending: "])
    })())
})
