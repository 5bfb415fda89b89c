/**
 * Maps an order of PrestaShop to documents. Pure.
 *
 * An order leaves as a whole, in a state that counts as shipped. `total_paid_tax_incl` is what it comes to; credit slips stand
 * beside it, and no record says whether one was paid back or became a voucher. Times are those of the shop, without a zone.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { LineState, Order, OrderLine, OrderState } from "../Document.ts"
import * as Json from "../Json.ts"
import * as PaymentMethods from "../PaymentMethods.ts"
import * as Shop from "../Shop.ts"
import { type Goods, lineStates, moment } from "../Sides.ts"
import { tracked } from "../Trackings.ts"

export interface Settings {
  readonly payment_method?: ReadonlyArray<string>
  readonly states?: Readonly<Record<string, Order["status"]>>
  readonly shipped?: ReadonlyArray<string>
  readonly credit_slips?: "refund" | "voucher"
}

/** The states that every shop has. */
const STATES: Readonly<Record<string, Order["status"]>> = {
  "1": "open", // Awaiting check payment
  "2": "open", // Payment accepted
  "3": "open", // Processing in progress
  "4": "open", // Shipped
  "5": "closed", // Delivered
  "6": "cancelled", // Canceled
  "7": "closed", // Refunded
  "8": "open", // Payment error
  "9": "open", // On backorder (paid)
  "10": "open", // Awaiting bank wire payment
  "11": "open", // Remote payment accepted
  "12": "open", // On backorder (not paid)
  "13": "open" // Awaiting cash on delivery validation
}
const LEFT = ["4", "5"]
const REFUNDED = "7"
const FAILED = "8"
const SLIP = "credit slip"

interface Read {
  readonly fields: Json.Fields
  readonly id: string
  readonly currency: string
  readonly settings: Settings
}

const linesOf = ({ currency, fields }: Read) => {
  const products = fields.list("its_lines").map(
    (one): OrderLine => ({
      ...{ id: one.text("id"), type: "product", quantity: Shop.quantity(one, "product_quantity") },
      gross: Shop.stated(one, "total_price_tax_incl", currency),
      ...Json.present({ description: one.maybe("product_name"), sku: one.maybe("product_reference") })
    })
  )
  if (products.length === 0) throw new Json.Unfit("order_details", "no lines came with the order")
  const { add, all: lines, comeTo } = Shop.lines(products)
  add("shipping", "shipping", Shop.stated(fields, "total_shipping_tax_incl", currency), "Shipping")
  add("wrapping", "fee", Shop.stated(fields, "total_wrapping_tax_incl", currency), "Gift wrapping")
  add("discount", "discount", -Shop.stated(fields, "total_discounts_tax_incl", currency), "Discount")
  return { sum: comeTo(fields, "total_paid_tax_incl", currency), lines }
}

/** When the order left: the first time that it was in such a state. */
const leftAt = ({ fields, settings }: Read): Shop.When | undefined =>
  fields
    .list("its_states")
    .filter((one) => [...LEFT, ...(settings.shipped ?? [])].includes(one.text("id_order_state")))
    .map((one) => Shop.when(one, "date_add"))
    .toSorted((a, b) => a.millis - b.millis)[0]

/** Goods of credit slips. */
const slipsOf = ({ fields }: Read): ReadonlyArray<Goods> =>
  fields.list("its_slips").map((slip) => {
    const { date, millis } = Shop.when(slip, "date_add")
    const lines = slip
      .list("associations.order_slip_details")
      .map((one) => ({ line: one.text("id_order_detail"), quantity: Shop.quantity(one, "product_quantity") }))
    return { at: moment(date, millis), lines }
  })

/** The parcel with everything that no credit slip had taken off before it left. */
const parcelsOf = (read: Read, lines: ReadonlyArray<OrderLine>): ReadonlyArray<Shop.Parcel> => {
  const left = leftAt(read)
  if (left === undefined) return []
  const before = slipsOf(read).filter(({ at }) => at < moment(left.date, left.millis))
  const parts = Shop.productsOf(lines).flatMap(({ id: line, quantity }) => {
    const off = before.flatMap((slip) => slip.lines.flatMap((one) => (one.line === line ? [one.quantity] : [])))
    const rest = quantity - Decimal.sum(off)
    return rest > 0n ? [{ line, quantity: rest }] : []
  })
  const its = { number: ["tracking_number"], carrier: [], url: [] }
  const tracking = tracked(read.fields.list("its_parcels"), its)
  return parts.length === 0 ? [] : [Shop.parcelOf(read.id, read.currency)(`${read.id}/parcel`, left, parts, tracking)]
}

/** What credit slips are of, tax included. One of an amount that somebody chose does not say whether it has the tax. */
const creditedOf = ({ currency, fields }: Read): bigint =>
  Decimal.sum(
    fields.list("its_slips").map((slip) => {
      const [incl, excl] = ["incl", "excl"].map((tax) => Shop.stated(slip, `total_products_tax_${tax}`, currency))
      const said = Shop.stated(slip, "amount", currency)
      if (said !== incl && said !== excl)
        throw new Json.Unfit("order_slip.amount", "a credit slip is of another amount than that of its products")
      return (incl ?? 0n) + Shop.stated(slip, "total_shipping_tax_incl", currency)
    })
  )

/** Payments are those of a reference, which several orders may have. */
const movementsOf = (read: Read): ReadonlyArray<PaymentMethods.Movement> => {
  const { currency, fields, settings } = read
  const payments = fields.list("its_payments").map((one): PaymentMethods.Movement => {
    const paid = Shop.stated(one, "amount", currency)
    if (one.text("id_currency") !== fields.text("id_currency"))
      throw new Json.Unfit("order_payments.id_currency", "a payment is in another currency than the order")
    const direction = paid < 0n ? "given" : "received"
    return { method: one.text("payment_method"), amount: Decimal.abs(paid), direction }
  })
  const sum = Decimal.sum(payments.map((one) => (one.direction === "given" ? -one.amount : one.amount)))
  if (sum !== Shop.stated(fields, "total_paid_real", currency))
    throw new Json.Unfit(
      "total_paid_real",
      "is not what the payments of its reference come to; other orders may have the same"
    )
  const credited = creditedOf(read)
  if (
    fields.text("current_state") === REFUNDED &&
    credited === 0n &&
    payments.every((one) => one.direction !== "given")
  )
    throw new Json.Unfit(
      "current_state",
      "the order is refunded, and neither a credit slip nor a payment says how much"
    )
  const back = {
    method: settings.credit_slips === "refund" ? (payments[0]?.method ?? SLIP) : SLIP,
    direction: "given"
  } as const
  return credited === 0n ? payments : [...payments, { ...back, amount: credited }]
}

const stateOf = (
  read: Read,
  lines: ReadonlyArray<OrderLine>,
  parcels: ReadonlyArray<Shop.Parcel>,
  status: Order["status"]
): OrderState => {
  const { currency, fields, settings } = read
  const goods = Shop.productsOf(lines).map(({ id: line, quantity }) => ({ line, quantity }))
  const returned = new Map(
    fields.list("its_lines").map((one) => [one.text("id"), Shop.quantity(one, "product_quantity_return")] as const)
  )
  const states = lineStates({ lines: goods, left: Shop.leftOf(parcels), refunded: slipsOf(read) }).map(
    (one): LineState => {
      const back = Decimal.min(one.left ?? 0n, returned.get(one.line) ?? 0n)
      return back > one.back ? { ...one, back } : one
    }
  )
  const isCredit = (method: string) => method === SLIP && settings.credit_slips === "voucher"
  const movements = movementsOf(read)
  const split = PaymentMethods.split(movements, { named: settings.payment_method, isCredit })
  const isUnsaid = settings.credit_slips === undefined && movements.some(({ method }) => method === SLIP)
  return {
    lines: states,
    total: Shop.stated(fields, "total_paid_tax_incl", currency),
    ...split,
    ...(isUnsaid ? { unclear: [...new Set(movements.map(({ method }) => method))] } : {}),
    ...Json.present({
      end: status === "cancelled" ? ("cancelled" as const) : status === "closed" ? ("complete" as const) : undefined
    })
  }
}

const buyerOf = (fields: Json.Fields) => {
  const [customer, address] = ["its_customer.0", "its_address.0"].map(
    (path) => (one: string) => fields.maybe(`${path}.${one}`)
  )
  const company = address?.("company") ?? customer?.("company")
  const contact = Shop.nameOf(fields, "its_customer.0", ["firstname", "lastname"])
  const members = { line1: "address1", line2: "address2", city: "city", postcode: "postcode", country: "iso_code" }
  const phone = address?.("phone") ?? address?.("phone_mobile")
  return {
    invoicing: Shop.address(fields, "its_address.0", company ?? contact, members),
    buyer: Shop.buyer(customer?.("email"), company, { id: customer?.("id"), contact, phone })
  }
}

export const order =
  (settings: Settings) =>
  (fields: Json.Fields): Json.Decoded => {
    const [id, currency, state] = [
      fields.text("id"),
      fields.currency("its_currency.0.iso_code"),
      fields.text("current_state")
    ]
    const read: Read = { fields, id, currency, settings }
    const states = { ...STATES, ...settings.states }
    const status = Object.hasOwn(states, state) ? states[state] : undefined
    if (status === undefined)
      throw new Json.Unfit("current_state", `${JSON.stringify(state)} is not a known state; map it in states`)
    const { lines, sum } = linesOf(read)
    const parcels = parcelsOf(read, lines)
    const document: Order = {
      ...{ kind: "order", id, number: fields.text("reference"), status, currency },
      placed: fields.day("date_add"),
      lines,
      ...Json.present({
        ...buyerOf(fields),
        ...{ store: fields.maybe("id_shop"), said: state, payment: state === FAILED ? ("failed" as const) : undefined }
      }),
      ...Shop.paidBy(fields.maybe("payment"), settings.payment_method),
      state: stateOf(read, lines, parcels, status)
    }
    return { ...Shop.decoded(document, parcels), sums: [sum] }
  }
