/** A wrong answer whether two payments are the same money can be corrected, also after it was sent, by every way to the decision. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Items from "../../../sync/decisions/Items.ts"
import * as Movements from "../../../sync/decisions/Movements.ts"
import * as Choices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { BAKERY, received } from "../Paying.ts"
import type { World } from "../World.ts"

const ENTRY = "books/payment/P1"
const LINE = "debits/payment/D1"

/** Books and another list state 120.00 of an invoice over 240.00, too far apart to be sure that it is one payment. */
const unsure = async (world: World): Promise<void> => {
  world.documents = [
    invoice({ id: "I2", number: "INV-2", gross: "240.00" }),
    payment("P1", { I2: "120.00" }, "2026-02-07")
  ]
  world.payments = [received("D1", { ...BAKERY, amount: "120.00", reference: "INV-2", date: "2026-01-20" })]
  await settled(world)
}

const settled = async (world: World): Promise<void> => {
  await world.sync()
  await world.sync()
  assert.deepStrictEqual(await violations(world), [])
}

const decide = async <A>(world: World, work: Effect.Effect<A, unknown, Database>): Promise<A> => {
  const ended = await world.life(work)
  if (ended._tag === "Failure") throw new Error(String(ended.cause))
  return ended.value
}

const answer = (world: World, same: string | undefined) =>
  decide(
    world,
    Effect.gen(function* () {
      const db = yield* Database
      yield* db.transaction(() => Movements.answer(db, { payment: LINE, like: [ENTRY] }, { same }, 0))
      yield* Matching.run
    })
  )

const counted = (world: World) =>
  decide(
    world,
    Effect.gen(function* () {
      const db = yield* Database
      return yield* db.read(() => {
        const { payments } = invoiceFacts(db, "books/invoice/I2")
        return {
          received: Decimal.format(Decimal.sum(payments.map(({ amount }) => amount)), 2),
          waiting: db.prepare("SELECT rule FROM matching WHERE why IS NOT NULL").pluck().all().length,
          choices: Movements.choices(db, "debits").map(({ apart, payment, same }) => ({ payment, same, apart }))
        }
      })
    })
  )

const choose = (world: World, invoice: string) =>
  decide(
    world,
    Effect.gen(function* () {
      const db = yield* Database
      yield* db.transaction(() => Choices.choose(db, LINE, [{ invoice }], 0))
      yield* Matching.run
    })
  )

const takeBack = (world: World, payment: string, same = false) =>
  decide(world, Items.unassign({ connections: [] }, payment, { same, sure: true }))

describe("an answer whether two payments are the same money", () => {
  it("that they are is taken back: it is asked again", () =>
    inWorld({ pays: true }, async (world) => {
      await unsure(world)
      await answer(world, ENTRY)
      await settled(world)
      const choices = [{ payment: LINE, same: [ENTRY], apart: undefined }]
      assert.deepStrictEqual(await counted(world), { received: "120.00", waiting: 0, choices })
      assert.deepStrictEqual(await takeBack(world, LINE), { shares: [], compared: [ENTRY] })
      await settled(world)
      assert.deepStrictEqual(await counted(world), { received: "120.00", waiting: 1, choices: [] })
      await answer(world, undefined)
      await settled(world)
      assert.strictEqual((await counted(world)).received, "240.00")
    })())

  for (const payment of [LINE, ENTRY])
    it(`that they are not, after both were reported, is corrected by ${payment}: one is taken back`, () =>
      inWorld({ pays: true }, async (world) => {
        await unsure(world)
        await answer(world, undefined)
        await settled(world)
        assert.strictEqual((await counted(world)).received, "240.00")
        const refused = await takeBack(world, payment)
        assert.match(JSON.stringify(refused), /are both reported; say that they are the same money/)
        assert.isDefined(await takeBack(world, payment, true))
        await settled(world)
        const choices = [{ payment: LINE, same: [ENTRY], apart: undefined }]
        assert.deepStrictEqual(await counted(world), { received: "120.00", waiting: 0, choices })
        assert.isUndefined(await takeBack(world, "debits/payment/D9"))
      })())

  it("that it is none of two is corrected by naming the one that it is", () =>
    inWorld({ pays: true }, async (world) => {
      await unsure(world)
      await decide(
        world,
        Effect.gen(function* () {
          const db = yield* Database
          yield* db.transaction(() =>
            Movements.answer(db, { payment: LINE, like: [ENTRY, "books/payment/P2"] }, { same: undefined }, 0)
          )
        })
      )
      assert.match(
        JSON.stringify(await takeBack(world, LINE, true)),
        /other money than .*P1 and .*P2; say it of the one/
      )
      assert.deepStrictEqual(await takeBack(world, ENTRY, true), { shares: [], compared: [LINE] })
      const [{ apart, same } = { apart: [], same: [] }] = (await counted(world)).choices
      assert.deepStrictEqual([same, apart], [[ENTRY], ["books/payment/P2"]])
      // Said once more, it changes nothing.
      assert.isUndefined(await takeBack(world, ENTRY, true))
    })())

  it("does not stand in the way of taking back for which invoice a payment is", () =>
    inWorld({ pays: true }, async (world) => {
      await unsure(world)
      await answer(world, undefined)
      await settled(world)
      await choose(world, "INV-2")
      const [chosen] = (await counted(world)).choices
      assert.deepStrictEqual(chosen, { payment: LINE, same: undefined, apart: [ENTRY] })
      const back = await takeBack(world, LINE)
      assert.deepStrictEqual(back, { shares: [{ invoice: "books/invoice/I2", amount: "120.00" }], compared: [] })
      assert.match(JSON.stringify(await takeBack(world, LINE)), /are both reported/)
    })())
})
