/**
 * States and transitions of the insurance interface (II 3), as tables like the specification's. Handlers use `next` to find
 * where a trigger leads; a transition without a row is rejected.
 */
import * as Day from "../../wire/Day.ts"

export interface Transition {
  /** Undefined for a new object. */
  readonly from?: string
  readonly trigger: string
  readonly condition: string
  readonly to: string
}

const row = (from: string | undefined, trigger: string, condition: string, to: string): Transition => ({
  ...(from === undefined ? {} : { from }),
  trigger,
  condition,
  to
})

/** II 3.1. Transitions to `defaulted` are not shown, so there are none. */
export const TRANSACTION = [
  row("draft", "update", "transaction not insured", "pending"),
  row("draft", "confirm", "status is draft; works when insured too", "pending"),
  row("pending", "paid", "platform knows the invoice is paid", "paid")
]

/** II 3.2, and expiry, because `valid_until` limits acceptance (II 8). */
export const QUOTE = [
  row(undefined, "request", "no rejection", "offered"),
  row(undefined, "request", "rejection", "declined"),
  row("offered", "new request", "one valid quote at a time", "expired"),
  row("offered", "edit", "", "expired"),
  row("offered", "time", "valid_until has passed", "expired"),
  row("offered", "policy", "valid, paid", "accepted")
]

/** II 3.3. Transitions among collection and claim states are not shown, so there are none. */
export const POLICY = [
  row(undefined, "policy", "quote accepted", "active"),
  row("active", "time", "due date passes, no payment indicated", "late"),
  row("active", "paid", "", "paid"),
  row("late", "paid", "", "paid"),
  row("late", "time", "may be handed over", "late_can_handover"),
  row("late_can_handover", "time", "window ends, neither handed over nor paid", "lapsed"),
  row("late_can_handover", "paid", "the window ends for what was not marked paid", "paid"),
  row("late_can_handover", "send", "collection sent", "under_collection")
]

/** The state that a trigger leads to; undefined if no row says so. */
export const next = (
  table: ReadonlyArray<Transition>,
  from: unknown,
  trigger: string,
  condition?: string
): string | undefined =>
  table.find(
    (one) => one.from === from && one.trigger === trigger && (condition === undefined || one.condition === condition)
  )?.to

/** For how many days a policy is late before it can be handed over, and for how many it then can be. */
export interface Windows {
  readonly late: number
  readonly handover: number
}

/**
 * Assumption: the day from which handover is possible is not shown, because it depends on the terms of insurance (II 3.3); the
 * window after it is typically 30 days. Both can be set.
 */
export const WINDOWS: Windows = { late: 45, handover: 30 }

/** Days after the due date at which a policy's status changes by itself. */
const lateAfter = ({ handover, late }: Windows): Readonly<Record<string, number>> => ({
  active: 0,
  late,
  late_can_handover: late + handover
})

/** The status of a policy after time has passed. */
export const aged = (status: string, due: Day.Day, now: number, windows: Windows = WINDOWS): string => {
  const late = Day.between(due, Day.fromEpochMillis(now))
  const after = lateAfter(windows)
  let at = status
  for (
    let to = next(POLICY, at, "time");
    to !== undefined && late > (after[at] ?? Infinity);
    to = next(POLICY, at, "time")
  )
    at = to
  return at
}

/** The status that a policy must have for a collection to be created, changed or sent (II 3.4, 7). */
export const CAN_HANDOVER = "late_can_handover"
