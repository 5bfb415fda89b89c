/**
 * What a shop's books say of its orders, and the files that say it. Amounts are whole minor units; nothing here is the
 * connector's or the sync's.
 */

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

export type Kind = "parcel" | "cancellation" | "return"

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

const money = (minor: number, currency: string): string =>
  currency === "JPY" ? `${minor}` : `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")}`

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

const ORDER = [
  "id",
  "number",
  "placed",
  "status",
  "line",
  "type",
  "quantity",
  "gross",
  "currency",
  "deferred_payment",
  "refunded"
]
const FACT = ["id", "order", "date", "line", "quantity", "currency"]

const COLUMNS = {
  orders: [...ORDER, ...Object.keys(BUYER)],
  fulfilments: FACT,
  cancellations: [...FACT, "amount"],
  returns: [...FACT, "amount"]
} as const

type Stream = keyof typeof COLUMNS

const STREAM = { parcel: "fulfilments", cancellation: "cancellations", return: "returns" } as const

/** The `source` of a connection that reads these files. */
export const source = {
  connector: "files",
  ...Object.fromEntries(
    Object.entries(COLUMNS).map(([name, columns]) => [
      name,
      { path: `${name}.csv`, decimal: ".", columns: Object.fromEntries(columns.map((one) => [one, one])) }
    ])
  )
}

/** The files' text by their names. */
export const files = (
  orders: ReadonlyArray<Order>,
  facts: ReadonlyArray<Fact>
): Readonly<Record<`${Stream}.csv`, string>> => {
  const rows: Record<Stream, Array<Readonly<Record<string, string>>>> = {
    orders: [],
    fulfilments: [],
    cancellations: [],
    returns: []
  }
  for (const { currency, hidden, id, lines, number, payment = "", refunded, status } of orders) {
    if (hidden === true) continue
    for (const { gross, id: line, quantity, type } of lines) {
      const head = {
        id,
        number,
        placed: "2026-03-01",
        status,
        currency,
        deferred_payment: payment,
        refunded: refunded === undefined ? "" : money(refunded, currency),
        ...BUYER
      }
      rows.orders.push({ ...head, line, type, quantity: `${quantity}`, gross: money(gross, currency) })
    }
  }
  const currencies = new Map(orders.map(({ currency, id }) => [id, currency]))
  for (const fact of facts) {
    const currency = fact.currency ?? currencies.get(fact.order) ?? "GBP"
    const amount = fact.amount === undefined ? "" : money(fact.amount, currency)
    const head = { id: fact.id, order: fact.order, date: date(fact.day), currency, amount }
    const goods = Object.entries(fact.goods)
    if (goods.length === 0) rows[STREAM[fact.kind]].push({ ...head, line: "", quantity: "" })
    for (const [line, quantity] of goods) rows[STREAM[fact.kind]].push({ ...head, line, quantity: `${quantity}` })
  }
  return Object.fromEntries(
    Object.entries(rows).map(([name, all]) => {
      const columns: ReadonlyArray<string> = COLUMNS[name as Stream]
      const text = [columns, ...all.map((row) => columns.map((column) => row[column] ?? ""))]
      return [`${name}.csv`, `${text.map((cells) => cells.join(",")).join("\n")}\n`]
    })
  ) as Readonly<Record<`${Stream}.csv`, string>>
}
