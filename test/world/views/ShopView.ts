/** What every shop's interface is given: the orders, and what its checkout kept of the service's identifiers. */
import type { OtherOrder, ShopStyle } from "../truth/Storekeeper.ts"
import type { Order, OrderLine } from "../truth/Order.ts"
import { type Day, instant, major, type Minor } from "../Values.ts"
import type { Answered, Asked } from "./Server.ts"

export interface Kept {
  /** The deferred payment of an order. */
  readonly payments: ReadonlyMap<string, string>
  readonly orders: ReadonlyMap<string, Order>
  readonly others: ReadonlyArray<OtherOrder>
}

export interface ShopView {
  readonly source: (url: string) => object
  /** How orders are found on the service. */
  readonly link: "carried" | "unique_id"
  readonly answers: (asked: Asked, day: Day) => Answered | undefined
  /** What it exports, where it has no interface. */
  readonly files?: () => ReadonlyMap<string, string>
}

/** The order as its number, so that every shop's ids can be whole numbers. */
export const idOf = (order: Order): number => Number(order.placing.id)

/** `2026-05-06T10:00:00Z` */
export const at = (day: Day, hour = 10): string => new Date(instant(day, hour)).toISOString().slice(0, 19) + "Z"

/** An order of somebody else's: paid by card or cheque, one piece for 30.00. */
export const foreignLine: OrderLine = {
  id: "71",
  ordered: 1,
  gross: 3000n,
  list: 3000n,
  off: 0n,
  rate: 0n,
  isVirtual: false
}

/** An amount with four decimals, of which the last two are not zero; rounded it is the amount. */
export const fine = (amount: Minor, { decimals }: ShopStyle): string => {
  if (decimals === 2 || amount === 0n) return major(amount)
  const fourth = amount * 100n - 9n
  const digits = `${fourth < 0n ? -fourth : fourth}`.padStart(5, "0")
  return `${fourth < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`
}
