/** What the invoices and credit notes of a sales order of Odoo say, where they make an amount due. Pure. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { LinePart, OrderLine, Return } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Shop from "../Shop.ts"

const { money, quantity } = Shop

/** An order, with what reading its transfers needs. */
export interface Whole {
  readonly fields: Json.Fields
  readonly id: string
  readonly currency: string
}

export type Facts = readonly [parcels: ReadonlyArray<Shop.Parcel>, returns: ReadonlyArray<Return>]

/** So much of each line. */
export type ByLine = Map<string, bigint>

const put = (to: ByLine, line: string, more: bigint): void => void to.set(line, (to.get(line) ?? 0n) + more)

/** Takes of a line what there is, and no more than that. */
export const take = (from: ByLine, line: string, most: bigint): bigint => {
  const taken = Decimal.min(most, from.get(line) ?? 0n)
  put(from, line, -taken)
  return taken
}

/** A quantity of a line, with its part of an invoice or credit note. */
type Priced = LinePart & { readonly amount: bigint }

/** The posted invoices and credit notes of the order's lines, by day. */
const postedOf = ({ currency, fields }: Whole, lines: ReadonlyArray<OrderLine>) => {
  const found = new Map<string, { readonly move: Json.Fields; readonly parts: Array<Priced> }>()
  for (const line of fields.list("order_line").filter((one) => lines.some(({ id }) => id === one.text("id"))))
    for (const one of line.list("invoice_lines")) {
      const move = Json.fieldsOf(one.get("move_id"))
      const count = quantity(one)
      if (move.maybe("state") !== "posted" || count === 0n) continue
      if (one.maybe("product_uom_id") !== line.maybe("product_uom_id"))
        throw new Json.Unfit("invoice_lines", "an invoice counts in another unit than the order's line")
      const key = move.text("id")
      const its = found.get(key) ?? { move, parts: [] }
      its.parts.push({ line: line.text("id"), quantity: count, amount: money(one, "price_total", currency) })
      found.set(key, its)
    }
  const of = (type: string) =>
    [...found]
      .filter(([, { move }]) => move.maybe("move_type") === type)
      .map(([key, its]) => ({ ...its, key, date: its.move.day("invoice_date") }))
      .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  return { invoices: of("out_invoice"), credits: of("out_refund") }
}

const absolute = (n: bigint): bigint => (n < 0n ? -n : n)

/**
 * What posted invoices and credit notes of the order say: each invoice in place of a parcel, each credit note of a return. What is
 * invoiced beyond what was ordered is invoiced again: it takes the place of what was credited, at its own amount. A credit note for
 * a discount has a quantity, too.
 */
export const invoicedOf = (whole: Whole, lines: ReadonlyArray<OrderLine>): Facts => {
  const { currency, id } = whole
  const { credits, invoices } = postedOf(whole, lines)
  const places = Currency.decimals(currency)
  const ordered: ByLine = new Map(lines.map((one) => [one.id, one.quantity]))
  const [gone, again, amounts]: readonly [ByLine, ByLine, ByLine] = [new Map(), new Map(), new Map()]
  const parcel = Shop.parcelOf(id, currency)
  const parcels = invoices.flatMap(({ date, key, parts }) => {
    const its = parts.flatMap(({ amount, line, quantity: count }) => {
      const taken = take(ordered, line, count)
      put(gone, line, taken)
      put(again, line, count - taken)
      put(amounts, line, Decimal.divide(Decimal.multiply(absolute(amount), count - taken), count, places))
      return taken === 0n ? [] : [{ line, quantity: taken }]
    })
    return its.length === 0 ? [] : [parcel(`${id}/invoice-${key}`, { date, millis: 0 }, its)]
  })
  const returns = credits.flatMap(({ date, key, parts }): ReadonlyArray<Return> => {
    const kept = parts.map(({ amount, line, quantity: count }) => {
      const rest = absolute(amount) - take(amounts, line, absolute(amount))
      return {
        its: { line, quantity: take(gone, line, count - take(again, line, count)) },
        amount: amount < 0n ? -rest : rest
      }
    })
    const amount = Decimal.sum(kept.map((one) => one.amount))
    const back = kept.flatMap(({ its }) => (its.quantity === 0n ? [] : [its]))
    const its = { order: id, date, currency, lines: back, amount }
    return back.length === 0 && amount === 0n ? [] : [{ kind: "return", id: `${id}/credit-${key}`, ...its }]
  })
  return [parcels, returns]
}
