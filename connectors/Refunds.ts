/**
 * What became of the goods that a shop refunded: those that had left by then came back, the others will not be shipped.
 * Shops write one refund for both. Decided by what happened up to the refund, so that nothing later changes it. Pure.
 *
 * Of goods that came back, what the shop gave back for them is reported. Goods that will not be shipped go by their part of
 * the order, delivery and all, unless the shop gave back something else than they cost. What is given back for no goods is
 * a discount: after the sale when goods had left, and before it otherwise.
 *
 * Of a parcel often the day alone is known. Goods rarely come back on the day on which they leave: a refund of that day is
 * of what was in no parcel by its end, as far as that goes.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"
import type { Cancellation, LinePart, Order, OrderFact, Return } from "./Document.ts"

/**
 * When on a day something happened, so that moments compare as texts; without the instant, sometime on it. All of them
 * are of one clock's days.
 */
export const moment = (day: Day, millis?: number): string =>
  millis === undefined ? day : `${day} ${new Date(millis).toISOString()}`

/** Before any other. */
export const BEFORE_ALL = ""

export const byMoment = (a: { readonly at: string }, b: { readonly at: string }): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : 0

/** Goods that left. Without lines: all that were left. */
export interface Left {
  /** As `moment` writes it. */
  readonly at: string
  readonly lines: ReadonlyArray<LinePart>
}

export interface Refund {
  readonly id: string
  /** As `moment` writes it, with the instant. */
  readonly at: string
  readonly date: Day
  readonly lines: ReadonlyArray<Refunded>
  /** What was given back in all; nothing where goods were taken off the order and no money moved. */
  readonly given: bigint
}

export interface Refunded extends LinePart {
  /** Where the shop says what became of the goods. */
  readonly kind?: "cancellation" | "return" | undefined
  /** What was given back for them, as the shop has it. */
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

/** Where an order's goods are, from one refund to the next. */
class Warehouse {
  /** Of each line, how many are here, left before, and left sometime on the day at hand. */
  readonly #open: Map<string, bigint>
  readonly #out = new Map<string, bigint>()
  readonly #today = new Map<string, bigint>()
  #day: string | undefined

  constructor(lines: ReadonlyArray<LinePart>) {
    this.#open = new Map(lines.map(({ line, quantity }) => [line, quantity]))
  }

  /** A refund is of this day. */
  begin(day: string): void {
    if (day !== this.#day) this.#endDay()
    this.#day = day
  }

  /** What left today has left. */
  #endDay(): void {
    for (const [line, quantity] of this.#today) add(this.#out, line, quantity)
    this.#today.clear()
  }

  leave({ at, lines: parcel }: Left): void {
    // Once all has left, so have those parcels of today.
    if (parcel.length === 0) this.#endDay()
    const all = parcel.length > 0 ? parcel : [...this.#open].map(([line, quantity]) => ({ line, quantity }))
    for (const { line, quantity } of all) {
      add(at === this.#day ? this.#today : this.#out, line, quantity)
      add(this.#open, line, -quantity)
    }
  }

  /** Whether goods had left. */
  get hasLeft(): boolean {
    return isAny(this.#out) || (isAny(this.#today) && !isAny(this.#open))
  }

  /** How many of so many had left. */
  returnedOf(line: string, quantity: bigint): bigint {
    const [before, today] = [positive(this.#out.get(line)), positive(this.#today.get(line))]
    const certain = Decimal.min(before, quantity)
    const more = quantity - certain - Decimal.min(quantity - certain, positive(this.#open.get(line)))
    // What came back today is taken off what had left before.
    const there = positive((this.#out.get(line) ?? 0n) + today) - certain
    return certain + Decimal.min(more, positive(there))
  }

  refund(line: string, { cancelled, returned }: { readonly cancelled: bigint; readonly returned: bigint }): void {
    add(this.#out, line, -returned)
    add(this.#open, line, -cancelled)
  }
}

/** The returns and cancellations that refunds are, each under the refund's id. */
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
      // Of goods of both kinds on one line, the part that was never sent.
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
 * What the shop says it gave back in all, as a total of what came back; nothing where some of it was for goods that never
 * left, which is given up and not given back.
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
