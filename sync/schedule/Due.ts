/**
 * Decides which connection's run is due now and what triggers it: the schedule, a webhook, an approved plan, or a request.
 * Also when to check again.
 */
import type { Connection } from "../model/Connection.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as WebhookQueue from "../pull/WebhookQueue.ts"
import type { Db } from "../state/Database.ts"
import * as Pauses from "./Pauses.ts"
import * as RunState from "./RunState.ts"

/** How long queue entries are collected, so that repeated deliveries cause a single run. Milliseconds. */
const GATHERS_MS = 400
/** The longest interval between checks, because clocks are set and other processes write. */
const LOOKS_MS = 30_000

export interface DueRuns {
  readonly start: ReadonlyArray<readonly [Connection, RunState.Trigger]>
  /** When to check again, in milliseconds since the epoch. */
  readonly wakes: number
}

export interface Asked {
  readonly now: number
  /** Ids of connections that somebody wants to run now. */
  readonly asked: ReadonlySet<string>
  /** Families with a run in progress: no second run of them starts. */
  readonly busy: ReadonlyArray<string>
  readonly family: (connection: Connection) => string
  /** How many runs may start now; default: all. If more are due, the next check follows at once. */
  readonly most?: number
  /** The longest interval between checks, in milliseconds; default half a minute. */
  readonly looksMs?: number
}

export const due = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  { asked, busy: before, family, looksMs = LOOKS_MS, most = Number.POSITIVE_INFINITY, now }: Asked
): DueRuns => {
  const busy = new Set(before)
  const states = RunState.all(db)
  const hinted = WebhookQueue.since(db)
  const approved = new Set(Approvals.approved(db))
  const paused = Pauses.all(db)
  const start: Array<readonly [Connection, RunState.Trigger]> = []
  let wakes = now + looksMs
  for (const connection of connections) {
    const { every, id } = connection
    if (busy.has(family(connection))) continue
    const state = RunState.current(db, states.get(id), connection, now)
    const came = hinted.get(id)
    const gathered = came !== undefined && (came > now || now - came >= GATHERS_MS)
    // Decided in one place for all triggers: those other than the schedule also wait during the pause after a failure.
    const pressing = asked.has(id) ? "asked" : approved.has(id) ? "approved" : undefined
    const soon = RunState.rested(state, now)
    const isPaused = paused.has(id)
    const byItself = RunState.ready(state, every, now) ?? (gathered && soon ? "webhook" : undefined)
    const trigger = (soon ? pressing : undefined) ?? (isPaused ? undefined : byItself)
    if (trigger !== undefined && start.length >= most) {
      wakes = now
      continue
    }
    if (trigger !== undefined) {
      busy.add(family(connection))
      start.push([connection, trigger])
      continue
    }
    if (isPaused) continue
    if (came !== undefined && soon) wakes = Math.min(wakes, came + GATHERS_MS)
    wakes = Math.min(wakes, RunState.next(state, every, now))
  }
  return { start, wakes }
}
