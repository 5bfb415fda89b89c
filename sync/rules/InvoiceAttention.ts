/** Creates the attention items for invoices that no rule can resolve: T6, T9, T11 and T13. */
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Attention } from "../model/Call.ts"
import type { Rule } from "../model/Rule.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type * as InvoiceFields from "./InvoiceFields.ts"

/** The invoice was taken over from the service and never read here, so it is unknown whether the source still has it. */
const NEVER_READ = "the service has it, but it was not found in the source"
const READ_IT = "read the source with `daybook pull`; if it was deleted in the source, delete it on the service"
export const neverRead = (facts: InvoiceFacts) => attention(facts, "T9", NEVER_READ, READ_IT)

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

export const attention = (facts: InvoiceFacts, rule: Rule, why: string, todo: string): Attention => ({
  subject: facts.key,
  fact: facts.key,
  rule,
  why,
  todo
})
