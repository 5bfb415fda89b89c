/**
 * Maps a WooCommerce order with its refunds and parcels to documents. Pure.
 *
 * A line's amount is what the buyer pays for it: after coupons, including taxes. WooCommerce itself has no parcels: an order
 * in one of the `shipped` statuses has left completely, less what a tracking plugin says had left before. Days are in the
 * shop's time zone (`Clock.ts`).
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type * as Day from "../../core/wire/Day.ts"
import type { Fulfilment, LinePart, Order, OrderLine, Return } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Refunds from "../Refunds.ts"
import * as Shop from "../Shop.ts"
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
  /** The name of the metadata in which a plugin stores parcels. */
  readonly parcels: string
}

/** Statuses of carts that were never ordered. */
const CARTS = ["checkout-draft", "auto-draft", "draft"]

const STATUSES: Readonly<Record<string, Order["status"]>> = { cancelled: "cancelled", refunded: "closed" }

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

const grossOf = (fields: Json.Fields, currency: string): bigint =>
  fields.major("total", currency) + (fields.maybe("total_tax") === undefined ? 0n : fields.major("total_tax", currency))

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
  const difference = one.major("total", currency) - Decimal.sum(lines.map((line) => line.gross))
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

const refundOf = (refund: Json.Fields, currency: string, clock: Clock): Refunds.Refund => ({
  id: refund.text("id"),
  ...clock.of(refund, "date_created"),
  lines: refund.list("line_items").flatMap((item) => {
    const line = Json.nameOf(meta(item, "_refunded_item_id"))
    const quantity = Decimal.abs(quantityOf(item, "quantity"))
    if (quantity === 0n) return []
    if (line === undefined) throw new Json.Unfit("refunds", "one of its lines does not say which line it is of")
    return [{ line, quantity, worth: Decimal.abs(grossOf(item, currency)) }]
  }),
  given: refund.major("amount", currency)
})

/** An order, with what reading all its parts needs. */
interface Read {
  readonly one: Json.Fields
  readonly document: Order
  readonly clock: Clock
  readonly refunds: ReadonlyArray<Refunds.Refund>
  /** Whether its status says that everything has left, or that the order has ended. */
  readonly hasAllLeft: boolean
}

const factOf =
  ({ currency, id }: Order) =>
  (date: Day.Day) => ({ order: id, date, currency })

/** What has left: parcels, and the rest of the order if its status says so. */
const leftOf = ({ clock, document, hasAllLeft, one, refunds }: Read, parcels: string): ReadonlyArray<Shop.Parcel> => {
  const fact = factOf(document)
  const left = parcelsOf(one, { clock, name: parcels, order: document.id }, fact)
  if (!hasAllLeft) return left
  // The shop's own statuses have no date: they are taken to have come before every refund.
  const dated = one.maybe("date_completed_gmt") !== undefined
  const time = clock.of(one, dated ? "date_completed" : "date_modified")
  const at = dated ? time.at : Refunds.BEFORE_ALL
  const days = [time.date, ...(dated ? [] : refunds.map(({ date }) => date))]
  const date = days.reduce((first, day) => (day < first ? day : first))
  return [...left, { fulfilment: { kind: "fulfilment", id: `${document.id}/all`, ...fact(date), lines: [] }, at }]
}

/** The final refund of everything that is left, without listed goods, as the status `refunded` creates it. */
const entireOf = ({ document, one, refunds }: Read): Refunds.Refund | undefined => {
  const given = Decimal.sum(refunds.map((refund) => refund.given))
  const complete = document.status !== "open" && given >= one.major("total", document.currency)
  const last = complete ? refunds.toSorted(Refunds.byMoment).at(-1) : undefined
  return last?.lines.length === 0 ? last : undefined
}

/** Returns and cancellations, and the shop's own total of refunds. */
const backOf = (read: Read, left: ReadonlyArray<Shop.Parcel>) => {
  const { document, hasAllLeft, one, refunds } = read
  const { currency } = document
  const entire = entireOf(read)
  const others = refunds.filter((refund) => refund !== entire)
  const back = Shop.refunded(document, left, others)
  const listed = one.get("refunds") === undefined ? undefined : one.list("refunds")
  const own = listed && Decimal.sum(listed.map((refund) => Decimal.abs(refund.major("total", currency))))
  const totals = Refunds.totals(entire === undefined || hasAllLeft ? own : undefined, refunds, back)
  // Goods that never left are cancelled because the order is closed.
  if (entire === undefined || left.length === 0) return { facts: back, totals }
  // Earlier refunds may differ from the price of their goods, so this refund's own amount is used.
  const rest = hasAllLeft && refunds.length > 1 ? { amount: entire.given } : {}
  const everything: Return = { kind: "return", id: entire.id, ...factOf(document)(entire.date), lines: [], ...rest }
  return { facts: [...back, everything], totals }
}

/** Maps an order with its refunds in `returns`: its own member `refunds` has only their totals, or is absent. */
export const order =
  ({ carried, company, parcels, shipped, statuses }: Options) =>
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
      ...(company === undefined ? {} : Buyers.ofOrder(one, company))
    }
    const hasEnded =
      document.status !== "open" && shipped.includes("completed") && Boolean(one.maybe("date_completed_gmt"))
    const refunds = one.list("returns").map((refund) => refundOf(refund, currency, clock))
    const read: Read = { one, document, clock, refunds, hasAllLeft: hasLeft || hasEnded }
    const left = leftOf(read, parcels)
    const { facts, totals } = backOf(read, left)
    return { ...Shop.decoded({ ...document, ...totals }, left, facts), notices }
  }
