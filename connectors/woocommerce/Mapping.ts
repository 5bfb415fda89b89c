/**
 * Maps a WooCommerce order to documents: its lines, its parcels, and how it stands now with its refunds. Pure.
 *
 * A line's amount is what the buyer pays for it: after coupons, including taxes. WooCommerce itself has no parcels: an order in
 * one of the `shipped` statuses, or that was ever completed, has left completely; before that, what a tracking plugin says has
 * left. Its total never falls: what was given back stands beside it. Days are in the shop's time zone (`Clock.ts`).
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type * as Day from "../../core/wire/Day.ts"
import type { Fulfilment, LinePart, LineState, Order, OrderLine, OrderState } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Shop from "../Shop.ts"
import { BEFORE_ALL, ended, type Goods, lineStates } from "../Sides.ts"
import { tracked } from "../Trackings.ts"
import * as Buyers from "./Buyers.ts"
import { Clock } from "./Clock.ts"
import * as Html from "./Html.ts"

export interface Options {
  /** The name of the order metadata with its deferred-payment id. */
  readonly carried: string
  /** Statuses in which everything has left. */
  readonly shipped: ReadonlyArray<string>
  /** Maps the shop's own statuses. */
  readonly statuses: Readonly<Record<string, Order["status"]>>
  /** The metadata with the service's id for the company; undefined if buyers are not read. */
  readonly company: string | undefined
  /** The deferred payment's methods; by default every order's own. */
  readonly methods: ReadonlyArray<string> | undefined
  /** The name of the metadata in which a plugin stores parcels. */
  readonly parcels: string
}

/** Statuses of carts that were never ordered. */
const CARTS = ["checkout-draft", "auto-draft", "draft"]

const STATUSES: Readonly<Record<string, Order["status"]>> = {
  cancelled: "cancelled",
  failed: "cancelled",
  refunded: "closed"
}

const lookedUp = (of: Options["statuses"], said: string) => (Object.hasOwn(of, said) ? of[said] : undefined)

const ONE = Decimal.one

/** Data stored by a plugin, which may have any form. */
const all = (value: unknown): ReadonlyArray<Json.Fields> => Json.objects(value).map((one) => new Json.Fields(one))

const quantityOf = (fields: Json.Fields, path: string): bigint => {
  const text = fields.maybe(path) ?? "0"
  const quantity = Decimal.parse(text, 3)
  if (typeof quantity === "string") throw new Json.Unfit(path, `${JSON.stringify(text.slice(0, 40))} ${quantity}`)
  return quantity
}

const meta = (fields: Json.Fields, name: string): unknown =>
  Json.objects(fields.get("meta_data")).find(({ key }) => key === name)?.["value"]

const identifiers = (order: Json.Fields, name: string) => {
  const carried = meta(order, name)
  const transaction = order.maybe("transaction_id") ?? ""
  const id =
    typeof carried === "string" && carried.trim() !== ""
      ? carried.trim()
      : /^(defpay|order)-/.test(transaction)
        ? transaction
        : ""
  if (id === "") return {}
  return id.startsWith("order-") ? { serviceOrder: id } : { deferredPayment: id }
}

const trackingOf = (parcel: Json.Fields): Pick<Fulfilment, "tracking"> =>
  tracked([parcel], {
    number: ["tracking_number"],
    carrier: ["formatted_tracking_provider", "custom_tracking_provider", "tracking_provider"],
    url: ["formatted_tracking_link", "custom_tracking_link", "tracking_link"]
  })

/** The parcels that tracking plugins store, if they list their contents. */
const parcelsOf = (
  one: Json.Fields,
  { clock, name, order }: { readonly clock: Clock; readonly name: string; readonly order: string },
  fact: (date: Day.Day) => Pick<Fulfilment, "order" | "date" | "currency">
): ReadonlyArray<Shop.Parcel> => {
  const lines = one.list("line_items")
  return all(meta(one, name)).flatMap((parcel, n) => {
    const listed = parcel.get("products_list")
    const goods = all(Json.isObject(listed) ? Object.values(listed) : listed)
    const parts = goods.flatMap((one): ReadonlyArray<LinePart> => {
      const product = one.maybe("product")
      const [same, ...others] = lines.filter((line) =>
        [line.maybe("product_id"), line.maybe("variation_id")].includes(product)
      )
      const line = one.maybe("item_id") ?? (others.length === 0 ? same?.text("id") : undefined)
      const quantity = quantityOf(one, "qty")
      return line === undefined || quantity <= 0n ? [] : [{ line, quantity }]
    })
    if (parts.length === 0) return []
    const { at, date } = clock.shipped(parcel)
    const id = `${order}/${parcel.maybe("tracking_id") ?? `${n + 1}`}`
    const fulfilment: Fulfilment = { kind: "fulfilment", id, ...fact(date), lines: parts, ...trackingOf(parcel) }
    return [{ fulfilment, at }]
  })
}

/** WooCommerce computes with more places than a currency has, and rounds each amount. */
const grossOf = (fields: Json.Fields, currency: string): bigint =>
  Shop.money(fields, "total", currency) + Shop.money(fields, "total_tax", currency)

const linesOf = (
  one: Json.Fields,
  currency: string,
  notices: Array<string>,
  taxOf: (line: Json.Fields) => Pick<OrderLine, "tax">
): ReadonlyArray<OrderLine> => {
  const lines: Array<OrderLine> = []
  const list = (member: string, prefix: string, type: OrderLine["type"], name: string) => {
    for (const item of one.list(member)) {
      const [quantity, gross] = [quantityOf(item, "quantity"), grossOf(item, currency)]
      if (quantity <= 0n && gross === 0n) continue
      lines.push({
        id: `${prefix}${item.text("id")}`,
        type: gross < 0n ? "discount" : type,
        quantity: type === "product" && gross >= 0n && quantity > 0n ? quantity : ONE,
        gross,
        ...Json.present({ description: Html.maybe(item, name), sku: item.maybe("sku") }),
        ...taxOf(item)
      })
    }
  }
  list("line_items", "", "product", "name")
  list("shipping_lines", "shipping/", "shipping", "method_title")
  list("fee_lines", "fee/", "fee", "name")
  // Taxes rounded once for the whole order, and what plugins take off the total alone, such as gift cards.
  const difference = Shop.money(one, "total", currency) - Decimal.sum(lines.map((line) => line.gross))
  if (difference !== 0n) {
    const rounding = Currency.toMinor(Decimal.abs(difference), currency) <= BigInt(2 * lines.length)
    const description = rounding ? "Rounding" : "Difference to the order's total"
    const type = difference > 0n ? "fee" : "discount"
    lines.push({ id: "difference", type, quantity: ONE, gross: difference, description })
    if (!rounding)
      notices.push(
        `the order's total is ${Currency.say(difference, currency)} different from the sum of its lines; a line was added for the difference`
      )
  }
  return lines
}

/** The goods of a refund. */
const refundOf = (refund: Json.Fields, clock: Clock): Goods => ({
  at: clock.of(refund, "date_created").at,
  lines: refund.list("line_items").flatMap((item) => {
    const line = Json.nameOf(meta(item, "_refunded_item_id"))
    const quantity = Decimal.abs(quantityOf(item, "quantity"))
    if (quantity === 0n) return []
    if (line === undefined) throw new Json.Unfit("refunds", "one of its lines does not say which line it is of")
    return [{ line, quantity }]
  })
})

/** An order, with what reading all its parts needs. */
interface Read {
  readonly one: Json.Fields
  readonly document: Order
  readonly clock: Clock
  readonly parcels: ReadonlyArray<Shop.Parcel>
  /** Its status says that everything has left, or did when it was completed. */
  readonly hasAllLeft: boolean
}

const factOf =
  ({ currency, id }: Order) =>
  (date: Day.Day) => ({ order: id, date, currency })

/** What left, as evidence: parcels, and the rest of the order if its status says so. */
const leftOf = ({ clock, document, hasAllLeft, one, parcels }: Read): ReadonlyArray<Shop.Parcel> => {
  if (!hasAllLeft) return parcels
  const dated = one.maybe("date_completed_gmt") !== undefined
  const { at, date } = clock.of(one, dated ? "date_completed" : "date_modified")
  const id = `${document.id}/all`
  // The shop's own statuses have no date: they are taken to have come before every refund.
  return [
    ...parcels,
    { at: dated ? at : BEFORE_ALL, fulfilment: { kind: "fulfilment", id, ...factOf(document)(date), lines: [] } }
  ]
}

const statesOf = ({ clock, document, hasAllLeft, one, parcels }: Read): ReadonlyArray<LineState> => {
  const lines = Shop.productsOf(document.lines).map(({ id: line, quantity }) => ({ line, quantity }))
  const at = one.maybe("date_completed_gmt") === undefined ? BEFORE_ALL : clock.of(one, "date_completed").at
  const left = Shop.leftOf(parcels)
  const packed = left.flatMap((parcel) => parcel.lines)
  const rest = lines.map(({ line, quantity }) => {
    const gone = Decimal.sum(packed.flatMap((part) => (part.line === line ? [part.quantity] : [])))
    return { line, quantity: quantity > gone ? quantity - gone : 0n }
  })
  const states = lineStates({
    lines,
    left: hasAllLeft ? [...left, { at, lines: rest }] : left,
    refunded: one.list("returns").map((refund) => refundOf(refund, clock))
  })
  if (document.status === "open") return states
  const over = one.text("status") === "cancelled" || document.status === "cancelled" ? states : ended(states)
  // The status refunded says nothing of what left.
  return one.text("status") === "refunded" && !hasAllLeft && parcels.length === 0
    ? over.map(({ line }) => ({ line, back: 0n, still: 0n }))
    : over
}

/** Its total never falls; an order counts as paid from its payment date on. */
const stateOf = (read: Read): OrderState => {
  const { document, hasAllLeft, one } = read
  const { currency, status } = document
  const total = Shop.money(one, "total", currency)
  const given = Decimal.sum(one.list("returns").map((refund) => Decimal.abs(Shop.money(refund, "amount", currency))))
  const isPaid = one.maybe("date_paid_gmt") !== undefined || one.maybe("date_paid") !== undefined
  const isDone = hasAllLeft || one.text("status") === "refunded"
  const end = status === "open" ? undefined : isDone && status !== "cancelled" ? "complete" : "cancelled"
  return {
    lines: statesOf(read),
    total,
    placed: total,
    own: { given, ...(isPaid ? { received: total } : {}) },
    others: { received: 0n, given: 0n },
    ...Json.present({ end })
  }
}

/** Maps an order with its refunds in `returns`: its own member `refunds` has only their totals, or is absent. */
export const order =
  ({ carried, company, methods, parcels, shipped, statuses }: Options) =>
  (one: Json.Fields): Json.Decoded => {
    const id = one.text("id")
    const said = one.text("status")
    if (said === "trash") return { documents: [], deleted: [{ kind: "order", id }] }
    if (CARTS.includes(said)) return { documents: [] }
    const currency = one.currency("currency")
    const notices: Array<string> = []
    const clock = new Clock([one, ...one.list("returns")])
    const hasLeft = shipped.includes(said)
    const document: Order = {
      kind: "order",
      id,
      number: one.maybe("number") ?? id,
      status: lookedUp(statuses, said) ?? (hasLeft ? "closed" : (lookedUp(STATUSES, said) ?? "open")),
      currency,
      placed: clock.of(one, "date_created").date,
      lines: linesOf(one, currency, notices, company === undefined ? () => ({}) : Buyers.taxOf(one)),
      ...identifiers(one, carried),
      ...Shop.paidBy(one.maybe("payment_method"), methods),
      ...Json.present({ channel: one.maybe("created_via") }),
      said,
      ...(said === "failed" ? { payment: "failed" as const } : {}),
      ...(company === undefined ? {} : Buyers.ofOrder(one, company))
    }
    const wasCompleted = shipped.includes("completed") && Boolean(one.maybe("date_completed_gmt"))
    const sent = parcelsOf(one, { clock, name: parcels, order: id }, factOf(document))
    const read: Read = { one, document, clock, parcels: sent, hasAllLeft: hasLeft || wasCompleted }
    return { ...Shop.decoded({ ...document, state: stateOf(read) }, leftOf(read)), notices }
  }
