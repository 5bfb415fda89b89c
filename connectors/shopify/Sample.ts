/** Provides fixtures for the Shopify connector, for the conformance kit and for tests. `SampleShop.ts` serves them. */
import { copy } from "../testing/Simulator.ts"
import { amountOf, setting } from "../testing/Staging.ts"
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
  readonly unfulfilled?: number
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
  unfulfilledQuantity: more.unfulfilled ?? null,
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

export const transaction = (id: string, kind: string, gateway: string, amount: string, currency: string) => ({
  id: gid("OrderTransaction", id),
  kind,
  status: "SUCCESS",
  gateway,
  amountSet: set(amount, currency)
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
  sourceName: "web",
  paymentGatewayNames: [],
  displayFinancialStatus: "PENDING",
  totalPriceSet: set(total, currency),
  currentTotalPriceSet: set(total, currency),
  originalTotalPriceSet: set(total, currency),
  totalOutstandingSet: null,
  totalTipReceivedSet: set("0.0", currency),
  originalTotalDutiesSet: null,
  originalTotalAdditionalFeesSet: null,
  lineItems: [],
  shippingLines: [],
  fulfillments: [],
  transactions: [],
  ...more
})

const ORDERS = [
  order("1001", "GBP", "105.00", {
    updatedAt: "2026-02-21T09:00:00Z",
    totalTipReceivedSet: set("5.00", "GBP"),
    lineItems: [
      line("11", "Chair", 4, "60.00", "GBP", { current: 3, unfulfilled: 0 }),
      line("12", "Lamp", 3, "22.00", "GBP", { off: "2.00" }),
      line("13", "Rug", 1, "10.00", "GBP", { current: 0, unfulfilled: 0 })
    ],
    shippingLines: [shipping("14", "10.00", "GBP")],
    fulfillments: [
      parcel("21", "2026-02-05T08:00:00Z", { "11": 2, "12": 1 }, "SUCCESS", ["RB1GB", "RB2GB"]),
      parcel("22", "2026-02-06T08:00:00Z", { "11": 1 }, "CANCELLED"),
      parcel("23", "2026-02-07T08:00:00Z", { "11": 2, "12": 2 })
    ],
    // The rug was taken off, and one chair came back.
    currentTotalPriceSet: set("80.00", "GBP"),
    transactions: [
      transaction("53", "REFUND", "deferred", "15.00", "GBP"),
      transaction("54", "SALE", "deferred", "95.00", "GBP")
    ]
  }),
  // Prices exclude taxes; one of three units was removed by an edit, one refunded.
  order("1002", "USD", "35.70", {
    taxesIncluded: false,
    edited: true,
    cancelledAt: "2026-02-12T10:00:00Z",
    customAttributes: [],
    lineItems: [line("15", "Cup", 3, "30.00", "USD", { current: 1, tax: "2.70", off: "3.00" })],
    shippingLines: [shipping("16", "5.00", "USD", "1.00")],
    currentTotalPriceSet: set("15.90", "USD")
  }),
  order("9007199254740993", "JPY", "5400.0", {
    updatedAt: "2026-02-20T10:00:00Z",
    closedAt: "2026-02-10T10:00:00Z",
    lineItems: [line("17", "Teapot", 2, "5400.0", "JPY", { current: 1, unfulfilled: 0 })],
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
    currentTotalPriceSet: set("2700.0", "JPY"),
    paymentGatewayNames: ["gift_card", "deferred"],
    transactions: [
      transaction("51", "SALE", "gift_card", "400.0", "JPY"),
      transaction("52", "SALE", "deferred", "5000.0", "JPY"),
      transaction("55", "REFUND", "deferred", "2700.0", "JPY")
    ]
  }),
  order("1004", "KWD", "1.234", { customAttributes: [], lineItems: [line("18", "Spoon", 1, "1.234", "KWD")] })
]

export const subject: Subject = {
  skips: { "quarantines what it does not know": "the status of a transaction: only SUCCESS has moved money" },
  connector: shopify,
  settings: { shop: "sample", token: { env: "SHOPIFY_TOKEN" } },
  environment: { SHOPIFY_TOKEN: "shpat_sample" },
  golden: [
    `{"kind":"order","id":"1002","number":"#1002","status":"cancelled","currency":"USD","placed":"2026-02-03","lines":[{"id":"15","type":"product","quantity":"300000000n","gross":"2970000000n","description":"Cup"},{"id":"shipping/16","type":"shipping","quantity":"100000000n","gross":"600000000n","description":"Standard"}],"channel":"web","said":"PENDING","state":{"lines":[{"line":"15","left":"0n","back":"0n","still":"100000000n"}],"total":"1590000000n","charges":"600000000n","placed":"3570000000n","end":"cancelled","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"1004","number":"#1004","status":"open","currency":"KWD","placed":"2026-02-03","lines":[{"id":"18","type":"product","quantity":"100000000n","gross":"123400000n","description":"Spoon"}],"channel":"web","said":"PENDING","state":{"lines":[{"line":"18","left":"0n","back":"0n","still":"100000000n"}],"total":"123400000n","charges":"0n","placed":"123400000n","own":{"given":"0n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"order","id":"9007199254740993","number":"#9007199254740993","status":"closed","currency":"JPY","placed":"2026-02-03","lines":[{"id":"17","type":"product","quantity":"200000000n","gross":"540000000000n","description":"Teapot"},{"id":"gift cards","type":"discount","quantity":"100000000n","gross":"-40000000000n","description":"Paid with gift cards"}],"deferredPayment":"defpay-9007199254740993","channel":"web","methods":["gift_card","deferred"],"said":"PENDING","state":{"lines":[{"line":"17","left":"200000000n","back":"100000000n","still":"0n"}],"total":"270000000000n","charges":"0n","placed":"540000000000n","end":"complete","own":{"given":"270000000000n","received":"500000000000n"},"others":{"received":"40000000000n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"24","order":"9007199254740993","date":"2026-02-09","currency":"JPY","lines":[{"line":"17","quantity":"200000000n"}],"tracking":[{"number":"van 7"}]}`,
    `{"kind":"order","id":"1001","number":"#1001","status":"open","currency":"GBP","placed":"2026-02-03","lines":[{"id":"11","type":"product","quantity":"400000000n","gross":"6000000000n","description":"Chair"},{"id":"12","type":"product","quantity":"300000000n","gross":"2000000000n","description":"Lamp"},{"id":"13","type":"product","quantity":"100000000n","gross":"1000000000n","description":"Rug"},{"id":"shipping/14","type":"shipping","quantity":"100000000n","gross":"1000000000n","description":"Standard"},{"id":"tip","type":"fee","quantity":"100000000n","gross":"500000000n","description":"Tip"}],"deferredPayment":"defpay-1001","channel":"web","said":"PENDING","state":{"lines":[{"line":"11","left":"400000000n","back":"100000000n","still":"0n"},{"line":"12","left":"300000000n","back":"0n","still":"0n"},{"line":"13","left":"0n","back":"0n","still":"0n"}],"total":"8000000000n","charges":"1500000000n","placed":"10500000000n","own":{"given":"1500000000n","received":"9500000000n"},"others":{"received":"0n","given":"0n"}}}`,
    `{"kind":"fulfilment","id":"21","order":"1001","date":"2026-02-05","currency":"GBP","lines":[{"line":"11","quantity":"200000000n"},{"line":"12","quantity":"100000000n"}],"tracking":[{"number":"RB1GB","carrier":"Royal Mail","url":"https://www.royalmail.com/track-your-item#/tracking-results/RB1GB"},{"number":"RB2GB","carrier":"Royal Mail","url":"https://www.royalmail.com/track-your-item#/tracking-results/RB2GB"}]}`,
    `{"kind":"fulfilment","id":"23","order":"1001","date":"2026-02-07","currency":"GBP","lines":[{"line":"11","quantity":"200000000n"},{"line":"12","quantity":"200000000n"}]}`
  ],
  open: () => {
    const source = shopOf(ORDERS)
    const { records } = source.lists["orders"]!
    const last = records[3]
    return {
      source,
      // Every hundredth order has more transactions than fit into a page.
      grow: (count) => {
        for (let n = 0; n < count; n++) {
          const [id, item] = [`${20_000 + n}`, `${50_000 + n}`]
          const sent = { fulfillments: [parcel(`${70_000 + n}`, "2026-02-05T08:00:00Z", { [item]: 1 })] }
          const paid = [1, 2, 3].map((at) => transaction(`${n}${at}`, "AUTHORIZATION", "deferred", "9.00", "GBP"))
          const more = {
            lineItems: [line(item, "Cup", 1, "9.00", "GBP")],
            ...sent,
            ...(n % 100 === 0 ? { transactions: paid } : {})
          }
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
