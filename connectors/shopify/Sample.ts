/** Provides fixtures for the Shopify connector, for the conformance kit and for tests. `SampleShop.ts` serves them. */
import { copy } from "../testing/Simulator.ts"
import { amountOf, setting } from "../testing/Staging.ts"
import { fact, part } from "../testing/ShopTexts.ts"
import type { Subject } from "../testing/Subject.ts"
import { shopOf } from "./SampleShop.ts"
import { shopify } from "./Shopify.ts"

export const gid = (type: string, id: string) => `gid://shopify/${type}/${id}`

/** An amount as Shopify writes it: in the buyer's currency and in the shop's own, here half of that. */
export const set = (amount: string, currencyCode: string, shop = amount) => ({
  presentmentMoney: { amount, currencyCode },
  shopMoney: { amount: shop, currencyCode: "EUR" }
})

interface LineOptions {
  readonly current?: number
  readonly tax?: string
  readonly off?: string
  readonly shop?: string
}

export const line = (
  id: string,
  name: string,
  quantity: number,
  total: string,
  currency: string,
  more: LineOptions = {}
) => ({
  id: gid("LineItem", id),
  name,
  sku: null,
  quantity,
  currentQuantity: more.current ?? quantity,
  originalTotalSet: set(total, currency, more.shop),
  taxLines: more.tax === undefined ? [] : [{ priceSet: set(more.tax, currency, "0.0") }],
  discountAllocations: more.off === undefined ? [] : [{ allocatedAmountSet: set(more.off, currency, "0.0") }]
})

export const shipping = (id: string, price: string, currency: string, tax?: string) => ({
  id: gid("ShippingLine", id),
  title: "Standard",
  originalPriceSet: set(price, currency, "0.0"),
  taxLines: tax === undefined ? [] : [{ priceSet: set(tax, currency, "0.0") }],
  discountAllocations: []
})

type Goods = Readonly<globalThis.Record<string, number>>

/** Tracking by a carrier that Shopify knows, so that Shopify makes the link. */
const tracking = (number: string) => ({
  company: "Royal Mail",
  number,
  url: `https://www.royalmail.com/track-your-item#/tracking-results/${number}`
})

/** @param numbers its tracking numbers */
export const parcel = (
  id: string,
  createdAt: string,
  goods: Goods,
  status = "SUCCESS",
  numbers: ReadonlyArray<string> = []
) => ({
  id: gid("Fulfillment", id),
  status,
  createdAt,
  trackingInfo: numbers.map(tracking),
  fulfillmentLineItems: Object.entries(goods).map(([of, quantity], n) => ({
    id: gid("FulfillmentLineItem", `${id}${n}`),
    quantity,
    lineItem: { id: gid("LineItem", of) }
  }))
})

export const refund = (
  id: string,
  createdAt: string,
  currency: string,
  total: string,
  goods: Goods,
  restockType: string,
  worth = total
) => ({
  id: gid("Refund", id),
  createdAt,
  totalRefundedSet: set(total, currency),
  refundLineItems: Object.entries(goods).map(([of, quantity], n) => ({
    id: gid("RefundLineItem", `${id}${n}`),
    quantity,
    restockType,
    lineItem: { id: gid("LineItem", of) },
    subtotalSet: set(n === 0 ? worth : "0.0", currency),
    totalTaxSet: set("0.0", currency)
  }))
})

export const order = (id: string, currency: string, total: string, more: object) => ({
  id: gid("Order", id),
  name: `#${id}`,
  createdAt: "2026-02-03T23:30:00Z",
  processedAt: "2026-02-03T23:30:00Z",
  updatedAt: "2026-02-20T10:00:00Z",
  cancelledAt: null,
  closedAt: null,
  edited: false,
  taxesIncluded: true,
  currencyCode: "EUR",
  presentmentCurrencyCode: currency,
  tags: [],
  customAttributes: [{ key: "deferred_payment", value: `defpay-${id}` }],
  totalPriceSet: set(total, currency),
  totalRefundedSet: set("0.0", currency),
  totalTipReceivedSet: set("0.0", currency),
  originalTotalDutiesSet: null,
  originalTotalAdditionalFeesSet: null,
  lineItems: [],
  shippingLines: [],
  fulfillments: [],
  refunds: [],
  transactions: [],
  agreements: [],
  ...more
})

const ORDERS = [
  order("1001", "GBP", "105.00", {
    updatedAt: "2026-02-21T09:00:00Z",
    totalTipReceivedSet: set("5.00", "GBP"),
    lineItems: [
      line("11", "Chair", 4, "60.00", "GBP"),
      line("12", "Lamp", 3, "22.00", "GBP", { off: "2.00" }),
      line("13", "Rug", 1, "10.00", "GBP")
    ],
    shippingLines: [shipping("14", "10.00", "GBP")],
    fulfillments: [
      parcel("21", "2026-02-05T08:00:00Z", { "11": 2, "12": 1 }, "SUCCESS", ["RB1GB", "RB2GB"]),
      parcel("22", "2026-02-06T08:00:00Z", { "11": 1 }, "CANCELLED"),
      parcel("23", "2026-02-07T08:00:00Z", { "11": 2, "12": 2 })
    ],
    refunds: [
      refund("31", "2026-02-06T12:00:00Z", "GBP", "10.00", { "13": 1 }, "CANCEL"),
      refund("32", "2026-02-15T12:00:00Z", "GBP", "15.00", { "11": 1 }, "RETURN")
    ]
  }),
  // Prices exclude taxes; one of three units was removed by an edit, one refunded without saying what became of the goods.
  order("1002", "USD", "35.70", {
    taxesIncluded: false,
    edited: true,
    cancelledAt: "2026-02-12T10:00:00Z",
    customAttributes: [],
    lineItems: [line("15", "Cup", 3, "30.00", "USD", { current: 1, tax: "2.70", off: "3.00" })],
    shippingLines: [shipping("16", "5.00", "USD", "1.00")],
    totalRefundedSet: set("9.90", "USD"),
    refunds: [refund("33", "2026-02-12T10:00:00Z", "USD", "9.90", { "15": 1 }, "NO_RESTOCK")],
    agreements: [
      { id: gid("OrderAgreement", "41"), reason: "ORDER", happenedAt: "2026-02-03T23:30:00Z", sales: [] },
      {
        id: gid("OrderEditAgreement", "42"),
        reason: "ORDER_EDIT",
        happenedAt: "2026-02-04T10:00:00Z",
        sales: [{ id: "s1", actionType: "RETURN", quantity: -1, lineItem: { id: gid("LineItem", "15") } }]
      }
    ]
  }),
  order("9007199254740993", "JPY", "5400.0", {
    updatedAt: "2026-02-20T10:00:00Z",
    closedAt: "2026-02-10T10:00:00Z",
    lineItems: [line("17", "Teapot", 2, "5400.0", "JPY")],
    // Delivered by the shop itself: a number typed in without a carrier.
    fulfillments: [
      {
        ...parcel("24", "2026-02-09T08:00:00Z", { "17": 2 }),
        trackingInfo: [
          { company: null, number: "van 7", url: null },
          { company: "Other", number: "", url: null }
        ]
      }
    ],
    totalRefundedSet: set("2700.0", "JPY"),
    refunds: [refund("34", "2026-02-18T08:00:00Z", "JPY", "2700.0", { "17": 1 }, "NO_RESTOCK")],
    transactions: [
      {
        id: gid("OrderTransaction", "51"),
        kind: "SALE",
        status: "SUCCESS",
        gateway: "gift_card",
        amountSet: set("400.0", "JPY")
      },
      {
        id: gid("OrderTransaction", "52"),
        kind: "AUTHORIZATION",
        status: "SUCCESS",
        gateway: "deferred",
        amountSet: set("5000.0", "JPY")
      }
    ]
  }),
  order("1004", "KWD", "1.234", { customAttributes: [], lineItems: [line("18", "Spoon", 1, "1.234", "KWD")] })
]

const head = (id: string, status: string, currency: string) =>
  `{"kind":"order","id":"${id}","number":"#${id}","status":"${status}","currency":"${currency}","placed":"2026-02-03"`

export const subject: Subject = {
  connector: shopify,
  settings: { shop: "sample", token: { env: "SHOPIFY_TOKEN" } },
  environment: { SHOPIFY_TOKEN: "shpat_sample" },
  golden: [
    `${head("1001", "open", "GBP")},"lines":[${part("11", "product", 4, "6000000000", "Chair")},${part("12", "product", 3, "2000000000", "Lamp")},${part("13", "product", 1, "1000000000", "Rug")},${part("shipping/14", "shipping", 1, "1000000000", "Standard")},${part("tip", "fee", 1, "500000000", "Tip")}],"deferredPayment":"defpay-1001"}`,
    fact("fulfilment", "21", "1001", "2026-02-05", "GBP", { "11": 2, "12": 1 }).replace(
      /\}$/,
      `,"tracking":${JSON.stringify(["RB1GB", "RB2GB"].map((number) => ({ number, carrier: "Royal Mail", url: tracking(number).url })))}}`
    ),
    fact("fulfilment", "23", "1001", "2026-02-07", "GBP", { "11": 2, "12": 2 }),
    fact("cancellation", "31", "1001", "2026-02-06", "GBP", { "13": 1 }),
    fact("return", "32", "1001", "2026-02-15", "GBP", { "11": 1 }, "1500000000"),
    `${head("1002", "cancelled", "USD")},"lines":[${part("15", "product", 3, "2970000000", "Cup")},${part("shipping/16", "shipping", 1, "600000000", "Standard")}]}`,
    fact("cancellation", "edit/42", "1002", "2026-02-04", "USD", { "15": 1 }),
    fact("cancellation", "33", "1002", "2026-02-12", "USD", { "15": 1 }),
    `${head("9007199254740993", "closed", "JPY")},"lines":[${part("17", "product", 2, "540000000000", "Teapot")},${part("gift cards", "discount", 1, "-40000000000", "Paid with gift cards")}],"deferredPayment":"defpay-9007199254740993","totals":{"refunded":"270000000000n"}}`,
    fact("fulfilment", "24", "9007199254740993", "2026-02-09", "JPY", { "17": 2 }).replace(
      /\}$/,
      ',"tracking":[{"number":"van 7"}]}'
    ),
    fact("return", "34", "9007199254740993", "2026-02-18", "JPY", { "17": 1 }, "270000000000"),
    `${head("1004", "open", "KWD")},"lines":[${part("18", "product", 1, "123400000", "Spoon")}],"totals":{"refunded":"0n"}}`
  ],
  open: () => {
    const source = shopOf(ORDERS)
    const { records } = source.lists["orders"]!
    const last = records[3]
    return {
      source,
      // Every hundredth order has a refund, so that it does not fit into a page.
      grow: (count) => {
        for (let n = 0; n < count; n++) {
          const [id, item] = [`${20_000 + n}`, `${50_000 + n}`]
          const sent = { fulfillments: [parcel(`${70_000 + n}`, "2026-02-05T08:00:00Z", { [item]: 1 })] }
          const back = {
            refunds: [refund(`${90_000 + n}`, "2026-02-15T12:00:00Z", "GBP", "9.00", { [item]: 1 }, "RETURN")]
          }
          const more = { lineItems: [line(item, "Cup", 1, "9.00", "GBP")], ...sent, ...(n % 100 === 0 ? back : {}) }
          records.push(...copy([order(id, "GBP", "9.00", more)]))
        }
      },
      remove: setting(
        last,
        { cancelledAt: "2026-03-01T12:00:00Z", updatedAt: "2026-03-01T12:01:00.000Z" },
        "order/1004"
      ),
      // Adds an attribute without changing the order's time of change.
      edit: setting(last, { customAttributes: [{ key: "deferred_payment", value: "defpay-1004" }] }, "1004"),
      ...amountOf("order/1004", (amount) => {
        for (const money of [last.lineItems[0].originalTotalSet, last.totalPriceSet])
          money.presentmentMoney.amount = amount
      })
    }
  }
}
