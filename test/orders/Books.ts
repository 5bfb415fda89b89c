/**
 * What a shop's books say of its orders, and the files that say it. Amounts are whole minor units; nothing here is the
 * connector's or the sync's.
 */
import { type FactKind, money, orderFiles } from "../world/views/OrderFiles.ts"

export interface Line {
  readonly id: string
  readonly type: "product" | "shipping"
  readonly quantity: number
  readonly gross: number
}

export interface Order {
  readonly id: string
  number: string
  status: "open" | "closed" | "cancelled"
  currency: string
  lines: ReadonlyArray<Line>
  /** What the file says under deferred_payment; found by its number where it says nothing. */
  payment?: string
  /** What was given back in all, where the shop says so. */
  refunded?: number
  /** Left out of the export from now on. */
  hidden?: boolean
}

export type Kind = FactKind

/** Lines and how many of each; without any, all that is left. */
export type Goods = Readonly<Record<string, number>>

export interface Fact {
  id: string
  readonly kind: Kind
  order: string
  /** Days after the first of March 2026. */
  readonly day: number
  goods: Goods
  /** What it said before it was edited to all that is left: perhaps that was all, then. */
  was?: Goods
  /** Stated by the shop in place of what the goods come to. */
  amount?: number
  currency?: string
}

/** 100.00: chairs 4 / 60, lamps 3 / 20, rug 1 / 10, delivery 10. */
export const STANDARD: ReadonlyArray<Line> = [
  { id: "chairs", type: "product", quantity: 4, gross: 6000 },
  { id: "lamps", type: "product", quantity: 3, gross: 2000 },
  { id: "rug", type: "product", quantity: 1, gross: 1000 },
  { id: "delivery", type: "shipping", quantity: 1, gross: 1000 }
]

/** 100.00 in one line of four. */
export const CHAIRS: ReadonlyArray<Line> = [{ id: "chairs", type: "product", quantity: 4, gross: 10_000 }]

export const totalOf = (lines: ReadonlyArray<Line>): number => lines.reduce((sum, { gross }) => sum + gross, 0)

const date = (day: number): string => new Date(Date.UTC(2026, 2, 1 + day)).toISOString().slice(0, 10)

/** What a buyer of an order that Daybook creates looks like; the same for all. */
export const BUYER = {
  buyer: "Harbour Lane Bakery Ltd",
  buyer_company: "co-1000",
  email: "orders@harbourlane.example",
  contact: "Ann Lee",
  category: "/home",
  tax: "20",
  delivery_line1: "1 Harbour Lane",
  delivery_city: "Whitby",
  delivery_postcode: "YO22 4AA",
  delivery_country: "GB"
}

const view = orderFiles(["deferred_payment", "refunded", ...Object.keys(BUYER)])

/** The `source` of a connection that reads these files. */
export const { source } = view

/** The files' text by their names. */
export const files = (orders: ReadonlyArray<Order>, facts: ReadonlyArray<Fact>): Readonly<Record<string, string>> => {
  const currencies = new Map(orders.map(({ currency, id }) => [id, currency]))
  return view.files(
    orders
      .filter(({ hidden }) => hidden !== true)
      .map(({ payment = "", refunded, ...order }) => ({
        ...order,
        placed: "2026-03-01",
        more: {
          deferred_payment: payment,
          refunded: refunded === undefined ? "" : money(refunded, order.currency),
          ...BUYER
        }
      })),
    facts.map((fact) => ({
      ...fact,
      date: date(fact.day),
      currency: fact.currency ?? currencies.get(fact.order) ?? "GBP"
    }))
  )
}
