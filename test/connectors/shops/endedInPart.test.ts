/** An order of which a part left: the rest is given back, and then the order is cancelled. What the shop keeps stays captured. */
import { assert, describe, it } from "@effect/vitest"
import { standingOf } from "../../../sync/rules/OrderStanding.ts"
import { plain } from "../../orders/laws/Numbers.ts"
import { outcome } from "../../orders/laws/Play.ts"
import { SHOPS } from "./SevenShops.ts"
import type { Event, Story } from "./Stories.ts"

const ship = (units: number): Event => ({ what: "ship", units })
const off = (units: number, own: number): Event => ({ what: "off", units, own })

/** What is captured, given back and voided of four at 25.00, as the shop tells of them day by day. */
const sums = (shop: keyof typeof SHOPS, days: ReadonlyArray<Partial<Story>>) => {
  const standings = days.map((day) => {
    const { facts, order } = SHOPS[shop]({ price: 10_000, units: 4, events: [], ...day })
    return plain(standingOf(order, facts, {}))
  })
  const { captured, refunded, voided } = outcome(100, standings)
  return [captured, refunded, voided]
}

describe("a fee that a shop keeps, and that its own total does not have", () => {
  for (const shop of ["Shopify", "Vendure", "Medusa"] as const)
    it(`is charged where a person says so: ${shop}`, () => {
      const { facts, order } = SHOPS[shop]({
        price: 10_000,
        units: 4,
        events: [ship(1), off(3, 6500)],
        end: "complete"
      })
      const its = plain(standingOf(order, facts, {}))
      const answered = (answer: string) => {
        const { asks, captured, open, voided } = outcome(100, [its, its], { answers: { unsettled: answer } })
        return [asks, captured, voided, open]
      }
      assert.deepStrictEqual(answered("charge it"), [[], 35, 65, 0])
      assert.deepStrictEqual(answered("void it"), [[], 25, 75, 0])
      assert.deepStrictEqual(answered("keep it"), [[], 25, 65, 10])
    })
})

describe("an order that is cancelled after a part of it left and the rest was given back", () => {
  for (const shop of ["WooCommerce", "BigCommerce", "Adobe Commerce", "Vendure", "Medusa"] as const)
    it(`keeps what the shop keeps: ${shop}`, () => {
      for (const [left, kept] of [
        [1, 25],
        [2, 50]
      ] as const) {
        const rest = off(4 - left, (4 - left) * 2500)
        const ended: Partial<Story> = { events: [ship(left), rest], end: "cancelled" }
        const open: Partial<Story> = { events: [ship(left)] }
        for (const days of [[ended], [open, ended], [{ ...ended, events: [rest, ship(left)] }]])
          assert.deepStrictEqual(sums(shop, days), [kept, 0, 100 - kept])
      }
    })
})
