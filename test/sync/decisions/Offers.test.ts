/** Several offers decided about at once: each exactly as it was shown, all of them or none, and never beyond a limit together. */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Offers from "../../../sync/decisions/Offers.ts"
import { covering, due, look, offer, policies, TIGHT } from "../Covered.ts"
import { inWorld, report } from "../InWorld.ts"
import type { World } from "../World.ts"

/** Offers of 22.40 each, two if nothing else is said, that wait for a person, and what is decided about those named. */
const desk = async (world: World, ids: ReadonlyArray<string> = ["1", "2"]) => {
  world.documents = ids.map((id) => due(id))
  report(await world.sync())
  const shown = await offer(world)
  assert.deepStrictEqual(
    shown.map(({ price, standing, subject }) => [subject, price.total, standing]),
    ids.map((id) => [`books/invoice/${id}`, "22.40", "asks"])
  )
  const { connection } = world
  const named = shown.map(({ digest, subject }) => ({ connection, digest, subject }))
  const decide = (which: ReadonlyArray<Offers.NamedOffer>, said: Partial<Parameters<typeof Offers.decide>[2]> = {}) =>
    look(world, (db, now) => Offers.decide(db, which, { decision: "buy", who: "jo", ...said }, now))
  const decided = () => look(world, (db) => db.prepare("SELECT subject, decision FROM cover_decision").raw().all())
  return { decide, decided, named }
}

const month = (per_month: string) => ({ price: { ...TIGHT.price, per_month } })

describe("offers of cover", () => {
  it(
    "are bought together at the prices that were shown, or none of them is",
    inWorld({ planning: covering(month("100.00")) }, async (world) => {
      const { decide, decided, named } = await desk(world)
      const [first, second] = named as [Offers.NamedOffer, Offers.NamedOffer]
      for (const wrong of [
        [first, { ...second, digest: first.digest }],
        [first, { ...second, subject: "books/invoice/9" }]
      ])
        assert.lengthOf(await decide(wrong), 1)
      assert.lengthOf(
        await decide([
          { ...first, digest: "x" },
          { ...second, digest: "x" }
        ]),
        2
      )
      assert.deepStrictEqual(await decide(named, { who: "" }), ["say who decides"])
      assert.deepStrictEqual(await decided(), [])
      assert.deepStrictEqual(await decide(named), [])
      report(await world.sync())
      assert.lengthOf(policies(world), 2)
    })
  )

  it(
    "are not bought together where they cost more than a person may approve, or more than is left of the month",
    inWorld({ planning: covering(month("30.00")) }, async (world) => {
      const { decide, decided, named } = await desk(world)
      assert.deepStrictEqual(await decide(named), [
        "together they cost 44.80 GBP, which is 14.80 GBP more than is left of this month's limit of books: choose fewer"
      ])
      assert.deepStrictEqual(await decided(), [])
      assert.deepStrictEqual(await decide(named, { decision: "reject" }), [])
      assert.deepStrictEqual(await decided(), [
        ["books/invoice/1", "reject"],
        ["books/invoice/2", "reject"]
      ])
    })
  )

  it(
    "are not bought together where what was chosen before takes the rest of the month",
    inWorld({ planning: covering(month("70.00")) }, async (world) => {
      const { decide, decided, named } = await desk(world, ["1", "2", "3", "4"])
      assert.deepStrictEqual(await decide(named.slice(0, 2)), [])
      assert.deepStrictEqual(await decide(named.slice(2)), [
        "together they cost 44.80 GBP, which is 19.60 GBP more than is left of this month's limit of books, after 44.80 GBP for offers that are bought first: choose fewer"
      ])
      assert.lengthOf(await decided(), 2)
      // The same two by another person are the same money.
      assert.deepStrictEqual(await decide(named.slice(0, 2), { who: "Ada" }), [])
      report(await world.sync())
      assert.lengthOf(policies(world), 2)
    })
  )

  it(
    "count together against what a person may approve",
    inWorld({ planning: covering(month("100.00")) }, async (world) => {
      const { decide, decided, named } = await desk(world)
      const upTo = (amount: string) => ({ upTo: new Map([["GBP", Decimal.of(amount)]]) })
      assert.deepStrictEqual(await decide(named, upTo("44.79")), [
        "together they cost 44.80 GBP, which is more than you may approve"
      ])
      assert.lengthOf(await decide(named, upTo("22.39")), 3)
      assert.deepStrictEqual(await decided(), [])
      assert.deepStrictEqual(await decide(named, upTo("44.80")), [])
    })
  )
})
