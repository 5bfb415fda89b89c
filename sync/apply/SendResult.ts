/**
 * What became of a call, judged by its answer alone: whether an answer proves it done, and which refusals need no reading back.
 */
import { describe, type Reason } from "../../core/ServiceError.ts"
import { type Answer, idOf } from "../model/Answer.ts"
import type { Call, SentCall } from "../model/Call.ts"
import * as Claims from "./Claims.ts"
import type { CallReceipt } from "./Report.ts"

/** How one call ended. */
export type SendResult =
  | { readonly outcome: "done"; readonly answer: Answer; readonly status: number | undefined; readonly body: unknown }
  | { readonly outcome: "refused"; readonly reason: Reason }
  | { readonly outcome: "conflict"; readonly reason: Reason }
  | { readonly outcome: "stop"; readonly reason: Reason }
  | { readonly outcome: "unknown"; readonly reason: Reason }

/** The call was found done on the service, without an answer of its own. */
export const foundDone = (answer: Answer): SendResult => ({
  outcome: "done",
  answer,
  status: undefined,
  body: undefined
})

/** What an answer proves to be done; undefined if it lacks what such an answer must contain. */
export const confirmed = (
  call: SentCall,
  { body, status }: { readonly status: number; readonly body: unknown }
): SendResult | undefined => {
  const answer = Claims.storedAnswer(call.operation, body)
  return proves(call, status, body, answer) ? { outcome: "done", answer, status, body } : undefined
}

const proves = (call: SentCall, status: number, body: unknown, answer: Answer): boolean => {
  // What sending a collection answers is not documented (II 4). Without the time at which it was sent, it is read back.
  if (call.operation === "collections.send") return typeof memberOf(body, "sent") === "string"
  if (status === 204) return true
  if ("orderPosting" in call) return Claims.isEvent(body)
  // Its members were checked as the answer was read, and it need not have an id (DP 4: not shown).
  if (call.operation === "orders.putDocument") return true
  return idOf(answer) !== undefined || answer.kind === "offer"
}

/** What such an answer lacks. */
export const notProven = (call: SentCall): string => {
  if (call.operation === "collections.send") return "the answer does not say when the collection was sent"
  return "orderPosting" in call ? "the answer is not a ledger event" : "the answer contains no id"
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined

/** Outcomes that need no reading back. Undefined: the outcome is unknown, or the call may be retried. */
export const endedBy = (call: Call, reason: Reason): SendResult | undefined => {
  switch (reason._tag) {
    case "Unauthorized":
      return { outcome: "stop", reason }
    case "Refused":
      // The quote is not in the state that the ledger has (II 7): the transaction is read, as after 409.
      if (call.operation === "policies.create" && reason.problems.some((one) => one.startsWith("quote:")))
        return { outcome: "conflict", reason }
      return { outcome: "refused", reason }
    case "Unsendable":
      return { outcome: "refused", reason }
    case "Conflict":
      return { outcome: "conflict", reason }
    case "NotFound":
      return call.operation === "transactions.remove" || call.operation === "collectionDocuments.remove"
        ? { outcome: "done", answer: { kind: "done" }, status: 404, body: undefined }
        : { outcome: "refused", reason }
    default:
      return undefined
  }
}

/** The HTTP status behind a reason, if any. */
export const httpStatusOf = (reason: Reason): number | undefined => {
  switch (reason._tag) {
    case "Refused":
    case "Unauthorized":
      return reason.status
    case "NotFound":
      return 404
    case "Conflict":
      return 409
    case "RateLimited":
      return 429
    default:
      return undefined
  }
}

/** What is reported of the nth call of a run that has ended. */
export const receiptOf = (
  n: number,
  call: Call,
  ended: Exclude<SendResult, { readonly outcome: "unknown" }>
): CallReceipt => ({
  n,
  call,
  outcome: ended.outcome === "done" ? "done" : ended.outcome === "stop" ? "absent" : "refused",
  ...(ended.outcome === "done"
    ? { status: ended.status, remote: idOf(ended.answer) }
    : { status: httpStatusOf(ended.reason), remote: undefined, why: describe(ended.reason) })
})
