/**
 * Maps an order of Adobe Commerce (Magento 2), with its shipments and credit memos, to documents. Pure.
 *
 * A configured or bundled product has a line of its own, and so has each of its parts: the product is used, its parts are
 * skipped. `../Refunds.ts` splits a credit memo into cancelled and returned goods by what had been shipped before it.
 */
import type { Fulfilment, Order, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Refunds from "../Refunds.ts"
import * as Shop from "../Shop.ts"
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
const { money, quantity, when } = Shop

const linesOf = (fields: Json.Fields, currency: string): ReadonlyArray<OrderLine> => {
  const products = fields.list("items").filter((item) => item.maybe("parent_item_id") === undefined)
  if (products.length === 0) throw new Json.Unfit("items", "no products came with the order")
  const lines = products.map((item) => ({
    id: item.text("item_id"),
    type: "product" as const,
    quantity: quantity(item, "qty_ordered"),
    gross: money(item, "row_total_incl_tax", currency),
    ...Json.present({ description: item.maybe("name"), sku: item.maybe("sku") })
  }))
  const { add, all, sum } = Shop.lines(lines)
  add("shipping", "shipping", money(fields, "shipping_incl_tax", currency), "Shipping")
  // The rest: discounts with their effect on taxes, and what extensions add or take off.
  const rest = money(fields, "grand_total", currency) - sum()
  if (rest < 0n) add("discount", "discount", rest, "Discount")
  else add("other", "fee", rest, "Other charges")
  return all
}

interface Whole {
  readonly id: string
  readonly currency: string
  readonly lines: ReadonlyArray<OrderLine>
  readonly fields: Json.Fields
}

/** The order lines in a shipment or credit memo. Parts of a product, which are items of their own there, are skipped. */
const partsOf = ({ fields, lines }: Whole, of: Json.Fields, member: string) =>
  of.list("items").flatMap((item) => {
    const [line, count] = [item.text("order_item_id"), quantity(item, "qty")]
    if (count === 0n) return []
    if (lines.some(({ id }) => id === line)) return [{ line, quantity: count, item }]
    const part = fields.list("items").find((one) => one.maybe("item_id") === line)
    if (part === undefined) throw new Json.Unfit(member, `is of line ${line}, which the order does not have`)
    return []
  })

const trackingOf = (shipment: Json.Fields): Pick<Fulfilment, "tracking"> =>
  tracked(shipment.list("tracks"), { number: ["track_number"], carrier: ["title", "carrier_code"], url: [] })

const parcelsOf = (whole: Whole): ReadonlyArray<Shop.Parcel> => {
  const { currency, fields, id: order } = whole
  const parcel = Shop.parcelOf(order, currency)
  const left = fields.list("shipments").map((one) => {
    const parts = partsOf(whole, one, "shipments").map(({ line, quantity }) => ({ line, quantity }))
    if (parts.length === 0)
      throw new Json.Unfit(
        "shipments",
        "lists only parts of a bundle, so it is unknown how much of the order was shipped"
      )
    return parcel(one.text("entity_id"), when(one, "created_at"), parts, trackingOf(one))
  })
  if (fields.text("state") !== "complete" || Shop.isAllPacked(left, whole.lines)) return left
  // Virtual products need no shipment: they are delivered at once.
  return [...left, { ...parcel(`${order}/rest`, when(fields, "created_at"), []), at: Refunds.BEFORE_ALL }]
}

const refundsOf = (whole: Whole): ReadonlyArray<Refunds.Refund> =>
  whole.fields.list("memos").flatMap((memo): ReadonlyArray<Refunds.Refund> => {
    if (memo.maybe("state") === CANCELED_MEMO) return []
    const { date, millis } = when(memo, "created_at")
    const lines = partsOf(whole, memo, "memos").map(({ item, line, quantity }) => {
      const worth = money(item, "row_total_incl_tax", whole.currency) - money(item, "discount_amount", whole.currency)
      return { line, quantity, worth: worth < 0n ? 0n : worth }
    })
    const given = money(memo, "grand_total", whole.currency)
    return [{ id: memo.text("entity_id"), at: Refunds.moment(date, millis), date, given, lines }]
  })

/** @param carried the member of an order that holds its deferred-payment id */
export const order =
  (carried: string | undefined) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("entity_id")
    const status = fields.meaning("state", STATES, "state")
    const currency = fields.currency("order_currency_code")
    const lines = linesOf(fields, currency)
    const whole: Whole = { id, currency, lines, fields }
    const parcels = parcelsOf(whole)
    const facts = Shop.refunded(whole, parcels, refundsOf(whole))
    const document: Order = {
      kind: "order",
      id,
      number: fields.text("increment_id"),
      status,
      currency,
      placed: when(fields, "created_at").date,
      lines,
      ...Json.present({ deferredPayment: carried === undefined ? undefined : fields.maybe(carried) })
    }
    return Shop.decoded(document, parcels, facts)
  }
