/** A shop that exports its orders as four tables: orders with their lines, and what left, was cancelled and came back. */
import { major } from "../Values.ts"

export type FactKind = "parcel" | "cancellation" | "return"

/** Amounts are minor units. */
export interface ListedOrder {
  readonly id: string
  readonly number: string
  readonly placed: string
  readonly status: string
  readonly currency: string
  readonly lines: ReadonlyArray<{
    readonly id: string
    readonly type?: string | undefined
    readonly quantity: number
    readonly gross: number | bigint
  }>
  /** Of further columns. */
  readonly more?: Readonly<Record<string, string>>
}

export interface ListedFact {
  readonly kind: FactKind
  readonly id: string
  readonly order: string
  readonly date: string
  /** How many of each line; without any, all that is left, or with an amount no goods. */
  readonly goods: Readonly<Record<string, number>>
  /** Of the whole fact. */
  readonly amount?: number | bigint | undefined
  readonly currency?: string | undefined
}

const ORDER = ["id", "number", "placed", "status", "currency", "line", "type", "quantity", "gross"]
const FACT = ["id", "order", "date", "line", "quantity", "currency"]
const STATED = [...FACT, "amount"]
const STREAMS = { parcel: "fulfilments", cancellation: "cancellations", return: "returns" } as const

type Row = Readonly<Record<string, string>>

/** Minor units as an amount. */
export const money = (amount: number | bigint, currency: string): string =>
  currency === "JPY" ? `${amount}` : major(BigInt(amount))

const rowsOf = ({ currency, id, lines, more, number, placed, status }: ListedOrder): ReadonlyArray<Row> =>
  lines.map(({ gross, id: line, quantity, type = "product" }) => ({
    ...{ id, number, placed, status, currency, line, type },
    ...{ quantity: `${quantity}`, gross: money(gross, currency) },
    ...more
  }))

/** A row for each line; they bear the amount together. */
const rowsOfFact = ({ amount, currency = "", date, goods, id, order }: ListedFact): ReadonlyArray<Row> => {
  const named = Object.entries(goods)
  const all = named.length === 0 ? [["", ""]] : named
  const part = amount === undefined ? 0n : BigInt(amount) / BigInt(all.length)
  const first = amount === undefined ? 0n : BigInt(amount) - part * BigInt(all.length - 1)
  return all.map(([line, quantity], n) => ({
    ...{ id, order, date, line: `${line}`, quantity: `${quantity}`, currency },
    amount: amount === undefined ? "" : money(n === 0 ? first : part, currency)
  }))
}

const csv = (names: ReadonlyArray<string>, rows: ReadonlyArray<Row>): string =>
  [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))].map((cells) => `${cells.join(",")}\n`).join("")

/**
 * @param more further columns of orders
 * @param of what the files' names begin with
 */
export const orderFiles = (more: ReadonlyArray<string> = [], of = "") => {
  const columns = { orders: [...ORDER, ...more], fulfilments: FACT, cancellations: STATED, returns: STATED }
  return {
    /** The `source` of a connection that reads them. */
    source: {
      connector: "files",
      ...Object.fromEntries(
        Object.entries(columns).map(([name, all]) => [
          name,
          { path: `${of}${name}.csv`, decimal: ".", columns: Object.fromEntries(all.map((one) => [one, one])) }
        ])
      )
    },
    files: (
      orders: ReadonlyArray<ListedOrder>,
      facts: ReadonlyArray<ListedFact>
    ): Readonly<Record<string, string>> => ({
      [`${of}orders.csv`]: csv(columns.orders, orders.flatMap(rowsOf)),
      ...Object.fromEntries(
        Object.entries(STREAMS).map(([kind, name]) => [
          `${of}${name}.csv`,
          csv(columns[name], facts.filter((one) => one.kind === kind).flatMap(rowsOfFact))
        ])
      )
    })
  }
}
