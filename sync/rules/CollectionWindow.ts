/** Decides whether an insured invoice can be handed over now, and if not, why. Used by the plan, the commands and the library. */
import type { Invoice } from "../../connectors/Document.ts"
import { collectionOn } from "../model/Cover.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { openOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"

/** H8: what is paid, void or deleted is not handed over. */
const settled = (facts: InvoiceFacts, invoice: Invoice, remote: RemoteInvoice): string | undefined => {
  if (remote.status === "paid" || openOn(remote) <= 0n) return "it was paid before it was handed over"
  if (facts.deleted) return "it is deleted in the source"
  return invoice.status === "void" || invoice.status === "paid" ? `it is ${invoice.status} in the source` : undefined
}

/** What a person can do once the window has closed (H9). */
export const AFTER_THE_WINDOW = "collect it yourself; ask the service's operator whether it can still be handed over"

/** Why an invoice with a policy cannot be handed over now; undefined if it can. */
export const whyClosed = (facts: InvoiceFacts, invoice: Invoice, remote: RemoteInvoice): string | undefined => {
  const policy = remote.cover?.policy
  if (policy === undefined) return "it is not insured"
  if (collectionOn(remote.cover)?.sent !== undefined) return "it was handed over already"
  if (policy.status === "lapsed") {
    const on = policy.since === undefined ? "" : ` on ${policy.since}`
    return `the window to hand it over has closed, and its cover lapsed${on}: ${AFTER_THE_WINDOW}`
  }
  return policy.status === "late_can_handover" ? settled(facts, invoice, remote) : `its policy is ${policy.status}`
}
