/**
 * What became of the goods that a shop refunded: those that had left by then came back, the others will not be shipped.
 * Shops write one refund for both. Decided by what happened up to the refund, so that nothing later changes it. Pure.
 */
import * as Decimal from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"
import type { Named } from "./Connector.ts"
import type { Cancellation, LinePart, OrderFact, Return } from "./Document.ts"

/** Goods that left. Without lines: all that were left. */
export interface Left {
  readonly at: number
  readonly lines: ReadonlyArray<LinePart>
}

export interface Refund {
  readonly id: string
  readonly at: number
  readonly date: Day
  /** `kind` where the shop says what became of the goods. */
  readonly lines: ReadonlyArray<LinePart & { readonly kind?: "cancellation" | "return" | undefined }>
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
  for (const { at, date, id, lines: refunded } of refunds.toSorted((a, b) => a.at - b.at)) {
    while (parcels.length > 0 && parcels[0]!.at <= at) leave(parcels.shift()!)
    const back = new Map<string, bigint>()
    const off = new Map<string, bigint>()
    for (const { kind, line, quantity } of refunded) {
      const shipped = out.get(line) ?? 0n
      const returned =
        kind === "return" ? quantity : kind === "cancellation" ? 0n : Decimal.min(shipped > 0n ? shipped : 0n, quantity)
      if (returned > 0n) add(back, line, returned)
      if (quantity > returned) add(off, line, quantity - returned)
      add(out, line, -returned)
      add(open, line, returned - quantity)
    }
    const fact = { id, order, date, currency }
    if (back.size > 0) documents.push({ kind: "return", ...fact, lines: parts(back) } satisfies Return)
    if (off.size > 0) documents.push({ kind: "cancellation", ...fact, lines: parts(off) } satisfies Cancellation)
  }
  return documents
}

const parts = (of: ReadonlyMap<string, bigint>): ReadonlyArray<LinePart> =>
  [...of].map(([line, quantity]) => ({ line, quantity }))

/** What a refund was before a parcel turned out not to have left, and is no longer. */
export const others = (refunds: ReadonlyArray<Refund>, facts: ReadonlyArray<OrderFact>): ReadonlyArray<Named> =>
  refunds.flatMap(({ id }) =>
    (["return", "cancellation"] as const)
      .filter((kind) => !facts.some((fact) => fact.kind === kind && fact.id === id))
      .map((kind) => ({ kind, id }))
  )
