/**
 * Applies the rules for cover to one invoice of the plan, after its other calls: what to request and what to buy.
 */
import type { Invoice } from "../../connectors/Document.ts"
import type { PlannedConnection } from "../model/Connection.ts"
import type { OfferDecision, OfferDecisions } from "../model/CoverContext.ts"
import { type CoverSettings, WATCHED } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { CollectionContext } from "../model/CollectionContext.ts"
import { windowEnds } from "../model/CoverStanding.ts"
import { collect } from "../rules/Collections.ts"
import { cover } from "../rules/Cover.ts"
import { type CoverDecision, earliest } from "../rules/CoverParts.ts"
import type { Db } from "../state/Database.ts"
import * as CollectionFacts from "./CollectionFacts.ts"
import { contradictionsOf } from "./Contradictions.ts"
import { contextOf } from "./CoverFacts.ts"
import { offerDecisions } from "./OfferStore.ts"

/** What is known about an invoice's cover beside the ledger, for its row (`CoverStore.ts`). */
export interface CoverPart {
  readonly settings: CoverSettings
  readonly invoice: Invoice
  readonly standing: OfferDecisions
  /** What was gathered for its collection, and a person's confirmation. */
  readonly collection?: Pick<CollectionContext, "gathered" | "unknown" | "word">
  /** Why nothing is requested or bought now; absent if the rules were not applied. */
  readonly why?: string
  /** The approval that is void from now on. */
  readonly voids?: { readonly decision: OfferDecision; readonly now: number }
}

export interface CoverPlan {
  readonly part: CoverPart
  readonly decided?: CoverDecision
}

/**
 * @param before the remote in the ledger
 * @param after the remote once the earlier calls of the plan are done
 * @param now by this machine's clock; undefined: nothing is decided
 */
export const coverOf = (
  db: Db,
  { planning }: PlannedConnection,
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
  const isCovered = after?.insured === true || after?.cover?.policy !== undefined
  const settings = planning.cover ?? (isCovered ? WATCHED : undefined)
  if (settings === undefined || invoice === undefined) return undefined
  const standing = after === undefined ? {} : offerDecisions(db, facts.key, after)
  const collection =
    after?.cover?.policy?.status === "late_can_handover" ? CollectionFacts.contextOf(db, facts.key) : undefined
  const part = {
    settings,
    invoice,
    standing,
    ...(collection === undefined ? {} : { collection })
  }
  if (after === undefined || now === undefined) return { part }
  const { owner } = planning
  const { registered } = "organisation" in owner ? owner.organisation : owner.user
  const edited = before?.cover?.quote?.status === "offered" && after.cover?.quote?.status === "expired"
  const contradictions = () => contradictionsOf(db, facts, invoice, after, planning).map(({ why }) => why)
  const context = { ...contextOf(db, facts, invoice, after, settings, now), contradictions }
  const decided = cover({
    facts,
    invoice,
    remote: after,
    settings,
    context,
    registered,
    edited
  })
  const whole =
    after.cover?.policy === undefined
      ? decided
      : withCollection(decided, facts, { ...part, remote: after, contradictions }, context.now)
  const { voids } = decided
  const { wakeAt } = whole
  return {
    part: { ...part, why: whole.why ?? "", ...(voids === undefined ? {} : { voids: { decision: voids, now } }) },
    // The rules count by the service's clock; this machine's wakes it.
    decided: wakeAt === undefined ? whole : { ...whole, wakeAt: wakeAt + now - context.now }
  }
}

/** Adds the collection of a policy whose invoice is late. */
const withCollection = (
  decided: CoverDecision,
  facts: InvoiceFacts,
  {
    collection,
    contradictions,
    invoice,
    remote,
    settings
  }: CoverPart & { readonly remote: RemoteInvoice } & Pick<CollectionContext, "contradictions">,
  now: number
): CoverDecision => {
  const ends = windowEnds(remote.cover?.policy, settings)
  const context = { now, contradictions, ...collection, ...(ends === undefined ? {} : { windowEnds: ends }) }
  const { attention, calls, wakeAt, why } = collect({ facts, invoice, remote, settings, context })
  const at = earliest(decided.wakeAt, wakeAt)
  return {
    calls: [...decided.calls, ...calls],
    attention: [...decided.attention, ...attention],
    ...(why === undefined ? {} : { why }),
    ...(at === undefined ? {} : { wakeAt: at })
  }
}
