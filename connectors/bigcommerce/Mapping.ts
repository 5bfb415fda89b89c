/**
 * Maps an order of BigCommerce, with its shipments and refunds, to documents. Pure.
 *
 * Version 2 of the API writes amounts with four places and times as RFC 2822; version 3, used for refunds, writes plain
 * numbers and ISO 8601. `../Refunds.ts` splits a refund into cancelled and returned goods by what had been shipped before.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Address, Buyer, Fulfilment, LineType, Order, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Refunds from "../Refunds.ts"
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

/** Parses RFC 2822 or ISO 8601, both with a UTC offset. */
const millis = (fields: Json.Fields, path: string): number => {
  const text = fields.text(path)
  const at = /^\d{4}-\d\d-\d\dT|^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} /.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new Json.Unfit(path, `${JSON.stringify(text.slice(0, 40))} is not a time with its offset`)
  return at
}

/** Rounds amounts finer than the currency; the order's total is then compared with the sum. */
const money = (fields: Json.Fields, path: string, currency: string): bigint => {
  const text = fields.maybe(path) ?? "0"
  const exact = Decimal.parse(text)
  if (typeof exact === "string") throw new Json.Unfit(path, `${JSON.stringify(text.slice(0, 40))} ${exact}`)
  return Decimal.multiply(exact, Decimal.one, Currency.decimals(currency))
}

const quantity = (fields: Json.Fields): bigint => {
  const text = fields.text("quantity")
  const value = Decimal.parse(text, 3)
  if (typeof value === "string" || value <= 0n)
    throw new Json.Unfit("quantity", `${JSON.stringify(text.slice(0, 40))} is not a quantity`)
  return value
}

const nameOf = (fields: Json.Fields, path: string) =>
  ["first_name", "last_name"].flatMap((part) => fields.maybe(`${path}.${part}`) ?? []).join(" ") || undefined

const address = (fields: Json.Fields, path: string): Address =>
  Json.present({
    name: fields.maybe(`${path}.company`) ?? nameOf(fields, path),
    line1: fields.maybe(`${path}.street_1`),
    line2: fields.maybe(`${path}.street_2`),
    city: fields.maybe(`${path}.city`),
    postcode: fields.maybe(`${path}.zip`),
    country: fields.maybe(`${path}.country_iso2`)
  })

const buyer = (fields: Json.Fields): Buyer | undefined => {
  const email = fields.maybe("billing_address.email")
  if (email === undefined) return undefined
  const [contact, id] = [nameOf(fields, "billing_address"), fields.maybe("customer_id")]
  return {
    name: fields.maybe("billing_address.company") ?? contact ?? email,
    email,
    ...Json.present({
      id: id === "0" ? undefined : id,
      contact,
      phone: fields.maybe("billing_address.phone"),
      country: fields.maybe("billing_address.country_iso2")
    })
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
  const lines: Array<OrderLine> = productsOf(fields).map((product) => ({
    id: product.text("id"),
    type: "product",
    quantity: quantity(product),
    gross: money(product, "total_inc_tax", currency),
    ...Json.present({ description: product.maybe("name"), sku: product.maybe("sku") })
  }))
  const add = (id: string, type: LineType, gross: bigint, description: string) => {
    if (gross !== 0n) lines.push({ id, type, quantity: Decimal.one, gross, description })
  }
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
  const rest = money(fields, "total_inc_tax", currency) - Decimal.sum(lines.map(({ gross }) => gross))
  const odd = rest + Decimal.sum(discounts)
  // Rounding may lose up to one minor unit per line.
  if (Currency.toMinor(Decimal.abs(odd), currency) > BigInt(lines.length + 1))
    throw new Json.Unfit(
      "total_inc_tax",
      `the lines and discounts come to ${Decimal.format(odd)} less than the order's total`
    )
  if (rest < 0n) add("discount", "discount", rest, "Discount")
  else add("rounding", "fee", rest, "Rounding")
  return lines
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
    const at = millis(refund, "created")
    const date = Day.fromEpochMillis(at)
    return [
      {
        id: `${order}/${refund.text("id")}`,
        at: Refunds.moment(date, at),
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

interface Left {
  readonly at: string
  readonly fulfilment: Fulfilment
}

/** A shipment has one tracking number; the carrier's display name is preferred. */
const trackingOf = (shipment: Json.Fields): Pick<Fulfilment, "tracking"> =>
  tracked([shipment], {
    number: ["tracking_number"],
    carrier: ["shipping_provider_display_name", "tracking_carrier", "shipping_provider"],
    url: ["tracking_link", "generated_tracking_link"]
  })

/** Shipments, and one more for unlisted goods if the status says that everything has left. */
const leftOf = (fields: Json.Fields, order: string, currency: string, lines: ReadonlyArray<OrderLine>) => {
  const parcel = (
    id: string,
    at: number,
    parts: Fulfilment["lines"],
    more: Pick<Fulfilment, "tracking"> = {}
  ): Left => {
    const date = Day.fromEpochMillis(at)
    const fulfilment: Fulfilment = {
      kind: "fulfilment",
      id: `${order}/${id}`,
      order,
      date,
      currency,
      lines: parts,
      ...more
    }
    return { at: Refunds.moment(date, at), fulfilment }
  }
  const left = fields.list("shipments").map((one) => {
    const parts = one.list("items").map((item) => ({ line: item.text("order_product_id"), quantity: quantity(item) }))
    if (parts.length === 0) throw new Json.Unfit("shipments", "a shipment without items: it does not say what left")
    return parcel(one.text("id"), millis(one, "date_created"), parts, trackingOf(one))
  })
  const count = (of: ReadonlyArray<{ readonly quantity: bigint }>) => Decimal.sum(of.map(({ quantity }) => quantity))
  const packed = count(left.flatMap(({ fulfilment }) => fulfilment.lines))
  if (!LEFT.includes(fields.text("status_id")) || packed >= count(lines.filter(({ type }) => type === "product")))
    return left
  const path = fields.maybe("date_shipped") === undefined ? "date_modified" : "date_shipped"
  return [...left, parcel("rest", millis(fields, path), [])]
}

/** @param carried the member of an order that holds its deferred-payment id */
export const order =
  (carried: string | undefined) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("id")
    const said = fields.text("status_id")
    if (said === INCOMPLETE) return { documents: [] }
    const status = Object.hasOwn(STATUSES, said) ? STATUSES[said] : undefined
    if (status === undefined) throw new Json.Unfit("status_id", `${JSON.stringify(said)} is not a known status`)
    const currency = fields.currency("default_currency_code")
    const lines = linesOf(fields, currency)
    const left = leftOf(fields, id, currency, lines)
    const products = lines.filter(({ type }) => type === "product")
    const facts = Refunds.facts({
      order: id,
      currency,
      lines: products.map((line) => ({ line: line.id, quantity: line.quantity })),
      left: left.map(({ at, fulfilment }) => ({ at, lines: fulfilment.lines })),
      refunds: refundsOf(fields, id, currency, lines)
    })
    const document: Order = {
      kind: "order",
      id,
      number: id,
      status: fields.get("is_deleted") === true && status === "open" ? "cancelled" : status,
      currency,
      placed: Day.fromEpochMillis(millis(fields, "date_created")),
      lines,
      invoicing: address(fields, "billing_address"),
      ...Json.present({
        deferredPayment: carried === undefined ? undefined : fields.maybe(carried),
        buyer: buyer(fields)
      })
    }
    return { documents: [document, ...left.map(({ fulfilment }) => fulfilment), ...facts], complete: id }
  }
