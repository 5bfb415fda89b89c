/**
 * Tracks the progress of one document's plan, and writes the results as answers arrive.
 */
import { idOf } from "../model/Answer.ts"
import type { Attention, Call } from "../model/Call.ts"
import { describe, type Reason } from "../../core/ServiceError.ts"
import type { Connection } from "../model/Connection.ts"
import type { Remote } from "../model/Remote.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import { isOrderKey } from "../plan/Facts.ts"
import * as Plan from "../plan/Plan.ts"
import { Surroundings } from "../plan/Surroundings.ts"
import * as PastCalls from "../state/calls/PastCalls.ts"
import type { Db } from "../state/Database.ts"
import * as AttentionStore from "./AttentionStore.ts"
import * as Claims from "./Claims.ts"
import * as UnknownItems from "./UnknownItems.ts"
import * as CoverStore from "./CoverStore.ts"
import * as LedgerStore from "./LedgerStore.ts"
import { httpStatusOf, type SendResult } from "./SendResult.ts"

/** Whether a document is planned again: because the service had changed, or because a reading brought new information. */
export type Again = "no" | "moved" | "looked"

/** A plan that is being carried out. */
export interface Job {
  readonly plan: Plan.DocumentPlan
  readonly connection: Connection
  /** The run that makes its claims. */
  readonly run: number
  remote: Remote | undefined
  refused?: Attention
  complete: boolean
  /** A payment failed: nothing more is bought, and the next plan says so. */
  blocked?: boolean
  again: Again
  /** Before its first payment was reported, nobody else had reported any. */
  alone?: boolean
  /** Why nothing more is sent in this run. */
  stopped?: Reason
  /** An answer that has arrived and is written with the next claim. */
  owed?: ArrivedAnswer | undefined
}

/** An answer to a claimed call. */
export interface Answered<Outcome extends SendResult["outcome"]> {
  readonly id: number
  readonly call: Call
  readonly ended: Extract<SendResult, { readonly outcome: Outcome }>
  readonly now: number
}

/** An answer that has arrived and is not on disk yet. */
export interface ArrivedAnswer {
  readonly call: Call
  readonly ended: SendResult
  /** @param atEnd the end of its document's calls writes the ledger entry in the same commit, see `isWrittenAtEnd` */
  readonly write: (atEnd: boolean) => void
}

/** Whether the end of a document's calls writes the same ledger entry that its last receipt would write just before. */
export const isWrittenAtEnd = (db: Db, job: Pick<Job, "plan" | "run">): boolean =>
  job.plan.cover === undefined && isCurrent(db, job)

/**
 * Whether its document is unchanged since the plan was made: no change was recorded, and no other run has claimed anything
 * for it, which might have cleared such a record.
 */
export const isCurrent = (db: Db, { plan, run }: Pick<Job, "plan" | "run">): boolean =>
  ChangedDocuments.count(db, plan.subject) === plan.changes &&
  !PastCalls.isClaimedByOthers(db, plan.subject, { after: plan.claims, run })

/**
 * Writes the state of a document. If it changed since the plan was made, the books are read again, and the answer is applied
 * to the current ledger entry, which may contain a person's decision.
 *
 * @returns whether the document is unchanged since the plan was made
 */
export const write = (
  db: Db,
  job: Job,
  remote: Remote | undefined,
  add: (before: Remote | undefined) => Remote | undefined = (before) => before,
  current = isCurrent(db, job)
): boolean => {
  const { connection, plan } = job
  if (current) {
    if (plan.currency !== "" || remote !== undefined) LedgerStore.write(db, plan, remote)
    else LedgerStore.unbooked(db, plan.subject)
    return true
  }
  const now = Plan.planOne(db, connection, plan.subject)
  const after = add(now.remote)
  if (now.currency !== "" || after !== undefined) LedgerStore.restate(db, connection, plan.subject, after)
  return false
}

const isAboutCover = ({ operation }: Call): boolean => operation === "quotes.create" || operation === "policies.create"

/**
 * Records the final state of a document after its calls, even if they were not all made.
 *
 * @param needing documents with open attention items
 * @param atEnd whether it was found to be unchanged in the same commit
 */
export const finish = (db: Db, needing: Set<string>, job: Job, now: number, atEnd: boolean): void => {
  const { complete, connection, plan, refused, remote } = job
  const current = write(db, job, remote, undefined, atEnd || isCurrent(db, job))
  // It changed meanwhile: the next plan sees another state than the one that was planned or rejected.
  if (current && !complete) UnknownItems.renew(db, connection, plan.subject, now)
  if (!current || (!complete && refused === undefined)) return
  // Records the state that the next plan will see: for a rejection, the rejected state; for cover, its new state.
  const looksAgain = refused !== undefined || job.blocked === true || plan.calls.some(isAboutCover)
  const after = looksAgain ? Plan.planOne(db, connection, plan.subject, { now }) : plan
  if (plan.cover !== undefined) CoverStore.write(db, after, looksAgain ? after.remote : remote)
  if (after.attention.length > 0 || refused !== undefined || needing.has(plan.subject)) {
    needing.add(plan.subject)
    // An earlier rejection still applies, even though the document was planned again.
    if (after.refused === true && refused === undefined) AttentionStore.announce(db, plan.subject, after.attention, now)
    else
      AttentionStore.update(
        db,
        plan.subject,
        after.attention,
        refused === undefined ? undefined : { attention: refused, state: after.fingerprint },
        now
      )
  }
  if (plan.cover !== undefined || isOrderKey(plan.subject)) CoverStore.wake(db, plan.subject, after.wakeAt)
  const waits = plan.waits === true || (plan.calls.length > 0 && !isSettled(db, job, after))
  if (!waits) ChangedDocuments.clear(db, plan.subject, plan.changes)
  // Another run, which saw what this document waits for, may have cleared the change before its items were closed here.
  else if (ChangedDocuments.count(db, plan.subject) === 0) ChangedDocuments.touch(db, plan.subject)
}

/**
 * Where several lists state the same money, what is open in the books depends on what is reported: it is calculated again.
 *
 * @returns whether nothing else is to be done now, and nobody to be told anything else
 */
const isSettled = (db: Db, { connection, remote }: Job, { attention, subject }: Plan.DocumentPlan): boolean => {
  if (!new Surroundings(db).hasSeveralLists(connection.id)) return true
  const now = Plan.planOne(db, connection, subject)
  LedgerStore.write(db, now, remote)
  return now.calls.length === 0 && stable(now.attention) === stable(attention)
}

/** Writes the receipt of a call. */
export const receive = (db: Db, id: number, ended: SendResult, now: number): void => {
  // A call with an unknown outcome stays a claim: the next run recovers it before it sends anything for this document.
  if (ended.outcome === "unknown") return
  const receipt: Claims.StoredReceipt =
    ended.outcome === "done"
      ? { outcome: "done", status: ended.status, answer: ended.body, remote: idOf(ended.answer) }
      : {
          outcome: ended.outcome === "stop" ? "absent" : "refused",
          status: httpStatusOf(ended.reason),
          answer: describe(ended.reason)
        }
  Claims.receipt(db, id, receipt, now)
}

/** As JSON, whatever the order of the members. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member
  )

/** Whether the service and the ledger say the same about a document. */
export const isSame = (a: Remote, b: Remote | undefined): boolean => {
  if (a.kind === "invoice" && b?.kind === "invoice")
    return a.status === b.status && a.insured === b.insured && stable(a.cover) === stable(b.cover)
  return a.kind === "order" && b?.kind === "order" && a.status === b.status && a.open === b.open
}
