/**
 * What a refusal becomes: an attention item with the service's own message, and what can be done about it.
 */
import { describe, type Reason } from "../../core/ServiceError.ts"
import type { Attention, Call } from "../model/Call.ts"
import { BUYER_LOST } from "../rules/Buyers.ts"

/** It is about the fact that caused the call. */
export const refusal = (call: Call, reason: Reason): Attention => {
  const { fact, operation, rule, subject } = call
  const about = { subject, fact, rule }
  if (reason._tag === "Ambiguous") {
    const todo = "void the unwanted one on the service, then run `daybook attention retry`"
    return { ...about, why: reason.why, todo }
  }
  const why = `the service refused ${operation}: ${describe(reason)}`
  if (isBuyerLost(call, reason)) {
    const todo = "`daybook attention retry` finds or creates the buyer again, then sends what waits for it"
    return { ...about, why: `${why}: ${BUYER_LOST}`, todo }
  }
  const todo =
    "correct it in the source or contact the service's operator, then send it again with `daybook attention retry`"
  return { ...about, why, todo }
}

/** Its buyer was merged with another one on the service, or deleted there. */
const isBuyerLost = ({ operation, rule }: Call, reason: Reason): boolean =>
  rule === "buyer"
    ? reason._tag === "NotFound"
    : operation === "orders.create" &&
      reason._tag === "Refused" &&
      reason.problems.some((one) => /^customer\.(organisation|user):/.test(one))
