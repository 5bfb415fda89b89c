/**
 * Maps an order of Vendure to documents. Pure.
 *
 * A line's quantity decreases when some of it is cancelled, so the ordered quantity is the current one plus the
 * cancellations in the order's history. Its total falls with it; refunds are separate records beside it.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Sum } from "../Contradictions.ts"
import type { Address, Buyer, LinePart, Order, OrderLine, OrderState } from "../Document.ts"
import * as Json from "../Json.ts"
import * as PaymentMethods from "../PaymentMethods.ts"
import * as Shop from "../Shop.ts"
import { ended, type Goods, lineStates, moment } from "../Sides.ts"
import { tracked } from "../Trackings.ts"
import { MOST_ENTRIES } from "./Question.ts"

export interface Settings {
  readonly channel?: string
  readonly deferred_payment?: string
  readonly payment_method?: string
  readonly states?: Readonly<Record<string, Order["status"]>>
  readonly shipped?: ReadonlyArray<string>
  readonly precision?: number
}

const STATES: Readonly<Record<string, Order["status"]>> = {
  ArrangingPayment: "open",
  PaymentAuthorized: "open",
  PaymentSettled: "open",
  PartiallyShipped: "open",
  PartiallyDelivered: "open",
  Modifying: "open",
  ArrangingAdditionalPayment: "open",
  Shipped: "closed",
  Delivered: "closed",
  Cancelled: "cancelled"
}
/** Fulfilment states in which a parcel has left. */
const LEFT = ["Shipped", "Delivered"]
const HERE = ["Created", "Pending", "Cancelled"]
/** Payment states in which no money was received. */
const UNPAID = ["Created", "Declined", "Error"]
const REFUNDS = ["Pending", "Settled", "Failed"]

const { when } = Shop

/** An order, with what is needed to read its amounts. */
interface Read {
  readonly fields: Json.Fields
  readonly id: string
  readonly currency: string
  readonly settings: Settings
}

const money = ({ currency, settings }: Read, of: Json.Fields, path: string): bigint =>
  of.minor(path, currency, settings.precision ?? 2)

const historyOf = ({ fields }: Read, type: string): ReadonlyArray<Json.Fields> => {
  const items = fields.list("history.items")
  if (Number(fields.text("history.totalItems")) > items.length)
    throw new Json.Unfit("history", `has more than ${MOST_ENTRIES} entries, which is as many as are read`)
  return items.filter((one) => one.text("type") === type)
}

const MEMBERS = {
  line1: "streetLine1",
  line2: "streetLine2",
  city: "city",
  postcode: "postalCode",
  country: "countryCode"
}

const address = (fields: Json.Fields, path: string): Address | undefined =>
  Shop.address(fields, path, fields.maybe(`${path}.company`) ?? fields.maybe(`${path}.fullName`), MEMBERS)

const buyer = (fields: Json.Fields): Buyer | undefined => {
  const at = (member: string) => fields.maybe(`billingAddress.${member}`) ?? fields.maybe(`shippingAddress.${member}`)
  return Shop.buyer(fields.maybe("customer.emailAddress"), at("company"), {
    id: fields.maybe("customer.id"),
    contact: Shop.nameOf(fields, "customer", ["firstName", "lastName"]),
    phone: fields.maybe("customer.phoneNumber"),
    country: at("countryCode")
  })
}

/** Goods that were cancelled, before they left or after. */
const withdrawnOf = (read: Read): ReadonlyArray<Goods> =>
  historyOf(read, "ORDER_CANCELLATION").map((entry) => {
    const { date, millis } = when(entry, "createdAt")
    const lines = entry
      .list("data.lines")
      .map((one): LinePart => ({ line: one.text("orderLineId"), quantity: Shop.quantity(one) }))
    return { at: moment(date, millis), lines }
  })

/** The product lines as ordered, including what was cancelled since. */
const productsOf = (read: Read, withdrawn: ReadonlyArray<Goods>): ReadonlyArray<OrderLine> => {
  const places = Currency.decimals(read.currency)
  return read.fields.list("lines").flatMap((line): ReadonlyArray<OrderLine> => {
    const id = line.text("id")
    const off = Decimal.sum(
      withdrawn.flatMap(({ lines }) => lines.filter((one) => one.line === id).map((one) => one.quantity))
    )
    const here = Shop.quantity(line)
    const quantity = here + off
    if (quantity === 0n) return []
    const gross =
      here > 0n
        ? Decimal.divide(Decimal.multiply(money(read, line, "proratedLinePriceWithTax"), quantity), here, places)
        : Decimal.multiply(money(read, line, "proratedUnitPriceWithTax"), quantity, places)
    const its = Json.present({ description: line.maybe("productVariant.name"), sku: line.maybe("productVariant.sku") })
    return [{ id, type: "product", quantity, gross, ...its }]
  })
}

/** The other lines, as they were before the delivery was cancelled. */
const othersOf = (read: Read): ReadonlyArray<OrderLine> => {
  const { fields } = read
  const one = { quantity: Decimal.one }
  const delivery = fields.list("shippingLines").map((line): OrderLine => {
    const off = line.list("discounts").filter((discount) => discount.maybe("adjustmentSource") === "CANCEL_ORDER")
    const gross =
      money(read, line, "discountedPriceWithTax") -
      Decimal.sum(off.map((discount) => money(read, discount, "amountWithTax")))
    const description = line.maybe("shippingMethod.name") ?? "Shipping"
    return { id: `shipping-${line.text("id")}`, type: "shipping", ...one, gross, description }
  })
  const surcharges = fields.list("surcharges").map((line): OrderLine => {
    const gross = money(read, line, "priceWithTax")
    const description = line.maybe("description") ?? "Surcharge"
    return { id: `surcharge-${line.text("id")}`, type: gross < 0n ? "discount" : "fee", ...one, gross, description }
  })
  return [...delivery, ...surcharges].filter(({ gross }) => gross !== 0n)
}

/** What the order comes to now. It may differ from the sum of its parts by rounding only. */
const sumOf = (read: Read): Sum => {
  const { currency, fields } = read
  const all = (list: string, member: string) => fields.list(list).map((one) => money(read, one, member))
  const products = all("lines", "proratedLinePriceWithTax")
  const parts = [...products, ...all("shippingLines", "discountedPriceWithTax"), ...all("surcharges", "priceWithTax")]
  const total = money(read, fields, "totalWithTax")
  return { currency, field: "totalWithTax", total, of: "its lines, deliveries and surcharges", parts }
}

/** Vendure loses the discount of a line that is cancelled completely: it is computed from what was paid. */
const forgottenOf = (read: Read, lines: ReadonlyArray<OrderLine>): bigint => {
  const { fields } = read
  if (fields.list("lines").every((line) => Shop.quantity(line) > 0n)) return 0n
  const paid = fields.list("payments").filter((one) => !UNPAID.includes(one.text("state")))
  const all = Decimal.sum(paid.map((one) => money(read, one, "amount")))
  const gross = Decimal.sum(lines.map((line) => line.gross))
  return all > 0n && gross > all ? all - gross : 0n
}

const linesOf = (read: Read, withdrawn: ReadonlyArray<Goods>) => {
  const { add, all: lines } = Shop.lines([...productsOf(read, withdrawn), ...othersOf(read)])
  const more = (id: string, gross: bigint, description: string) =>
    add(id, gross < 0n ? "discount" : "fee", gross, description)
  const sum = sumOf(read)
  more("rounding", sum.total - Decimal.sum(sum.parts), "Rounding")
  more("discount", forgottenOf(read, lines), "Discount")
  return { sum, lines }
}

const parcelsOf = (read: Read): ReadonlyArray<Shop.Parcel> => {
  const { currency, fields, id: order, settings } = read
  const left = [...LEFT, ...(settings.shipped ?? [])]
  const moves = historyOf(read, "ORDER_FULFILLMENT_TRANSITION").filter((one) => left.includes(one.text("data.to")))
  return fields.list("fulfillments").flatMap((one): ReadonlyArray<Shop.Parcel> => {
    const [id, state] = [one.text("id"), one.oneOf("state", [...left, ...HERE])]
    if (!left.includes(state)) return []
    const move = moves.find((entry) => entry.text("data.fulfillmentId") === id)
    const lines = one.list("lines").map((part) => ({ line: part.text("orderLineId"), quantity: Shop.quantity(part) }))
    if (lines.length === 0) throw new Json.Unfit("fulfillments", "a parcel without lines: it does not say what left")
    const tracking = tracked([one], { number: ["trackingCode"], carrier: ["method"], url: [] })
    return [Shop.parcelOf(order, currency)(`${order}/${id}`, when(move ?? one, "createdAt"), lines, tracking)]
  })
}

const ELSEWHERE = "refunded to "

/** Payments and refunds that are settled. A refund may go elsewhere than to the payment that it is made from. */
const movementsOf = (read: Read): ReadonlyArray<PaymentMethods.Movement> =>
  read.fields.list("payments").flatMap((payment) => {
    const method = payment.maybe("method") ?? ""
    const received = payment.text("state") === "Settled" ? [payment] : []
    const given = payment.list("refunds").filter((refund) => refund.oneOf("state", REFUNDS) === "Settled")
    return [
      ...received.map((one) => ({ method, amount: money(read, one, "amount"), direction: "received" as const })),
      ...given.map((one) => {
        const to = one.maybe("destination")
        const by = to === undefined ? method : ELSEWHERE + to
        return { method: by, amount: money(read, one, "total"), direction: "given" as const }
      })
    ]
  })

const isCredit = (method: string): boolean =>
  method.startsWith(ELSEWHERE) || /gift|store.?credit|loyalty|points/i.test(method)

interface Parts {
  readonly status: Order["status"]
  readonly lines: ReadonlyArray<OrderLine>
  readonly parcels: ReadonlyArray<Shop.Parcel>
  readonly withdrawn: ReadonlyArray<Goods>
}

const stateOf = (read: Read, { lines, parcels, status, withdrawn }: Parts): OrderState => {
  const { payment_method: method } = read.settings
  const goods = Shop.productsOf(lines).map(({ id: line, quantity }) => ({ line, quantity }))
  const states = lineStates({ lines: goods, left: Shop.leftOf(parcels), refunded: withdrawn })
  const over = status === "closed" ? ended(states) : states
  const isDone = over.every(({ still }) => still === 0n)
  const end = status === "open" ? undefined : status === "closed" && isDone ? "complete" : "cancelled"
  return {
    lines: over,
    total: money(read, read.fields, "totalWithTax"),
    ...PaymentMethods.split(movementsOf(read), { named: method === undefined ? undefined : [method], isCredit }),
    ...Json.present({ end })
  }
}

const carriedBy = ({ fields, settings }: Read): string | undefined => {
  const { deferred_payment, payment_method } = settings
  if (deferred_payment !== "transactionId")
    return deferred_payment === undefined ? undefined : fields.maybe(deferred_payment)
  const fits = (one: Json.Fields) =>
    !UNPAID.includes(one.text("state")) && (payment_method === undefined || one.maybe("method") === payment_method)
  const all = fields.list("payments").filter(fits)
  return Shop.carriedIn(all.flatMap((one) => one.maybe("transactionId") ?? []))
}

/** The method of its payment that was not declined, the deferred one first. */
const paidWith = ({ fields, settings }: Read): string | undefined => {
  const all = fields.list("payments").filter((one) => !UNPAID.includes(one.text("state")))
  const own = all.find((one) => one.maybe("method") === settings.payment_method)
  return (own ?? all[0])?.maybe("method")
}

/** Whether it is an order of several sellers: parcels and returns then belong to each seller's own order. */
const isForeign = ({ fields, settings }: Read): boolean => {
  const type = fields.oneOf("type", ["Regular", "Seller", "Aggregate"], "type of order")
  if (type === "Aggregate" && settings.channel === undefined)
    throw new Json.Unfit("type", "an order of several sellers: connect the channel of each seller (channel)")
  return type === "Aggregate" || (type === "Seller" && settings.channel === undefined)
}

export const order =
  (settings: Settings) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("id")
    const read: Read = { fields, id, currency: fields.currency("currencyCode"), settings }
    if (isForeign(read)) return { documents: [] }
    const said = fields.text("state")
    const states = { ...STATES, ...settings.states }
    const status = Object.hasOwn(states, said) ? states[said] : undefined
    if (status === undefined)
      throw new Json.Unfit("state", `${JSON.stringify(said)} is not a known state; map it in states`)
    const withdrawn = withdrawnOf(read)
    const { lines, sum } = linesOf(read, withdrawn)
    const parcels = parcelsOf(read)
    const document: Order = {
      kind: "order",
      id,
      number: fields.text("code"),
      status,
      currency: read.currency,
      placed: fields.instantDay("orderPlacedAt"),
      lines,
      ...Json.present({
        delivery: address(fields, "shippingAddress"),
        invoicing: address(fields, "billingAddress"),
        deferredPayment: carriedBy(read),
        buyer: buyer(fields),
        said
      }),
      ...Shop.paidBy(paidWith(read), settings.payment_method === undefined ? undefined : [settings.payment_method]),
      state: stateOf(read, { status, lines, parcels, withdrawn })
    }
    return { ...Shop.decoded(document, parcels), sums: [sum] }
  }
