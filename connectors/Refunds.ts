/**
 * Turns a shop's refunds into returns (goods that had been shipped) and cancellations (goods that will not be shipped).
 * Shops write one refund for both. Each refund is decided by what happened before it, so later events do not change the
 * decision. Pure.
 *
 * A return has the amount that the shop refunded for its goods. A cancellation has no amount of its own (it counts as its
 * part of the order, delivery included) unless the shop refunded something other than the goods' price. A refund for no
 * goods is a discount: after the sale if goods had been shipped, before it otherwise.
 *
 * Often only the day of a parcel is known. Goods are rarely returned on the day on which they are shipped, so a refund on
 * that day is first taken to be for goods that were in no parcel by the end of the day.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"
import type { Cancellation, LinePart, Order, OrderFact, Return } from "./Document.ts"

/**
 * Formats a moment so that moments compare as texts; without `millis`, it stands for any time on that day. All days must be
 * of the same time zone.
 */
export const moment = (day: Day, millis?: number): string =>
  millis === undefined ? day : `${day} ${new Date(millis).toISOString()}`

/** Sorts before every moment. */
export const BEFORE_ALL = ""

export const byMoment = (a: { readonly at: string }, b: { readonly at: string }): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : 0

/** A parcel. Without lines: everything that was not yet shipped. */
export interface Left {
  /** In the format of `moment`. */
  readonly at: string
  readonly lines: ReadonlyArray<LinePart>
}

export interface Refund {
  readonly id: string
  /** In the format of `moment`, with the instant. */
  readonly at: string
  readonly date: Day
  readonly lines: ReadonlyArray<Refunded>
  /** The total refunded; zero if goods were taken off the order and no money moved. */
  readonly given: bigint
}

export interface Refunded extends LinePart {
  /** Present if the shop says what became of the goods. */
  readonly kind?: "cancellation" | "return" | undefined
  /** The amount that the shop refunded for them. */
  readonly worth: bigint
}

export interface Goods {
  readonly order: string
  readonly currency: string
  readonly lines: ReadonlyArray<LinePart>
  readonly left: ReadonlyArray<Left>
  readonly refunds: ReadonlyArray<Refund>
}

const add = (to: Map<string, bigint>, line: string, quantity: bigint): void =>
  void to.set(line, (to.get(line) ?? 0n) + quantity)

const positive = (quantity: bigint | undefined): bigint => (quantity !== undefined && quantity > 0n ? quantity : 0n)

const isAny = (quantities: ReadonlyMap<string, bigint>): boolean => [...quantities.values()].some((one) => one > 0n)

/** Tracks where an order's goods are, from one refund to the next. */
class Warehouse {
  /** Quantities per line: not yet shipped, shipped on earlier days, and shipped at some time on the current day. */
  readonly #open: Map<string, bigint>
  readonly #out = new Map<string, bigint>()
  readonly #today = new Map<string, bigint>()
  #day: string | undefined

  constructor(lines: ReadonlyArray<LinePart>) {
    this.#open = new Map(lines.map(({ line, quantity }) => [line, quantity]))
  }

  /** Moves to the day of the next refund. */
  begin(day: string): void {
    if (day !== this.#day) this.#endDay()
    this.#day = day
  }

  /** Counts everything shipped on the current day as shipped. */
  #endDay(): void {
    for (const [line, quantity] of this.#today) add(this.#out, line, quantity)
    this.#today.clear()
  }

  leave({ at, lines: parcel }: Left): void {
    // A parcel without lines ships everything, so today's earlier parcels certainly left before it.
    if (parcel.length === 0) this.#endDay()
    const all = parcel.length > 0 ? parcel : [...this.#open].map(([line, quantity]) => ({ line, quantity }))
    for (const { line, quantity } of all) {
      add(at === this.#day ? this.#today : this.#out, line, quantity)
      add(this.#open, line, -quantity)
    }
  }

  /** Whether any goods had been shipped. */
  get hasLeft(): boolean {
    return isAny(this.#out) || (isAny(this.#today) && !isAny(this.#open))
  }

  /** How many of `quantity` had been shipped. */
  returnedOf(line: string, quantity: bigint): bigint {
    const [before, today] = [positive(this.#out.get(line)), positive(this.#today.get(line))]
    const certain = Decimal.min(before, quantity)
    const more = quantity - certain - Decimal.min(quantity - certain, positive(this.#open.get(line)))
    // Goods shipped and returned today were taken off `#out`, which may be negative.
    const there = positive((this.#out.get(line) ?? 0n) + today) - certain
    return certain + Decimal.min(more, positive(there))
  }

  refund(line: string, { cancelled, returned }: { readonly cancelled: bigint; readonly returned: bigint }): void {
    add(this.#out, line, -returned)
    add(this.#open, line, -cancelled)
  }
}

/** The returns and cancellations that the refunds amount to, each under its refund's id. */
export const facts = ({ currency, left, lines, order, refunds }: Goods): ReadonlyArray<OrderFact> => {
  const warehouse = new Warehouse(lines)
  const documents: Array<OrderFact> = []
  const parcels = left.toSorted(byMoment)
  for (const { at, date, given, id, lines: refunded } of refunds.toSorted(byMoment)) {
    warehouse.begin(date)
    for (let [next] = parcels; next !== undefined && next.at <= at; [next] = parcels) {
      warehouse.leave(next)
      parcels.shift()
    }
    const anything = warehouse.hasLeft
    const back = new Map<string, bigint>()
    const off = new Map<string, bigint>()
    let worth = 0n
    for (const { kind, line, quantity, worth: its } of refunded) {
      const returned =
        kind === "return" ? quantity : kind === "cancellation" ? 0n : warehouse.returnedOf(line, quantity)
      if (returned > 0n) add(back, line, returned)
      if (quantity > returned) add(off, line, quantity - returned)
      warehouse.refund(line, { returned, cancelled: quantity - returned })
      // When some of a line was shipped and some was not, the worth of the part that was not.
      const part = Decimal.multiply(its, quantity - returned)
      worth += Decimal.divide(part, quantity, Currency.decimals(currency))
    }
    const fact = { id, order, date, currency }
    const rest = given - worth
    const amount = (of: bigint, when: boolean) => (when && of > 0n ? { amount: of } : {})
    if (back.size > 0)
      documents.push({ kind: "return", ...fact, lines: parts(back), ...amount(rest, true) } satisfies Return)
    if (off.size > 0) {
      const differs = back.size === 0 && rest !== 0n
      documents.push({
        kind: "cancellation",
        ...fact,
        lines: parts(off),
        ...amount(given, differs)
      } satisfies Cancellation)
    }
    if (refunded.length === 0 && given > 0n) {
      documents.push({ kind: anything ? "return" : "cancellation", ...fact, lines: [], amount: given })
    }
  }
  return documents
}

/**
 * The shop's own total of refunds, as a stated total of returns; absent if part of it was for goods that were never
 * shipped, which is a cancellation and not a refund.
 */
export const totals = (
  given: bigint | undefined,
  refunds: ReadonlyArray<Refund>,
  facts: ReadonlyArray<OrderFact>
): Pick<Order, "totals"> =>
  given === undefined || facts.some(({ id, kind }) => kind === "cancellation" && refunds.some((one) => one.id === id))
    ? {}
    : { totals: { refunded: given } }

const parts = (of: ReadonlyMap<string, bigint>): ReadonlyArray<LinePart> =>
  [...of].map(([line, quantity]) => ({ line, quantity }))
