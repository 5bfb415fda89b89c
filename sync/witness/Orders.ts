/**
 * The witness for orders: from what a shop states, calculates what its buyer has to be charged, captured less refunded, and
 * compares that with the deferred payment on the service. What was captured and refunded in all depends on when the shop was
 * read, and is not compared.
 *
 * Of a shop that states how an order stands, an order that ended must be charged what the shop kept of it. Of files and
 * databases, each fact is priced at the order's current prices: fractions here, so a sum may be off by one minor unit for each
 * rounded part.
 */
import type { Difference } from "./Plain.ts"
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

/** How shipping, fees and discounts are shared out over the products; by default, the rest of a closed order is voided. */
export interface PlainOrderSettings {
  readonly shipping?: "value" | "quantity" | "first"
  readonly fees?: "value" | "quantity" | "first"
  readonly discounts?: "value" | "quantity"
  readonly void_remainder?: boolean
  /** The connection that has the parcels of its orders. */
  readonly ships?: string
}

/** Amounts in fractions of a minor unit, so that prices are exact enough. */
export const FINE = 1_000_000_000_000n

export interface OrderSums {
  /** In `FINE` units. */
  readonly captured: bigint
  readonly voided: bigint
  readonly refunded: bigint
  /** Of `voided`, what cancellations state; it is refunded where it was captured for a parcel that is stated no more. */
  readonly cancelled: bigint
  /** Nothing of it is open any more. */
  readonly over: boolean
  /** How many parts were rounded. */
  readonly pieces: bigint
  /**
   * How much the shop's stated amounts exceed the price of their goods, in `FINE` units: a discount of at most this on those
   * facts of the same side that state no amount, in any order. It is 0 if every fact states its amount.
   */
  readonly discount: { readonly captured: bigint; readonly refunded: bigint }
  readonly currency: string
}

export const MEMBERS = ["captured", "voided", "refunded"] as const

/** An amount in `FINE` units: exact, even if it has more decimals than its currency. */
const fine = (amount: Units, currency: string): bigint => (amount * FINE) / 10n ** BigInt(PLACES - digits(currency))

const positive = (of: ReadonlyMap<string, bigint>): ReadonlyArray<PlainPart> =>
  [...of].flatMap(([line, quantity]) => (quantity > 0n ? [{ line, quantity }] : []))

const modeOf = (type: string, { discounts, fees, shipping }: PlainOrderSettings) =>
  type === "shipping" ? shipping : type === "fee" ? fees : discounts

/**
 * The prices of a line's goods with their shares of shipping and so on, and what the first goods carry in addition. In
 * `FINE`.
 */
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

/** What the buyer had received of each line by a day; what came back is never sent again. */
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

/** Sorts by day, returns last. A fact without lines stands for everything that the others leave, whatever their days. */
const rank = ({ date, id, kind, lines }: PlainDocument) =>
  `${kind === "return" ? 1 : 0} ${(lines as ReadonlyArray<unknown>).length === 0 ? 1 : 0} ${date} ${kind} ${id}`

/** The sums of an order's facts, each at the order's current prices. */
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
    // When everything comes back, no more is refunded than was paid for it.
    const most = totals.captured - totals.refunded
    if (what === "refunded" && bare && amount > most) amount = most
    totals[what] += amount
  }
  const ended = [...left.values()].every((quantity) => quantity <= 0n)
  const over = ended || order.status !== "open"
  const cancelled = totals.voided
  if (over && settings.void_remainder !== false) totals.voided = total - totals.captured
  const captured = least(beyond.captured, free.captured)
  // What was captured at a lower amount is refunded at a lower amount.
  const discount = { captured, refunded: least(beyond.refunded + captured, free.refunded) }
  return { ...totals, cancelled, over, pieces, currency, discount }
}

/**
 * All differences of one order.
 *
 * @param strange what somebody captured outside Daybook for nothing that the shop states, in minor units
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
  const should = sums.captured - sums.refunded
  const is = (payment.captured - payment.refunded) * FINE
  const slack = pieces * FINE
  const least = should - discount.captured - slack
  // Until it is over, what was charged ahead is used up by what still leaves.
  const isAbove = is > should + strange * FINE + discount.refunded + slack && over
  const apart =
    is < least || isAbove
      ? [
          {
            document: key,
            what: "charged",
            source: text((should + FINE / 2n) / FINE),
            service: text(payment.captured - payment.refunded)
          }
        ]
      : []
  if (!over || payment.open === 0n || voids === false) return apart
  return [...apart, { document: key, what: "open, though it is over", source: text(0n), service: text(payment.open) }]
}

/**
 * An order of a shop that states how it stands: once it ended, the buyer is charged what the shop kept by this method. Where it
 * kept more than the order comes to, it is still to give that back: as little as the order comes to is right as well.
 */
export const judgeEnded = (
  key: string,
  { currency = "", lines = [], state }: PlainDocument,
  payment: PlainPayment
): ReadonlyArray<Difference> => {
  if (payment.currency !== currency)
    return [{ document: key, what: "the currency", source: currency, service: payment.currency }]
  if (state === undefined) return []
  const { end, lines: left, others, own, total } = state
  if (own.received === undefined || end !== "complete" || left.some(({ still }) => still !== 0n)) return []
  const kept = own.received - own.given
  const charged = fromMinor(payment.captured - payment.refunded, currency)
  const slack = fromMinor(BigInt((lines as ReadonlyArray<unknown>).length) + 1n, currency)
  const most = fromMinor(payment.open + payment.captured + payment.voided, currency)
  const should = kept < most ? kept : most
  const owed = total - others.received + others.given
  const least = owed < should ? owed : should
  const by = charged > should ? charged - should : least - charged
  if (by <= slack) return []
  return [{ document: key, what: "charged", source: sayUnits(kept, currency), service: sayUnits(charged, currency) }]
}

/**
 * Decides which of these differences count. If an order's total is not the authorised amount, the order was edited since:
 * earlier captures had other prices, so the sums of its facts say nothing about them.
 */
export const sinceEdited = (
  { lines = [] }: PlainDocument,
  found: ReadonlyArray<Difference>,
  payment: PlainPayment
): { readonly differences: ReadonlyArray<Difference>; readonly edited?: string } => {
  const { currency } = payment
  const total = (lines as ReadonlyArray<PlainLine>).reduce((sum, { gross }) => sum + gross, 0n)
  const authorised = fromMinor(payment.open + payment.captured + payment.voided + (payment.expired ?? 0n), currency)
  const priced = found.filter(({ what }) => what === "charged")
  if (total === authorised || payment.captured === 0n || priced.length === 0) return { differences: found }
  const sums = priced.map(({ service, source, what }) => `${what} ${service}, and ${source} by its prices now`)
  return {
    differences: found.filter((one) => !priced.includes(one)),
    edited: `it was edited since it was paid: it comes to ${sayUnits(total, currency)}, and ${sayUnits(authorised, currency)} was authorised; ${sums.join("; ")}`
  }
}
