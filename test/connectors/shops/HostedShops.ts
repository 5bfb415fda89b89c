/** A story's order in the records in which Shopify, Adobe Commerce and BigCommerce would have it. */
import * as Adobe from "../../../connectors/adobecommerce/Mapping.ts"
import * as BigCommerce from "../../../connectors/bigcommerce/Mapping.ts"
import * as Shopify from "../../../connectors/shopify/Mapping.ts"
import * as ShopifySample from "../../../connectors/shopify/Sample.ts"
import { booksOf, type Books, CARRIED, day, type Event, fields, major, type Story, told } from "./Stories.ts"

export const shopify = (story: Story): Books => {
  const { card = 0, currency = "EUR", delivery = 0, end, events } = story
  const { deferred, lines, loose, now, others, own, placed } = told(story)
  const [set, money] = [(minor: number) => ShopifySample.set(major(minor), currency), major]
  const moved = (id: string, kind: string, by: string, amount: number) =>
    amount === 0 ? [] : [ShopifySample.transaction(id, kind, by, money(amount), currency)]
  const credit = card > 0 ? "gift_card" : "shopify_store_credit"
  const parcels = events.flatMap(({ line = 1, units = 0, what }, n) =>
    what === "ship"
      ? [
          ShopifySample.parcel(
            `${n}`,
            `${day(n)}T10:00:00Z`,
            { [line]: units },
            events.slice(n).some((one) => one.what === "unship") ? "CANCELLED" : "SUCCESS"
          )
        ]
      : []
  )
  return booksOf(
    Shopify.order({
      money: "presentment",
      carried: { attribute: "deferred_payment" },
      company: undefined,
      methods: undefined
    })(
      fields({
        ...ShopifySample.order("1", currency, money(placed), {}),
        customAttributes: [{ key: "deferred_payment", value: story.carried ?? CARRIED }],
        edited: lines.length > 1,
        currentTotalPriceSet: set(now - loose),
        lineItems: lines.map(({ back, id, left, off, ordered, price }) =>
          ShopifySample.line(`${id}`, "Tea", ordered, money(price), currency, {
            current: ordered - off - back,
            unfulfilled: end === undefined ? ordered - left - off : 0
          })
        ),
        shippingLines: delivery === 0 ? [] : [ShopifySample.shipping("9", money(delivery), currency)],
        fulfillments: parcels,
        transactions: [
          ...moved("1", "SALE", "gift_card", card),
          ...moved("2", "SALE", "Pay later", deferred),
          ...moved("3", "REFUND", "Pay later", own),
          ...moved("4", "REFUND", credit, others)
        ],
        cancelledAt: end === "cancelled" ? "2026-04-01T10:00:00Z" : null,
        closedAt: end === undefined ? null : "2026-04-01T10:00:00Z"
      })
    )
  )
}

const STATES = { complete: "complete", refunded: "closed", cancelled: "canceled" }

/** Its grand total is without gift cards, and an order cannot be edited. */
export const adobe = (story: Story): Books => {
  const { card = 0, delivery = 0, end, events, price, units } = story
  const { deferred, lines, others, own } = told(story)
  const [first] = lines
  // What goes back to a gift card is in neither sum.
  const credit = card > 0 ? 0 : others
  const noted = (kinds: ReadonlyArray<Event["what"]>) =>
    events.flatMap(({ own: amount = 0, units: qty = 0, what }, n) =>
      kinds.includes(what)
        ? [
            {
              entity_id: n,
              created_at: `${day(n)} 10:00:00`,
              grand_total: amount / 100,
              tracks: [],
              items: qty === 0 ? [] : [{ order_item_id: 1, qty }]
            }
          ]
        : []
    )
  const unshipped = events.findIndex(({ what }) => what === "unship")
  return booksOf(
    Adobe.order({ carried: "ext_order_id", methods: undefined, money: undefined, capture: "shipment" })(
      fields({
        entity_id: 1,
        increment_id: "1",
        state: end === undefined ? "processing" : STATES[end],
        order_currency_code: "EUR",
        created_at: "2026-03-01 10:00:00",
        ext_order_id: story.carried ?? CARRIED,
        grand_total: deferred / 100,
        shipping_incl_tax: delivery / 100,
        discount_amount: 0,
        total_paid: deferred / 100,
        total_refunded: (own + credit) / 100,
        extension_attributes: { customer_balance_total_refunded: credit / 100, customer_balance_refunded: 0 },
        items: [
          {
            item_id: 1,
            qty_ordered: units,
            row_total_incl_tax: price / 100,
            discount_amount: 0,
            qty_shipped: first?.left
          }
        ],
        shipments: noted(["ship"]).filter(({ entity_id }) => entity_id > unshipped),
        memos: noted(["off", "back", "money"])
      })
    )
  )
}

const NUMBERS = { complete: 10, refunded: 4, cancelled: 5 }

/** Its total never falls, and a refund takes the place of the status; an edit takes lines away. */
export const bigcommerce = (story: Story): Books => {
  const { card = 0, delivery = 0, end, events } = story
  const { lines, placed } = told(story)
  const swapped = lines.length > 1
  const isRefunded = events.some(({ others = 0, own = 0 }) => own + others > 0)
  const products = lines
    .filter(({ off, ordered }) => !swapped || off < ordered)
    .map(({ id, ordered, price }) => ({ id, name: "Tea", quantity: ordered, total_inc_tax: major(price, 4) }))
  const unshipped = events.findIndex(({ what }) => what === "unship")
  return booksOf(
    BigCommerce.order({ carried: "payment_provider_id", methods: undefined })(
      fields({
        id: 1,
        status_id: end === undefined ? (isRefunded ? 14 : 11) : NUMBERS[end],
        date_created: "Sun, 01 Mar 2026 10:00:00 +0000",
        date_modified: "Wed, 01 Apr 2026 10:00:00 +0000",
        date_shipped: "",
        total_inc_tax: major(
          swapped ? products.reduce((sum, one) => sum + Number(one.total_inc_tax) * 100, delivery) : placed,
          4
        ),
        shipping_cost_inc_tax: major(delivery, 4),
        gift_certificate_amount: major(card, 4),
        store_credit_amount: "0.0000",
        default_currency_code: "EUR",
        is_deleted: false,
        payment_provider_id: story.carried ?? CARRIED,
        billing_address: {},
        fees: [],
        consignments: {
          pickups: [],
          downloads: [],
          email: { gift_certificates: [] },
          shipping: [{ id: 1, line_items: products }]
        },
        shipments: events.flatMap(({ line = 1, units: quantity, what }, n) =>
          what === "ship" && n > unshipped
            ? [
                {
                  id: n,
                  date_created: `${new Date(Date.parse(`${day(n)}T10:00:00Z`)).toUTCString().replace("GMT", "+0000")}`,
                  items: [{ order_product_id: line, quantity }]
                }
              ]
            : []
        ),
        refunds: events.flatMap(({ others = 0, own = 0, units: quantity = 0, what }, n) =>
          ["off", "back", "money"].includes(what) && !(swapped && what === "off")
            ? [
                {
                  id: n,
                  created: `${day(n)}T10:00:00+00:00`,
                  total_amount: (own + others) / 100,
                  items: [
                    { item_type: what === "money" ? "ORDER" : "PRODUCT", item_id: 1, quantity: Math.max(1, quantity) }
                  ],
                  payments: [
                    { provider_id: "deferred", amount: own / 100, is_declined: false },
                    {
                      provider_id: card > 0 ? "giftcertificate" : "storecredit",
                      amount: others / 100,
                      is_declined: false
                    }
                  ]
                }
              ]
            : []
        )
      })
    )
  )
}
