/** Reads what people said about the offers of an invoice, and whether a restored state file may lack some of it. */
import { askedWith } from "../model/Cover.ts"
import type { OfferDecision, OfferDecisions } from "../model/CoverContext.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import { millisOf } from "../rules/CoverParts.ts"
import type { Db } from "../state/Database.ts"

/**
 * Decisions up to this one were made before the state file was last restored, and are not carried out before somebody confirms
 * them: what was said since the copy was made is not in it.
 */
export const lastBeforeRestoring = (db: Db): number =>
  (db.prepare("SELECT decided_before FROM state").pluck().get() as number | null) ?? 0

/** The latest decision of a person about an offer, or who made one that is void since. */
const decisionOf = (db: Db, subject: string, quote: string): Pick<OfferDecisions, "decision" | "voided"> => {
  const row = db
    .prepare(
      `SELECT id, decision, who, digest, coalesce(shown ->> '$.beyond_month', 0) AS beyond FROM cover_decision
        WHERE subject = ? AND about = ? AND decision IN ('buy', 'reject', 'void') ORDER BY id DESC LIMIT 1`
    )
    .get(subject, quote) as
    | (Pick<OfferDecision, "id" | "who" | "digest"> & {
        readonly decision: OfferDecision["decision"] | "void"
        readonly beyond: number
      })
    | undefined
  if (row === undefined) return {}
  const { beyond, decision, ...rest } = row
  if (decision === "void") return { voided: row.who }
  if (decision === "buy" && row.id <= lastBeforeRestoring(db)) return {}
  return { decision: { ...rest, decision, beyondMonth: beyond === 1 } }
}

/** Somebody's no to the invoice as it is: the latest word about it is a rejection, and the invoice has not changed since. */
const refusedOf = (db: Db, subject: string, remote: RemoteInvoice): OfferDecisions["refused"] => {
  const row = db
    .prepare(
      `SELECT decision, who, decided AS at, shown ->> '$.asked_with' AS asked FROM cover_decision
        WHERE subject = ? AND decision IN ('buy', 'reject', 'quote') ORDER BY id DESC LIMIT 1`
    )
    .get(subject) as
    | { readonly decision: string; readonly who: string; readonly at: number; readonly asked: string | null }
    | undefined
  if (row?.decision !== "reject" || (row.asked !== null && row.asked !== askedWith(remote.fields))) return undefined
  return { who: row.who, at: row.at }
}

/** Whether there was an offer before the state file was restored, and nobody has said anything about the invoice since. */
const isRestored = (db: Db, subject: string, { cover }: RemoteInvoice): boolean => {
  const { restored_at: at } = db.prepare("SELECT restored_at FROM state").get() as {
    readonly restored_at: number | null
  }
  if (at === null || cover?.quote === undefined) return false
  const wasOffered =
    (millisOf(cover.quote.created) ?? 0) < at ||
    db.prepare("SELECT 1 FROM cover_event WHERE subject = ? AND what = 'quote' AND at < ?").get(subject, at) !==
      undefined
  return (
    wasOffered &&
    db
      .prepare("SELECT 1 FROM cover_decision WHERE subject = ? AND about <> 'file' AND id > ?")
      .get(subject, lastBeforeRestoring(db)) === undefined
  )
}

export const offerDecisions = (db: Db, subject: string, remote: RemoteInvoice): OfferDecisions => {
  const { quote } = remote.cover ?? {}
  if (quote === undefined) return {}
  const refused = refusedOf(db, subject, remote)
  return {
    ...decisionOf(db, subject, quote.id),
    ...(refused === undefined ? {} : { refused }),
    ...(isRestored(db, subject, remote) ? { restored: true } : {})
  }
}
