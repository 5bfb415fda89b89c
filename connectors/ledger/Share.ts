/** A part of a payment or credit note. */
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Document } from "../Document.ts"

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

/** How much a document raises what its customer owes. */
export const effectOf = (document: Document): Decimal => {
  if (document.kind === "invoice") return document.gross ?? 0n
  if (document.kind !== "payment" && document.kind !== "reversal" && document.kind !== "credit_note") return 0n
  const sum = document.shares.reduce(
    (all, { amount }) => all + amount,
    "unallocated" in document ? (document.unallocated ?? 0n) : 0n
  )
  return document.kind === "reversal" ? sum : -sum
}
