/** A part of a payment or credit note. */
import type { Decimal } from "../../core/money/Decimal.ts"

export interface Share {
  /** The invoice's id. */
  readonly invoice: string
  readonly amount: Decimal
}

/** Takes an amount from the last shares: what is left, and what was taken. */
export const split = (
  shares: ReadonlyArray<Share>,
  taken: Decimal
): readonly [left: ReadonlyArray<Share>, taken: ReadonlyArray<Share>] => {
  let rest = taken
  const [left, off]: [Array<Share>, Array<Share>] = [[], []]
  for (const { amount, invoice } of shares.toReversed()) {
    const part = amount < rest ? amount : rest
    rest -= part
    if (part > 0n) off.unshift({ invoice, amount: part })
    if (amount > part) left.unshift({ invoice, amount: amount - part })
  }
  return [left, off]
}
