/** Creates the attention items for invoices that no rule can resolve: T6, T9, T11 and T13. */
import type { Invoice } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import type { Attention } from "../model/Call.ts"
import type { Rule } from "../model/Rule.ts"
import { type InvoiceFacts, isExchanged } from "../model/InvoiceFacts.ts"
import type * as InvoiceFields from "./InvoiceFields.ts"

/** The invoice was taken over from the service and never read here, so it is unknown whether the source still has it. */
const NEVER_READ = "the service has it, but it was not found in the source"
const READ_IT = "read the source with `daybook pull`; if it was deleted in the source, delete it on the service"
export const neverRead = (facts: InvoiceFacts) => attention(facts, "T9", NEVER_READ, READ_IT)

/** A credit note among the invoices: neither it nor money on it is sent. */
export const negative = (facts: InvoiceFacts, { currency, gross, net }: Invoice) =>
  attention(
    facts,
    "T1",
    `its amount is negative: ${Currency.say(gross ?? net ?? 0n, currency)}`,
    'read it as a credit note: under credit_notes, or with "negative": "credit_note"; or correct it in the source'
  )

export const overcredited = (facts: InvoiceFacts, { credited }: InvoiceFields.Due, { currency, gross, net }: Invoice) =>
  attention(
    facts,
    "T6",
    `its credit notes exceed its amount by ${Currency.say(credited - (gross ?? net ?? 0n), currency)}`,
    "correct the credit notes in the source"
  )

export const redrafted = (facts: InvoiceFacts): Attention =>
  attention(
    facts,
    "T11",
    "it went back to draft in the source, which the service does not allow",
    "issue it again in the source, or void it"
  )

export const reopened = (facts: InvoiceFacts, balance: string): Attention =>
  attention(
    facts,
    "T13",
    `it is paid on the service, but ${balance} is open again in the source`,
    "contact the service's operator: an invoice that is marked as paid cannot be reopened"
  )

/** T12: it waits for a connection that nobody reads any more. */
export const waitsForRemoved = (facts: InvoiceFacts, connection: string): Attention =>
  attention(
    facts,
    "T12",
    `it is not marked as paid: ${connection}, which pays for it, was not read to its end and is not in the configuration any more`,
    `add ${connection} to the configuration again and sync; or go without it: daybook connections without ${connection}`
  )

/** T14: the source counts money as received that went back, and nothing replaced it. */
export const notReceived = (
  facts: InvoiceFacts,
  currency: string,
  lacking: Decimal.Decimal,
  says: string
): Attention => {
  const back = facts.reversals.filter(({ document }) => document.type !== "refund")
  const list = back.map(({ document, key }) => `${key} on ${document.date}`).join(", ")
  return attention(
    facts,
    "T14",
    `the source ${says}, but ${Currency.say(lacking, currency)} went back and nothing replaced it (${list})`,
    "correct the source: its payment was not received; or record there what the customer paid instead"
  )
}

/** What a person does who knows whether two lists state the same money. */
export const SAME =
  "say whether it is the same money: daybook attention resolve NUMBER --same-as KEY, or --apart if both were received"

/** V1: a payment that may be counted already waits. */
export const waitingItems = (facts: InvoiceFacts, currency: string): ReadonlyArray<Attention> =>
  (facts.waiting ?? []).map(({ closed = [], fact, like }) => {
    const say = ({ amount, document, how, key }: typeof fact) =>
      `${Currency.say(amount, isExchanged({ how }) ? currency : (document.currency ?? currency))} on ${document.date} (${key})`
    const others = like.map(say).join(" and ")
    const paid = closed.map((key) => Document.parseKey(key).id).join(", ")
    return {
      subject: facts.key,
      fact: fact.key,
      rule: "V1",
      why: `${say(fact)} may be the same money as ${others}${paid === "" ? "" : `, which is reported on ${paid}, and that is marked as paid, which cannot be undone`}: it is not reported until somebody says so`,
      todo: paid === "" ? SAME : `if it is for ${paid}, correct the source; otherwise ${SAME}. With --same-as it moves`
    }
  })

export const attention = (facts: InvoiceFacts, rule: Rule, why: string, todo: string): Attention => ({
  subject: facts.key,
  fact: facts.key,
  rule,
  why,
  todo
})
