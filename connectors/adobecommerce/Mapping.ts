/**
 * Maps an order of Adobe Commerce (Magento 2), with its shipments and credit memos, to documents. Pure.
 *
 * A configured or bundled product has a line of its own, and so has each of its parts: the product is used, its parts are
 * skipped. `../Refunds.ts` splits a credit memo into cancelled and returned goods by what had been shipped before it.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Fulfilment, LineType, Order, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Refunds from "../Refunds.ts"
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

/** Parses `2026-01-29 21:40:11`, in UTC. */
const millis = (fields: Json.Fields, path: string): number => {
  const text = fields.text(path)
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text.replace(" ", "T")}Z`) : Number.NaN
  if (Number.isNaN(at))
    throw new Json.Unfit(path, `${JSON.stringify(text.slice(0, 40))} is not a time like 2026-01-29 21:40:11`)
  return at
}

/** Rounds amounts finer than the currency; the order's total is then compared with the sum. */
const money = (fields: Json.Fields, path: string, currency: string): bigint => {
  const text = fields.maybe(path) ?? "0"
  const exact = Decimal.parse(text)
  if (typeof exact === "string") throw new Json.Unfit(path, `${JSON.stringify(text.slice(0, 40))} ${exact}`)
  return Decimal.multiply(exact, Decimal.one, Currency.decimals(currency))
}

const quantity = (fields: Json.Fields, path: string): bigint => {
  const text = fields.text(path)
  const value = Decimal.parse(text, 3)
  if (typeof value === "string" || value < 0n)
    throw new Json.Unfit(path, `${JSON.stringify(text.slice(0, 40))} is not a quantity`)
  return value
}

const linesOf = (fields: Json.Fields, currency: string): ReadonlyArray<OrderLine> => {
  const products = fields.list("items").filter((item) => item.maybe("parent_item_id") === undefined)
  if (products.length === 0) throw new Json.Unfit("items", "no products came with the order")
  const lines: Array<OrderLine> = products.map((item) => ({
    id: item.text("item_id"),
    type: "product",
    quantity: quantity(item, "qty_ordered"),
    gross: money(item, "row_total_incl_tax", currency),
    ...Json.present({ description: item.maybe("name"), sku: item.maybe("sku") })
  }))
  const add = (id: string, type: LineType, gross: bigint, description: string) => {
    if (gross !== 0n) lines.push({ id, type, quantity: Decimal.one, gross, description })
  }
  add("shipping", "shipping", money(fields, "shipping_incl_tax", currency), "Shipping")
  // The rest: discounts with their effect on taxes, and what extensions add or take off.
  const rest = money(fields, "grand_total", currency) - Decimal.sum(lines.map(({ gross }) => gross))
  if (rest < 0n) add("discount", "discount", rest, "Discount")
  else add("other", "fee", rest, "Other charges")
  return lines
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

interface Left {
  readonly at: string
  readonly fulfilment: Fulfilment
}

const trackingOf = (shipment: Json.Fields): Pick<Fulfilment, "tracking"> =>
  shipment.get("tracks") === undefined
    ? {}
    : tracked(shipment.list("tracks"), { number: ["track_number"], carrier: ["title", "carrier_code"], url: [] })

const leftOf = (whole: Whole): ReadonlyArray<Left> => {
  const { currency, fields, id: order } = whole
  const left = fields.list("shipments").map((one): Left => {
    const at = millis(one, "created_at")
    const date = Day.fromEpochMillis(at)
    const lines = partsOf(whole, one, "shipments").map(({ line, quantity }) => ({ line, quantity }))
    if (lines.length === 0)
      throw new Json.Unfit(
        "shipments",
        "lists only parts of a bundle, so it is unknown how much of the order was shipped"
      )
    return {
      at: Refunds.moment(date, at),
      fulfilment: { kind: "fulfilment", id: one.text("entity_id"), order, date, currency, lines, ...trackingOf(one) }
    }
  })
  const count = (of: ReadonlyArray<{ readonly quantity: bigint }>) => Decimal.sum(of.map(({ quantity }) => quantity))
  const packed = count(left.flatMap(({ fulfilment }) => fulfilment.lines))
  const isAll = packed >= count(whole.lines.filter(({ type }) => type === "product"))
  if (fields.text("state") !== "complete" || isAll) return left
  // Virtual products need no shipment: they are delivered at once.
  const date = Day.fromEpochMillis(millis(fields, "created_at"))
  return [
    ...left,
    {
      at: Refunds.BEFORE_ALL,
      fulfilment: { kind: "fulfilment", id: `${order}/rest`, order, date, currency, lines: [] }
    }
  ]
}

const refundsOf = (whole: Whole): ReadonlyArray<Refunds.Refund> =>
  whole.fields.list("memos").flatMap((memo): ReadonlyArray<Refunds.Refund> => {
    if (memo.maybe("state") === CANCELED_MEMO) return []
    const at = millis(memo, "created_at")
    const date = Day.fromEpochMillis(at)
    const lines = partsOf(whole, memo, "memos").map(({ item, line, quantity }) => {
      const worth = money(item, "row_total_incl_tax", whole.currency) - money(item, "discount_amount", whole.currency)
      return { line, quantity, worth: worth < 0n ? 0n : worth }
    })
    const given = money(memo, "grand_total", whole.currency)
    return [{ id: memo.text("entity_id"), at: Refunds.moment(date, at), date, given, lines }]
  })

/** @param carried the member of an order that holds its deferred-payment id */
export const order =
  (carried: string | undefined) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("entity_id")
    const state = fields.text("state")
    const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined
    if (status === undefined) throw new Json.Unfit("state", `${JSON.stringify(state)} is not a known state`)
    const currency = fields.currency("order_currency_code")
    const lines = linesOf(fields, currency)
    const whole: Whole = { id, currency, lines, fields }
    const left = leftOf(whole)
    const facts = Refunds.facts({
      order: id,
      currency,
      lines: lines.flatMap(({ id: line, quantity, type }) => (type === "product" ? [{ line, quantity }] : [])),
      left: left.map(({ at, fulfilment }) => ({ at, lines: fulfilment.lines })),
      refunds: refundsOf(whole)
    })
    const document: Order = {
      kind: "order",
      id,
      number: fields.text("increment_id"),
      status,
      currency,
      placed: Day.fromEpochMillis(millis(fields, "created_at")),
      lines,
      ...Json.present({ deferredPayment: carried === undefined ? undefined : fields.maybe(carried) })
    }
    return { documents: [document, ...left.map(({ fulfilment }) => fulfilment), ...facts], complete: id }
  }
