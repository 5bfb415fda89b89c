/**
 * Maps an order of Adobe Commerce (Magento 2) to documents: its lines, its shipments, and how it stands now. Pure.
 *
 * A configured or bundled product has a line of its own, and so has each of its parts: the product is used, and its parts say
 * only how much of it was shipped. What is owed follows from the order's own sums (`total_paid`, `total_refunded`,
 * `total_canceled` of `SalesDataOrderInterface`); its `grand_total` is without gift cards and store credit.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Fulfilment, LinePart, LineState, Order, OrderLine, OrderState } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Shop from "../Shop.ts"
import { BEFORE_ALL, ended, type Goods, lineStates, moment } from "../Sides.ts"
import { tracked } from "../Trackings.ts"

const STATES: Readonly<Record<string, Order["status"]>> = {
  new: "open",
  pending_payment: "open",
  payment_review: "open",
  processing: "open",
  holded: "open",
  complete: "closed",
  closed: "closed",
  canceled: "cancelled"
}
const CANCELED_MEMO = "3"
const { quantity, when } = Shop

export interface Options {
  /** The member of an order that holds its deferred-payment id. */
  readonly carried: string | undefined
  /** The deferred payment's methods (`payment.method`); by default every order's own. */
  readonly methods: ReadonlyArray<string> | undefined
  /** The currency of the amounts: what the buyer pays in, or the store's own. */
  readonly money: "order" | "base" | undefined
  /** What makes an amount due: a shipment, or an invoice of the shop. */
  readonly capture: "shipment" | "invoice" | "complete"
}

interface Whole {
  readonly id: string
  readonly currency: string
  readonly fields: Json.Fields
  /** An amount of a record, in the order's or the store's currency. */
  readonly money: (fields: Json.Fields, member: string) => bigint
  readonly capture: Options["capture"]
}

const isPart = (item: Json.Fields): boolean => item.maybe("parent_item_id") !== undefined

/** A product's own item and those of its parts. */
const partsOf = (fields: Json.Fields, product: Json.Fields): ReadonlyArray<Json.Fields> => {
  const id = product.text("item_id")
  return fields.list("items").filter((item) => item.text("item_id") === id || item.maybe("parent_item_id") === id)
}

/** What a discount takes off an item, with its effect on the item's tax: as Magento adds up what an item costs. */
const discountOf = (item: Json.Fields, money: Whole["money"]): bigint => {
  if (money(item, "discount_amount") === 0n || item.maybe("row_total") === undefined) return 0n
  const [net, tax] = [money(item, "row_total"), money(item, "tax_amount")]
  const cost = net + tax + money(item, "discount_tax_compensation_amount") - money(item, "discount_amount")
  return money(item, "row_total_incl_tax") - cost
}

const linesOf = ({ currency: _, fields, money }: Whole): ReadonlyArray<OrderLine> => {
  const products = fields.list("items").filter((item) => !isPart(item))
  if (products.length === 0) throw new Json.Unfit("items", "no products came with the order")
  const lines = products.map((item) => ({
    id: item.text("item_id"),
    type: "product" as const,
    quantity: quantity(item, "qty_ordered"),
    gross: money(item, "row_total_incl_tax") - Decimal.sum(partsOf(fields, item).map((one) => discountOf(one, money))),
    ...Json.present({ description: item.maybe("name"), sku: item.maybe("sku") })
  }))
  const { add, all, sum } = Shop.lines(lines)
  add("shipping", "shipping", money(fields, "shipping_incl_tax"), "Shipping")
  // The rest: discounts that no item has, and what extensions add or take off.
  const rest = money(fields, "grand_total") - sum()
  if (rest < 0n) add("discount", "discount", rest, "Discount")
  else add("other", "fee", rest, "Other charges")
  return all
}

/** Quantities by item of a shipment or credit memo, parts of products among them. */
const itemsOf = (of: Json.Fields): ReadonlyArray<LinePart> =>
  of.list("items").flatMap((item) => {
    const count = quantity(item, "qty")
    return count === 0n ? [] : [{ line: item.text("order_item_id"), quantity: count }]
  })

const ofItem = (all: ReadonlyArray<LinePart>, item: string): bigint =>
  Decimal.sum(all.flatMap(({ line, quantity }) => (line === item ? [quantity] : [])))

/** How much of each product these items are: its own item says so, or as much as there is of every one of its parts. */
const productsIn = (fields: Json.Fields, all: ReadonlyArray<LinePart>, member: string): ReadonlyArray<LinePart> => {
  const items = fields.list("items")
  for (const { line } of all)
    if (!items.some((item) => item.maybe("item_id") === line))
      throw new Json.Unfit(member, `is of line ${line}, which the order does not have`)
  return items.flatMap((product) => {
    if (isPart(product)) return []
    const line = product.text("item_id")
    const own = ofItem(all, line)
    const parts = items.filter((item) => item.maybe("parent_item_id") === line)
    const ordered = quantity(product, "qty_ordered")
    const whole = parts.map((part) => {
      const each = quantity(part, "qty_ordered")
      return each === 0n
        ? ordered
        : Decimal.divide(Decimal.multiply(ofItem(all, part.text("item_id")), ordered), each, 3)
    })
    const count = own > 0n || whole.length === 0 ? own : whole.reduce((least, one) => Decimal.min(least, one))
    return count > 0n ? [{ line, quantity: count }] : []
  })
}

const trackingOf = (shipment: Json.Fields): Pick<Fulfilment, "tracking"> =>
  tracked(shipment.list("tracks"), { number: ["track_number"], carrier: ["title", "carrier_code"], url: [] })

/** Shipments as evidence; one of parts of a bundle alone names no product. */
const parcelsOf = ({ currency, fields, id: order }: Whole): ReadonlyArray<Shop.Parcel> => {
  const parcel = Shop.parcelOf(order, currency)
  return fields.list("shipments").map((one) => {
    const parts = productsIn(fields, itemsOf(one), "shipments")
    return parcel(one.text("entity_id"), when(one, "created_at"), parts, trackingOf(one))
  })
}

/** What met the trigger of a capture: shipments, and for goods without any, what was invoiced. */
const leftOf = ({ capture, fields }: Whole): ReadonlyArray<Goods> => {
  const shipped = fields.list("shipments").map((one): Goods => {
    const { date, millis } = when(one, "created_at")
    return { at: moment(date, millis), lines: itemsOf(one) }
  })
  const isVirtual = (item: Json.Fields) => item.maybe("is_virtual") === "1" || item.get("is_virtual") === true
  const isDone = ["complete", "closed"].includes(fields.text("state"))
  const invoiced = fields.list("items").flatMap((item) => {
    // Goods that need no shipment are delivered with the invoice, at the latest when the order is complete.
    const member = isDone && isVirtual(item) ? "qty_ordered" : "qty_invoiced"
    const count = item.maybe(member) === undefined ? 0n : quantity(item, member)
    const its = (capture === "invoice" || isVirtual(item)) && !isPart(item) && count > 0n
    return its ? [{ line: item.text("item_id"), quantity: count }] : []
  })
  const atOnce = invoiced.length === 0 ? [] : [{ at: BEFORE_ALL, lines: invoiced }]
  return capture === "invoice" ? atOnce : [...atOnce, ...shipped]
}

const statesOf = (whole: Whole, lines: ReadonlyArray<OrderLine>): ReadonlyArray<LineState> => {
  const { capture, fields } = whole
  const items = new Map(fields.list("items").map((item) => [item.text("item_id"), item]))
  const goods = Shop.productsOf(lines).map(({ id: line, quantity: ordered }) => {
    const item = items.get(line)
    const off = item?.maybe("qty_canceled") === undefined ? 0n : quantity(item, "qty_canceled")
    return { line, quantity: ordered > off ? ordered - off : 0n }
  })
  // Parcels of one bundle may each have some of its parts: they are added up before its units are counted.
  const left = cumulative(fields, leftOf(whole))
  const refunded = fields.list("memos").flatMap((memo): ReadonlyArray<Goods> => {
    if (memo.maybe("state") === CANCELED_MEMO) return []
    const { date, millis } = when(memo, "created_at")
    return [{ at: moment(date, millis), lines: productsIn(fields, itemsOf(memo), "memos") }]
  })
  const states = lineStates({ lines: goods, left, refunded })
  if (!["complete", "closed"].includes(fields.text("state"))) return capture === "complete" ? notYet(states) : states
  return ended(states)
}

/** With the trigger `complete`, nothing counts as having left before. */
const notYet = (all: ReadonlyArray<LineState>): ReadonlyArray<LineState> =>
  all.map(({ back, left = 0n, line, still }) => ({ line, left: 0n, back: 0n, still: still + left - back }))

/** The goods of each parcel, counted in whole products over all parcels so far. */
const cumulative = (fields: Json.Fields, all: ReadonlyArray<Goods>): ReadonlyArray<Goods> => {
  const items: Array<LinePart> = []
  let before: ReadonlyArray<LinePart> = []
  return all
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ at, lines }) => {
      items.push(...lines)
      const now = productsIn(fields, items, "shipments")
      const more = now.map(({ line, quantity }) => ({ line, quantity: quantity - ofItem(before, line) }))
      before = now
      return { at, lines: more.filter(({ quantity }) => quantity > 0n) }
    })
}

/** Undefined if the record does not say it, so that the total alone says what is owed. */
const paidOf = ({ fields, money }: Whole): bigint | undefined =>
  fields.maybe("total_paid") === undefined ? undefined : money(fields, "total_paid")

/** The order's own total; if it has none, that of its credit memos. */
const refundedOf = ({ fields, money }: Whole): bigint =>
  fields.maybe("total_refunded") === undefined
    ? Decimal.sum(
        fields
          .list("memos")
          .flatMap((memo) => (memo.maybe("state") === CANCELED_MEMO ? [] : [money(memo, "grand_total")]))
      )
    : money(fields, "total_refunded")

const stateOf = (whole: Whole, lines: ReadonlyArray<OrderLine>): OrderState => {
  const { fields, money } = whole
  const state = fields.text("state")
  const cancelled = money(fields, "total_canceled")
  // A credit memo to store credit is in the total that was refunded.
  const toBalance = "extension_attributes.customer_balance_total_refunded"
  const balance = "extension_attributes.customer_balance_refunded"
  const credited = money(fields, toBalance) - money(fields, balance)
  const given = refundedOf(whole) - credited
  const placed = money(fields, "grand_total")
  const end = state === "canceled" ? "cancelled" : state === "complete" || state === "closed" ? "complete" : undefined
  return {
    lines: statesOf(whole, lines),
    total: placed - cancelled,
    placed,
    own: { ...Json.present({ received: paidOf(whole) }), given: given > 0n ? given : 0n },
    others: { received: 0n, given: credited > 0n ? credited : 0n },
    cancelled,
    ...Json.present({ end })
  }
}

/** An order with its amounts in the currency that the buyer pays in, or in the store's own. */
const wholeIn = (fields: Json.Fields, of: "order" | "base", capture: Whole["capture"]): Whole => {
  const currency = fields.currency(`${of}_currency_code`)
  const prefix = of === "base" ? "base_" : ""
  const money = (record: Json.Fields, member: string) =>
    Shop.money(
      record,
      member.replace(/[^.]+$/, (name) => `${prefix}${name}`),
      currency
    )
  return { id: fields.text("entity_id"), currency, fields, money, capture }
}

/** A gateway may authorise in the store's own currency, whatever the buyer was shown. */
const alsoIn = (fields: Json.Fields, capture: Whole["capture"], other: string): Pick<Order, "also"> => {
  const said = fields.maybe("base_currency_code")
  if (said === undefined || said === other || fields.get("base_grand_total") === undefined) return {}
  const whole = wholeIn(fields, "base", capture)
  const { currency } = whole
  const lines = linesOf(whole)
  return { also: { currency, lines, state: stateOf(whole, lines) } }
}

/** The service's identifier; gateways append the kind of their transaction, as in `defpay-7-capture`. */
const identifier = (text: string | undefined): string | undefined =>
  text?.replace(/^((?:defpay|order)-.+?)-(?:capture|authorization|auth|refund|void)(?:-\d+)?$/, "$1")

export const order =
  ({ capture, carried, methods, money: of }: Options) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("entity_id")
    const said = fields.text("state")
    const known = Object.hasOwn(STATES, said) ? STATES[said] : undefined
    const whole = wholeIn(fields, of ?? "order", capture)
    const { currency } = whole
    const lines = linesOf(whole)
    const document: Order = {
      kind: "order",
      id,
      number: fields.text("increment_id"),
      status: known ?? "open",
      currency,
      placed: when(fields, "created_at").date,
      lines,
      ...Json.present({
        deferredPayment: carried === undefined ? undefined : identifier(fields.maybe(carried)),
        store: fields.maybe("store_id"),
        said: fields.maybe("status")
      }),
      ...Shop.paidBy(fields.maybe("payment.method"), methods),
      state: stateOf(whole, lines),
      ...(of === undefined ? alsoIn(fields, capture, currency) : {})
    }
    const notices =
      known === undefined ? [`its state ${JSON.stringify(said)} is not one of Adobe Commerce's; it counts as open`] : []
    return { ...Shop.decoded(document, parcelsOf(whole)), notices }
  }
