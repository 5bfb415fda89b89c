/**
 * A shop that exports its orders to files, and its buyers' payments on the sandbox. The amounts that should be captured, voided
 * and refunded are computed here a second time, independently, from prices and quantities.
 */
import { assert } from "@effect/vitest"
import { api, checkout } from "./Checkout.ts"
import { desk, ofType, type Service } from "./Cli.ts"
import { type FactKind, type ListedFact, orderFiles } from "../world/views/OrderFiles.ts"
import { GO_ON } from "./GoOn.ts"

type Quantities = Readonly<Record<string, number>>

export interface Line {
  readonly line: string
  readonly quantity: number
  /** Minor units, for the whole line. */
  readonly gross: number
  readonly type?: "product" | "shipping"
}

export interface ShopOrder {
  readonly id: string
  readonly number?: string
  readonly status?: "open" | "closed" | "cancelled"
  readonly currency?: string
  readonly lines?: ReadonlyArray<Line>
  readonly totals?: { readonly shipped?: string; readonly cancelled?: string; readonly refunded?: string }
}

export interface ShopFact {
  readonly id: string
  readonly order?: string
  readonly date?: string
  /** Absent: everything that is left, or with an amount no goods. */
  readonly lines?: Quantities
  readonly amount?: string
  readonly currency?: string
}

export interface ShopBooks {
  readonly orders?: ReadonlyArray<ShopOrder>
  readonly parcels?: ReadonlyArray<ShopFact>
  readonly cancellations?: ReadonlyArray<ShopFact>
  readonly returns?: ReadonlyArray<ShopFact>
}

/** 100.00: chairs 4 / 60, lamps 3 / 20, rug 1 / 10, delivery 10. */
export const STANDARD: ReadonlyArray<Line> = [
  { line: "chairs", quantity: 4, gross: 6000 },
  { line: "lamps", quantity: 3, gross: 2000 },
  { line: "rug", quantity: 1, gross: 1000 },
  { line: "delivery", quantity: 1, gross: 1000, type: "shipping" }
]

/** Splits `total` by weight, with the largest remainder; among equal ones the first. */
const split = (total: number, weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const all = weights.reduce((sum, one) => sum + one, 0)
  const parts = weights.map((weight, at) => ({
    at,
    part: Math.floor((total * weight) / all),
    over: (total * weight) % all
  }))
  let left = total - parts.reduce((sum, { part }) => sum + part, 0)
  for (const one of parts.toSorted((a, b) => b.over - a.over || a.at - b.at)) if (left-- > 0) one.part++
  return parts.map(({ part }) => part)
}

/** The price of each unit of each product in minor units, first unit first, including its part of the delivery by value. */
const unitPrices = (lines: ReadonlyArray<Line> = STANDARD): Readonly<Record<string, ReadonlyArray<number>>> => {
  const goods = lines.filter(({ type }) => type !== "shipping")
  const sum = (of: ReadonlyArray<Line>) => of.reduce((all, { gross }) => all + gross, 0)
  const carried = split(
    sum(lines) - sum(goods),
    goods.map(({ gross }) => gross)
  )
  return Object.fromEntries(
    goods.map(({ gross, line, quantity }, n) => [line, split(gross + carried[n]!, Array(quantity).fill(1))])
  )
}

/** The price of units of each line together: from the front, after so many of them; or, with `back`, from the back. */
export const cost = (
  quantities: Quantities,
  {
    after = {},
    back = false,
    lines = STANDARD
  }: { after?: Quantities; back?: boolean; lines?: ReadonlyArray<Line> } = {}
): number => {
  const prices = unitPrices(lines)
  return Object.entries(quantities).reduce((sum, [line, quantity]) => {
    const units = back ? prices[line]!.toReversed() : prices[line]!
    const from = after[line] ?? 0
    return sum + units.slice(from, from + quantity).reduce((all, one) => all + one, 0)
  }, 0)
}

const view = orderFiles(["shipped", "cancelled", "refunded"])

const factsOf = (kind: FactKind, all: ReadonlyArray<ShopFact> = []): ReadonlyArray<ListedFact> =>
  all.map(({ amount, currency, date = "2026-03-05", id, lines = {}, order = "1041" }) => ({
    ...{ kind, id, order, date, goods: lines, currency },
    amount: amount === undefined ? undefined : Math.round(Number(amount) * 100)
  }))

const files = ({ cancellations, orders = [{ id: "1041" }], parcels, returns }: ShopBooks) =>
  view.files(
    orders.map(({ currency = "GBP", id, lines = STANDARD, number = id, status = "open", totals = {} }) => ({
      ...{ id, number, placed: "2026-03-01", status, currency, more: totals },
      lines: lines.map(({ line, ...more }) => ({ id: line, ...more }))
    })),
    [...factsOf("parcel", parcels), ...factsOf("cancellation", cancellations), ...factsOf("return", returns)]
  )

const OWNER = { organisation: { unique_id: "shop", name: "Harbour Lane Supplies", registered: "2024-01-01T00:00:00Z" } }

const configuration = (url: string, orders: object) => ({
  service: { url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
  connections: [
    { id: "shop", source: view.source, orders: { link: "unique_id", ...orders }, first_sync: "send", owner: OWNER }
  ]
})

/** Minor units. */
export interface Money {
  readonly open: number
  readonly captured: number
  readonly voided: number
  readonly refunded: number
}

/** A shop with its files, and one deferred payment for each order given to `buys`. */
export const shopFiles = async (shop: Service, books: ShopBooks, settings: object = {}) => {
  const write = (orders: object) => JSON.stringify(configuration(shop.url, orders))
  const here = desk({ "daybook.config.json": write(settings), ...files(books) })
  const say = (next: ShopBooks) => {
    for (const [name, text] of Object.entries(files(next))) here.write(name, text)
  }
  const sync = async (...more: ReadonlyArray<string>) => {
    const ran = await here.run("sync", "--json", ...GO_ON, ...more)
    if (ran.status !== 0 && ran.status !== 3) throw new Error(`ended with ${ran.status}: ${ran.stdout}${ran.stderr}`)
    return ran
  }
  return {
    here,
    /** Pays an order as its buyer. Returns the deferred payment's identifier. */
    buys: (number = "1041", total = 10_000, currency = "GBP") => checkout(shop, number, total, "accepted", currency),
    /** A change by somebody with the key, without Daybook. */
    byHand: (payment: string, what: "capture" | "void" | "refund", amount: number) =>
      api(shop.url, "POST", `/v1/payment/deferred_payments/${payment}/${what}`, { amount }),
    /** Changes the shop's files. */
    say,
    settings: (orders: object) => here.write("daybook.config.json", write(orders)),
    sync,
    /** Changes the files and syncs. Returns the open attention items. */
    reads: async (next: ShopBooks): Promise<ReadonlyArray<string>> => {
      say(next)
      return ofType(await sync(), "attention").map(({ document, why }) => `${document}: ${why}`)
    },
    statement: async () => ofType(await sync(), "orders")[0]!,
    money: async (payment: string): Promise<Money> => {
      const held = await api(shop.url, "GET", `/v1/payment/deferred_payments/${payment}`)
      const n = (name: string) => Number(held[name] ?? 0)
      const money = {
        open: n("authorisation"),
        captured: n("protected_captures") + n("unprotected_captures"),
        voided: n("voided_authorisation"),
        refunded: n("refunds")
      }
      assert.isAtLeast(money.open, 0)
      return money
    }
  }
}
