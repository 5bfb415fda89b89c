/**
 * Determines which goods each fact of an order is about. A fact with lines says so itself. One without lines or an amount stands
 * for everything that was left at that point, or for a return, everything that had been shipped. This is derived from the order
 * and its other facts, never from what was sent, so that the result is always the same.
 */
import type { LinePart, Order, OrderFact, OrderLine } from "../../connectors/Document.ts"
import { entryOf } from "../../core/Entry.ts"

export interface Movement {
  readonly key: string
  readonly document: Pick<OrderFact, "kind" | "date" | "lines"> & { readonly amount?: bigint }
}

/** Lines that stand on their own. If an order has only services and shipping, they have no products to be shared out over. */
export const ownLines = ({ lines }: Order): ReadonlyArray<OrderLine> => {
  const goods = lines.filter(({ type }) => type === "product")
  return goods.length > 0 ? goods : lines.filter(({ gross }) => gross >= 0n)
}

/** Facts in the order in which they are sent: by day, on each day those without lines last; returns after all others. */
export const sorted = <A extends Movement>(facts: ReadonlyArray<A>): ReadonlyArray<A> => {
  const rank = ({ document: { date, kind, lines }, key }: A) =>
    `${kind === "return" ? 1 : 0} ${date} ${lines.length === 0 ? 1 : 0} ${key}`
  return facts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

const add = (to: Map<string, bigint>, line: string, quantity: bigint): void =>
  void to.set(line, (to.get(line) ?? 0n) + quantity)

const positive = (quantities: ReadonlyMap<string, bigint>): ReadonlyArray<LinePart> =>
  [...quantities].flatMap(([line, quantity]) => (quantity > 0n ? [{ line, quantity }] : []))

/** Whether it stands for everything that the order's other facts leave, and has no goods or amount of its own. */
export const isForTheRest = ({ amount, lines }: Pick<Movement["document"], "amount" | "lines">): boolean =>
  lines.length === 0 && amount === undefined

/** The goods of each fact, by its key. */
export const meanings = (
  order: Order,
  facts: ReadonlyArray<Movement>
): ReadonlyMap<string, ReadonlyArray<LinePart>> => {
  const meant = new Map<string, ReadonlyArray<LinePart>>()
  const all = sorted(facts)
  const open = new Map(ownLines(order).map(({ id, quantity }) => [id, quantity]))
  for (const one of all) {
    if (one.document.kind === "return") continue
    const lines = isForTheRest(one.document) ? positive(open) : one.document.lines
    meant.set(one.key, lines)
    for (const { line, quantity } of lines) add(open, line, -quantity)
  }
  const parcels = all.filter(({ document }) => document.kind === "fulfilment")
  const returned = new Map<string, bigint>()
  for (const one of all) {
    if (one.document.kind !== "return") continue
    const there = new Map<string, bigint>()
    for (const { document, key } of parcels) {
      if (document.date > one.document.date) continue
      for (const { line, quantity } of entryOf(meant, key)) if (open.has(line)) add(there, line, quantity)
    }
    for (const [line, quantity] of returned) add(there, line, -quantity)
    const lines = isForTheRest(one.document) ? positive(there) : one.document.lines
    meant.set(one.key, lines)
    for (const { line, quantity } of lines) add(returned, line, quantity)
  }
  return meant
}
