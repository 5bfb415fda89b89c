/**
 * Turns a rejection by the service into an attention item with the service's own message and what can be done about it.
 */
import { describe, type Reason } from "../../core/ServiceError.ts"
import type { Attention, Call } from "../model/Call.ts"
import { BUYER_LOST } from "../rules/Buyers.ts"

/** The item is about the fact that caused the call. */
export const refusal = (call: Call, reason: Reason): Attention => {
  const { fact, operation, rule, subject } = call
  const about = { subject, fact, rule }
  if (reason._tag === "Ambiguous") {
    const todo = "void the unwanted one on the service, then run `daybook attention retry`"
    return { ...about, why: reason.why, todo }
  }
  const unsent = aboutCollection(call, reason)
  if (unsent !== undefined) return { ...about, ...unsent }
  const why = `the service refused ${operation}: ${describe(reason)}`
  if (isBuyerLost(call, reason)) {
    const todo = "`daybook attention retry` finds or creates the buyer again, then sends what waits for it"
    return { ...about, code: BUYER_LOST, why: `${why}: its buyer is not on the service any more`, todo }
  }
  const todo =
    "correct it in the source or contact the service's operator, then send it again with `daybook attention retry`"
  return { ...about, why, todo }
}

/** Why a purchase could not be paid (II 7: 402), or could not be sent because the payment method is missing. */
export const failedPayment = (call: Call, reason: Reason): string | undefined => {
  if (call.operation !== "policies.create") return undefined
  if (reason._tag === "Refused" && (reason.status === 402 || isAboutPayment(reason.problems)))
    return reason.problems.join("; ")
  return reason._tag === "Unsendable" ? reason.why : undefined
}

/** 400 for missing or invalid payment information, or a token of another type (II 7). An invalid quote is named as such. */
const isAboutPayment = (problems: ReadonlyArray<string>): boolean => !problems.some((one) => one.startsWith("quote:"))

const RETRY = "then `daybook attention retry`"

/** Why a collection could not be created or sent, if a person can do something about it. */
const aboutCollection = ({ operation }: Call, reason: Reason): Pick<Attention, "why" | "todo"> | undefined => {
  if (!operation.startsWith("collection")) return undefined
  if (reason._tag === "Unsendable")
    return { why: `${operation} could not be sent: ${reason.why}`, todo: `correct that, ${RETRY}` }
  if (reason._tag === "Conflict" && operation === "collections.create")
    return {
      why: `the service did not create a collection: ${describe(reason)}`,
      todo: `the owner needs an admin (members of owner.organisation, with the role admin): add one, ${RETRY}`
    }
  return undefined
}

/** Its buyer was merged with another one on the service, or deleted there. */
const isBuyerLost = ({ operation, rule }: Call, reason: Reason): boolean =>
  rule === "buyer"
    ? reason._tag === "NotFound"
    : operation === "orders.create" &&
      reason._tag === "Refused" &&
      reason.problems.some((one) => /^customer\.(organisation|user):/.test(one))
