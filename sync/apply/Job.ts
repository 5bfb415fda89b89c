/**
 * A document's plan that is carried out: how far it has got, and what is written of it as answers come in.
 */
import { idOf } from "../model/Answer.ts"
import type { Attention, Call } from "../model/Call.ts"
import { describe } from "../../core/ServiceError.ts"
import type { Connection } from "../model/Connection.ts"
import type { Remote } from "../model/Remote.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Plan from "../plan/Plan.ts"
import type { Database } from "../state/Database.ts"
import * as AttentionStore from "./AttentionStore.ts"
import * as Claims from "./Claims.ts"
import * as CoverStore from "./CoverStore.ts"
import * as LedgerStore from "./LedgerStore.ts"
import { type SendResult, httpStatusOf } from "./Sender.ts"

type Db = Database["Service"]

/** Whether a document is planned again: because the service had moved on, or was read and now says more. */
export type Again = "no" | "moved" | "looked"

/** A plan that is carried out, and how far it has got. */
export interface Job {
  readonly plan: Plan.DocumentPlan
  readonly connection: Connection
  /** The run whose claims are its own. */
  readonly run: number
  remote: Remote | undefined
  refused?: Attention
  complete: boolean
  /** A payment failed: nothing more is bought, as the next plan says. */
  blocked?: boolean
  again: Again
  /** What came in and goes to disk with the next claim. */
  owed?: Owed | undefined
}

/** An answer to a claimed call. */
export interface Answered<Outcome extends SendResult["outcome"]> {
  readonly id: number
  readonly call: Call
  readonly ended: Extract<SendResult, { readonly outcome: Outcome }>
  readonly now: number
}

/** An answer that has come in and is not on disk yet. */
export interface Owed {
  readonly call: Call
  readonly ended: SendResult
  /** @param last in one commit with the end of its document's calls, see `isWrittenAtEnd` */
  readonly write: (last: boolean) => void
}

/** Whether the end of a document's calls writes of the ledger what its last receipt would write just before it. */
export const isWrittenAtEnd = (db: Db, job: Pick<Job, "plan" | "run">): boolean =>
  job.plan.cover === undefined && isCurrent(db, job)

/**
 * Whether its document is still as it was when the plan was made: nothing of it changed, and no other run has claimed
 * anything of it since, which may have cleared what had changed.
 */
export const isCurrent = (db: Db, { plan, run }: Pick<Job, "plan" | "run">): boolean =>
  ChangedDocuments.count(db, plan.subject) === plan.changes &&
  !Claims.isClaimedByOthers(db, plan.subject, { after: plan.claims, run })

/**
 * Writes where a document stands. Where it changed since the plan was made, the books are looked at again, and what
 * came in is added to what the ledger says by now, which a person may have decided.
 *
 * @returns whether it is as it was when the plan was made
 */
export const write = (
  db: Db,
  job: Job,
  remote: Remote | undefined,
  add: (before: Remote | undefined) => Remote | undefined = (before) => before
): boolean => {
  const { connection, plan } = job
  if (isCurrent(db, job)) {
    if (plan.currency !== "" || remote !== undefined) LedgerStore.write(db, plan, remote)
    return true
  }
  const now = Plan.planOne(db, connection, plan.subject)
  const after = add(now.remote)
  if (now.currency !== "" || after !== undefined) LedgerStore.restate(db, connection, plan.subject, after)
  return false
}

const isAboutCover = ({ operation }: Call): boolean => operation === "quotes.create" || operation === "policies.create"

/**
 * Records where an invoice stands once its calls are made, or as far as they got.
 *
 * @param needing documents with open attention items
 */
export const finish = (db: Db, needing: Set<string>, job: Job, now: number): void => {
  const { complete, connection, plan, refused, remote } = job
  const current = write(db, job, remote)
  // It changed meanwhile: what was planned, or refused, is not what the next plan would look at.
  if (!current || (!complete && refused === undefined)) return
  // The state that a refusal is about, or where its cover now stands: what the next plan would look at.
  const looksAgain = refused !== undefined || job.blocked === true || plan.calls.some(isAboutCover)
  const after = looksAgain ? Plan.planOne(db, connection, plan.subject, { now }) : plan
  if (plan.cover !== undefined) CoverStore.write(db, after, looksAgain ? after.remote : remote)
  if (after.attention.length > 0 || refused !== undefined || needing.has(plan.subject)) {
    needing.add(plan.subject)
    // What was refused before still is, though it was looked at again.
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
  if (plan.cover !== undefined) CoverStore.wake(db, plan.subject, after.wakeAt)
  if (plan.waits !== true) ChangedDocuments.clear(db, plan.subject, plan.changes)
  // Another run, which saw what this one waits for, may have cleared it before its items were closed here.
  else if (ChangedDocuments.count(db, plan.subject) === 0) ChangedDocuments.touch(db, plan.subject)
}

/** Writes the receipt of a call. */
export const receive = (db: Db, id: number, ended: SendResult, now: number): void => {
  // An unknown outcome stays a claim: the next run recovers it before it touches this invoice.
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

/** Whether the service says of a document what the ledger says. */
export const isSame = (a: Remote, b: Remote | undefined): boolean => {
  if (a.kind === "invoice" && b?.kind === "invoice")
    return a.status === b.status && a.insured === b.insured && JSON.stringify(a.cover) === JSON.stringify(b.cover)
  return a.kind === "order" && b?.kind === "order" && a.status === b.status && a.open === b.open
}
