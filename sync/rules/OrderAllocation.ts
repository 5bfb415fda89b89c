/**
 * Allocates an order's amount to its lines, and calculates what is left of each: pure arithmetic in whole minor units.
 *
 * Shipping, fees and discounts are shared out over the products. By value (the default), each product's share is proportional
 * to its price; by quantity, to the number of units; with `first`, shipping or fees go entirely with the first parcel, or with
 * whatever ends the order. Shares are rounded by largest remainder: the lines always add up to the order's total, and the
 * captured and remaining parts of a line to the line.
 *
 * The price of a unit is the order's (`OrderUnits.ts`). Captures and returns use up units from the front of a line, voids from
 * its back, so that the totals captured, voided and refunded do not depend on the order of facts. An amount that the source
 * states replaces the price of its own goods and changes no other price. If it is lower, the difference is kept, and is part of
 * what is left. If it is higher, or for no goods, the excess is a discount on everything that is left.
 */
import type { LinePart, Order, OrderFact, OrderLine } from "../../connectors/Document.ts"
import { allocate } from "../../core/money/Allocation.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { PostingLine, OrderPosting, OrderPostingKind, SharingTerms } from "../model/DeferredPayment.ts"
import { ownLines } from "./OrderMeaning.ts"
import { costOf } from "./OrderUnits.ts"
import { entryOf } from "../../core/Entry.ts"

/** The line whose amount goes with the first parcel. */
export const FIRST_PARCEL = ""

/** An authorised amount that belongs to none of the order's lines. */
export const BEYOND = "beyond the order"

/** One side of a line: what is still open, or what was captured and not returned. */
interface Side {
  quantity: bigint
  amount: bigint
}

interface Pool {
  /** As ordered, with its shares of shipping, fees and discounts. */
  readonly ordered: bigint
  readonly price: bigint
  readonly open: Side
  readonly shipped: Side
  /** Total quantities so far. */
  captured: bigint
  voided: bigint
  returned: bigint
  /** A discount lowered what is open, so its units no longer cost what the order says. */
  discounted: boolean
}

/** How a line is shared out; undefined for a line that stands on its own. */
const ruleOf = ({ type }: OrderLine, terms: SharingTerms): "value" | "quantity" | "first" | undefined =>
  type === "product"
    ? undefined
    : type === "shipping"
      ? (terms.shipping ?? "value")
      : type === "fee"
        ? (terms.fees ?? "value")
        : (terms.discounts ?? "value")

/** The amount that the source states, if any. */
export const statedAmount = (fact: OrderFact): bigint | undefined =>
  fact.kind === "fulfilment" ? undefined : fact.amount

const sum = (all: ReadonlyArray<bigint>): bigint => all.reduce((one, other) => one + other, 0n)

const within = (amount: bigint, most: bigint): bigint => (amount < 0n ? 0n : amount > most ? most : amount)

const spread = (amount: bigint, weights: ReadonlyArray<bigint>, otherwise: ReadonlyArray<bigint>) =>
  allocate(amount, sum(weights) > 0n ? weights : otherwise)

/** The price of `quantity` units, out of what is left of the line. */
const worthOf = (pool: Pool, quantity: bigint, taking: OrderPostingKind): bigint => {
  const side = taking === "refund" ? pool.shipped : pool.open
  if (quantity >= side.quantity) return side.amount
  const cost = (first: bigint) => costOf(pool.price, pool.ordered, first)
  // Money already came back, or was captured at other prices than the order's current ones.
  const priced = taking === "refund" ? side.amount === cost(pool.captured) - cost(pool.returned) : !pool.discounted
  if (!priced) {
    const [part = 0n] = allocate(within(side.amount, side.amount), [quantity, side.quantity - quantity])
    return part
  }
  const left = {
    capture: () => cost(pool.ordered - pool.voided) - cost(pool.captured + quantity),
    void: () => cost(pool.ordered - pool.voided - quantity) - cost(pool.captured),
    refund: () => cost(pool.captured) - cost(pool.returned + quantity)
  }[taking]()
  return within(side.amount - left, side.amount)
}

/** Minor units are sent as JSON numbers, which are exact only up to this value. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

export class Lines {
  readonly total: bigint
  readonly #pools = new Map<string, Pool>()
  readonly #shared = new Set<string>()
  readonly #names: ReadonlyMap<string, string>
  readonly #currency: string
  /** What stated amounts kept back, from what is open and from what was captured. */
  #kept = 0n
  #keptBack = 0n

  constructor(order: Order, terms: SharingTerms) {
    const minor = (line: OrderLine) => Currency.toMinor(line.gross, order.currency)
    this.#currency = order.currency
    this.total = sum(order.lines.map(minor))
    this.#names = new Map(order.lines.map(({ description, id }) => [id, description ?? id]))
    const alone = ownLines(order)
    const others = order.lines.filter((line) => !alone.includes(line))
    const values = alone.map(minor)
    const quantities = alone.map(({ quantity }) => quantity)
    let first = 0n
    let shared = 0n
    let amounts = [...values]
    for (const line of others) {
      this.#shared.add(line.id)
      const rule = ruleOf(line, terms)
      if (rule === "first") {
        first += minor(line)
        continue
      }
      shared += minor(line)
      const shares = spread(minor(line), rule === "quantity" ? quantities : values, quantities)
      amounts = amounts.map((amount, n) => amount + (shares[n] ?? 0n))
    }
    // A discount by quantity may exceed the price of a cheap line: then everything is shared by value.
    if (amounts.some((amount) => amount < 0n) && sum(values) + shared >= 0n) {
      amounts = [...spread(sum(values) + shared, values, quantities)]
    }
    for (const [n, { id, quantity }] of alone.entries()) this.#open(id, quantity, amounts[n] ?? 0n)
    if (first !== 0n) this.#open(FIRST_PARCEL, Decimal.fromInteger(1n), first)
  }

  #open(id: string, ordered: bigint, price: bigint): void {
    this.#pools.set(id, {
      ordered,
      price,
      open: { quantity: ordered, amount: price },
      shipped: { quantity: 0n, amount: 0n },
      captured: 0n,
      voided: 0n,
      returned: 0n,
      discounted: false
    })
  }

  /** Records a posting as it was sent, whatever the order says now. */
  book({ lines, stated, taking }: Pick<OrderPosting, "lines" | "taking" | "stated">): void {
    for (const part of lines) {
      const [quantity, amount] = [Decimal.of(part.quantity), BigInt(part.amount)]
      if (part.line === BEYOND) {
        if (taking === "refund") this.#keptBack = within(this.#keptBack - amount, this.#keptBack)
        else this.#kept = within(this.#kept - amount, this.#kept)
        continue
      }
      if (!this.#pools.has(part.line)) this.#open(part.line, 0n, 0n)
      const pool = entryOf(this.#pools, part.line)
      const worth = stated === true && quantity > 0n ? worthOf(pool, quantity, taking) : amount
      const less = worth > amount ? worth - amount : 0n
      if (taking !== "refund" && (quantity === 0n || amount > worth)) pool.discounted = true
      const side = taking === "refund" ? pool.shipped : pool.open
      side.quantity -= quantity
      side.amount -= amount + less
      if (taking === "refund") {
        this.#keptBack += less
        pool.returned += quantity
      } else if (taking === "void") {
        this.#kept += less
        pool.voided += quantity
      } else {
        pool.captured += quantity
        pool.shipped.quantity += quantity
        pool.shipped.amount += amount
      }
    }
  }

  /** Why nothing can be sent, in words: more was sent for a line than it has now, or more than can be sent. */
  get broken(): string | undefined {
    if (this.total > MOST) return `it comes to ${this.#money(this.total)}, more than can be sent to the service exactly`
    for (const [id, { open }] of this.#pools) {
      if (open.quantity < 0n || open.amount < 0n) {
        return id === FIRST_PARCEL
          ? "the order was changed: more shipping and fees were captured with the first parcel than it now has"
          : `the order was changed: more of ${this.#name(id)} was shipped or cancelled than it has now`
      }
    }
    return undefined
  }

  /** Whether goods were captured and all of them have come back. */
  get isBack(): boolean {
    const goods = [...this.#pools].flatMap(([line, pool]) => (line === FIRST_PARCEL ? [] : [pool]))
    return goods.some(({ captured }) => captured > 0n) && goods.every(({ shipped }) => shipped.quantity <= 0n)
  }

  /** Whether a line is shared out over the products. */
  isShared(line: string): boolean {
    return this.#shared.has(line)
  }

  #name(line: string): string {
    return this.#names.get(line) ?? line
  }

  /** Quantities by line, in words. */
  say(parts: ReadonlyArray<{ readonly line: string; readonly quantity: bigint }>): string {
    const all = parts.map(({ line, quantity }) => `${Decimal.format(quantity)} of ${this.#name(line)}`)
    return all.length === 0 ? "no goods" : all.join(", ")
  }

  /** Everything that is open, except what stated amounts kept back. */
  rest(): ReadonlyArray<PostingLine> {
    return [...this.#pools].flatMap(([line, { open }]) =>
      open.quantity > 0n || open.amount > 0n ? [part(line, open.quantity, open.amount)] : []
    )
  }

  /**
   * The amount of a fact about these goods, or why it cannot be posted. Changes nothing yet: see `book`.
   *
   * @param goods as determined by `OrderMeaning.ts`
   */
  parts(
    fact: OrderFact,
    goods: ReadonlyArray<LinePart>,
    taking: OrderPostingKind
  ): ReadonlyArray<PostingLine> | string {
    const amount = statedAmount(fact)
    if (amount !== undefined && !Decimal.fits(amount, Currency.decimals(this.#currency))) {
      return `${Decimal.format(amount)}, which has more decimal places than ${this.#currency} allows`
    }
    const parts = this.#goods(goods, taking)
    return typeof parts === "string" || amount === undefined
      ? parts
      : this.#priced(parts, Currency.toMinor(amount, this.#currency), taking)
  }

  /** Distributes `amount` over the goods in proportion to their price; what exceeds the price comes off everything else. */
  #priced(
    goods: ReadonlyArray<PostingLine>,
    amount: bigint,
    taking: OrderPostingKind
  ): ReadonlyArray<PostingLine> | string {
    const worth = goods.map((one) => BigInt(one.amount))
    const beyond = amount - sum(worth)
    if (beyond <= 0n) {
      // The goods are worth nothing, and nothing is charged for them.
      if (sum(worth) === 0n) return goods
      const shares = allocate(amount, worth)
      return goods.map((one, n) => ({ ...one, amount: `${shares[n]}` }))
    }
    const kept = taking === "refund" ? this.#keptBack : this.#kept
    const ofKept = within(beyond, kept)
    const pools = [...this.#pools]
    const left = pools.map(([line, { open, shipped }]) => {
      const there = taking === "refund" ? shipped.amount : open.amount
      return there - sum(goods.filter((one) => one.line === line).map((one) => BigInt(one.amount)))
    })
    if (beyond - ofKept > sum(left)) {
      const most = sum(left) + sum(worth) + kept
      return `${this.#money(amount)}, but ${this.#money(most)} ${taking === "refund" ? "was captured and not given back" : "is open"}`
    }
    const shares = beyond === ofKept ? left.map(() => 0n) : allocate(beyond - ofKept, left)
    const parts = pools.flatMap(([line], n) => {
      const own = goods.find((one) => one.line === line)
      const all = (shares[n] ?? 0n) + BigInt(own?.amount ?? 0)
      return own === undefined && all === 0n ? [] : [{ line, quantity: own?.quantity ?? "0", amount: `${all}` }]
    })
    return ofKept === 0n ? parts : [...parts, part(BEYOND, 0n, ofKept)]
  }

  #money(minor: bigint): string {
    return Currency.say(Currency.ofMinor(minor, this.#currency), this.#currency)
  }

  #goods(lines: ReadonlyArray<LinePart>, taking: OrderPostingKind): ReadonlyArray<PostingLine> | string {
    const asked = new Map<string, bigint>()
    for (const { line, quantity } of lines) {
      // A parcel may list the shipping, which is already part of the products' amounts.
      if (this.#shared.has(line)) {
        if (taking === "capture") continue
        return `${this.#name(line)} is spread over the products and cannot be ${taking === "void" ? "cancelled" : "returned"} by itself`
      }
      if (!this.#pools.has(line) || line === FIRST_PARCEL) return `the order has no line ${JSON.stringify(line)}`
      asked.set(line, (asked.get(line) ?? 0n) + quantity)
    }
    const refund = taking === "refund"
    const parts: Array<PostingLine> = []
    for (const [line, quantity] of asked) {
      const pool = entryOf(this.#pools, line)
      const there = (refund ? pool.shipped : pool.open).quantity
      if (quantity > there) {
        return `${Decimal.format(quantity)} of ${this.#name(line)}, but ${Decimal.format(there)} ${refund ? "was captured" : "is open"}`
      }
      if (quantity > 0n) parts.push(part(line, quantity, worthOf(pool, quantity, taking)))
    }
    if (refund) return parts
    const first = this.#pools.get(FIRST_PARCEL)?.open
    if (first === undefined || first.quantity === 0n || parts.length === 0) return parts
    const ends = [...this.#pools].every(
      ([line, { open }]) => line === FIRST_PARCEL || open.quantity === (asked.get(line) ?? 0n)
    )
    return taking === "capture" || ends ? [...parts, part(FIRST_PARCEL, first.quantity, first.amount)] : parts
  }
}

const part = (line: string, quantity: bigint, amount: bigint): PostingLine => ({
  line,
  quantity: Decimal.format(quantity),
  amount: `${amount}`
})
