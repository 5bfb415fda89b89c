/**
 * Maps an order of Shopware 6 to documents. Pure.
 *
 * What an order comes to (`amountTotal`) is recalculated when somebody edits its lines. Its deliveries and payments have states
 * of their own, which say whether goods and money moved, but of parts only that there are some.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { LineState, Order, OrderLine, OrderState } from "../Document.ts"
import * as Json from "../Json.ts"
import * as PaymentMethods from "../PaymentMethods.ts"
import * as Shop from "../Shop.ts"

export interface Settings {
  readonly deferred_payment?: string
  readonly payment_method?: ReadonlyArray<string>
}

const STATES: Readonly<Record<string, Order["status"]>> = {
  ...{ open: "open", in_progress: "open", completed: "closed", cancelled: "cancelled" }
}
/** Of deliveries; everything in it has left in these. */
const LEFT = ["shipped", "returned", "returned_partially"]
const DELIVERIES = [...LEFT, "open", "shipped_partially", "cancelled"]
/** Of payments: whether money was received, and whether all of it was given back. */
const RECEIVED = ["paid", "refunded", "refunded_partially", "chargeback"]
const GIVEN = ["refunded", "chargeback"]
const FAILED = ["failed", "cancelled"]
const PAYMENTS = [
  ...RECEIVED,
  ...FAILED,
  "open",
  "paid_partially",
  "reminded",
  "authorized",
  "in_progress",
  "unconfirmed"
]
const REFUNDS = ["open", "in_progress", "completed", "cancelled", "failed"]
const STATE = "stateMachineState.technicalName"

/** Records of which any of these times is not before this one. */
export const later = (times: ReadonlyArray<string>, gte: string) => ({
  ...{ type: "multi", operator: "or" },
  queries: times.map((field) => ({ type: "range", field, parameters: { gte } }))
})

interface Read {
  readonly fields: Json.Fields
  readonly id: string
  readonly currency: string
  readonly settings: Settings
}

/** A calculated price, tax included. */
const priceOf = ({ currency, fields }: Read, of: Json.Fields, path: string): bigint => {
  const taxes = of.list(`${path}.calculatedTaxes`).map((one) => Shop.stated(one, "tax", currency))
  const isNet = fields.oneOf("taxStatus", ["gross", "net", "tax-free"], "tax status") === "net"
  return Shop.stated(of, `${path}.totalPrice`, currency) + (isNet ? Decimal.sum(taxes) : 0n)
}

/** A line within another one is part of its price. */
const topOf = ({ fields }: Read): ReadonlyArray<Json.Fields> =>
  fields.list("lineItems").filter((one) => one.get("parentId") === undefined)

const linesOf = (read: Read) => {
  const { currency, fields } = read
  const given = topOf(read).map((one): OrderLine => {
    const gross = priceOf(read, one, "price")
    const type = gross < 0n ? "discount" : one.get("good") === false ? "fee" : "product"
    const its = { description: one.maybe("label"), sku: one.maybe("payload.productNumber") }
    const quantity = type === "discount" ? Decimal.one : Shop.quantity(one)
    return { id: one.text("id"), type, quantity, gross, ...Json.present(its) }
  })
  const { add, all: lines, comeTo } = Shop.lines(given)
  const delivery = priceOf(read, fields, "shippingCosts")
  add("shipping", delivery < 0n ? "discount" : "shipping", delivery, "Shipping")
  return { sum: comeTo(fields, "amountTotal", currency), lines }
}

const deliveryState = (delivery: Json.Fields): string => delivery.oneOf(STATE, DELIVERIES, "state of a delivery")
const paymentState = (payment: Json.Fields): string => payment.oneOf(STATE, PAYMENTS, "state of a payment")

/** Deliveries with goods; a discount on the delivery is one without. */
const deliveriesOf = ({ fields }: Read): ReadonlyArray<Json.Fields> =>
  fields.list("deliveries").filter((one) => one.list("positions").length > 0)

const partsOf = (delivery: Json.Fields) =>
  delivery.list("positions").map((one) => ({ line: one.text("orderLineItemId"), quantity: Shop.quantity(one) }))

const parcelsOf = (read: Read): ReadonlyArray<Shop.Parcel> =>
  deliveriesOf(read).flatMap((one) => {
    if (!LEFT.includes(deliveryState(one))) return []
    const at = Shop.when(one, one.maybe("updatedAt") === undefined ? "createdAt" : "updatedAt")
    const carrier = Json.present({ carrier: one.maybe("shippingMethod.name") })
    const numbers = Array.isArray(one.get("trackingCodes")) ? (one.get("trackingCodes") as ReadonlyArray<unknown>) : []
    const tracking = numbers.flatMap((number) =>
      typeof number === "string" && number !== "" ? [{ number, ...carrier }] : []
    )
    const more = tracking.length === 0 ? {} : { tracking }
    return [Shop.parcelOf(read.id, read.currency)(`${read.id}/${one.text("id")}`, at, partsOf(one), more)]
  })

/** What became of a line: of a part that left or came back, Shopware does not say how much. */
const lineState = (read: Read, { id: line, quantity }: OrderLine, isPaid: boolean, isOver: boolean): LineState => {
  const all = deliveriesOf(read).flatMap((one) =>
    partsOf(one).flatMap((part) => (part.line === line ? [{ ...part, state: deliveryState(one) }] : []))
  )
  const sum = (...states: ReadonlyArray<string>) =>
    Decimal.min(quantity, Decimal.sum(all.flatMap((part) => (states.includes(part.state) ? [part.quantity] : []))))
  const own = topOf(read)
    .find((one) => one.text("id") === line)
    ?.get("states")
  const isDownload = Array.isArray(own) && own.includes("is-download")
  const left = isDownload && isPaid ? quantity : sum(...LEFT)
  const isUnsaid = left < quantity && (isOver || all.some(({ state }) => state === "shipped_partially"))
  if (isUnsaid) return { line, back: 0n, still: isOver ? 0n : quantity }
  return { line, left, back: sum("returned"), still: quantity - left }
}

const refundsOf = (payment: Json.Fields): ReadonlyArray<Json.Fields> =>
  payment
    .list("captures")
    .flatMap((one) => one.list("refunds"))
    .filter((one) => one.oneOf(STATE, REFUNDS, "state of a refund") === "completed")

const movementsOf = ({ currency, fields }: Read): ReadonlyArray<PaymentMethods.Movement> =>
  fields.list("transactions").flatMap((one) => {
    const [state, method] = [
      paymentState(one),
      one.maybe("paymentMethod.technicalName") ?? one.text("paymentMethod.name")
    ]
    if (!RECEIVED.includes(state)) return []
    const all = Shop.stated(one, "amount.totalPrice", currency)
    const refunds = refundsOf(one)
    if (state === "refunded_partially" && refunds.length === 0)
      throw new Json.Unfit("transactions", "a payment was refunded in part, and no refund says how much")
    const given = Decimal.sum(refunds.map((refund) => Shop.stated(refund, "amount.totalPrice", currency)))
    return [
      { method, amount: all, direction: "received" as const },
      { method, amount: GIVEN.includes(state) ? all : given, direction: "given" as const }
    ]
  })

const stateOf = (read: Read, lines: ReadonlyArray<OrderLine>, status: Order["status"]): OrderState => {
  const movements = movementsOf(read)
  const split = PaymentMethods.split(movements, { named: read.settings.payment_method, isCredit: () => false })
  const end = status === "closed" ? "complete" : status === "cancelled" ? "cancelled" : undefined
  return {
    lines: Shop.productsOf(lines).map((one) => lineState(read, one, movements.length > 0, status === "closed")),
    total: Shop.stated(read.fields, "amountTotal", read.currency),
    ...split,
    ...Json.present({ end })
  }
}

const buyerOf = (fields: Json.Fields) => {
  const [of, at] = ["orderCustomer", "billingAddress"].map(
    (path) => (member: string) => fields.maybe(`${path}.${member}`)
  )
  const [contact, company] = [
    Shop.nameOf(fields, "orderCustomer", ["firstName", "lastName"]),
    of?.("company") ?? at?.("company")
  ]
  const members = {
    line1: "street",
    line2: "additionalAddressLine1",
    city: "city",
    postcode: "zipcode",
    country: "country.iso"
  }
  const its = { id: of?.("customerId"), contact, phone: at?.("phoneNumber"), country: at?.("country.iso") }
  return {
    invoicing: Shop.address(fields, "billingAddress", at?.("company") ?? contact, members),
    buyer: Shop.buyer(of?.("email"), company, its)
  }
}

export const order =
  (settings: Settings) =>
  (fields: Json.Fields): Json.Decoded => {
    const [id, currency] = [fields.text("id"), fields.currency("currency.isoCode")]
    const read: Read = { fields, id, currency, settings }
    const [status, { lines, sum }] = [fields.meaning(STATE, STATES, "state"), linesOf(read)]
    const payments = fields.list("transactions")
    const isFailed = payments.length > 0 && payments.every((one) => FAILED.includes(paymentState(one)))
    const last = payments.findLast((one) => !FAILED.includes(paymentState(one)))
    const held = settings.deferred_payment === undefined ? undefined : `customFields.${settings.deferred_payment}`
    const carried = held === undefined ? undefined : (fields.maybe(held) ?? last?.maybe(held))
    const document: Order = {
      ...{ kind: "order", id, number: fields.text("orderNumber"), status, currency },
      placed: fields.instantDay("orderDateTime"),
      lines,
      ...Json.present({
        ...{ ...buyerOf(fields), deferredPayment: carried, channel: fields.maybe("salesChannelId") },
        ...{ said: fields.maybe(STATE), payment: isFailed ? ("failed" as const) : undefined }
      }),
      ...Shop.paidBy(
        last?.maybe("paymentMethod.technicalName") ?? last?.maybe("paymentMethod.name"),
        settings.payment_method
      ),
      state: stateOf(read, lines, status)
    }
    return { ...Shop.decoded(document, parcelsOf(read)), sums: [sum] }
  }
