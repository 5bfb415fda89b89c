/**
 * The rules of cover over one invoice of the plan: what its calls so far leave, and what is asked for and bought then.
 */
import type { Invoice } from "../../connectors/Document.ts"
import type { Connection } from "../model/Connection.ts"
import type { OfferDecision } from "../model/CoverContext.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import { cover } from "../rules/Cover.ts"
import type { CoverDecision } from "../rules/CoverParts.ts"
import type { Database } from "../state/Database.ts"
import { contextOf, decisionOf } from "./CoverFacts.ts"

type Db = Database["Service"]

/** What is known of an invoice's cover beside the ledger, for its row (`CoverStore.ts`). */
export interface CoverPart {
  readonly settings: CoverSettings
  readonly invoice: Invoice
  readonly decision?: OfferDecision
  /** Why nothing is asked for or bought now; absent where the rules were not asked. */
  readonly why?: string
}

export interface CoverPlan {
  readonly part: CoverPart
  readonly decided?: CoverDecision
}

/**
 * @param before what the ledger says
 * @param after the same once the calls before are done
 * @param now undefined: nothing is decided
 */
export const coverOf = (
  db: Db,
  { planning }: Connection,
  facts: InvoiceFacts,
  {
    after,
    before,
    now
  }: {
    readonly before: RemoteInvoice | undefined
    readonly after: RemoteInvoice | undefined
    readonly now: number | undefined
  }
): CoverPlan | undefined => {
  const { invoice } = facts
  const settings = planning.cover
  if (settings === undefined || invoice === undefined) return undefined
  const id = after?.cover?.quote?.id
  const decision = id === undefined ? undefined : decisionOf(db, facts.key, id)
  const part = { settings, invoice, ...(decision === undefined ? {} : { decision }) }
  if (after === undefined || now === undefined) return { part }
  const { owner } = planning
  const { registered } = "organisation" in owner ? owner.organisation : owner.user
  const edited = before?.cover?.quote?.status === "offered" && after.cover?.quote?.status === "expired"
  const decided = cover({
    facts,
    invoice,
    remote: after,
    settings,
    context: contextOf(db, facts, invoice, after, settings, now),
    registered,
    edited
  })
  return { part: { ...part, why: decided.why ?? "" }, decided }
}
