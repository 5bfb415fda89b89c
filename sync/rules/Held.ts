/**
 * S3: holds back an invoice if its latest record, or that of one of its payments or credit notes, could not be read. The books
 * are then older than the source, so nothing is sent for the invoice until the record can be read. Pure.
 */
import type { Attention, InvoiceCall } from "../model/Call.ts"
import type { Decision } from "../model/Decision.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"

const attention = ({ key: subject, outdated = [] }: InvoiceFacts): ReadonlyArray<Attention> =>
  outdated.map(({ key, origin, why }) => ({
    subject,
    fact: key,
    rule: "S3",
    why: `the latest record of ${key === subject ? "it" : key} could not be read (${origin}: ${why}): nothing is sent for it`,
    todo: "correct the record in the source; it is sent as soon as the record can be read"
  }))

/** S3: the decision without its calls. Planned again in every run: once the record can be read, it may say the same as before. */
export const held = (facts: InvoiceFacts, decision: Decision<InvoiceCall>): Decision<InvoiceCall> => ({
  ...decision,
  calls: [],
  // Outdated facts prove nothing against the source's figures.
  attention: [...decision.attention.filter(({ rule }) => rule !== "S1"), ...attention(facts)],
  waits: true
})
