/**
 * Maps a Medusa order to documents: its lines, its parcels, and how it stands now. Pure.
 *
 * A line has the quantity left after edits, including returned goods; its detail says how much of it was shipped and came back.
 * So edits, exchanges and claims need no reading of their own. Money is what its payments captured and refunded.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Sum } from "../Contradictions.ts"
import type { Address, Buyer, LineState, Order, OrderLine, OrderState } from "../Document.ts"
import * as Json from "../Json.ts"
import * as PaymentMethods from "../PaymentMethods.ts"
import * as Shop from "../Shop.ts"
import { tracked } from "../Trackings.ts"

const { money, quantity, when } = Shop

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

/** The total of an order has the charges for its returns, which are no lines of it, and not what was credited. */
const sumOf = (fields: Json.Fields, currency: string): Sum => {
  const all = (list: string, path: string) => fields.list(list).map((one) => money(one, path, currency))
  const credits = all("credit_lines", "amount").map((amount) => -amount)
  const parts = [...all("items", "total"), ...all("shipping_methods", "total"), ...credits]
  return {
    currency,
    field: "total",
    total: money(fields, "total", currency),
    of: "its lines, deliveries and credits",
    parts
  }
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
  const products = fields.list("items").flatMap((item): ReadonlyArray<OrderLine> => {
    const [id, count] = [item.text("id"), quantity(item)]
    const its = Json.present({ description: item.maybe("title"), sku: item.maybe("variant_sku") })
    // An edit took all of it off.
    return count === 0n ? [] : [{ id, type: "product", quantity: count, gross: grossOf(item, currency), ...its }]
  })
  return [...products, ...deliveryOf(fields, currency)]
}

const statesOf = (fields: Json.Fields, parcels: ReadonlyArray<Shop.Parcel>): ReadonlyArray<LineState> => {
  const parts = parcels.flatMap(({ fulfilment }) => fulfilment.lines)
  return fields.list("items").flatMap((item) => {
    const [id, count] = [item.text("id"), quantity(item)]
    const detail = (member: string) =>
      item.maybe(`detail.${member}`) === undefined ? 0n : quantity(item, `detail.${member}`)
    const shipped = Decimal.sum(parts.flatMap((part) => (part.line === id ? [part.quantity] : [])))
    const left = item.maybe("detail.shipped_quantity") === undefined ? shipped : detail("shipped_quantity")
    const back = detail("return_received_quantity") + detail("return_dismissed_quantity")
    return count === 0n ? [] : [{ line: id, left, back, still: count > left ? count - left : 0n }]
  })
}

/** Parcels that have left; packed goods and cancelled parcels have not. */
const parcelsOf = (fields: Json.Fields, order: string, currency: string): ReadonlyArray<Shop.Parcel> =>
  fields.list("fulfillments").flatMap((one): ReadonlyArray<Shop.Parcel> => {
    const path = ["shipped_at", "delivered_at"].find((mark) => one.maybe(mark) !== undefined)
    if (path === undefined || one.maybe("canceled_at") !== undefined) return []
    const lines = one.list("items").map((item) => ({ line: item.text("line_item_id"), quantity: quantity(item) }))
    if (lines.length === 0) throw new Json.Unfit("fulfillments", "a parcel without items: it does not say what left")
    const tracking = tracked(one.list("labels"), { number: ["tracking_number"], carrier: [], url: ["tracking_url"] })
    return [Shop.parcelOf(order, currency)(`${order}/${one.text("id")}`, when(one, path), lines, tracking)]
  })

const paymentsOf = (fields: Json.Fields): ReadonlyArray<Json.Fields> =>
  fields.list("payment_collections").flatMap((one) => one.list("payments"))

/** Money that payments captured and refunded, by the provider of each. */
const movementsOf = (fields: Json.Fields, currency: string): ReadonlyArray<PaymentMethods.Movement> =>
  paymentsOf(fields).flatMap((payment) => {
    const method = payment.maybe("provider_id") ?? ""
    const moved = (list: string, direction: PaymentMethods.Movement["direction"]) =>
      payment.list(list).map((one) => ({ method, amount: money(one, "amount", currency), direction }))
    return [...moved("captures", "received"), ...moved("refunds", "given")]
  })

const isCredit = (provider: string): boolean => /gift|store.?credit|loyalty|points/i.test(provider)

const ENDS: Readonly<Record<string, NonNullable<OrderState["end"]>>> = {
  completed: "complete",
  archived: "archived",
  canceled: "cancelled"
}

const stateOf = (
  fields: Json.Fields,
  currency: string,
  parcels: ReadonlyArray<Shop.Parcel>,
  named: Options["methods"]
): OrderState => {
  const total = fields.maybe("summary.current_order_total") === undefined ? "total" : "summary.current_order_total"
  const lines = statesOf(fields, parcels)
  const said = ENDS[fields.text("status")]
  const isDone = lines.every(({ still }) => still === 0n)
  return {
    lines,
    total: money(fields, total, currency),
    ...PaymentMethods.split(movementsOf(fields, currency), { named, isCredit }),
    ...Json.present({ end: said === "archived" && isDone ? ("complete" as const) : said })
  }
}

const carriedBy = (fields: Json.Fields, path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  if (path.startsWith("metadata.")) return fields.maybe(path)
  const member = path.replace(/^payment/, "data")
  return Shop.carriedIn(paymentsOf(fields).flatMap((payment) => payment.maybe(member) ?? []))
}

export interface Options {
  /** The member of an order that holds its deferred-payment id. */
  readonly carried: string | undefined
  /** The deferred payment's providers; by default the only one that is not a gift card, store credit or points. */
  readonly methods: ReadonlyArray<string> | undefined
}

export const order =
  ({ carried, methods }: Options) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("id")
    const said = fields.text("status")
    if (said === "draft" || fields.get("is_draft_order") === true) return { documents: [] }
    const status = fields.meaning("status", STATUSES)
    const currency = fields.currency("currency_code")
    const lines = linesOf(fields, currency)
    const parcels = parcelsOf(fields, id, currency)
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
        buyer: buyer(fields),
        channel: fields.maybe("sales_channel_id"),
        said
      }),
      ...Shop.paidBy(paymentsOf(fields)[0]?.maybe("provider_id"), methods),
      state: stateOf(fields, currency, parcels, methods)
    }
    return { ...Shop.decoded(document, parcels), sums: [sumOf(fields, currency)] }
  }
