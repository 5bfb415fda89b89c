/** Renders plans that wait for approval, or were decided on: a line for people, a record for programs. */
import type { Approval } from "../../sync/plan/Approvals.ts"
import { dated } from "../../sync/library/Plain.ts"
import { instant } from "./Instants.ts"
import { attentionCount, grouped, plural } from "../../core/Plural.ts"

/** How many characters of a digest are shown. */
export const SHORT = 12

export const approvalRecord = (one: Approval) => ({ type: "approval", ...dated(one, "made", "decided") })

export const approvalLine = (one: Approval): string => {
  const { attention, calls, connection, decided, digest, made, reductions, decision, who, why } = one
  const stands =
    decision === null
      ? `waits since ${instant(made)}`
      : `${decision} by ${who}${decided === null ? "" : `, ${instant(decided)}`}`
  return [
    `${connection}: ${plural(calls, "call")}`,
    ...(reductions > 0 ? [`${grouped(reductions)} of them reduce what the service holds`] : []),
    ...(attention > 0 ? [attentionCount(attention)] : []),
    ...(why === null ? [] : [why]),
    stands,
    `digest ${digest.slice(0, SHORT)}`
  ].join(", ")
}
