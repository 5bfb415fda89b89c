/** A story's order in the records in which WooCommerce, Medusa, Vendure and Odoo would have it. */
import * as Medusa from "../../../connectors/medusa/Mapping.ts"
import * as Odoo from "../../../connectors/odoosales/Mapping.ts"
import * as OdooSample from "../../../connectors/odoosales/Sample.ts"
import * as Vendure from "../../../connectors/vendure/Mapping.ts"
import * as Woo from "../../../connectors/woocommerce/Mapping.ts"
import * as WooSample from "../../../connectors/woocommerce/Sample.ts"
import { booksOf, type Books, CARRIED, day, fields, major, type Story, told } from "./Stories.ts"

/** It does not state by which method a refund went back; a gift card is a part of the total; an edit takes lines away. */
export const woocommerce = (story: Story): Books => {
  const { card = 0, currency = "EUR", delivery = 0, end, events } = story
  const { lines } = told(story)
  const swapped = lines.length > 1
  const here = lines.filter(({ off, ordered }) => !swapped || off < ordered)
  const total = here.reduce((sum, { price }) => sum + price, delivery) - card
  const status = end === "complete" ? "completed" : (end ?? "processing")
  const unshipped = events.findIndex(({ what }) => what === "unship")
  const parcels = events.flatMap(({ line = 1, units = 0, what }, n) =>
    what === "ship" && n > unshipped
      ? [
          {
            tracking_id: `${n}`,
            date_shipped: `${Date.parse(`${day(n)}T10:00:00Z`) / 1000}`,
            products_list: [{ item_id: `${line}`, qty: `${units}` }]
          }
        ]
      : []
  )
  const isDone = end === "complete" || (end === "refunded" && parcels.length > 0)
  return booksOf(
    Woo.order({
      ...{ carried: "deferred_payment", shipped: ["completed"], statuses: {}, company: undefined },
      ...{ methods: undefined, parcels: "_wc_shipment_tracking_items" }
    })(
      fields({
        ...WooSample.order(1, status, currency, major(total), {
          date_created_gmt: "2026-03-01T10:00:00",
          date_completed_gmt: isDone ? "2026-03-25T10:00:00" : null
        }),
        date_paid_gmt: "2026-03-01T10:00:00",
        meta_data: [
          { id: 1, key: "deferred_payment", value: story.carried ?? CARRIED },
          { id: 2, key: "_wc_shipment_tracking_items", value: parcels }
        ],
        line_items: here.map(({ id, ordered, price }) => WooSample.line(id, "Tea", ordered, major(price))),
        shipping_lines: delivery === 0 ? [] : [WooSample.shipping(9, major(delivery))],
        fee_lines: card === 0 ? [] : [WooSample.fee(8, "Gift card", major(-card))],
        returns: events.flatMap(({ own = 0, units = 0, what }, n) =>
          ["off", "back", "money"].includes(what) && !(swapped && what === "off")
            ? [WooSample.refund(n, `${day(n)}T10:00:00`, major(own), units === 0 ? {} : { 1: [units, major(own)] })]
            : []
        )
      })
    )
  )
}

const MEDUSA = { complete: "completed", refunded: "completed", cancelled: "canceled" }

/** An edit lowers a line; what came back stays on it. What goes to store credit is a credit line. */
export const medusa = (story: Story): Books => {
  const { card = 0, delivery = 0, end, events } = story
  const { deferred, lines, now, others, own, worth } = told(story)
  // A credit that is given makes the order dearer by that.
  const credit = card > 0 ? 0 : others
  const total = (now + credit) / 100
  const of = (provider_id: string, received: number, given: number) => ({
    provider_id,
    data: {},
    captures: received === 0 ? [] : [{ amount: received / 100 }],
    refunds: given === 0 ? [] : [{ amount: given / 100 }]
  })
  return booksOf(
    Medusa.order({ carried: "metadata.payment", methods: undefined })(
      fields({
        id: "order_1",
        display_id: 1,
        status: end === undefined ? "pending" : MEDUSA[end],
        is_draft_order: false,
        currency_code: "eur",
        created_at: "2026-03-01T10:00:00.000Z",
        total,
        summary: { current_order_total: total },
        metadata: { payment: story.carried ?? CARRIED },
        items: lines.map((line) => ({
          id: `${line.id}`,
          title: "Tea",
          quantity: line.ordered - line.off,
          total: worth(line, line.ordered - line.off - line.back) / 100,
          return_received_total: worth(line, line.back) / 100,
          return_dismissed_total: 0,
          detail: { shipped_quantity: line.left, return_received_quantity: line.back }
        })),
        shipping_methods: delivery === 0 ? [] : [{ id: "9", name: "Parcel", total: delivery / 100, detail: {} }],
        credit_lines: credit === 0 ? [] : [{ amount: -credit / 100 }],
        fulfillments: events.flatMap(({ line = 1, units: quantity, what }, n) =>
          what === "ship"
            ? [
                {
                  id: `${n}`,
                  shipped_at: `${day(n)}T10:00:00.000Z`,
                  canceled_at: events.slice(n).some((one) => one.what === "unship") ? `${day(n)}T12:00:00.000Z` : null,
                  items: [{ line_item_id: `${line}`, quantity }],
                  labels: []
                }
              ]
            : []
        ),
        payment_collections: [
          {
            payments: [of("pp_deferred", deferred, own), ...(card === 0 ? [] : [of("pp_giftcard", card, others)])]
          }
        ]
      })
    )
  )
}

const VENDURE = { complete: "Delivered", refunded: "Delivered", cancelled: "Cancelled" }

/** What was cancelled, before it left or after, is in its history, and its line is lower by that. */
export const vendure = (story: Story): Books => {
  const { card = 0, delivery = 0, end, events } = story
  const { deferred, lines, now, others, own, worth } = told(story)
  const refund = (id: string, total: number, destination: string | null = null) =>
    total === 0 ? [] : [{ id: `r${id}`, createdAt: "2026-03-20T10:00:00Z", state: "Settled", total, destination }]
  const pays = (id: string, method: string, amount: number, given: number, credit = 0) => ({
    ...{ id, method, amount, state: "Settled", transactionId: id === "1" ? (story.carried ?? CARRIED) : "gc-1" },
    refunds: [...refund(id, given), ...refund(`c${id}`, credit, "store-credit")]
  })
  const items = events.flatMap(({ line = 1, units: quantity = 0, what }, n): ReadonlyArray<object> => {
    const entry = { id: `${n}`, createdAt: `${day(n)}T10:00:00Z` }
    if (what === "ship")
      return [{ ...entry, type: "ORDER_FULFILLMENT_TRANSITION", data: { fulfillmentId: `${n}`, to: "Shipped" } }]
    if (what !== "back" && (what !== "off" || lines.length > 1)) return []
    return [{ ...entry, type: "ORDER_CANCELLATION", data: { lines: [{ orderLineId: `${line}`, quantity }] } }]
  })
  return booksOf(
    Vendure.order({ deferred_payment: "transactionId" })(
      fields({
        id: "1",
        code: "V1",
        type: "Regular",
        state: end === undefined ? "PaymentSettled" : VENDURE[end],
        currencyCode: "EUR",
        orderPlacedAt: "2026-03-01T10:00:00Z",
        totalWithTax: now,
        billingAddress: {},
        shippingAddress: {},
        lines: lines.map((line) => {
          const quantity = line.ordered - line.off - line.back
          return {
            id: `${line.id}`,
            quantity,
            proratedLinePriceWithTax: worth(line, quantity),
            proratedUnitPriceWithTax: Math.round(line.price / line.ordered),
            productVariant: { name: "Tea", sku: "T" }
          }
        }),
        surcharges: [],
        shippingLines:
          delivery === 0
            ? []
            : [{ id: "9", discountedPriceWithTax: delivery, discounts: [], shippingMethod: { name: "Parcel" } }],
        fulfillments: events.flatMap(({ line = 1, units: quantity, what }, n) =>
          what === "ship"
            ? [
                {
                  id: `${n}`,
                  createdAt: `${day(n)}T09:00:00Z`,
                  state: events.slice(n).some((one) => one.what === "unship") ? "Cancelled" : "Shipped",
                  method: "DHL",
                  trackingCode: "",
                  lines: [{ orderLineId: `${line}`, quantity }]
                }
              ]
            : []
        ),
        payments: [
          pays("1", "deferred", deferred, own, card === 0 ? others : 0),
          ...(card === 0 ? [] : [pays("2", "gift-card", card, others)])
        ],
        history: { totalItems: items.length, items }
      })
    )
  )
}

/** It has no payments. A return is money given back if it says so; goods that are taken off lower their line. */
export const odoo = (story: Story): Books => {
  const { delivery = 0, end, events } = story
  const { kept, lines, worth } = told(story)
  const ordered = lines.flatMap((line) => {
    const units = line.ordered - line.off
    return units === 0 ? [] : [OdooSample.line(line.id, units, worth(line, units) / 100)]
  })
  const unshipped = events.findIndex(({ what }) => what === "unship")
  const transfers = events.flatMap(({ line = 1, own = 0, units = 0, what }, n) => {
    if (what === "ship") {
      const cancelled = n < unshipped ? { state: "cancel" } : {}
      return [OdooSample.transfer(n, day(n), [OdooSample.move(line, units, cancelled)], cancelled)]
    }
    return what === "back"
      ? [OdooSample.transfer(n, day(n), [OdooSample.back(line, units, { to_refund: own > 0 })])]
      : []
  })
  // What came back and is not given back is sent again.
  const again = events.reduce((sum, { own, units = 0, what }) => sum + (what === "back" && !own ? units : 0), 0)
  const waits = lines.flatMap(({ id, left, off, ordered: all }) => {
    const units = all - off - left + (id === 1 ? again : 0)
    const waiting = { state: "assigned", quantity: 0, product_uom_qty: units }
    return end !== undefined || units <= 0 ? [] : [OdooSample.move(id, units, waiting)]
  })
  return booksOf(
    Odoo.order("client_order_ref")(
      fields({
        ...OdooSample.order(1, ordered, {
          state: end === "cancelled" ? "cancel" : "sale",
          delivery_status: end === "complete" || end === "refunded" ? "full" : "partial",
          client_order_ref: story.carried ?? CARRIED,
          picking_ids: [...transfers, OdooSample.transfer(99, day(1), waits, { state: "assigned", date_done: false })]
        }),
        amount_total: kept / 100,
        order_line:
          delivery === 0
            ? ordered
            : [
                ...ordered,
                OdooSample.line(9, 1, delivery / 100, {
                  product_type: "service",
                  product_id: { id: 7, default_code: false }
                })
              ]
      })
    )
  )
}
