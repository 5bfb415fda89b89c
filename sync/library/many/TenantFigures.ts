/**
 * Keeps what is known of a tenant without opening its state file: what needs attention, the results of its runs, when it is
 * due. Kept in memory for all tenants, and read again whenever one was open.
 */
import Sqlite from "better-sqlite3"
import { existsSync } from "node:fs"
import { Schema } from "effect"
import * as AttentionStore from "../../apply/AttentionStore.ts"
import { Schedule } from "../../model/Schedule.ts"
import * as Approvals from "../../plan/Approvals.ts"
import * as SourceBindings from "../../plan/SourceBindings.ts"
import * as Status from "../../reports/Status.ts"
import * as RunState from "../../schedule/RunState.ts"
import type { Db } from "../../state/Database.ts"
import type { Tenant } from "./TenantSource.ts"

export interface TenantFigures {
  readonly attention: number
  readonly approvals: number
  readonly quarantined: number
  readonly pendingCalls: number
  /** The highest number of consecutive failures of one of its connections. */
  readonly failures: number
  /** When the connection that has waited longest last succeeded; null if one never did. Milliseconds. */
  readonly succeeded: number | null
  /** The message of the last failed run. */
  readonly message: string | null
}

export const NO_FIGURES: TenantFigures = {
  attention: 0,
  approvals: 0,
  quarantined: 0,
  pendingCalls: 0,
  failures: 0,
  succeeded: null,
  message: null
}

/** @param ids the ids in its configuration */
export const figuresOf = (db: Pick<Db, "prepare">, ids: ReadonlyArray<string>): TenantFigures => {
  const file = db as Db
  const states = [...RunState.all(file).values()].filter(({ connection }) => ids.includes(connection))
  const failing = states.filter(({ failures }) => failures > 0)
  return {
    attention: AttentionStore.count(file),
    approvals: Approvals.waiting(file),
    quarantined: Status.quarantinedCount(file),
    pendingCalls: Status.pendingCalls(file),
    failures: Math.max(0, ...failing.map(({ failures }) => failures)),
    succeeded: states.reduce<number | null>(
      (oldest, { succeeded }) => (oldest === null || succeeded === null ? null : Math.min(oldest, succeeded)),
      states.length === 0 ? null : Number.POSITIVE_INFINITY
    ),
    message: failing[0]?.message ?? null
  }
}

const isSchedule = Schema.is(Schedule)

interface Written {
  readonly id: string
  readonly every?: Schedule
}

/** Ids and schedules of the connections in an unchecked configuration; undefined: it must be decoded. */
const writtenIn = (value: unknown): ReadonlyArray<Written> | undefined => {
  const { connections } = (value ?? {}) as { readonly connections?: unknown }
  if (!Array.isArray(connections)) return undefined
  const all = connections.map((one: { readonly id?: unknown; readonly every?: unknown } | null) =>
    typeof one?.id === "string" && (one.every === undefined || isSchedule(one.every))
      ? { id: one.id, ...(one.every === undefined ? {} : { every: one.every }) }
      : undefined
  )
  return all.every((one) => one !== undefined) ? all : undefined
}

export interface Glanced {
  readonly figures: TenantFigures
  /** When it is due; now, if only opening it can tell. Infinite: it has no schedule. */
  readonly due: number
}

const dueOf = (db: Db, { every, id }: Written, now: number): number => {
  const state = RunState.all(db).get(id)
  if (state === undefined || state.began === null) return every === undefined ? Number.POSITIVE_INFINITY : now
  if (state.ended === null || RunState.ready(state, every, now) !== undefined) return now
  return RunState.next(state, every, now)
}

const reading = (raw: Sqlite.Database, file: string) => ({ file, prepare: (sql: string) => raw.prepare(sql) }) as Db

/** Reads a tenant's files without its lock: the result is outdated as soon as another process runs it. */
export const glance = ({ glance, state }: Tenant, now: number): Glanced => {
  const unknown = { figures: NO_FIGURES, due: now }
  let raw: Sqlite.Database | undefined
  try {
    const written = writtenIn(glance())
    if (written === undefined || !existsSync(state)) return unknown
    raw = new Sqlite(state, { readonly: true, timeout: 1000 })
    const db = reading(raw, state)
    const names = SourceBindings.namesIn(db)
    const own = written.map((one) => ({ ...one, id: names.get(one.id) ?? one.id }))
    const queued = db.prepare("SELECT 1 FROM webhook_queue LIMIT 1").get() !== undefined
    const approved = Approvals.approved(db).length > 0
    const due = Math.min(...own.map((one) => dueOf(db, one, now)), queued || approved ? now : Number.POSITIVE_INFINITY)
    return {
      figures: figuresOf(
        db,
        own.map(({ id }) => id)
      ),
      due
    }
  } catch {
    // Opening it reports what is wrong.
    return unknown
  } finally {
    raw?.close()
  }
}
