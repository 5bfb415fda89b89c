/**
 * An order's present state in whole minor units: what `OrderDecision.ts` decides from. A shop states it (`OrderState` of the
 * order); of files and databases, it is their events added up. Pure.
 */
import type { LinePart, LineState, Order, OrderFact, OrderLine, OrderState } from "../../connectors/Document.ts"
import { allocate } from "../../core/money/Allocation.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { SharingTerms } from "../model/DeferredPayment.ts"
import { round } from "./WholeUnits.ts"

/** One line of goods. Quantities are decimals. */
export interface StandingLine {
  readonly id: string
  /** The price of `ordered` units: tax included, the line's discounts taken off. Only its proportion counts. */
  readonly gross: bigint
  readonly ordered: bigint
  /** Units that ever left, or met whatever else triggers a capture. Undefined: the shop does not say. */
  readonly left: bigint | undefined
  /** If it does not say: as much as it last said, or nothing. */
  readonly asBefore?: true
  readonly back: bigint
  readonly still: bigint
  readonly unsure?: bigint
}

/** `OrderState` of `connectors/OrderDocuments.ts` in minor units, with the prices of the goods. */
export interface Standing {
  readonly currency: string
  readonly lines: ReadonlyArray<StandingLine>
  readonly total: bigint
  readonly outstanding?: bigint
  /** What the total has besides its goods: delivery, fees, less discounts of the whole order. */
  readonly charges?: bigint
  /** The part of `charges` that goes with the first parcel; the rest is shared by price. */
  readonly first?: bigint
  /** What was cancelled has taken its share of `charges` with it; else what is left bears all of them. */
  readonly isCancelledWithCharges?: boolean
  readonly own: { readonly received?: bigint; readonly given: bigint }
  readonly others: { readonly received: bigint; readonly given: bigint }
  readonly unclear?: ReadonlyArray<string>
  readonly cancelled?: bigint
  /** The price of goods that neither left nor were cancelled: what a cancellation of all of them would come to. */
  readonly rest?: bigint
  /** Of what was given back by this method, what cancellations say. */
  readonly byCancelling?: bigint
  /** Of what was given back, what returns say: only compared. */
  readonly returned?: bigint
  readonly end?: "complete" | "cancelled" | "archived"
  /** `total`: a lower total is the shop's word that less is owed. `events`: only stated cancellations and returns are. */
  readonly says: "total" | "events"
}

/** Lines that stand on their own. If an order has only services and shipping, it has no products to be shared out over. */
export const ownLines = ({ lines }: Pick<Order, "lines">): ReadonlyArray<OrderLine> => {
  const goods = lines.filter(({ type }) => type === "product")
  return goods.length > 0 ? goods : lines.filter(({ gross }) => gross >= 0n)
}

type Sharing = "value" | "quantity" | "first"

/** How a line is shared out over the products, by the connection's settings. */
const sharingOf = ({ type }: OrderLine, { discounts, fees, shipping }: SharingTerms): Sharing =>
  (type === "shipping" ? shipping : type === "fee" ? fees : discounts) ?? "value"

/** A product, with what is shared out over the products by their number in its price. */
interface Product {
  readonly id: string
  readonly quantity: bigint
  /** Minor units. */
  readonly gross: bigint
}

interface Prices {
  readonly goods: ReadonlyArray<Product>
  readonly minor: (amount: bigint) => bigint
  /** What is shared out by price, and of that what goes with the first parcel. */
  readonly charges: bigint
  readonly first: bigint
  /** What is in the prices of the products. */
  readonly shared: bigint
}

/** Decimals count in these. */
const UNIT = 10n ** 8n

const sum = (all: ReadonlyArray<bigint>): bigint => all.reduce((one, other) => one + other, 0n)

/** Amounts finer than the currency are rounded: shops that compute with more places state totals that are. */
const pricesOf = (order: Order, terms: SharingTerms): Prices => {
  const goods = ownLines(order)
  const others = order.lines.filter((line) => !goods.includes(line))
  const minor = (amount: bigint) => round(Currency.inMinor(amount, order.currency), UNIT)
  const of = (sharing: Sharing) =>
    sum(others.flatMap((line) => (sharingOf(line, terms) === sharing ? [minor(line.gross)] : [])))
  const quantities = goods.map(({ quantity }) => quantity)
  const shares = of("quantity") === 0n ? [] : allocate(of("quantity"), quantities)
  const priced = goods.map(({ gross, id, quantity }, n) => ({ id, quantity, gross: minor(gross) + (shares[n] ?? 0n) }))
  // A discount by quantity may exceed the price of a cheap line: then everything is shared by value.
  const isBelow = priced.some(({ gross }) => gross < 0n)
  const byValue = goods.map(({ gross, id, quantity }) => ({ id, quantity, gross: minor(gross) }))
  const [first, shared] = [of("first"), isBelow ? 0n : of("quantity")]
  const all = sum(others.map(({ gross }) => minor(gross)))
  return { goods: isBelow ? byValue : priced, minor, charges: all - shared, first, shared }
}

const optional = <N extends string>(name: N, value: bigint | undefined, minor: (amount: bigint) => bigint) =>
  (value === undefined ? {} : { [name]: minor(value) }) as { readonly [name in N]?: bigint }

/** Of an order without goods, what is left of it comes with its end. */
const unstated = (line: string, quantity: bigint, { end, lines }: OrderState): LineState =>
  lines.length === 0 && (end === "complete" || end === "cancelled")
    ? { line, left: end === "complete" ? quantity : 0n, back: 0n, still: 0n }
    : { line, left: 0n, back: 0n, still: quantity }

/** How the order stands now. */
export const standingOf = (order: Order, facts: ReadonlyArray<OrderFact>, terms: SharingTerms): Standing => {
  const { state } = order
  if (state === undefined) return stateOf(order, facts, terms)
  const { charges, first, goods, minor, shared } = pricesOf(order, terms)
  const at = new Map(state.lines.map((line) => [line.line, line]))
  return {
    currency: order.currency,
    says: "total",
    lines: goods.map(({ gross, id, quantity }) => {
      const { line: _, ...its } = at.get(id) ?? unstated(id, quantity, state)
      return { id, gross, ordered: quantity, ...its, left: its.left }
    }),
    charges: state.charges === undefined ? charges : minor(state.charges) - shared,
    first,
    // A shop gives back what the goods cost less their discount, and keeps the delivery charge unless it says otherwise.
    isCancelledWithCharges: state.charges === undefined && charges < first,
    total: minor(state.total),
    ...optional("outstanding", state.outstanding, minor),
    own: { given: minor(state.own.given), ...optional("received", state.own.received, minor) },
    others: { received: minor(state.others.received), given: minor(state.others.given) },
    ...(state.unclear === undefined ? {} : { unclear: state.unclear }),
    ...optional("cancelled", state.cancelled, minor),
    ...(state.end === undefined ? {} : { end: state.end })
  }
}

/** Facts in the order of their days; returns after all others. Those without lines are for what the others leave. */
const sorted = (facts: ReadonlyArray<OrderFact>): ReadonlyArray<OrderFact> => {
  const rank = ({ date, id, kind, lines }: OrderFact) =>
    `${kind === "return" ? 1 : 0} ${lines.length === 0 ? 1 : 0} ${date} ${kind} ${id}`
  return facts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** What became of one line's goods so far. */
interface Tally {
  readonly line: Product
  /** Of all of it with its share of the charges, so that all lines together come to the whole. */
  readonly price: bigint
  left: bigint
  back: bigint
  off: bigint
}

/** The amount that a fact states for itself, if any. */
const statedAmount = (fact: OrderFact): bigint | undefined => (fact.kind === "fulfilment" ? undefined : fact.amount)

/** Adds up one order's events. */
class Tallies {
  readonly #prices: Prices
  readonly #at: ReadonlyMap<string, Tally>
  /** The price of all goods. */
  readonly #all: bigint
  readonly #parcels: Array<LinePart & { readonly date: string }> = []
  #isFirstGone = false
  readonly given = { own: 0n, others: 0n }
  byCancelling = 0n
  returned = 0n

  constructor(prices: Prices) {
    this.#prices = prices
    const grosses = prices.goods.map(({ gross }) => gross)
    this.#all = sum(grosses)
    // Of a negative price nothing is sent (K2).
    const isPriced = this.#all > 0n && grosses.every((gross) => gross >= 0n)
    const shares = !isPriced ? [] : allocate(this.total - prices.first, grosses)
    this.#at = new Map(
      prices.goods.map((line, n): [string, Tally] => [
        line.id,
        { line, price: shares[n] ?? 0n, left: 0n, back: 0n, off: 0n }
      ])
    )
  }

  get total(): bigint {
    return this.#all + this.#prices.charges
  }

  /** The price of units with their share of the charges, rounded cumulatively. */
  #price({ line: { gross, quantity: ordered }, price }: Tally, from: bigint, count: bigint): bigint {
    const shared = this.total - this.#prices.first
    const upTo = (n: bigint) =>
      n === ordered ? price : this.#all === 0n ? 0n : round(gross * shared * n, this.#all * ordered)
    return upTo(from + count) - upTo(from)
  }

  #leftBy(line: string, day: string): bigint {
    return sum(this.#parcels.flatMap((part) => (part.line === line && part.date <= day ? [part.quantity] : [])))
  }

  /** The goods of a fact. Without lines and amount: all that is still here; of a return, all that had left by its day. */
  #goodsOf(fact: OrderFact): ReadonlyArray<LinePart> {
    if (fact.lines.length > 0 || statedAmount(fact) !== undefined) return fact.lines
    return [...this.#at].flatMap(
      ([
        line,
        {
          back,
          left,
          line: { quantity: ordered },
          off
        }
      ]) => {
        const quantity = fact.kind === "return" ? this.#leftBy(line, fact.date) - back : ordered - left - off
        return quantity > 0n ? [{ line, quantity }] : []
      }
    )
  }

  add(fact: OrderFact): void {
    let worth = 0n
    for (const { line, quantity } of this.#goodsOf(fact)) {
      const its = this.#at.get(line)
      if (its === undefined) continue
      if (fact.kind === "fulfilment") {
        its.left += quantity
        this.#parcels.push({ line, quantity, date: fact.date })
      } else if (fact.kind === "return") {
        worth += this.#price(its, its.back, quantity)
        its.back += quantity
      } else {
        worth += this.#price(its, its.line.quantity - its.off - quantity, quantity)
        its.off += quantity
      }
    }
    if (fact.kind === "fulfilment") return
    worth += fact.kind === "cancellation" ? this.#firstGone() : 0n
    const stated = statedAmount(fact)
    const amount = stated === undefined ? worth : this.#prices.minor(stated)
    this.given[fact.method === "other" ? "others" : "own"] += amount
    if (fact.kind === "return") this.returned += amount
    else if (fact.method !== "other") this.byCancelling += amount
  }

  /** What goes with the first parcel ends with the order, if none ever left. */
  #firstGone(): bigint {
    const isOver = [...this.#at.values()].every(({ left, line, off }) => left === 0n && off === line.quantity)
    if (!isOver || this.#isFirstGone) return 0n
    this.#isFirstGone = true
    return this.#prices.first
  }

  /** What a cancellation of all that is still here would come to. */
  get rest(): bigint {
    const all = [...this.#at.values()].map((its) => {
      const { left, line, off } = its
      return this.#price(its, left, line.quantity - left - off)
    })
    const isFirst = !this.#isFirstGone && [...this.#at.values()].every(({ left }) => left === 0n)
    return sum(all) + (isFirst ? this.#prices.first : 0n)
  }

  get lines(): ReadonlyArray<StandingLine> {
    return [...this.#at].map(
      ([
        id,
        {
          back,
          left,
          line: { gross, quantity },
          off
        }
      ]) => ({
        id,
        gross,
        ordered: quantity,
        left,
        back,
        still: quantity - left - off
      })
    )
  }
}

/** Adds up an order's events, as files and databases state them. An amount may be 0: no money moved. */
export const stateOf = (order: Order, facts: ReadonlyArray<OrderFact>, terms: SharingTerms): Standing => {
  const prices = pricesOf(order, terms)
  const tallies = new Tallies(prices)
  for (const fact of sorted(facts)) tallies.add(fact)
  const { minor } = prices
  const { now, otherwise = 0n, outstanding } = order.totals ?? {}
  return {
    currency: order.currency,
    says: now === undefined ? "events" : "total",
    lines: tallies.lines,
    charges: prices.charges,
    first: prices.first,
    isCancelledWithCharges: now === undefined,
    total: now === undefined ? tallies.total : minor(now),
    ...optional("outstanding", outstanding, minor),
    ...(now === undefined ? { rest: tallies.rest, byCancelling: tallies.byCancelling } : {}),
    own: { given: tallies.given.own },
    others: { received: minor(otherwise), given: tallies.given.others },
    returned: tallies.returned,
    ...(order.status === "open" ? {} : { end: "cancelled" as const })
  }
}
