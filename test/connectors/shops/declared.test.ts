/**
 * Orders of shops that are declared: part is shipped, then the rest, and part of it comes back. From the shop's own wire to
 * what the service booked, each once.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Adobe from "../../../connectors/adobecommerce/Sample.ts"
import * as BigCommerce from "../../../connectors/bigcommerce/Sample.ts"
import * as Medusa from "../../../connectors/medusa/Sample.ts"
import * as Odoo from "../../../connectors/odoosales/Sample.ts"
import { copy, type Record, type Source } from "../../../connectors/testing/Simulator.ts"
import * as Vendure from "../../../connectors/vendure/Sample.ts"
import type { Subject } from "../../../connectors/testing/Subject.ts"
import { inWorld, requests } from "../../sync/InWorld.ts"
import { attention, booked, checkout } from "../../sync/Shop.ts"
import { orderOf, subjectOf, sync } from "./World.ts"

interface Shop {
  readonly subject: Subject
  /** Its only order from then on, of which nothing was shipped or given back. */
  readonly order: (source: Source) => Record
  readonly carry: (order: Record, payment: string) => void
  readonly ship: (source: Source, order: Record, id: number, quantity: number) => void
  readonly giveBack: (source: Source, order: Record) => void
  readonly booked: ReadonlyArray<readonly [string, number]>
}

/** Later than anything that was read: the order shows among what changed. */
const touch = ({ lists }: Source, order: Record) => lists["orders"]!.stamp!(order, Date.parse("2027-01-01T00:00:00Z"))

const alone = ({ lists }: Source): Record => {
  const [order] = lists["orders"]!.records.splice(0)
  for (const { records } of Object.values(lists)) records.splice(0)
  lists["orders"]!.records.push(order)
  return order
}

const bigcommerce: Shop = {
  subject: BigCommerce.subject,
  order: alone,
  carry: (order, payment) => void (order.payment_provider_id = payment),
  ship: (source, order, id, quantity) => {
    const date_created = "Fri, 30 Jan 2026 17:22:08 +0000"
    const items = [{ order_product_id: 1, product_id: 0, quantity }]
    source.lists["shipments"]!.records.push(...copy([{ id, order_id: 101, date_created, items }]))
    order.items_shipped += quantity
    touch(source, order)
  },
  giveBack: (source) => {
    const items = [{ item_type: "PRODUCT", item_id: 1, quantity: 1, requested_amount: null }]
    const payments = [{ id: 9, amount: 50, is_declined: false }]
    const refund = { id: 9, order_id: 101, created: "2027-01-01T00:00:00+00:00", total_amount: 50, items, payments }
    source.lists["refunds"]!.records.push(...copy([refund]))
  },
  booked: [
    ["capture", 5350],
    ["capture", 5350],
    ["refund", 5000]
  ]
}

const adobecommerce: Shop = {
  subject: Adobe.subject,
  order: alone,
  carry: (order, payment) => void (order.ext_order_id = payment),
  ship: (source, order, id, qty) => {
    const items = [{ order_item_id: 11, qty }]
    const shipment = { entity_id: id, order_id: 1, created_at: "2026-01-30 09:00:00", items }
    source.lists["shipments"]!.records.push(...copy([shipment]))
    touch(source, order)
  },
  giveBack: (source, order) => {
    const items = [{ order_item_id: 11, qty: 1, row_total_incl_tax: 20, discount_amount: 0 }]
    const its = { entity_id: 9, order_id: 1, state: 2, created_at: "2026-02-05 10:00:00", grand_total: 20, items }
    source.lists["creditmemos"]!.records.push(...copy([its]))
    touch(source, order)
  },
  booked: [
    ["capture", 2167],
    ["capture", 4333],
    ["refund", 2000]
  ]
}

/** No parcel and no refund moves the time of its order. */
const happens = (order: Record, type: string, data: object) => {
  const entry = { id: String(700 + order.history.totalItems), type, createdAt: "2027-01-01T00:00:00Z", data }
  order.history.items.push(entry)
  order.history.totalItems++
}

const vendure: Shop = {
  subject: Vendure.subject,
  order: alone,
  carry: (order, payment) => void (order.payments[0].transactionId = payment),
  ship: (_, order, id, quantity) => {
    const lines = [{ orderLineId: "11", quantity }]
    const at = "2027-01-01T00:00:00Z"
    const parcel = { id: String(id), state: "Shipped", method: "DHL", trackingCode: "", lines }
    order.fulfillments.push({ ...parcel, createdAt: at, updatedAt: at })
    happens(order, "ORDER_FULFILLMENT_TRANSITION", { fulfillmentId: String(id), from: "Pending", to: "Shipped" })
  },
  giveBack: (_, order) => {
    happens(order, "ORDER_CANCELLATION", { lines: [{ orderLineId: "11", quantity: 1 }] })
    Object.assign(order.lines[0], { quantity: 2, proratedLinePriceWithTax: 4000 })
    order.totalWithTax = 4600
    const at = "2027-01-02T00:00:00Z"
    order.payments[0].refunds.push(...copy([{ id: "9", createdAt: at, updatedAt: at, state: "Settled", total: 2000 }]))
  },
  booked: [
    ["capture", 2200],
    ["capture", 4400],
    ["refund", 2000]
  ]
}

const medusa: Shop = {
  subject: Medusa.subject,
  order: alone,
  carry: (order, payment) => void (order.metadata.payment = payment),
  ship: (source, order, id, quantity) => {
    const at = "2026-01-30T09:00:00Z"
    const items = [{ line_item_id: "ordli_a", quantity }]
    order.fulfillments.push(...copy([{ id: `ful_${id}`, updated_at: at, shipped_at: at, items, labels: [] }]))
    order.version += 2
    touch(source, order)
  },
  /** A refund for what came back before moves no order. */
  giveBack: (_, order) => {
    const at = "2027-01-02T00:00:00Z"
    order.payment_collections[0].payments[0].refunds.push(...copy([{ id: "ref_9", amount: 24, created_at: at }]))
  },
  booked: [
    ["capture", 2640],
    ["capture", 5280],
    ["refund", 2400]
  ]
}

const odoo: Shop = {
  subject: Odoo.subject,
  order: (source) => {
    const order = alone(source)
    Object.assign(order, { delivery_status: "pending", picking_ids: [], order_line: order.order_line.slice(0, 1) })
    return Object.assign(order, { amount_total: 72 })
  },
  carry: (order, payment) => void (order.client_order_ref = payment),
  ship: (source, order, id, quantity) => {
    order.picking_ids.push(...copy([Odoo.transfer(id, "2026-01-30", [Odoo.move(1, quantity)])]))
    touch(source, order)
  },
  giveBack: (source, order) => {
    order.picking_ids.push(...copy([Odoo.transfer(9, "2026-02-05", [Odoo.back(1, 1)])]))
    touch(source, order)
  },
  booked: [
    ["capture", 2400],
    ["capture", 4800],
    ["refund", 2400]
  ]
}

const story = (shop: Shop) =>
  inWorld({}, async (world) => {
    const source = shop.subject.open().source!
    const order = shop.order(source)
    const subject = subjectOf(shop.subject, source)
    const id = await checkout(world, await orderOf(subject))
    shop.carry(order, id)
    shop.ship(source, order, 1, 1)
    await sync(world, subject)
    assert.deepStrictEqual(booked(world, id), shop.booked.slice(0, 1))
    shop.ship(source, order, 2, shop === bigcommerce ? 1 : 2)
    await sync(world, subject)
    assert.deepStrictEqual(booked(world, id), shop.booked.slice(0, 2))
    shop.giveBack(source, order)
    await sync(world, subject)
    assert.deepStrictEqual(booked(world, id), shop.booked)
    const changes = () => requests(world).filter((one) => !one.startsWith("GET "))
    const before = changes()
    await sync(world, subject, { sweeping: true })
    assert.deepStrictEqual(changes(), before)
    assert.deepStrictEqual(attention(world), [])
  })

describe("an order that is shipped in two parts and given back in part is told once each", () => {
  it("of BigCommerce", story(bigcommerce))
  it("of Adobe Commerce", story(adobecommerce))
  it("of Vendure", story(vendure))
  it("of Medusa", story(medusa))
  it("of Odoo", story(odoo))
})
