/**
 * Orders within a page of their list: most have few lines, parcels and payments, and nothing came back of them. Such an order
 * is whole in the page; any other is read by itself.
 *
 * Shopify allows a question a cost of 1,000 points: an object counts one, a connection two and its objects as often as it may
 * have them. An order of these sizes comes to about a hundred.
 */
import * as Json from "../Json.ts"

/** Orders of a page; with buyers, each costs more. */
export const SIZE = 9
const WITH_BUYERS = 8
/** Records of each list of an order in a page. */
const LINES = 5
const SHIPPING = 1
const PARCELS = 2
const PARTS = 4
const TRANSACTIONS = 3

export const sizeOf = ({ buyers }: { readonly buyers: boolean }): number => (buyers ? WITH_BUYERS : SIZE)

/** How a carrier knows a parcel; few have more than one number. */
export const TRACKING = "trackingInfo(first: 2) { company number url }"

const PAGE = "pageInfo { hasNextPage endCursor }"

/** What is asked of an order itself, and of each record that belongs to it. */
type Selections = { readonly [part in "head" | "left" | "line" | "shipping" | "transaction"]: string }

/** What is asked of an order in a page. Of what came back, only whether there is any. */
export const selection = ({ head, left, line, shipping, transaction }: Selections): string => `${head}
    lineItems(first: ${LINES}) { nodes { ${line} } ${PAGE} }
    shippingLines(first: ${SHIPPING}) { nodes { ${shipping} } ${PAGE} }
    fulfillments(first: ${PARCELS}) { id status createdAt ${TRACKING} fulfillmentLineItems(first: ${PARTS}) { nodes { ${left} } ${PAGE} } }
    refunds(first: 1) { id }
    transactions(first: ${TRANSACTIONS}) { ${transaction} }`

/** The nodes of a connection that has no further page; undefined where it has, or is none. */
const all = (value: unknown): { readonly nodes: ReadonlyArray<unknown> } | undefined => {
  const page = new Json.Fields(Json.isObject(value) ? value : {})
  const nodes = page.get("nodes")
  return Array.isArray(nodes) && page.get("pageInfo.hasNextPage") === false ? { nodes } : undefined
}

/** A list that has no pages, with fewer members than it may have: then it has all of them. */
const few = (value: unknown, most: number): ReadonlyArray<unknown> | undefined =>
  Array.isArray(value) && value.length < most ? (value as ReadonlyArray<unknown>) : undefined

/** An order as it would be read by itself; undefined where it must be. */
export const wholeIn = (order: unknown): Json.Members | undefined => {
  if (!Json.isObject(order) || order["edited"] !== false) return undefined
  const [lineItems, shippingLines] = [all(order["lineItems"]), all(order["shippingLines"])]
  const [refunds, transactions] = [few(order["refunds"], 1), few(order["transactions"], TRANSACTIONS)]
  const parcels = few(order["fulfillments"], PARCELS)?.map((parcel) => {
    const goods = Json.isObject(parcel) ? all(parcel["fulfillmentLineItems"]) : undefined
    return Json.isObject(parcel) && goods !== undefined ? { ...parcel, fulfillmentLineItems: goods } : undefined
  })
  if (lineItems === undefined || shippingLines === undefined || refunds === undefined) return undefined
  if (transactions === undefined || parcels === undefined || parcels.includes(undefined)) return undefined
  return { ...order, lineItems, shippingLines, refunds, transactions, fulfillments: parcels }
}
