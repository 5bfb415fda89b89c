/**
 * Orders that somebody lowers after they were paid, and of which goods are given back before the first shipment: nobody is asked on
 * any of the days, and the statement and the witness agree at the end.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as OrderStatement from "../../../sync/reconciliation/OrderStatement.ts"
import { judgeEnded } from "../../../sync/witness/Orders.ts"
import { Database } from "../../../sync/state/Database.ts"
import { SHOPS } from "../../connectors/shops/SevenShops.ts"
import type { Event, Story } from "../../connectors/shops/Stories.ts"
import { inWorld, report } from "../InWorld.ts"
import { attention, checkout, payment } from "../Shop.ts"

type ShopName = keyof typeof SHOPS

const TEA: Story = { price: 10_000, units: 4, delivery: 2000, events: [] }
const ALL = Object.keys(SHOPS) as ReadonlyArray<ShopName>
/** Of the others, an edit is a swap of lines, or another order. */
const LOWERED: ReadonlyArray<ShopName> = ["WooCommerce", "BigCommerce", "Odoo"]
const DAY = 24 * 60 * 60 * 1000
const ship = (units: number): Event => ({ what: "ship", units })
const off = (units: number, own: number): Event => ({ what: "off", units, own })
const end = "complete"

interface Days {
  readonly days: ReadonlyArray<Partial<Story>>
  readonly shops: ReadonlyArray<ShopName>
  /** It is not read before the first of these days. */
  readonly isLate?: true
  /** What is charged and given back at the end. */
  readonly right: readonly [captured: number, refunded: number, voided: number]
}

const STORIES: Readonly<Record<string, Days>> = {
  "lowered once all of it was charged": {
    days: [{ events: [ship(4)] }, { price: 9000, events: [ship(4)] }, { price: 9000, events: [ship(4)], end }],
    shops: LOWERED,
    right: [12_000, 1000, 0]
  },
  "lowered after the first parcel": {
    days: [{ events: [ship(1)] }, { price: 9000, events: [ship(1)] }, { price: 9000, events: [ship(4)], end }],
    shops: LOWERED,
    right: [11_000, 0, 1000]
  },
  "lowered before the last parcel by more than that costs": {
    days: [{ events: [ship(3)] }, { price: 6000, events: [ship(3)] }, { price: 6000, events: [ship(3), ship(1)], end }],
    shops: LOWERED,
    right: [9000, 1000, 3000]
  },
  "given back in part before its first parcel": {
    days: [{ events: [off(1, 2500)] }, { events: [off(1, 2500), ship(3)], end }],
    shops: ALL,
    right: [9500, 0, 2500]
  },
  "first read once it was given back in part, before its first parcel": {
    days: [{ events: [off(1, 2500)] }, { events: [off(1, 2500), ship(3)], end }],
    // Odoo states no payments, and an order's lines as they are now: a person is asked what the rest is for.
    shops: ALL.filter((shop) => shop !== "Odoo"),
    isLate: true,
    right: [9500, 0, 2500]
  }
}

for (const [what, { days, isLate = false, right, shops }] of Object.entries(STORIES))
  describe(`an order that is ${what}`, () => {
    for (const shop of shops)
      it(
        `needs nobody: ${shop}`,
        inWorld({}, async (world) => {
          const of = (story: Partial<Story>) => SHOPS[shop]({ ...TEA, ...story })
          const carried = await checkout(world, of({}).order)
          for (const one of isLate ? days : [{}, ...days]) {
            const { facts, order } = of({ ...one, carried })
            world.documents = [order, ...facts]
            report(await world.sync())
            assert.deepStrictEqual(attention(world), [])
          }
          world.clock.set(world.clock.currentTimeMillisUnsafe() + 8 * DAY)
          report(await world.sync())
          assert.deepStrictEqual(attention(world), [])
          const { captured, open, refunded, voided } = payment(world, carried)
          assert.deepStrictEqual([captured, refunded, voided, open], [...right, 0])
          const found = await world.life(Effect.map(Database, (db) => OrderStatement.statements(db, ["books"])))
          assert.deepStrictEqual(Exit.isSuccess(found) && found.value.flatMap(({ differences }) => differences), [])
          const sums = {
            captured: BigInt(captured),
            open: BigInt(open),
            refunded: BigInt(refunded),
            voided: BigInt(voided)
          }
          const its = { id: carried, currency: "EUR", ...sums }
          assert.deepStrictEqual(judgeEnded("order", world.documents[0] as never, its), [])
        })
      )
  })
