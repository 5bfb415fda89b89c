/** Calculates what was received for an invoice, and creates the attention items for money without an invoice. Pure. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Attention } from "../model/Call.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"

/** The amount received, less what went back. */
export const received = (facts: InvoiceFacts): Decimal.Decimal =>
  Decimal.sum(facts.payments.map(({ amount }) => amount)) - Decimal.sum(facts.reversals.map(({ amount }) => amount))

/** Money without an invoice to report it on: none was found, it is not issued, or it was withdrawn and the money was not returned. */
export const orphans = (facts: InvoiceFacts): ReadonlyArray<Attention> => {
  const { creditNotes, deleted, invoice, payments, reversals } = facts
  if (invoice !== undefined && !deleted && invoice.status !== "void" && invoice.status !== "draft") return []
  const foreign = (facts.foreign ?? []).filter(({ document }) => document.kind !== "credit_note")
  const own = invoice !== undefined && received(facts) === 0n ? [] : [...payments, ...reversals]
  // What may be the same money as another payment, or money of its own, is somebody's all the same.
  const waiting = (facts.waiting ?? []).map(({ fact }) => fact)
  const all = [...own, ...waiting, ...(invoice === undefined ? creditNotes : foreign)]
  const what =
    invoice === undefined
      ? "that was not found in the source"
      : deleted
        ? "that was deleted in the source"
        : `that is ${invoice.status === "draft" ? "a draft" : "void"} in the source`
  return all.map(({ key, amount, document }) => ({
    subject: facts.key,
    fact: key,
    rule: "P1" as const,
    why: `${Currency.say(amount, document.currency ?? invoice?.currency)} is allocated to an invoice ${what}`,
    todo:
      invoice === undefined
        ? "check the invoice's id in the source; it is sent as soon as the invoice is there"
        : `allocate it to another invoice in the source, or ${invoice.status === "draft" && !deleted ? "issue" : "restore"} this one`
  }))
}
