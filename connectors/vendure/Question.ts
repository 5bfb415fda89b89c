/** Builds the GraphQL queries for Vendure. Pure. */
import type * as Http from "../Http.ts"
import type * as Json from "../Json.ts"

const ADDRESS = "fullName company streetLine1 streetLine2 city postalCode countryCode"
/** History entries for cancelled goods, parcels and refunds. */
const TYPES = ["ORDER_CANCELLATION", "ORDER_FULFILLMENT_TRANSITION", "ORDER_REFUND_TRANSITION"]
export const MOST_ENTRIES = 500
const HISTORY = `history(options: { take: ${MOST_ENTRIES}, sort: { createdAt: ASC }, filter: { type: { in: ${JSON.stringify(TYPES)} } } }) { totalItems items { id type createdAt data } }`

/** @param destination the member of a refund that says where it went, if the shop has it */
const order = (destination: string) => `id code type state currencyCode orderPlacedAt updatedAt totalWithTax
  customer { id firstName lastName emailAddress phoneNumber }
  billingAddress { ${ADDRESS} } shippingAddress { ${ADDRESS} }
  lines { id quantity proratedLinePriceWithTax proratedUnitPriceWithTax productVariant { name sku } }
  surcharges { id description priceWithTax }
  shippingLines { id discountedPriceWithTax discounts { adjustmentSource amountWithTax } shippingMethod { name } }
  fulfillments { id createdAt state method trackingCode lines { orderLineId quantity } }
  payments { id state method transactionId amount refunds { id createdAt state total ${destination} } }
  ${HISTORY}`

const list = (members: string) =>
  `query Orders($options: OrderListOptions) { orders(options: $options) { totalItems items { ${members} } } }`

const options = ({ id, placed, skip = 0, take, updated }: Http.Query) => ({
  skip: Number(skip),
  take,
  sort: { id: "ASC" },
  filter: {
    orderPlacedAt: placed === undefined ? { isNull: false } : { after: placed },
    ...(updated === undefined ? {} : { updatedAt: { after: updated } }),
    ...(id === undefined ? {} : { id: { eq: id } })
  }
})

export interface Asked {
  /** The member of an order that holds its deferred-payment id. */
  readonly deferred_payment?: string
  /** Vendure 3.8 and later says where a refund went, where that is not the payment that it was made from. */
  readonly refund_destinations?: boolean
}

export const orders = (query: Http.Query, { deferred_payment, refund_destinations = true }: Asked) => {
  const [, own] = /^customFields\.(\w+)$/.exec(deferred_payment ?? "") ?? []
  const all = order(refund_destinations ? "destination" : "")
  const members = own === undefined ? all : `${all} customFields { ${own} }`
  return { query: list(members), variables: { options: options(query) } }
}

/** The times of events that do not change the time of their order, including that it was placed. */
export const times = (query: Http.Query) => ({
  query: list(
    "id orderPlacedAt fulfillments { updatedAt } modifications { updatedAt } payments { updatedAt refunds { updatedAt } }"
  ),
  variables: { options: options(query) }
})

export const timesOf = (order: Json.Fields): ReadonlyArray<string> => {
  const payments = order.list("payments")
  const refunds = payments.flatMap((one) => one.list("refunds"))
  const all = [...order.list("fulfillments"), ...order.list("modifications"), ...payments, ...refunds]
  return [order.text("orderPlacedAt"), ...all.map((one) => one.text("updatedAt"))]
}
