/**
 * T12: what an invoice waits for before it is marked as paid, which cannot be undone. Every contradiction is one. Pure.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { InvoiceFacts, OpenFigures } from "../model/InvoiceFacts.ts"
import { differs } from "./SourceFigures.ts"

/** Undefined: nothing contradicts. */
export const waitsFor = (facts: InvoiceFacts, figures: OpenFigures, isReported: boolean): string | undefined => {
  const { blocked = [], foreign, invoice, unread, waiting } = facts
  if (unread === true)
    return facts.reading === undefined
      ? "every record of the source can be read"
      : `${facts.reading.connection} was read to its end`
  if (!isReported) return "its payments are reported"
  if (foreign !== undefined) return "its amounts in another currency are clear"
  if (waiting !== undefined) return "somebody has said whether its payments are the same money"
  const [first] = blocked
  if (first !== undefined) return `${first.origin} can be read, which may be about it`
  const { says } = figures
  const say = (amount: bigint) => Currency.say(amount, invoice?.currency)
  if (differs(figures)) return `the source's own figure, ${say(says ?? 0n)} open, agrees with what was read`
  if (says !== undefined && says > 0n && facts.hasPayments === true)
    return `the source's own books have it too: they say that ${say(says)} is open`
  return undefined
}
