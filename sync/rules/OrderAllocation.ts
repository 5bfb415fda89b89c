/**
 * An order's amount over its lines, and what is left of each: pure arithmetic in whole minor units.
 *
 * Shipping, fees and discounts travel with the products. By value (unless set otherwise) each product carries a share in
 * proportion to what it costs; by quantity, in proportion to how many there are; `first` leaves shipping or fees whole
 * to the first parcel, or to whatever ends the order. All shares are of the largest remainder: the lines always sum to
 * the order's total, and what is taken of a line and what is left of it to the line.
 */
import type { LinePart, Order, OrderFact, OrderLine } from "../../connectors/Document.ts"
import { allocate } from "../../core/money/Allocation.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { Part, Posting, Taking } from "../model/RemoteOrder.ts"

/** The line that goes along with the first parcel. */
export const FIRST = ""

/** What was authorised and is none of the order's lines. */
export const BEYOND = "beyond the order"

interface Pool {
  quantity: bigint
  amount: bigint
  /** Captured, and not returned. */
  shippedQuantity: bigint
  shipped: bigint
}

/** The rule by which a line is shared out; undefined for a line that stands by itself. */
const ruleOf = ({ type }: OrderLine, settings: OrderSettings): "value" | "quantity" | "first" | undefined =>
  type === "product"
    ? undefined
    : type === "shipping"
      ? (settings.shipping ?? "value")
      : type === "fee"
        ? (settings.fees ?? "value")
        : (settings.discounts ?? "value")

/** The amount that the source states, where it does. */
export const statedAmount = (fact: OrderFact): bigint | undefined =>
  fact.kind === "fulfilment" ? undefined : fact.amount

const sum = (all: ReadonlyArray<bigint>): bigint => all.reduce((one, other) => one + other, 0n)

const spread = (amount: bigint, weights: ReadonlyArray<bigint>, otherwise: ReadonlyArray<bigint>) =>
  allocate(amount, sum(weights) > 0n ? weights : otherwise)

export class Lines {
  readonly total: bigint
  readonly #pools = new Map<string, Pool>()
  readonly #shared = new Set<string>()
  readonly #names: ReadonlyMap<string, string>
  readonly #currency: string

  constructor(order: Order, settings: OrderSettings) {
    const minor = (line: OrderLine) => Currency.toMinor(line.gross, order.currency)
    this.#currency = order.currency
    this.total = sum(order.lines.map(minor))
    this.#names = new Map(order.lines.map(({ description, id }) => [id, description ?? id]))
    const goods = order.lines.filter(({ type }) => type === "product")
    // An order of services and shipping alone has nothing to travel with.
    const standing = goods.length > 0 ? goods : order.lines.filter(({ gross }) => gross >= 0n)
    const others = order.lines.filter((line) => !standing.includes(line))
    const values = standing.map(minor)
    const quantities = standing.map(({ quantity }) => quantity)
    let first = 0n
    let shared = 0n
    let amounts = [...values]
    for (const line of others) {
      this.#shared.add(line.id)
      const rule = ruleOf(line, settings)
      if (rule === "first") {
        first += minor(line)
        continue
      }
      shared += minor(line)
      const shares = spread(minor(line), rule === "quantity" ? quantities : values, quantities)
      amounts = amounts.map((amount, n) => amount + shares[n]!)
    }
    // A discount by quantity may exceed what a cheap line costs: then everything is shared by value.
    if (amounts.some((amount) => amount < 0n) && sum(values) + shared >= 0n) {
      amounts = [...spread(sum(values) + shared, values, quantities)]
    }
    for (const [n, { id, quantity }] of standing.entries()) this.#open(id, quantity, amounts[n]!)
    if (first !== 0n) this.#open(FIRST, Decimal.fromInteger(1n), first)
  }

  #open(id: string, quantity: bigint, amount: bigint): void {
    this.#pools.set(id, { quantity, amount, shippedQuantity: 0n, shipped: 0n })
  }

  /** Everything was told as `posting` says, whatever the order says by now. */
  book({ lines, taking }: Pick<Posting, "lines" | "taking">): void {
    for (const part of lines) {
      if (part.line === BEYOND) continue
      const [quantity, amount] = [Decimal.of(part.quantity), BigInt(part.amount)]
      if (!this.#pools.has(part.line)) this.#open(part.line, 0n, 0n)
      const pool = this.#pools.get(part.line)!
      if (taking === "refund") {
        pool.shippedQuantity -= quantity
        pool.shipped -= amount
        continue
      }
      pool.quantity -= quantity
      pool.amount -= amount
      if (taking === "void") continue
      pool.shippedQuantity += quantity
      pool.shipped += amount
    }
  }

  /** A line of which more was told than the order has by now, in words. */
  get broken(): string | undefined {
    for (const [id, { amount, quantity }] of this.#pools) {
      if (quantity < 0n || amount < 0n) {
        return id === FIRST
          ? "the order was changed: more went along with the first parcel than it now asks for shipping and fees"
          : `the order was changed: more of ${this.#name(id)} was shipped or cancelled than it has now`
      }
    }
    return undefined
  }

  /** Whether a line travels with the products. */
  isShared(line: string): boolean {
    return this.#shared.has(line)
  }

  #name(line: string): string {
    return this.#names.get(line) ?? line
  }

  /** All that is open. */
  rest(): ReadonlyArray<Part> {
    return [...this.#pools].flatMap(([line, { amount, quantity }]) =>
      quantity > 0n || amount > 0n ? [part(line, quantity, amount)] : []
    )
  }

  /** What a fact comes to, or why it cannot be taken. Takes nothing yet: see `book`. */
  parts(fact: OrderFact, taking: Taking): ReadonlyArray<Part> | string {
    const amount = statedAmount(fact)
    if (amount === undefined) return this.#goods(fact.lines, taking)
    if (!Decimal.fits(amount, Currency.decimals(this.#currency))) {
      return `${Decimal.format(amount)}, which is finer than ${this.#currency}`
    }
    const goods = fact.lines.length === 0 ? [] : this.#goods(fact.lines, taking)
    return typeof goods === "string" ? goods : this.#priced(goods, Currency.toMinor(amount, this.#currency), taking)
  }

  /** `amount` in place of what the goods are worth, in proportion to it; what goes beyond comes off everything there is. */
  #priced(goods: ReadonlyArray<Part>, amount: bigint, taking: Taking): ReadonlyArray<Part> | string {
    const worth = goods.map((one) => BigInt(one.amount))
    const beyond = amount - sum(worth)
    if (beyond <= 0n) {
      // Goods that are worth nothing, and nothing for them.
      if (sum(worth) === 0n) return goods
      const shares = allocate(amount, worth)
      return goods.map((one, n) => ({ ...one, amount: `${shares[n]}` }))
    }
    const pools = [...this.#pools]
    const left = pools.map(([line, pool]) => {
      const there = taking === "refund" ? pool.shipped : pool.amount
      return there - sum(goods.filter((one) => one.line === line).map((one) => BigInt(one.amount)))
    })
    if (beyond > sum(left)) {
      const say = (minor: bigint) =>
        Currency.say(Currency.fromMinor(Decimal.fromInteger(minor), this.#currency), this.#currency)
      return `${say(amount)}, but ${say(sum(left) + sum(worth))} ${taking === "refund" ? "was captured and not given back" : "is open"}`
    }
    const shares = allocate(beyond, left)
    return pools.flatMap(([line], n) => {
      const own = goods.find((one) => one.line === line)
      const all = shares[n]! + BigInt(own?.amount ?? 0)
      return own === undefined && all === 0n ? [] : [{ line, quantity: own?.quantity ?? "0", amount: `${all}` }]
    })
  }

  #goods(lines: ReadonlyArray<LinePart>, taking: Taking): ReadonlyArray<Part> | string {
    const asked = new Map<string, bigint>()
    for (const { line, quantity } of lines) {
      // A parcel's list may name the shipping: it is in the products' amounts already.
      if (this.#shared.has(line)) {
        if (taking === "capture") continue
        return `${this.#name(line)} is shared out over the products, and cannot be ${taking === "void" ? "cancelled" : "returned"} by itself`
      }
      if (!this.#pools.has(line) || line === FIRST) return `the order has no line ${JSON.stringify(line)}`
      asked.set(line, (asked.get(line) ?? 0n) + quantity)
    }
    const refund = taking === "refund"
    const left = (pool: Pool) => (refund ? pool.shippedQuantity : pool.quantity)
    if (lines.length === 0) for (const [line, pool] of this.#pools) if (line !== FIRST) asked.set(line, left(pool))
    const parts: Array<Part> = []
    for (const [line, quantity] of asked) {
      const pool = this.#pools.get(line)!
      const [there, amount] = refund ? [pool.shippedQuantity, pool.shipped] : [pool.quantity, pool.amount]
      if (quantity > there) {
        return `${Decimal.format(quantity)} of ${this.#name(line)}, but ${Decimal.format(there)} ${refund ? "was captured" : "is open"}`
      }
      if (quantity === 0n) continue
      parts.push(part(line, quantity, quantity === there ? amount : allocate(amount, [quantity, there - quantity])[0]!))
    }
    if (refund) return parts
    const first = this.#pools.get(FIRST)
    if (first === undefined || first.quantity === 0n || parts.length === 0) return parts
    const ends = [...this.#pools].every(
      ([line, { quantity }]) => line === FIRST || quantity === (asked.get(line) ?? 0n)
    )
    return taking === "capture" || ends ? [...parts, part(FIRST, first.quantity, first.amount)] : parts
  }
}

const part = (line: string, quantity: bigint, amount: bigint): Part => ({
  line,
  quantity: Decimal.format(quantity),
  amount: `${amount}`
})
