/**
 * What the shop sells, and the amounts of a buyer's cart: exact, in minor units, taxes included.
 */
import { Day, Decimal } from "daybook/core"

interface Goods {
  readonly name: string
  readonly category: string
  /** Minor units. */
  readonly price: string
}

export const GOODS: Readonly<Record<string, Goods>> = {
  chair: { name: "Folding chair", category: "/furniture/chairs", price: "4999" },
  lamp: { name: "Desk lamp", category: "/lighting/lamps", price: "2450" }
}
const TAX_RATE = Decimal.of("20")

export interface Cart {
  readonly email: string
  readonly name: string
  /** The company from `companySearch`, as JSON: validated where it is used. */
  readonly company: string
  readonly quantities: ReadonlyArray<readonly [item: string, quantity: number]>
}

/** Reads the first page's form. */
export const cartOf = (form: URLSearchParams): Cart => {
  const quantities = Object.keys(GOODS).flatMap((item) => {
    const quantity = Number(form.get(item) ?? 0)
    if (!Number.isInteger(quantity) || quantity < 0 || quantity > 100) throw new Error(`How many of ${item}?`)
    return quantity === 0 ? [] : [[item, quantity] as const]
  })
  if (quantities.length === 0) throw new Error("The cart is empty.")
  return {
    email: form.get("email") ?? "",
    name: form.get("name") ?? "",
    company: form.get("company") ?? "",
    quantities
  }
}

export const today = (): Day.Day => Day.fromEpochMillis(Date.now())

const totals = new Map<string, Decimal.Decimal>()

/** The amount of an order, which its parcels may not exceed. */
export const amountOf = (number: string): Decimal.Decimal => totals.get(number) ?? 0n

/** The order of a cart; Daybook's builder computes amounts and taxes. */
export const draftOf = ({ quantities }: Cart, number: string) => {
  const items = quantities.map(([item, quantity]) => ({
    item_id: item,
    type: "product",
    description: GOODS[item]!.name,
    category: GOODS[item]!.category,
    quantity: Decimal.of(String(quantity)),
    unit_price: Decimal.of(GOODS[item]!.price),
    tax_rate: TAX_RATE
  }))
  totals.set(number, Decimal.sum(items.map(({ quantity, unit_price }) => Decimal.multiply(quantity, unit_price, 5))))
  return { unique_id: number, currency: "GBP", items }
}
