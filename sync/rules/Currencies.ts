/**
 * Creates attention items for invoices with amounts in several currencies, or with more decimals than their currency has.
 *
 * Such amounts enter no total and no call: Daybook has no exchange rates, and a guessed one would move real money. What was
 * reported before stays until a person has resolved the item.
 */
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Attention } from "../model/Call.ts"
import { dueOn, receivedOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"

const WORDS = { payment: "received", reversal: "paid back", credit_note: "credited" } as const
const RULES = { payment: "P1", reversal: "P5", credit_note: "T6" } as const

/** Payments, reversals and credit notes that name this invoice but cannot be counted in its currency. */
export const foreign = (
  { foreign = [], key: subject }: InvoiceFacts,
  { currency }: Invoice,
  remote: RemoteInvoice
): ReadonlyArray<Attention> =>
  foreign.map(({ amount, document, key }): Attention => {
    const its = document.currency
    const what =
      its === undefined || its === currency
        ? `${Currency.say(amount, its)} ${WORDS[document.kind]} on ${document.date} has more decimal places than ${currency} allows`
        : `${Currency.say(amount, its)} ${WORDS[document.kind]} on ${document.date} is in ${its}, and the invoice in ${currency}`
    const last = remote.postings.findLast(({ fact }) => fact === key)
    const before =
      last === undefined || last.undo ? "" : `; ${Currency.say(last.amount, toldCurrency(remote))} was reported of it`
    return {
      subject,
      fact: key,
      rule: RULES[document.kind],
      why: `${what}: it is not counted${before}`,
      todo: `state its amount in ${currency} in the source, or allocate it to another invoice`
    }
  })

const toldCurrency = ({ fields }: RemoteInvoice): string => String(fields["currency"] ?? "")

/** The service holds it in another currency, and it cannot simply be edited: it has payments, or is insured. */
export const moved = ({ key }: InvoiceFacts, invoice: Invoice, remote: RemoteInvoice): Attention | undefined => {
  const before = toldCurrency(remote)
  if (before === "" || before === invoice.currency) return undefined
  if (!remote.insured && remote.postings.length === 0 && remote.status !== "paid") return undefined
  const say = (amount: Decimal.Decimal) => Currency.say(amount, before)
  const total = invoice.gross ?? invoice.net ?? 0n
  const why = [
    ...(remote.insured ? ["insured"] : []),
    ...(remote.postings.length > 0 ? [`reported with ${say(receivedOn(remote))} received`] : []),
    ...(remote.status === "paid" ? ["marked as paid"] : [])
  ]
  return {
    subject: key,
    fact: key,
    rule: remote.insured ? "T8" : "T6",
    why: `it is now ${Currency.say(total, invoice.currency)} in the source; the service has it as ${say(dueOn(remote))}, ${why.join(" and ")}`,
    todo: `correct the currency in the source; if it really is in ${invoice.currency} now, void this invoice there and issue another`
  }
}

/** Its own amounts have more decimals than its currency, so they cannot be sent exactly. */
export const inexact = ({ key }: InvoiceFacts, { currency, gross, net, schedule = [] }: Invoice): Attention => {
  const amounts = [net, gross, ...schedule.map(({ amount }) => amount)]
  const one = amounts.find((amount) => amount !== undefined && !Currency.fits(amount, currency)) ?? 0n
  return {
    subject: key,
    fact: key,
    rule: "T6",
    why: `its amount ${Decimal.format(one)} has more decimal places than ${currency} allows`,
    todo: "correct the amount or the currency in the source"
  }
}
