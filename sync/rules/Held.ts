/**
 * S3: an invoice of which the latest record, or that of a payment or credit note of it, could not be read. What the books
 * have of it is older than what the source says, so nothing of it is sent until that can be read. Pure.
 */
import type { Attention, InvoiceCall } from "../model/Call.ts"
import type { Decision } from "../model/Decision.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"

const attention = ({ key: subject, outdated = [] }: InvoiceFacts): ReadonlyArray<Attention> =>
  outdated.map(({ key, origin, why }) => ({
    subject,
    fact: key,
    rule: "S3",
    why: `the latest record of ${key === subject ? "it" : key} could not be read (${origin}: ${why}): nothing of it is sent`,
    todo: "correct the record in the source; it is sent as soon as the record can be read"
  }))

/** The decision without its calls. It is looked at again in every run: a record that can be read may say what it said before. */
export const held = (facts: InvoiceFacts, decision: Decision<InvoiceCall>): Decision<InvoiceCall> => ({
  ...decision,
  calls: [],
  // What older facts come to proves nothing against the source.
  attention: [...decision.attention.filter(({ rule }) => rule !== "S1"), ...attention(facts)],
  waits: true
})
