/**
 * The shop's books: two files that Daybook reads. An order is added once it is paid for, a parcel once it has left.
 */
import { Currency, Decimal } from "daybook/core"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"

const ORDERS = "orders.csv"
const PARCELS = "parcels.csv"

const start = (file: string, heading: string): void => {
  if (!existsSync(file)) writeFileSync(file, heading)
}
start(ORDERS, "Order,Placed,Status,SKU,Item,Kind,Qty,Total\n")
start(PARCELS, "Parcel,Order,Sent,SKU,Qty\n")

interface Order {
  readonly unique_id?: string | null
  readonly order_date?: string | null
  readonly currency: string
  readonly items: ReadonlyArray<{
    readonly item_id?: string | null
    readonly type: string
    readonly description?: string | null
    readonly quantity: Decimal.Decimal
    readonly total_amount: Decimal.Decimal
  }>
}

const rowsOf = (file: string, order: string, column: number): ReadonlyArray<ReadonlyArray<string>> =>
  readFileSync(file, "utf8")
    .split("\n")
    .map((row) => row.split(","))
    .filter((cells) => cells[column] === order)

/** Adds an order that the buyer pays later, as the service has it. */
export const sell = ({ currency, items, order_date, unique_id }: Order): void => {
  const number = String(unique_id)
  if (rowsOf(ORDERS, number, 0).length > 0) return
  const rows = items.map(({ description, item_id, quantity, total_amount, type }) =>
    [
      number,
      order_date,
      "open",
      item_id,
      description,
      type,
      Decimal.format(quantity),
      Currency.format(Currency.fromMinor(total_amount, currency), currency)
    ].join(",")
  )
  appendFileSync(ORDERS, `${rows.join("\n")}\n`)
}

/** Adds a parcel with all goods of an order. */
export const ship = (order: string, day = new Date().toISOString().slice(0, 10)): void => {
  if (rowsOf(PARCELS, order, 1).length > 0) return
  const rows = rowsOf(ORDERS, order, 0).map(([, , , sku, , , quantity]) =>
    [`P-${order}`, order, day, sku, quantity].join(",")
  )
  appendFileSync(PARCELS, `${rows.join("\n")}\n`)
}
