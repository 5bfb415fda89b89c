/** Plans that wait for approval, or were decided on: a line for people, a record for programs. */
import type { Approval } from "../../sync/plan/Approvals.ts"
import { instant } from "./Instants.ts"
import { attentionCount, plural } from "../../core/Plural.ts"

/** Characters of a digest that are shown. */
export const SHORT = 12

export const approvalRecord = ({ decided, made, ...one }: Approval) => ({
  type: "approval",
  ...one,
  made: new Date(made).toISOString(),
  decided: decided === null ? null : new Date(decided).toISOString()
})

export const approvalLine = (one: Approval): string => {
  const { attention, calls, connection, decided, digest, made, reductions, decision, who } = one
  const stands =
    decision === null
      ? `waits since ${instant(made)}`
      : `${decision} by ${who}${decided === null ? "" : `, ${instant(decided)}`}`
  return [
    `${connection}: ${plural(calls, "call")}`,
    ...(reductions > 0 ? [`${reductions.toLocaleString("en")} of them take something away`] : []),
    ...(attention > 0 ? [attentionCount(attention)] : []),
    stands,
    `digest ${digest.slice(0, SHORT)}`
  ].join(", ")
}
