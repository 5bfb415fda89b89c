/**
 * Maps a Shopify order to documents: its lines, its parcels, and how it stands now. Pure.
 *
 * A line's amount is what the buyer pays for it: its price, less the part of the order's discounts that Shopify allocated to it,
 * plus taxes if prices exclude them. What is owed follows from Shopify's own sums and transactions (`Order` of the Admin API:
 * `currentTotalPriceSet`, `totalOutstandingSet`, `transactions`), and what left from its quantities. So edits, exchanges,
 * returns and new labels need no reading of their own.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Fulfilment, LinePart, LineState, Order, OrderLine, OrderState } from "../Document.ts"
import { tracked } from "../Trackings.ts"
import * as Json from "../Json.ts"
import * as PaymentMethods from "../PaymentMethods.ts"
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
  /** The gateways of the deferred payment; by default the only one that is not a gift card or store credit. */
  readonly methods: ReadonlyArray<string> | undefined
}

/** Every fulfilment status. Fulfilments with the other statuses were not shipped. */
const PARCELS = ["SUCCESS", "OPEN", "PENDING", "CANCELLED", "ERROR", "FAILURE"]

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
  /** The quantity that the order still has, and that is still to be shipped. */
  readonly current: bigint
  readonly unfulfilled: bigint | undefined
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
      (taxed ? 0n : sum(fields, "taxLines", "priceSet"))
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
    const left = fields.get("unfulfilledQuantity") === undefined ? undefined : quantityOf(fields, "unfulfilledQuantity")
    return [{ line, current, unfulfilled: left }]
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
  return lines
}

/** Gift cards and store credit are never the deferred payment. */
const isCredit = (gateway: string): boolean =>
  ["gift_card", "shopify_store_credit", "exchange-credit"].includes(gateway)

const DIRECTION: Readonly<Record<string, "received" | "given">> = {
  SALE: "received",
  CAPTURE: "received",
  REFUND: "given"
}

const movementsOf = (one: Json.Fields, { needed }: Prices): ReadonlyArray<PaymentMethods.Movement> =>
  nodes(one, "transactions").flatMap((transaction) => {
    const direction = DIRECTION[transaction.maybe("kind") ?? ""]
    if (transaction.maybe("status") !== "SUCCESS" || direction === undefined) return []
    return [{ method: transaction.maybe("gateway") ?? "", amount: needed(transaction, "amountSet"), direction }]
  })

/** What became of each product. */
const linesOf = (goods: ReadonlyArray<Product>, shipped: ReadonlyArray<Json.Fields>): ReadonlyArray<LineState> => {
  const parts = shipped.flatMap(partsOf)
  return goods.map(({ current, line: { id, quantity }, unfulfilled }) => {
    const left = Decimal.sum(parts.flatMap((part) => (part.line === id ? [part.quantity] : [])))
    // Without Shopify's own count, goods that were taken off are first taken for those that had not left.
    const here = quantity > left ? quantity - left : 0n
    const still = unfulfilled ?? (here > quantity - current ? here - (quantity - current) : 0n)
    const back = left + still - current
    return { line: id, left, back: back > 0n ? back : 0n, still }
  })
}

/** Gift cards pay a part of the order: they lower what is deferred, and not what the order costs. */
const GIFT_CARDS = "gift cards"

interface Sums {
  readonly currency: string
  readonly prices: Prices
  readonly goods: ReadonlyArray<Product>
  readonly lines: ReadonlyArray<OrderLine>
  readonly shipped: ReadonlyArray<Json.Fields>
}

const stateOf = (
  one: Json.Fields,
  { goods, lines, prices, shipped }: Sums,
  money: Pick<OrderState, "own" | "others" | "unclear">
): OrderState => {
  const states = linesOf(goods, shipped)
  const there = (path: string) => (one.get(path) === undefined ? undefined : prices.needed(one, path))
  const [total, outstanding, placed] = [
    there("currentTotalPriceSet"),
    there("totalOutstandingSet"),
    there("originalTotalPriceSet")
  ]
  const charges = Decimal.sum(
    lines.flatMap(({ gross, id, type }) => (type === "product" || id === GIFT_CARDS ? [] : [gross]))
  )
  const now = () =>
    charges +
    Decimal.sum(
      goods.map(({ current, line: { gross, quantity } }) => Decimal.divide(Decimal.multiply(gross, current), quantity))
    )
  const isDone = states.every(({ still }) => still === 0n)
  const end =
    one.get("cancelledAt") !== undefined
      ? "cancelled"
      : one.get("closedAt") === undefined
        ? undefined
        : isDone
          ? "complete"
          : "archived"
  return {
    lines: states,
    total: total ?? now(),
    charges,
    ...Json.present({ outstanding, placed, end }),
    ...money
  }
}

export const order =
  ({ carried, company, methods, money }: Options) =>
  (one: Json.Fields): Json.Decoded => {
    const id = tail(one.text("id"))
    const currency = one.currency(money === "shop" ? "currencyCode" : "presentmentCurrencyCode")
    const prices = pricesOf(one, money, currency)
    const notices: Array<string> = []
    const goods = productsOf(one, prices, company)
    const products = goods.map(({ line }) => line)
    const total = Decimal.sum(products.map(({ gross }) => gross))
    const others = othersOf(one, prices, total, { company, currency, notices })
    const movements = movementsOf(one, prices)
    const paid = PaymentMethods.split(movements, { named: methods, isCredit, alike: ["manual"] })
    const cards = movements.filter(({ direction, method }) => method === "gift_card" && direction === "received")
    const lines = [...products, ...others, ...giftCards(Decimal.sum(cards.map(({ amount }) => amount)))]
    const shipped = nodes(one, "fulfillments").filter((parcel) => parcel.oneOf("status", PARCELS) === "SUCCESS")
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
      ...placeOf(one, methods),
      state: stateOf(one, { currency, prices, goods, lines, shipped }, paid),
      ...(company === undefined ? {} : Buyers.ofOrder(one, company))
    }
    return {
      documents: [document, ...shipped.map((parcel) => fulfilment(parcel, id, currency))],
      notices,
      complete: id
    }
  }

const giftCards = (paid: bigint): ReadonlyArray<OrderLine> =>
  paid === 0n
    ? []
    : [{ id: GIFT_CARDS, type: "discount", quantity: Decimal.one, gross: -paid, description: "Paid with gift cards" }]

/** Where it was placed, and how it is paid. */
const placeOf = (
  one: Json.Fields,
  named: ReadonlyArray<string> | undefined
): Pick<Order, "channel" | "methods" | "otherwise" | "payment" | "said"> => {
  const names = one.get("paymentGatewayNames")
  const methods = Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
  const said = one.maybe("displayFinancialStatus")
  return Json.present({
    channel: one.maybe("sourceName"),
    methods: methods.length === 0 ? undefined : methods,
    otherwise:
      named !== undefined && methods.length > 0 && !methods.some((one) => named.includes(one)) ? true : undefined,
    said,
    payment:
      said === "PAID" ? ("paid" as const) : said === "VOIDED" || said === "EXPIRED" ? ("failed" as const) : undefined
  })
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
