/** Adds up the entries of a payout by what they are. Pure. */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import { PAYOUT_PARTS, type PayoutItem } from "./Document.ts"

export interface Entry {
  readonly part: PayoutItem["part"]
  /** The processor's own word. */
  readonly name: string
  readonly amount: Decimal.Decimal
  /** One by default. */
  readonly count?: number
}

/** In the order of the parts, and in each of the names; what adds up to nothing stays, because it happened. */
export const itemsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<PayoutItem> =>
  PAYOUT_PARTS.flatMap((part) => {
    const names = Map.groupBy(
      entries.filter((one) => one.part === part && one.amount !== 0n),
      ({ name }) => name
    )
    return [...names]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, all]) => ({
        part,
        name,
        count: all.reduce((sum, { count = 1 }) => sum + count, 0),
        amount: Decimal.sum(all.map(({ amount }) => amount))
      }))
  })

/**
 * The same for a processor that counts in parts of a cent, adds up, and rounds: what lacks less than a cent is an item of its own.
 * Whatever lacks more is not itemised.
 */
export const roundedItemsOf = (
  entries: ReadonlyArray<Entry>,
  amount: Decimal.Decimal,
  currency: string
): ReadonlyArray<PayoutItem> => {
  const apart = amount - Decimal.sum(entries.map((one) => one.amount))
  const isRounding = apart !== 0n && Decimal.abs(apart) < Currency.ofMinor(1n, currency)
  return itemsOf([
    ...entries,
    ...(isRounding ? [{ part: "adjustments", name: "rounding", amount: apart } as const] : [])
  ])
}
