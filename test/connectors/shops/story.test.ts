/**
 * A shop sells with deferred payment, on Shopify and on WooCommerce: goods leave in three parcels, one line is cancelled,
 * one comes back, and the order is closed. From the shop's own wire to what the service booked: each is sent once, to the
 * minor unit.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Record, Source } from "../../../connectors/testing/Simulator.ts"
import * as Shopify from "../../../connectors/shopify/Sample.ts"
import { shopOf } from "../../../connectors/shopify/SampleShop.ts"
import * as Woo from "../../../connectors/woocommerce/Sample.ts"
import { ask, inWorld, open, requests } from "../../sync/InWorld.ts"
import { booked, checkout, payment } from "../../sync/Shop.ts"
import type { World } from "../../sync/World.ts"
import { orderOf, subjectOf, sync } from "./World.ts"

type Goods = Readonly<globalThis.Record<string, number>>

/** What somebody does in the shop, by day of March 2026. */
interface Shop {
  readonly name: string
  readonly make: () => {
    readonly source: Source
    readonly carry: (payment: string) => void
    readonly ship: (id: string, day: number, goods: Goods) => void
    readonly cancel: (id: string, day: number, line: string, amount: string) => void
    readonly giveBack: (id: string, day: number, line: string, amount: string) => void
    /** Money back, and no word about goods. */
    readonly discount: (id: string, day: number, amount: string) => void
    readonly close: (day: number) => void
  }
  readonly subject: Parameters<typeof subjectOf>[0]
}

const at = (day: number) => `2026-03-0${day}T10:00:00`

const CHAIRS = "1"
const LAMPS = "2"
const RUG = "3"

const shopify: Shop = {
  name: "Shopify",
  subject: Shopify.subject,
  make: () => {
    const source = shopOf([
      Shopify.order("1042", "GBP", "100.00", {
        customAttributes: [],
        createdAt: "2026-03-01T10:00:00Z",
        processedAt: null,
        updatedAt: "2026-03-01T10:00:00Z",
        lineItems: [
          Shopify.line(CHAIRS, "Chair", 4, "60.00", "GBP", { unfulfilled: 4 }),
          Shopify.line(LAMPS, "Lamp", 3, "24.00", "GBP", { off: "4.00", unfulfilled: 3 }),
          Shopify.line(RUG, "Rug", 1, "10.00", "GBP", { unfulfilled: 1 })
        ],
        // The app of the deferred payment marks the order as paid.
        transactions: [Shopify.transaction("1", "SALE", "Pay later", "100.00", "GBP")],
        shippingLines: [Shopify.shipping("4", "10.00", "GBP")]
      })
    ])
    const order: Record = source.lists["orders"]!.records[0]
    const touch = (day: number) => (order.updatedAt = `${at(day)}Z`)
    const line = (id: string) => order.lineItems.find((one: Record) => one.id === Shopify.gid("LineItem", id))
    const refund = (id: string, day: number, amount: string) => {
      order.transactions.push(Shopify.transaction(id, "REFUND", "Pay later", amount, "GBP"))
      const total = Number(order.currentTotalPriceSet.presentmentMoney.amount) - Number(amount)
      order.currentTotalPriceSet = Shopify.set(total.toFixed(2), "GBP")
      touch(day)
    }
    return {
      source,
      carry: (value) => order.customAttributes.push({ key: "deferred_payment", value }),
      ship: (id, day, goods) => {
        order.fulfillments.push(Shopify.parcel(id, `${at(day)}Z`, goods))
        for (const [id, quantity] of Object.entries(goods)) line(id).unfulfilledQuantity -= quantity
        touch(day)
      },
      cancel: (id, day, of, amount) => {
        line(of).currentQuantity--
        line(of).unfulfilledQuantity--
        refund(id, day, amount)
      },
      giveBack: (id, day, of, amount) => {
        line(of).currentQuantity--
        refund(id, day, amount)
      },
      discount: refund,
      close: (day) => {
        order.closedAt = `${at(day)}Z`
        touch(day)
      }
    }
  }
}

const woocommerce: Shop = {
  name: "WooCommerce",
  subject: Woo.subject,
  make: () => {
    const source = Woo.shopOf(
      [
        Woo.order(1042, "processing", "GBP", "100.00", {
          date_created_gmt: at(1),
          date_modified_gmt: at(1),
          date_paid_gmt: at(1),
          meta_data: [{ id: 1, key: "_wc_shipment_tracking_items", value: [] }],
          line_items: [
            Woo.line(1, "Chair", 4, "50.00", "10.00"),
            Woo.line(2, "Lamp", 3, "16.67", "3.33"),
            Woo.line(3, "Rug", 1, "8.33", "1.67")
          ],
          shipping_lines: [Woo.shipping(4, "8.33", "1.67")]
        })
      ],
      {}
    )
    const order: Record = source.lists["orders"]!.records[0]
    const touch = (day: number) => (order.date_modified_gmt = at(day))
    // A refund marks its order as changed in new versions only; it must be seen all the same.
    const refund = (id: string, day: number, amount: string, goods: Parameters<typeof Woo.refund>[3]) =>
      source.refunds.push({ ...Woo.refund(Number(id), at(day), amount, goods), parent_id: 1042 })
    return {
      source,
      carry: (value) => order.meta_data.push({ id: 2, key: "deferred_payment", value }),
      ship: (id, day, goods) => {
        const products_list = Object.entries(goods).map(([item_id, qty]) => ({ product: "", item_id, qty: `${qty}` }))
        const seconds = Date.parse(`${at(day)}Z`) / 1000
        order.meta_data[0].value.push({ tracking_id: id, date_shipped: `${seconds}`, products_list })
        touch(day)
      },
      cancel: (id, day, line, amount) => refund(id, day, amount, { [line]: [1, amount] }),
      giveBack: (id, day, line, amount) => refund(id, day, amount, { [line]: [1, amount] }),
      discount: (id, day, amount) => refund(id, day, amount, {}),
      close: (day) => {
        order.status = "completed"
        order.date_completed_gmt = at(day)
        touch(day)
      }
    }
  }
}

const attention = (world: World) =>
  open(world, "SELECT why FROM attention WHERE closed IS NULL ORDER BY id").map(({ why }) => String(why))

/** Requests to the service beyond asking who it is. */
const changes = (world: World) => requests(world).filter((one) => !one.startsWith("GET "))

for (const shop of [shopify, woocommerce]) {
  describe(`an order on ${shop.name}, from checkout to the last return`, () => {
    it(
      "three parcels, a cancellation, a return: each is sent once, to the minor unit",
      inWorld({}, async (world) => {
        const there = shop.make()
        const subject = subjectOf(shop.subject, there.source)
        const id = await checkout(world, await orderOf(subject), "pending_review")
        there.carry(id)
        there.ship("11", 2, { [CHAIRS]: 2, [LAMPS]: 1 })
        await sync(world, subject)
        assert.deepStrictEqual(booked(world, id), [], "nothing is captured before the payment is accepted")
        assert.deepStrictEqual(open(world, "SELECT reason FROM ledger"), [
          { reason: "O5: waiting, the deferred payment is pending_review" }
        ])

        await ask(world, "PUT", `/sandbox/deferred_payments/${id}/status`, { status: "accepted" })
        await sync(world, subject)
        assert.deepStrictEqual(booked(world, id), [["capture", 4074]])

        there.cancel("21", 3, RUG, "10.00")
        there.ship("12", 3, { [CHAIRS]: 2 })
        await sync(world, subject)
        // As much as the shop gave back for the rug, which is not its delivery.
        assert.include(booked(world, id).slice(1).join(" "), "void,1000")

        there.ship("13", 5, { [LAMPS]: 2 })
        await sync(world, subject)
        there.giveBack("22", 6, CHAIRS, "15.00")
        await sync(world, subject)
        assert.deepStrictEqual(booked(world, id).at(-1), ["refund", 1500])

        there.close(7)
        await sync(world, subject)
        const quiet = changes(world).length
        await sync(world, subject, { sweeping: true })
        assert.strictEqual(changes(world).length, quiet, "a further run, with a sweep, changes nothing")
        const { captured, open: left, refunded } = payment(world, id)
        assert.deepStrictEqual([left, captured - refunded], [0, 7500])
        assert.deepStrictEqual(attention(world), [])
      })
    )

    it(
      "read all at once, after the fact, it comes to the same",
      inWorld({}, async (world) => {
        const there = shop.make()
        const subject = subjectOf(shop.subject, there.source)
        const id = await checkout(world, await orderOf(subject))
        there.carry(id)
        there.ship("11", 2, { [CHAIRS]: 2, [LAMPS]: 1 })
        there.cancel("21", 3, RUG, "10.00")
        there.ship("12", 3, { [CHAIRS]: 2 })
        there.ship("13", 5, { [LAMPS]: 2 })
        there.giveBack("22", 6, CHAIRS, "15.00")
        there.close(7)
        await sync(world, subject)
        const { captured, open: left, refunded } = payment(world, id)
        assert.deepStrictEqual([left, captured - refunded], [0, 7500])
        assert.deepStrictEqual(attention(world), [])
      })
    )

    it(
      "money back without goods, read at once, is voided",
      inWorld({}, async (world) => {
        const there = shop.make()
        const subject = subjectOf(shop.subject, there.source)
        const id = await checkout(world, await orderOf(subject))
        there.carry(id)
        there.discount("31", 2, "4.00")
        there.ship("11", 3, { [CHAIRS]: 4, [LAMPS]: 3, [RUG]: 1 })
        there.discount("32", 4, "5.00")
        there.close(5)
        await sync(world, subject)
        assert.deepStrictEqual(booked(world, id), [
          ["capture", 9100],
          ["void", 900]
        ])
        assert.deepStrictEqual(attention(world), [])
      })
    )

    it(
      "an order that is closed early is a question, or is captured as the shop says that it all left",
      inWorld({}, async (world) => {
        const there = shop.make()
        const subject = subjectOf(shop.subject, there.source)
        const id = await checkout(world, await orderOf(subject))
        there.carry(id)
        there.ship("11", 2, { [CHAIRS]: 2, [LAMPS]: 1 })
        there.close(3)
        await sync(world, subject)
        // On Shopify, it was put away with goods that never left; on WooCommerce, completed means that everything has left.
        assert.deepStrictEqual(booked(world, id), [["capture", shop === shopify ? 4074 : 10_000]])
        if (shop === woocommerce) return assert.deepStrictEqual(attention(world), [])
        assert.match(
          attention(world)[0] ?? "",
          /the order is archived, and 5 of its goods neither left nor were cancelled/
        )
      })
    )
  })
}
