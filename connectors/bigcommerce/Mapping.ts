/**
 * Maps an order of BigCommerce to documents: its lines, its shipments, and how it stands now with its refunds. Pure.
 *
 * Version 2 of the API writes amounts with four places and times as RFC 2822; version 3, used for refunds, writes plain
 * numbers and ISO 8601. The total never falls: refunds stand beside it, each with the payments that it went back by.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Sum } from "../Contradictions.ts"
import type { Fulfilment, LineState, Order, OrderLine, OrderState } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Shop from "../Shop.ts"
import { BEFORE_ALL, ended, type Goods, lineStates, moment } from "../Sides.ts"
import { tracked } from "../Trackings.ts"

/** The `status_id` of an unfinished checkout, which is not an order yet. */
const INCOMPLETE = "0"
const STATUSES: Readonly<Record<string, Order["status"]>> = {
  "1": "open", // Pending
  "2": "closed", // Shipped
  "3": "open", // Partially shipped
  "4": "closed", // Refunded
  "5": "cancelled", // Cancelled
  "6": "cancelled", // Declined
  "7": "open", // Awaiting payment
  "8": "open", // Awaiting pickup
  "9": "open", // Awaiting shipment
  "10": "closed", // Completed
  "11": "open", // Awaiting fulfilment
  "12": "open", // Manual verification required
  "13": "open", // Disputed
  "14": "open" // Partially refunded
}
/** Statuses (shipped, completed) in which goods have left even if no shipment lists them. */
const LEFT = ["2", "10"]
/** Statuses that a refund sets in place of one that says whether goods left. */
const REFUNDED = ["4", "14"]
/** Statuses in which the order is not paid yet. */
const UNPAID = ["1", "7"]
/** Refunds by these go back to the buyer without the deferred payment. */
const CREDIT = ["storecredit", "giftcertificate"]

const { money } = Shop

/** Parses RFC 2822 or ISO 8601, both with a UTC offset. */
const when = (fields: Json.Fields, path: string): Shop.When =>
  Shop.when(fields, path, (text) =>
    /^\d{4}-\d\d-\d\dT|^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} /.test(text) ? Date.parse(text) : Number.NaN
  )

const quantity = (fields: Json.Fields): bigint => Shop.quantity(fields, "quantity", 1n)

const invoicingOf = (fields: Json.Fields) => {
  const [path, id] = ["billing_address", fields.maybe("customer_id")]
  const at = (member: string) => fields.maybe(`${path}.${member}`)
  const [contact, country] = [Shop.nameOf(fields, path), "country_iso2"]
  const members = { line1: "street_1", line2: "street_2", city: "city", postcode: "zip", country }
  const its = { id: id === "0" ? undefined : id, contact, phone: at("phone"), country: at(country) }
  return {
    invoicing: Shop.address(fields, path, at("company") ?? contact, members),
    buyer: Shop.buyer(at("email"), at("company"), its)
  }
}

/** Products are nested in the consignments that they are shipped with. */
const productsOf = (fields: Json.Fields): ReadonlyArray<Json.Fields> => {
  const kinds = ["pickups", "shipping", "downloads", "email.gift_certificates"]
  const lines = kinds.flatMap((kind) => fields.list(`consignments.${kind}`)).flatMap((one) => one.list("line_items"))
  if (lines.length === 0) throw new Json.Unfit("consignments", "no products came with the order")
  return lines
}

const linesOf = (fields: Json.Fields, currency: string) => {
  const products = productsOf(fields).map((product) => ({
    id: product.text("id"),
    type: "product" as const,
    quantity: quantity(product),
    gross: money(product, "total_inc_tax", currency),
    ...Json.present({ description: product.maybe("name"), sku: product.maybe("sku") })
  }))
  const { add, all: lines, sum: sumOf } = Shop.lines(products)
  add("shipping", "shipping", money(fields, "shipping_cost_inc_tax", currency), "Shipping")
  add("handling", "fee", money(fields, "handling_cost_inc_tax", currency), "Handling")
  add("wrapping", "fee", money(fields, "wrapping_cost_inc_tax", currency), "Gift wrapping")
  for (const fee of fields.list("fees"))
    add(
      `fee-${fee.text("id")}`,
      "fee",
      money(fee, "cost_inc_tax", currency),
      fee.maybe("display_name_customer") ?? "Fee"
    )
  const discounts = ["discount_amount", "coupon_discount"].map((path) => -money(fields, path, currency))
  const total = money(fields, "total_inc_tax", currency)
  const rest = total - sumOf()
  const parts = [...lines.map(({ gross }) => gross), ...discounts]
  const sum: Sum = { currency, field: "total_inc_tax", total, of: "its lines and discounts", parts }
  if (rest < 0n) add("discount", "discount", rest, "Discount")
  else add("rounding", "fee", rest, "Rounding")
  return { sum, lines }
}

/** The payments of all refunds that were not declined. */
const givenOf = (fields: Json.Fields, currency: string) =>
  fields.list("refunds").flatMap((refund) => {
    const payments = refund.list("payments")
    if (payments.length === 0) return [{ by: "", amount: money(refund, "total_amount", currency) }]
    return payments.flatMap((payment) =>
      payment.get("is_declined") === true
        ? []
        : [{ by: payment.maybe("provider_id") ?? "", amount: money(payment, "amount", currency) }]
    )
  })

/** What may be refunded. All but products are amounts alone. */
const REFUND_ITEMS = ["PRODUCT", "SHIPPING", "HANDLING", "GIFT_WRAPPING", "TAX", "FEE", "ORDER"]

/** Goods of refunds. */
const refundsOf = (fields: Json.Fields, lines: ReadonlyArray<OrderLine>): ReadonlyArray<Goods> =>
  fields.list("refunds").flatMap((refund): ReadonlyArray<Goods> => {
    const payments = refund.list("payments")
    if (payments.length > 0 && payments.every((payment) => payment.get("is_declined") === true)) return []
    const { date, millis } = when(refund, "created")
    const goods = refund
      .list("items")
      .filter((item) => item.oneOf("item_type", REFUND_ITEMS, "item type") === "PRODUCT")
    return [
      {
        at: moment(date, millis),
        lines: goods.map((item) => {
          const line = item.text("item_id")
          if (!lines.some(({ id }) => id === line))
            throw new Json.Unfit("refunds", `a refund is of product ${line}, which the order does not have`)
          return { line, quantity: quantity(item) }
        })
      }
    ]
  })

/** A shipment has one tracking number; the carrier's display name is preferred. */
const trackingOf = (shipment: Json.Fields): Pick<Fulfilment, "tracking"> =>
  tracked([shipment], {
    number: ["tracking_number"],
    carrier: ["shipping_provider_display_name", "tracking_carrier", "shipping_provider"],
    url: ["tracking_link", "generated_tracking_link"]
  })

/** Shipments, and one more for unlisted goods if the status says that everything has left. */
const parcelsOf = (fields: Json.Fields, order: string, currency: string, lines: ReadonlyArray<OrderLine>) => {
  const parcel = Shop.parcelOf(order, currency)
  const left = fields.list("shipments").map((one) => {
    const parts = one.list("items").map((item) => ({ line: item.text("order_product_id"), quantity: quantity(item) }))
    if (parts.length === 0) throw new Json.Unfit("shipments", "a shipment without items: it does not say what left")
    return parcel(`${order}/${one.text("id")}`, when(one, "date_created"), parts, trackingOf(one))
  })
  const count = (of: ReadonlyArray<{ readonly quantity: bigint }>) => Decimal.sum(of.map((one) => one.quantity))
  const listed = count(left.flatMap(({ fulfilment }) => fulfilment.lines))
  if (!LEFT.includes(fields.text("status_id")) || listed >= count(Shop.productsOf(lines))) return left
  const path = fields.maybe("date_shipped") === undefined ? "date_modified" : "date_shipped"
  return [...left, parcel(`${order}/rest`, when(fields, path), [])]
}

/** Somebody called the whole order shipped, after all its shipments: a shipment of a part may state its own day as the order's. */
const wasMarked = (fields: Json.Fields, parcels: ReadonlyArray<Shop.Parcel>): boolean => {
  if (fields.maybe("date_shipped") === undefined) return false
  const { date } = when(fields, "date_shipped")
  return parcels.every(({ fulfilment }) => fulfilment.date < date)
}

const statesOf = (
  fields: Json.Fields,
  lines: ReadonlyArray<OrderLine>,
  parcels: ReadonlyArray<Shop.Parcel>
): ReadonlyArray<LineState> => {
  const status = fields.text("status_id")
  const goods = Shop.productsOf(lines).map(({ id: line, quantity }) => ({ line, quantity }))
  const isRefunded = REFUNDED.includes(status)
  const hasLeft = LEFT.includes(status) || (isRefunded && wasMarked(fields, parcels))
  // What is downloaded or sent by email leaves with the payment.
  const digital = ["downloads", "email.gift_certificates"].flatMap((kind) =>
    fields.list(`consignments.${kind}`).flatMap((one) => one.list("line_items").map((item) => item.text("id")))
  )
  const atOnce = UNPAID.includes(status) ? [] : goods.filter(({ line }) => digital.includes(line))
  const states = lineStates({
    lines: goods,
    left: hasLeft ? [{ at: BEFORE_ALL, lines: goods }] : [{ at: BEFORE_ALL, lines: atOnce }, ...Shop.leftOf(parcels)],
    refunded: refundsOf(fields, lines)
  })
  if (hasLeft || !isRefunded || parcels.length > 0) return status === "4" ? ended(states) : states
  // The refund replaced the status. If that had ever said that all left, the order would have a date for it.
  const isOver = status === "4"
  return states.map((one) =>
    atOnce.some(({ line }) => line === one.line)
      ? one
      : { line: one.line, asBefore: true, back: 0n, still: isOver ? 0n : one.still }
  )
}

const stateOf = (
  fields: Json.Fields,
  currency: string,
  lines: ReadonlyArray<OrderLine>,
  parcels: ReadonlyArray<Shop.Parcel>
): OrderState => {
  const total = money(fields, "total_inc_tax", currency)
  const otherwise = money(fields, "store_credit_amount", currency) + money(fields, "gift_certificate_amount", currency)
  const given = givenOf(fields, currency)
  const sum = (isCredit: boolean) =>
    Decimal.sum(given.flatMap(({ amount, by }) => (CREDIT.includes(by) === isCredit ? [amount] : [])))
  const status = fields.text("status_id")
  const isCancelled = ["5", "6"].includes(status) || fields.get("is_deleted") === true
  const end = isCancelled ? "cancelled" : [...LEFT, "4"].includes(status) ? "complete" : undefined
  return {
    lines: statesOf(fields, lines, parcels),
    total,
    placed: total,
    own: { given: sum(false), ...(UNPAID.includes(status) ? {} : { received: total - otherwise }) },
    others: { received: otherwise, given: sum(true) },
    ...Json.present({ end })
  }
}

/** A refund takes the place of the status that would say it, of an order that was shipped; that is not called complete yet. */
export const isComplete = (fields: Json.Fields) => (): boolean | undefined => {
  const status = fields.text("status_id")
  const isUnsaid = status === "14" && fields.maybe("date_shipped") !== undefined
  return isUnsaid ? undefined : status !== "2" && (LEFT.includes(status) || ["4", "5", "6"].includes(status))
}

export interface Options {
  /** The member of an order that holds its deferred-payment id. */
  readonly carried: string | undefined
  /** The deferred payment's methods (`payment_method`); by default every order's own. */
  readonly methods: ReadonlyArray<string> | undefined
}

export const order =
  ({ carried, methods }: Options) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("id")
    if (fields.text("status_id") === INCOMPLETE) return { documents: [] }
    const status = fields.meaning("status_id", STATUSES)
    const currency = fields.currency("default_currency_code")
    const { lines, sum } = linesOf(fields, currency)
    const parcels = parcelsOf(fields, id, currency, lines)
    const { buyer, invoicing } = invoicingOf(fields)
    const document: Order = {
      kind: "order",
      id,
      number: id,
      status: fields.get("is_deleted") === true && status === "open" ? "cancelled" : status,
      currency,
      placed: when(fields, "date_created").date,
      lines,
      ...Json.present({
        invoicing,
        deferredPayment: carried === undefined ? undefined : fields.maybe(carried),
        buyer,
        channel: fields.maybe("channel_id"),
        said: fields.maybe("status"),
        payment: fields.text("status_id") === "6" ? ("failed" as const) : undefined
      }),
      ...Shop.paidBy(fields.maybe("payment_method"), methods),
      state: stateOf(fields, currency, lines, parcels)
    }
    return { ...Shop.decoded(document, parcels), sums: [sum] }
  }
