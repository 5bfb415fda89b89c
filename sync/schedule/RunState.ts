/**
 * Stores the state of each connection's runs in the daemon: when it was last due, how the last run ended, and when the next
 * one is due.
 */
import type { Db } from "../state/Database.ts"
import * as Schedule from "../model/Schedule.ts"
import type { RunState, Trigger } from "../model/reports/State.ts"

export type { RunState, Trigger }

const COLUMNS =
  "connection, due_from AS dueFrom, began, ended, outcome, message, failures, succeeded, unauthorised, authorised_until AS authorisedUntil"

export const all = (db: Db): ReadonlyMap<string, RunState> =>
  new Map(
    (db.prepare(`SELECT ${COLUMNS} FROM run_state ORDER BY connection`).all() as ReadonlyArray<RunState>).map(
      (state) => [state.connection, state]
    )
  )

/** The current state; a new connection gets one. Writes only if something changed. */
export const current = (
  db: Db,
  known: RunState | undefined,
  { every, id }: { readonly id: string; readonly every?: Schedule.Schedule },
  now: number
): RunState => {
  if (known === undefined) {
    const dueFrom = every === undefined ? now : Schedule.begin(every, now)
    db.prepare("INSERT INTO run_state (connection, due_from) VALUES (?, ?)").run(id, dueFrom)
    return {
      connection: id,
      dueFrom,
      began: null,
      ended: null,
      outcome: null,
      message: null,
      failures: 0,
      succeeded: null,
      unauthorised: null,
      authorisedUntil: null
    }
  }
  // A connection that never ran is due like a new one, from the day on which it gets a schedule.
  const before = known.began === null && every !== undefined ? Schedule.begin(every, now) : known.dueFrom
  const dueFrom = every === undefined ? known.dueFrom : Schedule.mend(every, Math.min(known.dueFrom, before), now)
  if (dueFrom !== known.dueFrom) db.prepare("UPDATE run_state SET due_from = ? WHERE connection = ?").run(dueFrom, id)
  return { ...known, dueFrom }
}

const isCutOff = ({ began, ended }: RunState): boolean => began !== null && ended === null

/** The end of the pause after a failure. Setting the clock back does not prolong it. */
const rests = ({ ended, failures }: RunState, now: number): number => {
  if (failures === 0 || ended === null) return 0
  const wait = Schedule.backoff(failures)
  return ended + wait - now > wait ? 0 : ended + wait
}

/** What makes it due by its schedule, if anything. */
export const ready = (state: RunState, every: Schedule.Schedule | undefined, now: number): Trigger | undefined => {
  if (isCutOff(state)) return "interrupted"
  if (state.failures > 0) return rests(state, now) <= now ? "retry" : undefined
  return every !== undefined && Schedule.due(every, state.dueFrom, now) !== undefined ? "schedule" : undefined
}

/** Whether an urgent run may start: not during the pause after a failure. */
export const rested = (state: RunState, now: number): boolean => rests(state, now) <= now

/** When to check it again. */
export const next = (state: RunState, every: Schedule.Schedule | undefined, now: number): number =>
  state.failures > 0
    ? rests(state, now)
    : every === undefined
      ? Number.POSITIVE_INFINITY
      : Schedule.next(every, state.dueFrom)

/** Records that its run begins, and moves its mark in the same step. */
export const begin = (
  db: Db,
  { every, id }: { readonly id: string; readonly every?: Schedule.Schedule },
  now: number
): void => {
  const mark = db.prepare("SELECT due_from FROM run_state WHERE connection = ?").pluck().get(id) as number
  const moved = every === undefined ? undefined : Schedule.due(every, mark, now)
  db.prepare("UPDATE run_state SET due_from = ?, began = ?, ended = NULL WHERE connection = ?").run(
    moved ?? mark,
    now,
    id
  )
}

/** How a run ended. */
export interface RunEnd {
  readonly failed: boolean
  readonly outcome: string
  readonly message: string
  /** If it failed: the message of whoever rejected our credentials. */
  readonly unauthorised?: string | undefined
  /** If it succeeded: when the authorisation ends. */
  readonly authorisedUntil?: number | undefined
}

/** A run that failed for another reason says nothing about the authorisation: what is known about it stays. */
export const end = (
  db: Db,
  id: string,
  { authorisedUntil, failed, message, outcome, unauthorised }: RunEnd,
  now: number
): void => {
  db.prepare(
    failed
      ? "UPDATE run_state SET ended = ?, outcome = ?, message = ?, failures = failures + 1, unauthorised = coalesce(?, unauthorised) WHERE connection = ?"
      : "UPDATE run_state SET ended = ?, outcome = ?, message = ?, failures = 0, unauthorised = ? WHERE connection = ?"
  ).run(now, outcome, message, failed ? (unauthorised ?? null) : null, id)
  if (!failed)
    db.prepare("UPDATE run_state SET succeeded = ended, authorised_until = ? WHERE connection = ?").run(
      authorisedUntil ?? null,
      id
    )
}
