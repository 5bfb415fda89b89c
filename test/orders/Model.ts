/**
 * What must be captured, voided and refunded of an order, reckoned from what really happened to its goods. Written from
 * the rules of the documentation alone: shipping is shared out over the goods, to the minor unit and by the largest
 * remainder; a line over its pieces likewise, the first pieces first; what the shop stated for some pieces changes nothing
 * about the price of others.
 */
import type { Fact, Line } from "./Books.ts"

export type Sharing = "value" | "quantity"

export interface Sums {
  readonly captured: number
  readonly voided: number
  readonly refunded: number
  /** By how much stated amounts leave room: what is over may go with the next goods, or stay open. */
  readonly room: number
}

interface Pool {
  /** What each piece costs, from the first on. */
  readonly prices: ReadonlyArray<number>
  /** So many from the front have left, and so many from the back never will. */
  captured: number
  voided: number
  returned: number
}

const left = ({ captured, prices, voided }: Pool): number => prices.length - captured - voided
const sent = ({ captured, returned }: Pool): number => captured - returned

/** `total` in the proportion of `weights`, whole minor units, the rest to the largest fractions, ties to the first. */
export const share = (total: number, weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const sum = weights.reduce((one, other) => one + other, 0)
  const parts = weights.map((weight) => Math.floor((total * weight) / sum))
  const fractions = weights.map((weight, at) => ({ at, fraction: (total * weight) % sum }))
  let rest = total - parts.reduce((one, other) => one + other, 0)
  for (const { at } of fractions.toSorted((a, b) => b.fraction - a.fraction || a.at - b.at)) {
    if (rest-- <= 0) break
    parts[at]!++
  }
  return parts
}

const poolsOf = (lines: ReadonlyArray<Line>, sharing: Sharing): Map<string, Pool> => {
  const goods = lines.filter(({ type }) => type === "product")
  const shipping = lines.filter(({ type }) => type === "shipping")
  const worth = goods.map(({ gross }) => gross)
  const weights = sharing === "value" ? goods.map(({ gross }) => gross) : goods.map(({ quantity }) => quantity)
  for (const { gross } of shipping) for (const [at, part] of share(gross, weights).entries()) worth[at]! += part
  return new Map(
    goods.map(({ id, quantity }, at) => {
      const prices = share(worth[at]!, Array<number>(quantity).fill(1))
      return [id, { prices, captured: 0, voided: 0, returned: 0 }]
    })
  )
}

/** What so many pieces cost: parcels and returns take the first that are there, cancellations the last. */
const cost = (pool: Pool, quantity: number, kind: Fact["kind"]): number => {
  const from = {
    parcel: pool.captured,
    cancellation: pool.prices.length - pool.voided - quantity,
    return: pool.returned
  }[kind]
  return pool.prices.slice(from, from + quantity).reduce((sum, price) => sum + price, 0)
}

export class Model {
  readonly #pools: Map<string, Pool>
  readonly #total: number
  #captured = 0
  #voided = 0
  #refunded = 0
  #room = 0
  closed = false

  constructor(lines: ReadonlyArray<Line>, sharing: Sharing) {
    this.#pools = poolsOf(lines, sharing)
    this.#total = lines.reduce((sum, { gross }) => sum + gross, 0)
  }

  get sums(): Sums {
    return { captured: this.#captured, voided: this.#voided, refunded: this.#refunded, room: this.#room }
  }

  /** Pieces of each line that are still in the warehouse. */
  get here(): ReadonlyArray<readonly [string, number]> {
    return [...this.#pools].flatMap(([line, pool]) => (left(pool) > 0 ? [[line, left(pool)] as const] : []))
  }

  /** Pieces of each line that the buyer has. */
  get there(): ReadonlyArray<readonly [string, number]> {
    return [...this.#pools].flatMap(([line, pool]) => (sent(pool) > 0 ? [[line, sent(pool)] as const] : []))
  }

  get open(): number {
    return this.#total - this.#captured - this.#voided
  }

  /** What so many pieces come to when they leave, are cancelled or come back now. Changes nothing. */
  price({ goods, kind }: Pick<Fact, "goods" | "kind">): number {
    return this.#parts(goods, kind).reduce((sum, { amount }) => sum + amount, 0)
  }

  #parts(goods: Fact["goods"], kind: Fact["kind"]) {
    const back = kind === "return"
    const asked = Object.keys(goods).length > 0 ? Object.entries(goods) : back ? this.there : this.here
    return asked.map(([line, quantity]) => {
      const pool = this.#pools.get(line)!
      const many = Math.min(quantity, back ? sent(pool) : left(pool))
      return { pool, many, amount: cost(pool, many, kind) }
    })
  }

  /** It happens. A fact that says more than there is takes what there is. */
  take({ amount: stated, goods, kind }: Pick<Fact, "amount" | "goods" | "kind">): void {
    const parts = stated !== undefined && Object.keys(goods).length === 0 ? [] : this.#parts(goods, kind)
    const worth = parts.reduce((sum, { amount }) => sum + amount, 0)
    const money = stated ?? worth
    if (stated !== undefined) this.#room += Math.abs(worth - stated)
    for (const { many, pool } of parts) {
      if (kind === "return") pool.returned += many
      else if (kind === "cancellation") pool.voided += many
      else pool.captured += many
    }
    if (kind === "parcel") this.#captured += money
    else if (kind === "cancellation") this.#voided += money
    else this.#refunded += money
  }

  /** What is left of a closed order is voided. */
  close(): void {
    this.closed = true
    this.#voided += this.open
  }
}

/** Facts in the order in which they are sent: by their days, returns last. */
export const inOrder = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const rank = ({ day, kind }: Fact) => (kind === "return" ? 10_000 : 0) + day
  return facts.toSorted((a, b) => rank(a) - rank(b))
}

/** A return without lines means what the buyer had on its day; other facts as they are. */
export const withGoods = (
  fact: Fact,
  {
    facts,
    lines,
    sharing
  }: { readonly facts: ReadonlyArray<Fact>; readonly lines: ReadonlyArray<Line>; readonly sharing: Sharing }
): Fact => {
  if (fact.kind !== "return" || fact.amount !== undefined || Object.keys(fact.goods).length > 0) return fact
  const model = new Model(lines, sharing)
  for (const one of facts.toSorted((a, b) => a.day - b.day)) if (one.day < fact.day) model.take(one)
  const goods = Object.fromEntries(model.there)
  return Object.keys(goods).length === 0 ? fact : { ...fact, goods }
}
