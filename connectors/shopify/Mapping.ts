/**
 * Maps a Shopify order, with its fulfilments, refunds and edits, to documents. Pure.
 *
 * A line's amount is what the buyer pays for it: its price, less the part of the order's discounts that Shopify allocated
 * to it, plus taxes if prices exclude them. Quantities are those ordered: later removals are cancellations, so figures
 * already reported never change. The part paid by gift card was not deferred, and counts as a discount.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { Cancellation, Fulfilment, LinePart, Order, OrderFact, OrderLine } from "../Document.ts"
import { tracked } from "../Trackings.ts"
import * as Json from "../Json.ts"
import * as Refunds from "../Refunds.ts"
import * as Buyers from "./Buyers.ts"
import { nodes, tail } from "./Records.ts"

/** Where an order holds its deferred-payment id, or the id of the service's order. */
export interface Carried {
  readonly metafield?: string
  readonly attribute?: string
  /** The prefix of the tag that is, or ends with, the id. */
  readonly tag?: string
}

export interface Options {
  /** The currency of the amounts: what the buyer was charged in, or the shop's own. */
  readonly money: "presentment" | "shop"
  readonly carried: Carried
  /** The attribute with the service's id for the company; undefined if buyers are not read. */
  readonly company: string | undefined
}

/** Every fulfilment status. Fulfilments with the other statuses were not shipped. */
const PARCELS = ["SUCCESS", "OPEN", "PENDING", "CANCELLED", "ERROR", "FAILURE"]

const moment = (fields: Json.Fields, path: string): string =>
  Refunds.moment(fields.instantDay(path), Instant.toEpochMillis(fields.text(path)))

const quantityOf = (fields: Json.Fields, path: string): bigint => {
  const quantity = fields.text(path)
  if (!/^-?\d{1,9}$/.test(quantity)) throw new Json.Unfit(path, `${JSON.stringify(quantity)} is not a whole number`)
  return Decimal.fromInteger(BigInt(quantity))
}

/** Finds the service's ids on an order, recognised by their prefix. */
export const identifiers = (order: Json.Fields, { attribute, metafield, tag }: Carried) => {
  const attributes = Json.objects(order.get("customAttributes"))
  const said = order.get("tags")
  const tags = Array.isArray(said) ? said.filter((one) => typeof one === "string") : []
  const tagged = tags.find((one) => tag !== undefined && one.startsWith(tag))
  const found =
    (metafield === undefined ? undefined : order.maybe("metafield.value")) ??
    (attribute === undefined ? undefined : attributes.find(({ key }) => key === attribute)?.["value"]) ??
    // `defpay-` is part of an id, while `deferred:` is only a prefix.
    (tagged === undefined || /^(defpay|order)-/.test(tagged) ? tagged : tagged.slice((tag ?? "").length))
  const id = typeof found === "string" ? found.trim() : ""
  if (id === "") return {}
  return id.startsWith("order-") ? { serviceOrder: id } : { deferredPayment: id }
}

interface Product {
  readonly line: OrderLine
  /** The quantity that was later removed from the order. */
  readonly removed: bigint
}

/** Reads an order's amounts. */
const pricesOf = (one: Json.Fields, money: Options["money"], currency: string) => {
  const needed = (fields: Json.Fields, path: string): bigint => fields.major(`${path}.${money}Money.amount`, currency)
  const amount = (fields: Json.Fields, path: string): bigint =>
    fields.get(path) === undefined ? 0n : needed(fields, path)
  const sum = (fields: Json.Fields, list: string, path: string): bigint =>
    Decimal.sum(nodes(fields, list).map((each) => needed(each, path)))
  const taxed = one.get("taxesIncluded") === true
  return {
    amount,
    needed,
    /** What the buyer pays for it. */
    gross: (fields: Json.Fields, price: string): bigint =>
      needed(fields, price) -
      sum(fields, "discountAllocations", "allocatedAmountSet") +
      (taxed ? 0n : sum(fields, "taxLines", "priceSet")),
    /** What was refunded for it. */
    worth: (part: Json.Fields): bigint => amount(part, "subtotalSet") + (taxed ? 0n : amount(part, "totalTaxSet"))
  }
}
type Prices = ReturnType<typeof pricesOf>

const productsOf = (one: Json.Fields, { gross }: Prices, company: string | undefined): ReadonlyArray<Product> =>
  nodes(one, "lineItems").flatMap((fields) => {
    const quantity = quantityOf(fields, "quantity")
    if (quantity <= 0n) return []
    const line: OrderLine = {
      id: tail(fields.text("id")),
      type: "product",
      quantity,
      gross: gross(fields, "originalTotalSet"),
      ...Json.present({ description: fields.maybe("name"), sku: fields.maybe("sku") }),
      ...(company === undefined ? {} : Buyers.ofLine(fields))
    }
    const current = fields.get("currentQuantity") === undefined ? quantity : quantityOf(fields, "currentQuantity")
    return [{ line, removed: quantity - current }]
  })

/** The lines that are not products; and the difference between the total and all lines. */
const othersOf = (
  one: Json.Fields,
  { amount, gross, needed }: Prices,
  products: bigint,
  { company, currency, notices }: { company: string | undefined; currency: string; notices: Array<string> }
): ReadonlyArray<OrderLine> => {
  const lines: Array<OrderLine> = []
  const add = (id: string, type: OrderLine["type"], gross: bigint, description: string, more: object = {}) => {
    if (gross !== 0n) lines.push({ id, type, quantity: Decimal.fromInteger(1n), gross, description, ...more })
  }
  for (const shipping of nodes(one, "shippingLines")) {
    const taxes = company === undefined ? {} : Buyers.ofLine(shipping)
    const title = shipping.maybe("title") ?? "Shipping"
    add(`shipping/${tail(shipping.text("id"))}`, "shipping", gross(shipping, "originalPriceSet"), title, taxes)
  }
  add("duties", "fee", amount(one, "originalTotalDutiesSet"), "Duties")
  add("fees", "fee", amount(one, "originalTotalAdditionalFeesSet"), "Additional fees")
  const difference = needed(one, "totalPriceSet") - products - Decimal.sum(lines.map((line) => line.gross))
  // Lines added by an edit are listed, but the total includes them only after some kinds of edit.
  if (one.get("edited") !== true && difference !== 0n) {
    // A tip may already be a line of its own.
    const given = amount(one, "totalTipReceivedSet")
    const tip = given > 0n && difference >= given ? given : 0n
    const rest = difference - tip
    add("tip", "fee", tip, "Tip")
    add("difference", rest > 0n ? "fee" : "discount", rest, "Difference to the order's total")
    if (rest !== 0n) {
      notices.push(
        `the order's total is ${Currency.say(rest, currency)} different from the sum of its lines; a line was added for the difference`
      )
    }
  }
  const paid = nodes(one, "transactions").filter(
    (transaction) =>
      transaction.maybe("gateway") === "gift_card" &&
      transaction.maybe("status") === "SUCCESS" &&
      ["SALE", "CAPTURE"].includes(transaction.maybe("kind") ?? "")
  )
  const cards = Decimal.sum(paid.map((transaction) => needed(transaction, "amountSet")))
  add("gift cards", "discount", -cards, "Paid with gift cards")
  return lines
}

export const order =
  ({ carried, company, money }: Options) =>
  (one: Json.Fields): Json.Decoded => {
    const id = tail(one.text("id"))
    const currency = one.currency(money === "shop" ? "currencyCode" : "presentmentCurrencyCode")
    const prices = pricesOf(one, money, currency)
    const notices: Array<string> = []
    const goods = productsOf(one, prices, company)
    const products = goods.map(({ line }) => line)
    const total = Decimal.sum(products.map(({ gross }) => gross))
    const lines = [...products, ...othersOf(one, prices, total, { company, currency, notices })]
    const document: Order = {
      kind: "order",
      id,
      number: one.maybe("name") ?? id,
      status:
        one.get("cancelledAt") !== undefined ? "cancelled" : one.get("closedAt") !== undefined ? "closed" : "open",
      currency,
      placed: one.instantDay(one.get("processedAt") === undefined ? "createdAt" : "processedAt"),
      lines,
      ...identifiers(one, carried),
      ...(company === undefined ? {} : Buyers.ofOrder(one, company))
    }
    const shipped = nodes(one, "fulfillments").filter((parcel) => parcel.oneOf("status", PARCELS) === "SUCCESS")
    const refunded = nodes(one, "refunds").map((refund) => refundOf(refund, prices))
    const back = Refunds.facts({
      order: id,
      currency,
      lines: products.map((line) => ({ line: line.id, quantity: line.quantity })),
      left: shipped.map((parcel) => ({ at: moment(parcel, "createdAt"), lines: partsOf(parcel) })),
      refunds: refunded
    })
    const given = one.get("totalRefundedSet") === undefined ? undefined : prices.needed(one, "totalRefundedSet")
    const edits = editsOf(one, id, currency, goods, refunded)
    notices.push(...edits.notices)
    return {
      documents: [
        { ...document, ...Refunds.totals(given, refunded, back) },
        ...shipped.map((parcel) => fulfilment(parcel, id, currency)),
        ...back,
        ...edits.facts
      ],
      notices,
      complete: id
    }
  }

const partsOf = (parcel: Json.Fields): ReadonlyArray<LinePart> =>
  nodes(parcel, "fulfillmentLineItems").flatMap((part) => {
    const quantity = quantityOf(part, "quantity")
    return quantity > 0n ? [{ line: tail(part.text("lineItem.id")), quantity }] : []
  })

const trackingOf = (parcel: Json.Fields): Pick<Fulfilment, "tracking"> =>
  tracked(parcel.list("trackingInfo"), { number: ["number"], carrier: ["company"], url: ["url"] })

const fulfilment = (parcel: Json.Fields, order: string, currency: string): Fulfilment => {
  const lines = partsOf(parcel)
  if (lines.length === 0) throw new Json.Unfit("fulfillments", "one of them does not name its goods")
  return {
    kind: "fulfilment",
    id: tail(parcel.text("id")),
    order,
    date: parcel.instantDay("createdAt"),
    currency,
    lines,
    ...trackingOf(parcel)
  }
}

/** Shopify's values for what becomes of refunded goods. */
const RESTOCKED = ["CANCEL", "RETURN", "NO_RESTOCK", "LEGACY_RESTOCK"]
const KINDS: Readonly<Record<string, "cancellation" | "return">> = { CANCEL: "cancellation", RETURN: "return" }

const refundOf = (refund: Json.Fields, { amount, worth }: Prices): Refunds.Refund => ({
  id: tail(refund.text("id")),
  at: moment(refund, "createdAt"),
  date: refund.instantDay("createdAt"),
  lines: nodes(refund, "refundLineItems").flatMap((part) => {
    const quantity = quantityOf(part, "quantity")
    const kind = part.get("restockType") === undefined ? undefined : KINDS[part.oneOf("restockType", RESTOCKED, "type")]
    return quantity > 0n ? [{ line: tail(part.text("lineItem.id")), quantity, kind, worth: worth(part) }] : []
  }),
  given: amount(refund, "totalRefundedSet")
})

/** Cancellations for units that edits removed (no refund accounts for them): Shopify does not change the quantity. */
const editsOf = (
  one: Json.Fields,
  order: string,
  currency: string,
  goods: ReadonlyArray<Product>,
  refunds: ReadonlyArray<Refunds.Refund>
): { readonly facts: ReadonlyArray<OrderFact>; readonly notices: ReadonlyArray<string> } => {
  const left = unaccounted(goods, refunds)
  const facts: Array<Cancellation> = []
  for (const edit of nodes(one, "agreements")) {
    if (edit.maybe("reason") !== "ORDER_EDIT") continue
    const lines: Array<LinePart> = []
    for (const sale of nodes(edit, "sales")) {
      if (sale.maybe("actionType") !== "RETURN" || sale.get("lineItem") === undefined) continue
      const line = tail(sale.text("lineItem.id"))
      const most = left.get(line) ?? 0n
      const quantity = Decimal.min(Decimal.abs(quantityOf(sale, "quantity")), most)
      if (quantity <= 0n) continue
      lines.push({ line, quantity })
      left.set(line, most - quantity)
    }
    if (lines.length === 0) continue
    const date = edit.instantDay("happenedAt")
    facts.push({ kind: "cancellation", id: `edit/${tail(edit.text("id"))}`, order, date, currency, lines })
  }
  const notices = [...left].flatMap(([line, quantity]) =>
    quantity > 0n
      ? [
          `${Decimal.format(quantity)} of line ${line} were taken off the order, and Shopify does not say when; they are given up once the order is closed`
        ]
      : []
  )
  return { facts, notices }
}

/** The quantity per line that was removed other than by refunds. */
const unaccounted = (goods: ReadonlyArray<Product>, refunds: ReadonlyArray<Refunds.Refund>): Map<string, bigint> => {
  const left = new Map(goods.map(({ line, removed }) => [line.id, removed]))
  for (const { lines } of refunds) {
    for (const { line, quantity } of lines) left.set(line, (left.get(line) ?? 0n) - quantity)
  }
  return new Map([...left].filter(([, quantity]) => quantity > 0n))
}
