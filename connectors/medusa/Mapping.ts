/**
 * Maps a Medusa order to documents. Pure.
 *
 * A line has the quantity left after edits (`Edits.ts`), including returned goods. Refunds are separate records
 * (`../Withdrawals.ts`), which state the amount of returned goods.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Address, Buyer, Order, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Shop from "../Shop.ts"
import { tracked } from "../Trackings.ts"
import * as Withdrawals from "../Withdrawals.ts"
import * as Edits from "./Edits.ts"

const { money, when } = Shop

const STATUSES: Readonly<Record<string, Order["status"]>> = {
  pending: "open",
  requires_action: "open",
  completed: "closed",
  archived: "closed",
  canceled: "cancelled"
}

const MEMBERS = {
  line1: "address_1",
  line2: "address_2",
  city: "city",
  postcode: "postal_code",
  country: "country_code"
}

const address = (fields: Json.Fields, path: string): Address | undefined =>
  Shop.address(fields, path, fields.maybe(`${path}.company`) ?? Shop.nameOf(fields, path), MEMBERS)

const buyer = (fields: Json.Fields): Buyer | undefined => {
  const its = ["billing_address", "shipping_address"]
  const found = (member: string) =>
    its.map((path) => fields.maybe(`${path}.${member}`)).find((one) => one !== undefined)
  const [contact] = ["customer", ...its].flatMap((path) => Shop.nameOf(fields, path) ?? [])
  return Shop.buyer(
    fields.maybe("email") ?? fields.maybe("customer.email"),
    fields.maybe("customer.company_name") ?? found("company"),
    {
      id: fields.maybe("customer.id"),
      contact,
      phone: fields.maybe("customer.phone") ?? found("phone"),
      country: found("country_code")
    }
  )
}

/** The price of the whole line, including returned goods. */
const grossOf = (item: Json.Fields, currency: string): bigint =>
  Decimal.sum(["total", "return_received_total", "return_dismissed_total"].map((path) => money(item, path, currency)))

/** Throws unless the lines and the rest of the order add up to its total, because otherwise something was misread. */
const checkTotal = (fields: Json.Fields, currency: string): void => {
  const sum = (list: string, path: string) => Decimal.sum(fields.list(list).map((one) => money(one, path, currency)))
  const parts = sum("items", "total") + sum("shipping_methods", "total") - sum("credit_lines", "amount")
  const odd = money(fields, "total", currency) - parts
  const lines = fields.list("items").length + fields.list("shipping_methods").length
  if (Currency.toMinor(Decimal.abs(odd), currency) > BigInt(lines + 1))
    throw new Json.Unfit(
      "total",
      `the lines, shipping and credits differ by ${Decimal.format(odd)} from the order's total`
    )
}

/** The delivery charge to the buyer, without charges for returns, which are not part of the order. */
const deliveryOf = (fields: Json.Fields, currency: string): ReadonlyArray<OrderLine> =>
  fields
    .list("shipping_methods")
    .filter((one) => one.maybe("detail.return_id") === undefined)
    .map((one): OrderLine => {
      const gross = money(one, "total", currency)
      const description = one.maybe("name") ?? "Shipping"
      return { id: one.text("id"), type: "shipping", quantity: Decimal.one, gross, description }
    })
    .filter(({ gross }) => gross !== 0n)

const linesOf = (fields: Json.Fields, currency: string): ReadonlyArray<OrderLine> => {
  checkTotal(fields, currency)
  const places = Currency.decimals(currency)
  const edits = Edits.editsOf(fields)
  const off = Edits.withdrawnOf(edits).flatMap(({ lines }) => lines)
  const products = fields.list("items").map((item): OrderLine => {
    const [id, here] = [item.text("id"), Edits.quantity(item)]
    if (here <= 0n) throw new Json.Unfit("items", `line ${id} has no quantity`)
    const ever = here + Decimal.sum(off.flatMap((one) => (one.line === id ? [one.quantity] : [])))
    const gross = Decimal.divide(Decimal.multiply(grossOf(item, currency), ever), here, places)
    const its = Json.present({ description: item.maybe("title"), sku: item.maybe("variant_sku") })
    return { id, type: "product", quantity: ever, gross, ...its }
  })
  const delivery = deliveryOf(fields, currency)
  const forgotten = Edits.forgotten(fields, currency, {
    edits,
    lines: products,
    delivery: Decimal.sum(delivery.map(({ gross }) => gross))
  })
  const removed: ReadonlyArray<OrderLine> = forgotten === undefined ? [] : [{ ...forgotten, type: "product" }]
  return [...products, ...removed, ...delivery]
}

/** Parcels that have left; packed goods and cancelled parcels have not. */
const parcelsOf = (fields: Json.Fields, order: string, currency: string): ReadonlyArray<Shop.Parcel> =>
  fields.list("fulfillments").flatMap((one): ReadonlyArray<Shop.Parcel> => {
    const path = ["shipped_at", "delivered_at"].find((mark) => one.maybe(mark) !== undefined)
    if (path === undefined || one.maybe("canceled_at") !== undefined) return []
    const lines = one.list("items").map((item) => ({ line: item.text("line_item_id"), quantity: Edits.quantity(item) }))
    if (lines.length === 0) throw new Json.Unfit("fulfillments", "a parcel without items: it does not say what left")
    const tracking = tracked(one.list("labels"), { number: ["tracking_number"], carrier: [], url: ["tracking_url"] })
    return [Shop.parcelOf(order, currency)(`${order}/${one.text("id")}`, when(one, path), lines, tracking)]
  })

const paymentsOf = (fields: Json.Fields): ReadonlyArray<Json.Fields> =>
  fields.list("payment_collections").flatMap((one) => one.list("payments"))

const givenOf = (fields: Json.Fields, currency: string): ReadonlyArray<Withdrawals.Given> =>
  paymentsOf(fields)
    .flatMap((payment) => payment.list("refunds"))
    .map((refund) => ({
      id: `refund-${refund.text("id")}`,
      ...when(refund, "created_at"),
      amount: money(refund, "amount", currency)
    }))
    .filter(({ amount }) => amount > 0n)

const carriedBy = (fields: Json.Fields, path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  if (path.startsWith("metadata.")) return fields.maybe(path)
  const member = path.replace(/^payment/, "data")
  return paymentsOf(fields)
    .map((payment) => payment.maybe(member))
    .find((one) => one !== undefined)
}

/** @param carried the member of an order that holds its deferred-payment id */
export const order =
  (carried: string | undefined) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("id")
    const said = fields.text("status")
    if (said === "draft" || fields.get("is_draft_order") === true) return { documents: [] }
    const status = fields.meaning("status", STATUSES)
    const currency = fields.currency("currency_code")
    const lines = linesOf(fields, currency)
    const parcels = parcelsOf(fields, id, currency)
    const facts = Withdrawals.facts({
      order: id,
      currency,
      lines: Shop.productsOf(lines).map((line) => ({ line: line.id, quantity: line.quantity, gross: line.gross })),
      delivery: Decimal.sum(lines.filter(({ type }) => type === "shipping").map(({ gross }) => gross)),
      left: Shop.leftOf(parcels),
      withdrawn: Edits.withdrawnOf(Edits.editsOf(fields)),
      given: givenOf(fields, currency)
    })
    const document: Order = {
      kind: "order",
      id,
      number: fields.maybe("custom_display_id") ?? fields.text("display_id"),
      status,
      currency,
      placed: fields.instantDay("created_at"),
      lines,
      ...Json.present({
        delivery: address(fields, "shipping_address"),
        invoicing: address(fields, "billing_address"),
        deferredPayment: carriedBy(fields, carried),
        buyer: buyer(fields)
      })
    }
    return Shop.decoded(document, parcels, facts)
  }
