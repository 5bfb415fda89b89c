/**
 * States and transitions of the insurance interface (II 3), as tables that read like the specification's. Handlers ask
 * `next` what a trigger leads to; what no row names is refused.
 */
import * as Day from "../../wire/Day.ts"

export interface Transition {
  /** Undefined: it is new. */
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

/** II 3.1. A move to `defaulted` is not shown: nothing leads there. */
export const TRANSACTION = [
  row("draft", "update", "transaction not insured", "pending"),
  row("draft", "confirm", "status is draft; works when insured too", "pending"),
  row("pending", "paid", "platform knows the invoice is paid", "paid")
]

/** II 3.2; and with time, as `valid_until` bounds acceptance (II 8). */
export const QUOTE = [
  row(undefined, "request", "no rejection", "offered"),
  row(undefined, "request", "rejection", "declined"),
  row("offered", "new request", "one valid quote at a time", "expired"),
  row("offered", "edit", "", "expired"),
  row("offered", "time", "valid_until has passed", "expired"),
  row("offered", "policy", "valid, paid", "accepted")
]

/** II 3.3. Transitions among collection and claim states are not shown: nothing leads on from there. */
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

/** Where a trigger leads from a state, or undefined when no row says so. */
export const next = (
  table: ReadonlyArray<Transition>,
  from: unknown,
  trigger: string,
  condition?: string
): string | undefined =>
  table.find(
    (one) => one.from === from && one.trigger === trigger && (condition === undefined || one.condition === condition)
  )?.to

/** How long a policy is late before it may be handed over, and how long it then can be, in days. */
export interface Windows {
  readonly late: number
  readonly handover: number
}

/**
 * Assumption: the day of the handover is not shown, as it depends on the terms of insurance (II 3.3); the window after it is
 * typically 30 days. Both can be set.
 */
export const WINDOWS: Windows = { late: 45, handover: 30 }

/** Days past the due date after which time moves a policy on. */
const lateAfter = ({ handover, late }: Windows): Readonly<Record<string, number>> => ({
  active: 0,
  late,
  late_can_handover: late + handover
})

/** What time alone makes of a policy's status. */
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

/** From when on a collection cannot be made, changed or sent (II 3.4, 7). */
export const CAN_HANDOVER = "late_can_handover"
