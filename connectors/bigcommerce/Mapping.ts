/**
 * Maps an order of BigCommerce, with its shipments and refunds, to documents. Pure.
 *
 * Version 2 of the API writes amounts with four places and times as RFC 2822; version 3, used for refunds, writes plain
 * numbers and ISO 8601. `../Refunds.ts` splits a refund into cancelled and returned goods by what had been shipped before.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Fulfilment, Order, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Refunds from "../Refunds.ts"
import * as Shop from "../Shop.ts"
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
const ITEMS = ["PRODUCT", "GIFT_WRAPPING", "SHIPPING", "HANDLING", "ORDER", "FEE"]

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

const linesOf = (fields: Json.Fields, currency: string): ReadonlyArray<OrderLine> => {
  const products = productsOf(fields).map((product) => ({
    id: product.text("id"),
    type: "product" as const,
    quantity: quantity(product),
    gross: money(product, "total_inc_tax", currency),
    ...Json.present({ description: product.maybe("name"), sku: product.maybe("sku") })
  }))
  const { add, all, sum } = Shop.lines(products)
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
  const discounts = ["discount_amount", "coupon_discount"].map((path) => money(fields, path, currency))
  const rest = money(fields, "total_inc_tax", currency) - sum()
  const odd = rest + Decimal.sum(discounts)
  // Rounding may lose up to one minor unit per line.
  if (Currency.toMinor(Decimal.abs(odd), currency) > BigInt(all.length + 1))
    throw new Json.Unfit(
      "total_inc_tax",
      `the lines and discounts come to ${Decimal.format(odd)} less than the order's total`
    )
  if (rest < 0n) add("discount", "discount", rest, "Discount")
  else add("rounding", "fee", rest, "Rounding")
  return all
}

/** Whether every payment of a refund was declined, so that no money went back. */
const isDeclined = (refund: Json.Fields): boolean => {
  const payments = refund.list("payments")
  return payments.length > 0 && payments.every((payment) => payment.get("is_declined") === true)
}

const refundsOf = (fields: Json.Fields, order: string, currency: string, lines: ReadonlyArray<OrderLine>) =>
  fields.list("refunds").flatMap((refund): ReadonlyArray<Refunds.Refund> => {
    if (isDeclined(refund)) return []
    const goods = refund.list("items").filter((item) => item.oneOf("item_type", ITEMS, "type of item") === "PRODUCT")
    const { date, millis } = when(refund, "created")
    return [
      {
        id: `${order}/${refund.text("id")}`,
        at: Refunds.moment(date, millis),
        date,
        given: money(refund, "total_amount", currency),
        lines: goods.map((item) => {
          const [line, count] = [item.text("item_id"), quantity(item)]
          const held = lines.find(({ id }) => id === line)
          if (held === undefined)
            throw new Json.Unfit("refunds", `a refund is of product ${line}, which the order does not have`)
          const worth = Decimal.divide(Decimal.multiply(held.gross, count), held.quantity, Currency.decimals(currency))
          return { line, quantity: count, worth }
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
  if (!LEFT.includes(fields.text("status_id")) || Shop.isAllPacked(left, lines)) return left
  const path = fields.maybe("date_shipped") === undefined ? "date_modified" : "date_shipped"
  return [...left, parcel(`${order}/rest`, when(fields, path), [])]
}

/** @param carried the member of an order that holds its deferred-payment id */
export const order =
  (carried: string | undefined) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("id")
    if (fields.text("status_id") === INCOMPLETE) return { documents: [] }
    const status = fields.meaning("status_id", STATUSES)
    const currency = fields.currency("default_currency_code")
    const lines = linesOf(fields, currency)
    const parcels = parcelsOf(fields, id, currency, lines)
    const facts = Shop.refunded({ id, currency, lines }, parcels, refundsOf(fields, id, currency, lines))
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
        buyer
      })
    }
    return Shop.decoded(document, parcels, facts)
  }
