/**
 * Calls that cannot be undone: a purchase of cover, a declaration, a handover. The service is read once more before each, and
 * what it then has decides, whatever was answered to a request.
 */
import { Clock, Effect } from "effect"
import type { Reason } from "../../core/ServiceError.ts"
import type { Answer } from "../model/Answer.ts"
import type { Call } from "../model/Call.ts"
import type { Remote } from "../model/Remote.ts"
import type { StateError, Db } from "../state/Database.ts"
import * as CoverStore from "./CoverStore.ts"
import { type Answered, isSame, type Job, receive, write } from "./Job.ts"
import { failedPayment, refusal } from "./Refusal.ts"
import type { Sender } from "./Sender.ts"

/** Whether a call spends money, declares something in a person's name, or hands an invoice over. */
export const isIrreversible = (call: Call): boolean =>
  call.operation === "policies.create" ||
  call.operation === "collections.send" ||
  (call.operation === "collections.update" && call.declaration !== undefined)

/**
 * Reads the service once more. Whatever differs from what the plan was made with, the document is planned again: an approval
 * or a confirmation of something else is void (Q5, H5).
 */
export const isAsPlanned = (db: Db, sender: Sender, job: Job): Effect.Effect<boolean, StateError> =>
  Effect.gen(function* () {
    const { remote } = job
    if (remote === undefined) return false
    const now = yield* Clock.currentTimeMillis
    const read = yield* Effect.result(Effect.interruptible(sender.reread(remote, now, true)))
    // If it cannot be read, nothing is sent: the next run tries again.
    if (read._tag === "Failure" || read.success === undefined) return false
    const corrected = read.success
    if (isSame(corrected, remote)) return true
    job.remote = corrected
    job.again = "moved"
    yield* db.commit(() => {
      write(db, job, corrected)
      CoverStore.record(db, job.plan.subject, remote, corrected, now)
    })
    return false
  })

/** The answer that proves a purchase: the policy of exactly the quote that was bought. */
export const boughtBy = (call: Call, remote: Remote | undefined): Extract<Answer, { kind: "policy" }> | undefined => {
  if (call.operation !== "policies.create" || remote?.kind !== "invoice") return undefined
  const { policy, quote } = remote.cover ?? {}
  return policy !== undefined && quote?.id === call.body["quote"] ? { kind: "policy", policy } : undefined
}

/**
 * A refusal of what cannot be undone, and the service cannot be read: an earlier request may have done it. It stays a claim, so
 * that it counts as spent, and nobody is told that it was not done, until the next run finds out. A failed payment is certain.
 */
export const isUncertain = (job: Job, call: Call, reason: Reason): boolean => {
  if (!isIrreversible(call) || failedPayment(call, reason) !== undefined) return false
  job.owed = { call, ended: { outcome: "unknown", reason }, write: () => undefined }
  return true
}

/** Q8: a failed payment blocks every further purchase of the connection; the connection's own item says so. */
export const notBought = (db: Db, job: Job, { call, ended, id, now }: Answered<"refused">): void => {
  const failed = failedPayment(call, ended.reason)
  if (failed === undefined) {
    job.refused = refusal(call, ended.reason)
    return
  }
  job.complete = true
  job.blocked = true
  job.owed = {
    call,
    ended,
    write: () => {
      receive(db, id, ended, now)
      CoverStore.block(db, job.connection.id, call.subject, failed, now)
    }
  }
}
