/**
 * Reads orders directly from a page of their list. Most orders have few lines, parcels and payments: they fit into the page
 * completely. Any other order is then read separately.
 *
 * Shopify limits a query to a cost of 1,000 points: an object costs one, a connection two plus its objects as often as it
 * may have them. An order with these sizes costs about a hundred.
 */
import * as Json from "../Json.ts"

/** Orders per page; with buyers, fewer, because each costs more. */
export const SIZE = 9
const WITH_BUYERS = 8
/** Records of each list within an order. */
const LINES = 5
const SHIPPING = 1
const PARCELS = 2
const PARTS = 4
const TRANSACTIONS = 3

export const sizeOf = ({ buyers }: { readonly buyers: boolean }): number => (buyers ? WITH_BUYERS : SIZE)

/** A parcel's tracking numbers; few parcels have more than one. */
export const TRACKING = "trackingInfo(first: 2) { company number url }"

const PAGE = "pageInfo { hasNextPage endCursor }"

/** The selections on an order itself and on each kind of record in it. */
type Selections = { readonly [part in "head" | "left" | "line" | "shipping" | "transaction"]: string }

/** The selection on an order in a page. */
export const selection = ({ head, left, line, shipping, transaction }: Selections): string => `${head}
    lineItems(first: ${LINES}) { nodes { ${line} } ${PAGE} }
    shippingLines(first: ${SHIPPING}) { nodes { ${shipping} } ${PAGE} }
    fulfillments(first: ${PARCELS}) { id status createdAt ${TRACKING} fulfillmentLineItems(first: ${PARTS}) { nodes { ${left} } ${PAGE} } }
    transactions(first: ${TRANSACTIONS}) { ${transaction} }`

/** The nodes of a connection without a further page; otherwise undefined. */
const all = (value: unknown): { readonly nodes: ReadonlyArray<unknown> } | undefined => {
  const page = Json.fieldsOf(value)
  const nodes = page.get("nodes")
  return Array.isArray(nodes) && page.get("pageInfo.hasNextPage") === false ? { nodes } : undefined
}

/** A list without pagination, if it has fewer elements than the maximum and so is complete. */
const few = (value: unknown, most: number): ReadonlyArray<unknown> | undefined =>
  Array.isArray(value) && value.length < most ? (value as ReadonlyArray<unknown>) : undefined

/** The complete order; undefined if it must be read separately. */
export const wholeIn = (order: unknown): Json.Members | undefined => {
  if (!Json.isObject(order)) return undefined
  const [lineItems, shippingLines] = [all(order["lineItems"]), all(order["shippingLines"])]
  const transactions = few(order["transactions"], TRANSACTIONS)
  const parcels = few(order["fulfillments"], PARCELS)?.map((parcel) => {
    const goods = Json.isObject(parcel) ? all(parcel["fulfillmentLineItems"]) : undefined
    return Json.isObject(parcel) && goods !== undefined ? { ...parcel, fulfillmentLineItems: goods } : undefined
  })
  if (lineItems === undefined || shippingLines === undefined) return undefined
  if (transactions === undefined || parcels === undefined || parcels.includes(undefined)) return undefined
  return { ...order, lineItems, shippingLines, transactions, fulfillments: parcels }
}
