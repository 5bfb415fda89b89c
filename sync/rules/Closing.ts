/**
 * T12: what an invoice waits for before it is marked as paid, which cannot be undone. Every contradiction is one. Pure.
 */
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import { type CallOf, reference } from "../model/Call.ts"
import type { InvoiceFacts, OpenFigures } from "../model/InvoiceFacts.ts"
import { received } from "./OrphanMoney.ts"
import { differs } from "./SourceFigures.ts"

/** T12: what contradicts; undefined: nothing does. */
export const waitsFor = (facts: InvoiceFacts, figures: OpenFigures, isReported: boolean): string | undefined => {
  const { blocked = [], foreign, invoice, returned = [], unread, waiting } = facts
  if (unread === true)
    return facts.reading === undefined
      ? "every record of the source can be read"
      : `${facts.reading.connection} was read to its end`
  if (!isReported) return "its payments are reported"
  if (foreign !== undefined) return "its amounts in another currency are clear"
  if (waiting !== undefined) return "somebody has said whether its payments are the same money"
  const debit = facts.payments.flatMap(({ seen = [] }) => seen).find(({ pending }) => pending === true)
  if (debit !== undefined) return `${debit.key} is confirmed: the books count it already`
  const [first] = blocked
  if (first !== undefined) return `${first.origin} can be read, which may be about it`
  const [back] = returned
  if (back !== undefined) return `somebody has said which payment ${back} took back, which may be its own`
  const { says } = figures
  const say = (amount: bigint) => Currency.say(amount, invoice?.currency)
  if (differs(figures)) return `the source's own figure, ${say(says ?? 0n)} open, agrees with what was read`
  if (says !== undefined && says > 0n && facts.hasPayments === true)
    return `the source's own books have it too: they say that ${say(says)} is open`
  return undefined
}

export const paid = (facts: InvoiceFacts, invoice: Invoice, total: Decimal.Decimal): CallOf<"transactions.paid"> => {
  const all = [...facts.payments, ...facts.reversals, ...facts.creditNotes]
  const last = all.reduce<InvoiceFacts["payments"][number] | (typeof all)[number] | undefined>(
    (latest, fact) => (latest === undefined || fact.document.date > latest.document.date ? fact : latest),
    undefined
  )
  const date = last?.document.date ?? invoice.paidOn
  const method =
    facts.payments.find(({ document }) => document.method !== undefined)?.document.method ?? invoice.payMethod
  return {
    kind: "invoice",
    subject: facts.key,
    rule: "T12",
    destructive: false,
    operation: "transactions.paid",
    params: { transaction_id: reference(facts.key) },
    fact: last?.key ?? facts.key,
    body: {
      ...(method === undefined ? {} : { pay_method: method }),
      ...(date === undefined ? {} : { paid_date: date })
    },
    reason:
      all.length === 0
        ? "the source says it is paid"
        : `${Currency.say(total, invoice.currency)} due, ${Currency.say(received(facts), invoice.currency)} received: settled${date === undefined ? "" : ` on ${date}`}`
  }
}
