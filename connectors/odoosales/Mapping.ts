/**
 * Maps a sales order of Odoo, with its transfers, to documents. Pure.
 *
 * What left and what came back is counted as Odoo itself counts what is delivered: a return counts where it is to be refunded,
 * and a replacement takes the place of what came back. More than was ordered is not charged.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Buyer, LinePart, Order, OrderLine, Return } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Odoo from "../OdooJson.ts"
import * as Shop from "../Shop.ts"
import { type ByLine, type Facts, invoicedOf, take, type Whole } from "./Invoiced.ts"

const { money, quantity, when } = Shop
const all = Odoo.named

const PARTNER = {
  fields: {
    ...all("id", "name", "email", "phone", "street", "street2", "city", "zip", "country_code"),
    commercial_partner_id: { fields: all("id", "name", "email") }
  }
}
const LINE = {
  fields: {
    ...all("id", "name", "display_type", "product_type", "product_uom_qty", "product_uom_id", "price_total"),
    product_id: { fields: all("id", "default_code") }
  }
}
const MOVE = {
  fields: {
    ...all("id", "state", "quantity", "product_uom_qty", "product_id", "product_uom", "sale_line_id"),
    ...all("to_refund", "origin_returned_move_id", "location_usage", "location_dest_usage"),
    location_final_id: { fields: all("usage") }
  }
}

/** Lines of invoices and credit notes: with the trigger `invoice`, they say what is due, and services count like goods. */
const INVOICED = {
  fields: {
    ...all("id", "quantity", "price_total", "product_uom_id"),
    move_id: { fields: all("id", "state", "move_type", "invoice_date") }
  }
}

/** A record whose name is shown to whoever may see the order. */
const NAMED = { fields: all("display_name") }

/** What is read of an order and of the records that it names. */
export const specification = (carried: string | undefined, isInvoiced: boolean) => ({
  ...all("id", "name", "state", "delivery_status", "date_order", "write_date", "amount_total"),
  ...(carried === undefined ? {} : all(carried)),
  currency_id: { fields: all("name") },
  ...{ company_id: NAMED, team_id: NAMED, payment_term_id: NAMED },
  partner_id: PARTNER,
  partner_invoice_id: PARTNER,
  partner_shipping_id: PARTNER,
  order_line: isInvoiced ? { fields: { ...LINE.fields, invoice_lines: INVOICED } } : LINE,
  picking_ids: { fields: { ...all("id", "name", "state", "date_done"), move_ids: MOVE } }
})

const STATES: Readonly<Record<string, "quotation" | "open" | "cancelled">> = {
  draft: "quotation",
  sent: "quotation",
  sale: "open",
  cancel: "cancelled"
}
const TYPES: Readonly<Record<string, OrderLine["type"]>> = { consu: "product", combo: "product", service: "fee" }
const MEMBERS = { line1: "street", line2: "street2", city: "city", postcode: "zip", country: "country_code" }

const address = (fields: Json.Fields, path: string) => Shop.address(fields, path, fields.maybe(`${path}.name`), MEMBERS)

const buyer = (fields: Json.Fields): Buyer | undefined => {
  const at = (member: string) => fields.maybe(`partner_id.${member}`)
  const company = at("commercial_partner_id.name")
  return Shop.buyer(at("email") ?? at("commercial_partner_id.email"), company, {
    id: at("commercial_partner_id.id") ?? at("id"),
    contact: at("name") === company ? undefined : at("name"),
    phone: at("phone"),
    country: at("country_code")
  })
}

const linesOf = (fields: Json.Fields, currency: string, isInvoiced: boolean) => {
  const priced = fields.list("order_line").flatMap((line): ReadonlyArray<OrderLine> => {
    // Sections and notes; and down payments, which are on the order with a quantity of zero.
    if (line.get("display_type") !== undefined) return []
    const [count, gross] = [quantity(line, "product_uom_qty"), money(line, "price_total", currency)]
    if (count === 0n) return []
    const said = gross < 0n ? "discount" : line.meaning("product_type", TYPES, "type of product")
    const type = isInvoiced && said === "fee" ? "product" : said
    const its = Json.present({ description: line.maybe("name"), sku: line.maybe("product_id.default_code") })
    return [{ id: line.text("id"), type, quantity: count, gross, ...its }]
  })
  const { all: lines, comeTo } = Shop.lines(priced)
  // Taxes may be rounded once for the whole order.
  return { sum: comeTo(fields, "amount_total", currency), lines }
}

const PICKINGS = "picking_ids"

/** The order line that a move is of. Throws if the move counts something else than its line does. */
const lineOf = ({ fields }: Whole, move: Json.Fields, transfer: string): string => {
  const id = move.text("sale_line_id")
  const line = fields.list("order_line").find((one) => one.text("id") === id)
  if (line === undefined) throw new Json.Unfit(PICKINGS, `${transfer} is of line ${id}, which the order does not have`)
  if (move.maybe("product_id") !== line.maybe("product_id.id"))
    throw new Json.Unfit(PICKINGS, `${transfer} lists the parts of a kit, so it is unknown how many kits left`)
  if (move.maybe("product_uom") !== line.maybe("product_uom_id"))
    throw new Json.Unfit(PICKINGS, `${transfer} counts in another unit than the order; set stock.propagate_uom to 1`)
  return id
}

/** The goods of a transfer, by line, that these moves moved. */
const partsOf = (
  whole: Whole,
  transfer: Json.Fields,
  isOne: (move: Json.Fields) => boolean
): ReadonlyArray<LinePart> => {
  const parts = new Map<string, bigint>()
  for (const move of transfer.list("move_ids")) {
    if (move.text("state") !== "done" || move.maybe("sale_line_id") === undefined || !isOne(move)) continue
    const count = quantity(move)
    const line = lineOf(whole, move, transfer.text("name"))
    if (count > 0n) parts.set(line, (parts.get(line) ?? 0n) + count)
  }
  return [...parts].map(([line, quantity]) => ({ line, quantity }))
}

const isCustomer = (move: Json.Fields, path: string): boolean => move.text(path) === "customer"
const isOut = (move: Json.Fields): boolean =>
  isCustomer(move, "location_dest_usage") && !isCustomer(move, "location_usage")
/** What is sent again after a return that is not refunded was delivered before. */
const hasLeft = (move: Json.Fields): boolean =>
  isOut(move) && (move.maybe("origin_returned_move_id") === undefined || move.get("to_refund") === true)
const isBack = (move: Json.Fields): boolean =>
  isCustomer(move, "location_usage") && !isCustomer(move, "location_dest_usage") && move.get("to_refund") === true

const zeroOrMore = (n: bigint): bigint => (n > 0n ? n : 0n)

/** Units of a line that left, and of those what came back, so that what was sent again takes the place of what came back. */
const countOf = (ordered: bigint, out: bigint, returned: bigint, waits = 0n, coming = 0n) => {
  const stays = zeroOrMore(Decimal.min(out - returned, ordered - waits))
  const back = zeroOrMore(Decimal.min(returned, ordered - stays - coming))
  return { left: stays + back, back }
}

/** Takes parts as far as their lines go. */
const within =
  (rest: ByLine) =>
  (parts: ReadonlyArray<LinePart>): ReadonlyArray<LinePart> =>
    parts.flatMap(({ line, quantity: count }) => {
      const taken = take(rest, line, count)
      return taken === 0n ? [] : [{ line, quantity: taken }]
    })

/** What goods cost with their share of discounts: as their credit note has it, without what was paid for the delivery. */
const priceOf = (
  parts: ReadonlyArray<LinePart>,
  lines: ReadonlyArray<OrderLine>,
  currency: string
): Decimal.Decimal => {
  const [goods, sum] = [
    Shop.productsOf(lines),
    (some: ReadonlyArray<OrderLine>) => Decimal.sum(some.map((one) => one.gross))
  ]
  const [all, off] = [sum(goods), sum(lines.filter(({ type }) => type === "discount"))]
  const price = Decimal.sum(
    parts.flatMap(({ line, quantity: count }) =>
      goods.flatMap(({ gross, id, quantity: ordered }) =>
        id === line ? [Decimal.divide(Decimal.multiply(gross, count), ordered)] : []
      )
    )
  )
  return all === 0n ? 0n : Decimal.divide(Decimal.multiply(price, all + off), all, Currency.decimals(currency))
}

const isDone = (move: Json.Fields): boolean => move.text("state") === "done"
const isPending = (move: Json.Fields): boolean => !["done", "cancel"].includes(move.text("state"))
/** Picking and packing for a customer: the move to the customer may only be made after it. */
const isOnItsWay = (move: Json.Fields): boolean =>
  !isCustomer(move, "location_usage") && move.maybe("location_final_id.usage") === "customer"

/** As Odoo counts what is delivered; a replacement that waits is of what came back. */
const countsOf = ({ fields }: Whole, { id, quantity: ordered }: OrderLine) => {
  const moves = fields.list(PICKINGS).flatMap((one) => one.list("move_ids"))
  // What is only reserved in part is still to leave whole.
  const units = (one: Json.Fields) =>
    quantity(one, isDone(one) || one.maybe("product_uom_qty") === undefined ? "quantity" : "product_uom_qty")
  const sum = (isOne: (move: Json.Fields) => boolean) =>
    Decimal.sum(moves.filter((one) => one.maybe("sale_line_id") === id && isOne(one)).map(units))
  const out = sum((move) => isDone(move) && hasLeft(move))
  const returned = sum((move) => isDone(move) && isBack(move))
  const waits = sum((move) => isPending(move) && isOut(move))
  const coming = sum((move) => isPending(move) && (isOut(move) || isOnItsWay(move)))
  return countOf(ordered, out, returned, waits, coming)
}

const transferredOf = (whole: Whole, all: ReadonlyArray<OrderLine>): Facts => {
  const { currency, fields, id } = whole
  const transfers = fields
    .list(PICKINGS)
    .filter((one) => one.maybe("state") === "done")
    .map((one) => ({ one, at: when(one, "date_done") }))
    .toSorted((a, b) => a.at.millis - b.at.millis)
  const counts = Shop.productsOf(all).map((line) => [line.id, countsOf(whole, line)] as const)
  const of = (which: "left" | "back") => within(new Map(counts.map(([line, its]) => [line, its[which]])))
  const [left, back] = [of("left"), of("back")]
  const parcels = transfers.flatMap(({ at, one }) => {
    const parts = left(partsOf(whole, one, hasLeft))
    return parts.length === 0 ? [] : [Shop.parcelOf(id, currency)(`${id}/${one.text("id")}`, at, parts)]
  })
  const returns = transfers.flatMap(({ at, one }): ReadonlyArray<Return> => {
    const lines = back(partsOf(whole, one, isBack))
    const amount = priceOf(lines, all, currency)
    const its = { order: id, date: at.date, currency, lines, amount }
    return lines.length === 0 ? [] : [{ kind: "return", id: `${id}/back-${one.text("id")}`, ...its }]
  })
  return [parcels, returns]
}

/** Whether nothing more will come: of what is captured as it leaves, when all is delivered; otherwise, when all is invoiced too. */
const isOver = (
  fields: Json.Fields,
  isInvoiced: boolean,
  [parcels]: Facts,
  lines: ReadonlyArray<OrderLine>
): boolean => {
  if (fields.maybe("delivery_status") !== "full") return false
  const sum = (all: ReadonlyArray<{ readonly quantity: bigint }>) => Decimal.sum(all.map((one) => one.quantity))
  return !isInvoiced || sum(parcels.flatMap(({ fulfilment }) => fulfilment.lines)) >= sum(Shop.productsOf(lines))
}

/**
 * @param carried the field of an order that holds its deferred-payment id
 * @param isInvoiced invoices say what is due, not transfers
 */
export const order =
  (carried: string | undefined, isInvoiced = false) =>
  (record: Json.Fields): Json.Decoded => {
    const fields = Odoo.present(record)
    const [id, state] = [fields.text("id"), fields.meaning("state", STATES, "state")]
    if (state === "quotation") return { documents: [], deleted: [{ kind: "order", id }], complete: id }
    const currency = fields.currency("currency_id.name")
    const whole: Whole = { fields, id, currency }
    const { lines, sum } = linesOf(fields, currency, isInvoiced)
    const facts = isInvoiced ? invoicedOf(whole, lines) : transferredOf(whole, lines)
    const document: Order = {
      kind: "order",
      id,
      number: fields.text("name"),
      // Every transfer is done or cancelled: what was not delivered by then will not be.
      status: state === "open" && isOver(fields, isInvoiced, facts, lines) ? "closed" : state,
      currency,
      placed: when(fields, "date_order").date,
      lines,
      // It falls when somebody lowers the order, and not by returns.
      totals: { now: Shop.stated(fields, "amount_total", currency) },
      ...Json.present({
        delivery: address(fields, "partner_shipping_id"),
        invoicing: address(fields, "partner_invoice_id"),
        deferredPayment: carried === undefined ? undefined : fields.maybe(carried),
        buyer: buyer(fields),
        store: fields.maybe("company_id.display_name"),
        channel: fields.maybe("team_id.display_name"),
        said: fields.text("state")
      }),
      ...Shop.paidBy(fields.maybe("payment_term_id.display_name"), undefined)
    }
    return { ...Shop.decoded(document, ...facts), sums: [sum] }
  }
