/**
 * The witness for orders: from what a shop states it works out what must be captured, voided and refunded of each order,
 * each fact priced by the order as it is now, and compares that with the deferred payment on the service.
 *
 * Prices are fractions here, so a sum may be off by as many minor units as pieces were rounded; where all of an order has
 * ended, it ends to the minor unit.
 */
import type { Difference } from "./Invoices.ts"
import {
  digits,
  fromMinor,
  PLACES,
  type PlainDocument,
  type PlainLine,
  type PlainPart,
  type PlainPayment,
  sayUnits,
  type Units
} from "./Plain.ts"

/** How what is no product travels with the products; what is left of an order that is closed is voided unless said. */
export interface PlainOrderSettings {
  readonly shipping?: "value" | "quantity" | "first"
  readonly fees?: "value" | "quantity" | "first"
  readonly discounts?: "value" | "quantity"
  readonly void_remainder?: boolean
}

/** Fractions of a minor unit, so that a price is exact enough. */
export const FINE = 1_000_000_000_000n

export interface OrderSums {
  /** In `FINE`. */
  readonly captured: bigint
  readonly voided: bigint
  readonly refunded: bigint
  /** Nothing of it is open any more. */
  readonly over: boolean
  /** How many pieces were rounded. */
  readonly pieces: bigint
  /**
   * What the shop's own amounts come to beyond the goods that they are for, in `FINE`: a discount on those facts of the same
   * side that state no amount, by so much at most, in whichever order they came. Where each states its amount it is 0.
   */
  readonly discount: { readonly captured: bigint; readonly refunded: bigint }
  readonly currency: string
}

export const MEMBERS = ["captured", "voided", "refunded"] as const

/** An amount in `FINE`: exact, also where it is finer than its currency. */
const fine = (amount: Units, currency: string): bigint => (amount * FINE) / 10n ** BigInt(PLACES - digits(currency))

const positive = (of: ReadonlyMap<string, bigint>): ReadonlyArray<PlainPart> =>
  [...of].flatMap(([line, quantity]) => (quantity > 0n ? [{ line, quantity }] : []))

const modeOf = (type: string, { discounts, fees, shipping }: PlainOrderSettings) =>
  type === "shipping" ? shipping : type === "fee" ? fees : discounts

/** What a line of goods costs with all that travels with it, and what the first goods bring along besides. In `FINE`. */
const pricesOf = (order: PlainDocument, currency: string, settings: PlainOrderSettings) => {
  const lines = (order.lines as ReadonlyArray<PlainLine>).map((one) => ({ ...one, cost: fine(one.gross, currency) }))
  const goods = lines.filter(({ type }) => type === "product")
  const others = lines.filter(({ type }) => type !== "product")
  const whole = others.filter(({ type }) => modeOf(type, settings) === "first")
  const first = whole.reduce((sum, one) => sum + one.cost, 0n)
  const spread = others.filter((one) => !whole.includes(one))
  const weight = (line: (typeof goods)[number], type: string) =>
    modeOf(type, settings) === "quantity" ? line.quantity : line.cost
  const price = new Map(
    goods.map((line) => {
      let amount = line.cost
      for (const other of spread) {
        const all = goods.reduce((sum, one) => sum + weight(one, other.type), 0n)
        if (all > 0n) amount += (other.cost * weight(line, other.type)) / all
      }
      return [line.id, { amount, quantity: line.quantity }] as const
    })
  )
  return { goods, first, price, total: lines.reduce((sum, one) => sum + one.cost, 0n) }
}

type Sent = PlainPart & { readonly date: string }

/** What the buyer had on a day, of each line; what came back is never sent again. */
const thereBy = (
  day: string,
  sent: ReadonlyArray<Sent>,
  back: ReadonlyMap<string, bigint>
): ReadonlyMap<string, bigint> => {
  const there = new Map([...back].map(([line, quantity]) => [line, -quantity]))
  for (const { date, line, quantity } of sent) if (date <= day) there.set(line, (there.get(line) ?? 0n) + quantity)
  return there
}

const NONE = { captured: 0n, refunded: 0n }

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** By their days, returns after all others. What names no lines is all that its day left. */
const rank = ({ date, id, kind, lines }: PlainDocument) =>
  `${kind === "return" ? 1 : 0} ${date} ${(lines as ReadonlyArray<unknown>).length === 0 ? 1 : 0} ${id}`

/** What an order's facts come to, each priced by the order as it is now. */
export const priced = (
  order: PlainDocument,
  facts: ReadonlyArray<PlainDocument>,
  settings: PlainOrderSettings
): OrderSums => {
  const { currency = "" } = order
  const { first, goods, price, total } = pricesOf(order, currency, settings)
  const left = new Map(goods.map(({ id, quantity }) => [id, quantity]))
  const sent: Array<Sent> = []
  const back = new Map<string, bigint>()
  const totals = { captured: 0n, voided: 0n, refunded: 0n }
  const [beyond, free] = [{ ...NONE }, { ...NONE }]
  let pieces = BigInt(goods.length)
  let firstGone = first === 0n
  for (const fact of facts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    if (fact.currency !== undefined && fact.currency !== currency) continue
    const what = fact.kind === "fulfilment" ? "captured" : fact.kind === "return" ? "refunded" : "voided"
    const named = fact.lines as ReadonlyArray<PlainPart>
    const bare = named.length === 0 && (fact.amount === undefined || fact.kind === "fulfilment")
    const all = what === "refunded" ? thereBy(fact.date ?? "", sent, back) : left
    const parts = bare ? positive(all) : named
    let amount = 0n
    for (const { line, quantity } of parts) {
      const of = price.get(line)
      if (of === undefined || quantity === 0n) continue
      amount += (of.amount * quantity) / of.quantity
      pieces++
      if (what === "refunded") back.set(line, (back.get(line) ?? 0n) + quantity)
      else left.set(line, (left.get(line) ?? 0n) - quantity)
      if (what === "captured") sent.push({ line, quantity, date: fact.date ?? "" })
    }
    if (what === "captured" && !firstGone && parts.some(({ quantity }) => quantity > 0n)) {
      amount += first
      firstGone = true
    }
    const side = what === "refunded" ? "refunded" : "captured"
    if (fact.amount === undefined || fact.kind === "fulfilment") free[side] += amount
    else {
      const stated = fine(fact.amount, currency)
      if (stated > amount) beyond[side] += stated - amount
      amount = stated
    }
    // All that is there comes with no more than was paid for it.
    const most = totals.captured - totals.refunded
    if (what === "refunded" && bare && amount > most) amount = most
    totals[what] += amount
  }
  const ended = [...left.values()].every((quantity) => quantity <= 0n)
  const over = ended || order.status !== "open"
  if (over && settings.void_remainder !== false) totals.voided = total - totals.captured
  const captured = least(beyond.captured, free.captured)
  // What was captured for less comes back for less.
  const discount = { captured, refunded: least(beyond.refunded + captured, free.refunded) }
  return { ...totals, over, pieces, currency, discount }
}

/**
 * Everything that does not hold of one order.
 *
 * @param strange what somebody captured past Daybook for nothing that the shop states, in minor units
 */
export const judgeOrder = (
  key: string,
  sums: OrderSums,
  payment: PlainPayment,
  { void_remainder: voids }: PlainOrderSettings = {},
  strange = 0n
): ReadonlyArray<Difference> => {
  const { currency, discount, over, pieces } = sums
  if (payment.currency !== currency)
    return [{ document: key, what: "the currency", source: currency, service: payment.currency }]
  const text = (amount: bigint) => sayUnits(fromMinor(amount, currency), currency)
  const apart = MEMBERS.flatMap((name): ReadonlyArray<Difference> => {
    // What has expired needs no void any more.
    const expired = name === "voided" && over ? (payment.expired ?? 0n) : 0n
    const is = (payment[name] + expired) * FINE
    const extra = name === "captured" ? strange * FINE : 0n
    // What a discount leaves uncaptured is voided in the end.
    const [less, more] = name === "voided" ? [0n, discount.captured] : [discount[name], extra]
    const by = is > sums[name] + more ? is - sums[name] - more : sums[name] - is - less
    const source = text((sums[name] + FINE / 2n) / FINE)
    return by <= pieces * FINE ? [] : [{ document: key, what: name, source, service: text(payment[name]) }]
  })
  if (!over || payment.open === 0n || voids === false) return apart
  return [...apart, { document: key, what: "open, though it is over", source: text(0n), service: text(payment.open) }]
}

const STATED = { captured: "shipped", voided: "cancelled", refunded: "refunded" } as const

/**
 * What of these differences counts. The shop's own totals say what is right, whatever the order's prices are now. And where
 * the order comes to something else than was authorised, it was edited since: what was captured before had other prices, so
 * what its facts come to now says nothing of that.
 */
export const sinceEdited = (
  { lines = [], totals = {} }: PlainDocument,
  found: ReadonlyArray<Difference>,
  payment: PlainPayment
): { readonly differences: ReadonlyArray<Difference>; readonly edited?: string } => {
  const { currency } = payment
  const isStated = ({ what }: Difference): boolean => {
    const name = MEMBERS.find((one) => one === what)
    return name !== undefined && totals[STATED[name]] === fromMinor(payment[name], currency)
  }
  const left = found.filter((one) => !isStated(one))
  const total = (lines as ReadonlyArray<PlainLine>).reduce((sum, { gross }) => sum + gross, 0n)
  const authorised = fromMinor(payment.open + payment.captured + payment.voided + (payment.expired ?? 0n), currency)
  const isPriced = ({ what }: Difference) => MEMBERS.some((one) => one === what)
  if (total === authorised || payment.captured === 0n || !left.some(isPriced)) return { differences: left }
  const sums = left
    .filter(isPriced)
    .map(({ service, source, what }) => `${what} ${service}, and ${source} by its prices now`)
  return {
    differences: left.filter((one) => !isPriced(one)),
    edited: `it was edited since it was paid: it comes to ${sayUnits(total, currency)}, and ${sayUnits(authorised, currency)} was authorised; ${sums.join("; ")}`
  }
}
