/**
 * What became of the goods that a shop refunded: those that had left by then came back, the others will not be shipped.
 * Shops write one refund for both. Decided by what happened up to the refund, so that nothing later changes it. Pure.
 *
 * Of goods that came back, what the shop gave back for them is told. Goods that will not be shipped go by their part of
 * the order, delivery and all, unless the shop gave back something else than they cost. What is given back for no goods is
 * a discount: after the sale when goods had left, and before it otherwise.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"
import type { Cancellation, LinePart, Order, OrderFact, Return } from "./Document.ts"

/** Goods that left. Without lines: all that were left. */
export interface Left {
  readonly at: number
  readonly lines: ReadonlyArray<LinePart>
}

export interface Refund {
  readonly id: string
  readonly at: number
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

/** The returns and cancellations that refunds are, each under the refund's id. */
export const facts = ({ currency, left, lines, order, refunds }: Goods): ReadonlyArray<OrderFact> => {
  const open = new Map(lines.map(({ line, quantity }) => [line, quantity]))
  const out = new Map<string, bigint>()
  const add = (to: Map<string, bigint>, line: string, quantity: bigint) => to.set(line, (to.get(line) ?? 0n) + quantity)
  const leave = ({ lines: parcel }: Left) => {
    const all = parcel.length > 0 ? parcel : [...open].map(([line, quantity]) => ({ line, quantity }))
    for (const { line, quantity } of all) {
      add(out, line, quantity)
      add(open, line, -quantity)
    }
  }
  const documents: Array<OrderFact> = []
  const parcels = left.toSorted((a, b) => a.at - b.at)
  for (const { at, date, given, id, lines: refunded } of refunds.toSorted((a, b) => a.at - b.at)) {
    while (parcels.length > 0 && parcels[0]!.at <= at) leave(parcels.shift()!)
    const anything = [...out.values()].some((quantity) => quantity > 0n)
    const back = new Map<string, bigint>()
    const off = new Map<string, bigint>()
    let worth = 0n
    for (const { kind, line, quantity, worth: its } of refunded) {
      const shipped = out.get(line) ?? 0n
      const returned =
        kind === "return" ? quantity : kind === "cancellation" ? 0n : Decimal.min(shipped > 0n ? shipped : 0n, quantity)
      if (returned > 0n) add(back, line, returned)
      if (quantity > returned) add(off, line, quantity - returned)
      add(out, line, -returned)
      add(open, line, returned - quantity)
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
