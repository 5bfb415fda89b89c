/**
 * Ordinary days of real shops, each in the records of each of seven shops: what is charged and left open at its end, without a
 * question. What a shop cannot have is said beside it.
 */
import { assert, describe, it } from "@effect/vitest"
import type { OrderSettings } from "../../../sync/model/Connection.ts"
import { outOfScope } from "../../../sync/rules/OrderScope.ts"
import { standingOf } from "../../../sync/rules/OrderStanding.ts"
import { plain } from "../../orders/laws/Numbers.ts"
import { outcome, type Right } from "../../orders/laws/Play.ts"
import { SHOPS } from "./SevenShops.ts"
import type { Event, Story } from "./Stories.ts"

type ShopName = keyof typeof SHOPS
const ALL = Object.keys(SHOPS) as ReadonlyArray<ShopName>
const TEA: Story = { price: 10_000, units: 4, events: [] }
const ship = (units: number, line = 1): Event => ({ what: "ship", units, line })
const off = (units: number, own = 0, others = 0): Event => ({ what: "off", units, own, others })
const back = (units: number, own = 0, others = 0): Event => ({ what: "back", units, own, others })

interface Days {
  /** The order as it is read, one day after the other. */
  readonly days: ReadonlyArray<Partial<Story>>
  readonly authorised?: number
  readonly right: Right
  /** What a shop cannot have, and why. */
  readonly without?: { readonly [shop in ShopName]?: string }
  readonly others?: { readonly captured: number }
}

const readings = (shop: ShopName, days: Days["days"]) =>
  days.map((one) => {
    const { facts, order } = SHOPS[shop]({ ...TEA, ...one })
    return plain(standingOf(order, facts, {}))
  })

const days: Readonly<Record<string, Days>> = {
  "goods come back and nothing is given back for them (a refund of 0.00)": {
    days: [{ events: [ship(4)] }, { events: [ship(4), back(1)] }],
    right: { captured: 100, refunded: 0, net: 100, open: 0 }
  },
  "goods are swapped for others of the same price": {
    days: [
      { units: 1 },
      { units: 1, events: [off(1), { what: "add", price: 10_000 }] },
      { units: 1, events: [off(1), { what: "add", price: 10_000 }, ship(1, 2)] }
    ],
    right: { captured: 100, voided: 0, net: 100, open: 0 },
    without: { "Adobe Commerce": "an edited order is cancelled, and another one is made" }
  },
  "money goes back as store credit": {
    days: [{ events: [ship(4)] }, { events: [ship(4), back(1, 0, 2500)] }],
    right: { captured: 100, refunded: 0, net: 100, open: 0 },
    without: { WooCommerce: "it does not state a method", Odoo: "it has no payments" }
  },
  "a gift card paid a part, and all of it comes back": {
    days: [
      { card: 3000, events: [ship(1)] },
      { card: 3000, events: [ship(4)] },
      { card: 3000, events: [ship(4), back(4, 7000, 3000)] }
    ],
    authorised: 70,
    right: { captured: 70, refunded: 70, net: 0, open: 0 },
    without: { Odoo: "it has no payments" }
  },
  "a unit is given back before it leaves, and the delivery is kept": {
    days: [
      { delivery: 2000 },
      { delivery: 2000, events: [off(1, 2500)] },
      { delivery: 2000, events: [off(1, 2500), ship(3)], end: "complete" }
    ],
    authorised: 120,
    right: { voided: 25, refunded: 0, net: 95, open: 0 }
  },
  "one is given back before it leaves and one after, in a refund for both": {
    days: [
      { events: [ship(2)] },
      { events: [ship(2), { what: "back", units: 1, own: 2500 }, off(1, 2500)] },
      { events: [ship(2), { what: "back", units: 1, own: 2500 }, off(1, 2500), ship(1)], end: "complete" }
    ],
    right: { net: 50, open: 0 }
  },
  "its status says that all left, and then that some was given back": {
    days: [
      { events: [ship(4)], end: "complete" },
      { events: [ship(4), back(4, 10_000)], end: "refunded" }
    ],
    right: { captured: 100, refunded: 100, net: 0, open: 0 }
  },
  "what was cancelled does not leave with the rest": {
    days: [
      { events: [ship(1)] },
      { events: [ship(1), off(2, 5000)] },
      { events: [ship(1), off(2, 5000), ship(1)], end: "complete" }
    ],
    right: { captured: 50, voided: 50, net: 50, open: 0 }
  },
  "a cent less is authorised": {
    days: [
      { units: 3, events: [ship(1)] },
      { units: 3, events: [ship(1), ship(2)], end: "complete" }
    ],
    authorised: 99.99,
    right: { captured: 99.99, net: 99.99, open: 0 }
  },
  "a cent more is authorised": {
    days: [
      { units: 3, events: [ship(1)] },
      { units: 3, events: [ship(1), ship(2)], end: "complete" }
    ],
    authorised: 100.01,
    right: { captured: 100, voided: 0.01, net: 100, open: 0 }
  },
  "the shop's plugin captured what left": {
    days: [{ events: [ship(2)] }],
    others: { captured: 5000 },
    right: { captured: 50, net: 50, open: 50 }
  },
  "a parcel is cancelled and made anew": {
    days: [
      { events: [ship(4)] },
      { events: [ship(4), { what: "unship", units: 4 }] },
      { events: [ship(4), { what: "unship", units: 4 }, ship(4)] }
    ],
    right: { captured: 100, refunded: 0, net: 100, open: 0 }
  },
  "the delivery is given back once all has left": {
    days: [
      { delivery: 2000, events: [ship(4)] },
      { delivery: 2000, events: [ship(4), { what: "money", own: 2000 }], end: "complete" }
    ],
    authorised: 120,
    right: { captured: 120, refunded: 20, net: 100, open: 0 },
    without: { Odoo: "it does not state it" }
  },
  "goods come back after its end, in two refunds": {
    days: [
      { delivery: 2000, events: [ship(4)], end: "complete" },
      { delivery: 2000, events: [ship(4), back(1, 2500)], end: "complete" },
      { delivery: 2000, events: [ship(4), back(1, 2500), back(1, 2500)], end: "complete" }
    ],
    authorised: 120,
    right: { captured: 120, refunded: 50, net: 70, open: 0 }
  },
  "goods come back for dearer ones, and the rest is paid by card": {
    days: [
      { units: 2, events: [ship(2)] },
      { units: 2, card: 2500, events: [ship(2), back(1), { what: "add", price: 7500 }, ship(1, 2)], end: "complete" }
    ],
    right: { captured: 100, refunded: 0, net: 100, open: 0 },
    without: Object.fromEntries(
      ["Adobe Commerce", "WooCommerce", "BigCommerce", "Odoo"].map((name) => [name, "it is another order there"])
    )
  },
  "money goes back for no goods, and the rest is cancelled": {
    days: [
      { events: [ship(2)] },
      { events: [ship(2), { what: "money", own: 1000 }] },
      { events: [ship(2), { what: "money", own: 1000 }], end: "cancelled" }
    ],
    right: { net: 40, open: 0 },
    without: { Shopify: "it cancels goods, not what is left of an order", Odoo: "it does not state it" }
  },
  "all is given back before it leaves but a fee, and the order is cancelled": {
    days: [{ delivery: 2000 }, { delivery: 2000, events: [off(4, 10_000)], end: "cancelled" }],
    authorised: 120,
    right: { captured: 20, voided: 100, refunded: 0, net: 20, open: 0 },
    without: { Odoo: "it has no payments: nothing is left of a cancelled order" }
  },
  "all goes back as store credit before it leaves, and the order is cancelled": {
    days: [{ delivery: 2000 }, { delivery: 2000, events: [off(4, 0, 10_000)], end: "cancelled" }],
    authorised: 120,
    right: { captured: 120, voided: 0, refunded: 0, net: 120, open: 0 },
    without: {
      WooCommerce: "it does not state a method",
      Medusa: "to cancel an order refunds what it was paid with",
      Odoo: "it has no payments"
    }
  },
  "all is given back before it leaves but a fee, and the order is complete": {
    days: [{ delivery: 2000 }, { delivery: 2000, events: [off(4, 10_000)], end: "complete" }],
    authorised: 120,
    right: { captured: 20, voided: 100, refunded: 0, net: 20, open: 0 },
    without: { Odoo: "it has no payments: an order without goods has nothing to deliver" }
  },
  "it is cancelled by its status alone, after some was given back and before anything left": {
    days: [
      { delivery: 2000, events: [off(1, 2500)] },
      { delivery: 2000, events: [off(1, 2500)], end: "cancelled" }
    ],
    authorised: 120,
    right: { captured: 0, voided: 120, refunded: 0, net: 0, open: 0 },
    without: { Shopify: "it cancels goods" }
  },
  "it is first read once some was given back, before anything left": {
    days: [{ events: [off(1, 2500)] }, { events: [off(1, 2500), ship(3)], end: "complete" }],
    right: { captured: 75, voided: 25, refunded: 0, net: 75, open: 0 }
  },
  "one comes back and is sent again, and nothing is given back": {
    days: [
      { events: [ship(2)] },
      { events: [ship(2), back(1)] },
      { events: [ship(2), back(1), ship(1)] },
      { events: [ship(2), back(1), ship(1), ship(2)], end: "complete" }
    ],
    right: { captured: 100, refunded: 0, net: 100, open: 0 },
    without: {
      Shopify: "what is exchanged is a line of its own",
      Medusa: "what is exchanged is a line of its own",
      Vendure: "what is exchanged is a line of its own",
      "Adobe Commerce": "no more is shipped than was ordered",
      BigCommerce: "no more is shipped than was ordered"
    }
  }
}

for (const [what, { authorised = 100, days: story, others, right, without = {} }] of Object.entries(days))
  describe(`in each shop, ${what}`, () => {
    for (const shop of ALL)
      if (without[shop] === undefined)
        it(shop, () => {
          const found = outcome(authorised, readings(shop, story), others === undefined ? {} : { others })
          const names = Object.keys(right) as ReadonlyArray<keyof Right>
          assert.deepStrictEqual(Object.fromEntries(names.map((name) => [name, found[name]])), right as never)
          assert.deepStrictEqual([found.asks, found.held], [[], false])
        })
  })

describe("in each shop, an order that carries another's identifier", () => {
  const planning = { orders: {} as OrderSettings } as never
  for (const shop of ALL)
    it(shop, () => {
      const { order } = SHOPS[shop]({ ...TEA, carried: "ch_3Nabc" })
      assert.match(outOfScope(order, planning) ?? "", /which is not an identifier of the service/)
      assert.isUndefined(outOfScope(SHOPS[shop](TEA).order, planning))
    })
})
