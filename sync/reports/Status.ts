/**
 * Summarises the state file for people: connections, counts, last runs, open amounts. Read-only.
 */
import type { Db } from "../state/Database.ts"
import * as SchemaDrift from "../books/SchemaDrift.ts"
import { grouped } from "../../core/Plural.ts"
import type { ConnectionRow, RunRow } from "../model/reports/State.ts"

export type { ConnectionRow, RunRow }

export const quarantinedCount = (db: Db, connection?: string): number =>
  (connection === undefined
    ? db.prepare("SELECT count(*) FROM quarantine").pluck().get()
    : db.prepare("SELECT count(*) FROM quarantine WHERE connection = ?").pluck().get(connection)) as number

/** Records of one kind that cannot be read for the same reason, or that lack a field that others had. */
export interface DriftRow {
  readonly connection: string
  readonly kind: string
  /** The field that causes it. */
  readonly field: string
  readonly why: string
  readonly records: number
  /** The place of the first of them. */
  readonly origin: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** Records that cannot be read for the same reason, most frequent first. */
export const quarantinedAlike = (db: Db, most: number): ReadonlyArray<DriftRow> =>
  db
    .prepare(
      `SELECT connection, kind, field, why, count(*) AS records, min(origin) AS origin, min(since) AS since FROM quarantine
        WHERE field IS NOT NULL GROUP BY connection, kind, field, why HAVING count(*) > 1
        ORDER BY records DESC, connection, field LIMIT ?`
    )
    .all(most) as ReadonlyArray<DriftRow>

/** Fields that nearly all records had and that are now missing. */
export const lostMembers = (db: Db, most: number): ReadonlyArray<DriftRow> =>
  SchemaDrift.drifted(db)
    .map(
      ({ before, connection, had, kind, lacking, member, origin, since }): DriftRow => ({
        connection,
        kind,
        field: member,
        why: `is missing; ${grouped(had)} of the ${grouped(before)} records read before had it`,
        records: lacking,
        origin,
        since
      })
    )
    .sort((a, b) => b.records - a.records)
    .slice(0, most)

/**
 * Schema drift: a source no longer sends what its connector knows (a new value, a missing field, another type), or what it
 * used to send. Most frequent first. A single record is somebody's mistake; several with the same problem mean that the
 * source changed.
 */
export const drift = (db: Db, most: number): ReadonlyArray<DriftRow> =>
  [...quarantinedAlike(db, most), ...lostMembers(db, most)].sort((a, b) => b.records - a.records).slice(0, most)

export interface NoticeRow {
  readonly connection: string
  readonly scan: string
  readonly what: string
  readonly origin: string
  readonly times: number
}

/** Harmless oddities, most frequent first. */
export const notices = (db: Db, most: number): ReadonlyArray<NoticeRow> =>
  db.prepare("SELECT * FROM notice ORDER BY times DESC, what LIMIT ?").all(most) as ReadonlyArray<NoticeRow>

const between = (connection: string, kind: string) => [`${connection}/${kind}/`, `${connection}/${kind}0`] as const

/** How many invoices and orders were read and not planned yet. */
export const waiting = (db: Db, id: string): number =>
  ["invoice", "order"].reduce(
    (sum, kind) =>
      sum +
      (db
        .prepare("SELECT count(*) FROM changed WHERE subject > ? AND subject < ?")
        .pluck()
        .get(...between(id, kind)) as number),
    0
  )

export const connection = (db: Db, id: string): ConnectionRow => {
  const count = (kind: string, where: string) =>
    db
      .prepare(`SELECT count(*) FROM document ${where}`)
      .pluck()
      .get(...between(id, kind)) as number
  const documents = (kind: string) =>
    count(kind, "WHERE key > ? AND key < ?") - count(kind, "WHERE key > ? AND key < ? AND deleted = 1")
  const name = db.prepare("SELECT name FROM source WHERE connection = ?").pluck().get(id) as string | null | undefined
  return {
    connection: id,
    ...(typeof name === "string" ? { name } : {}),
    invoices: documents("invoice"),
    payments: documents("payment"),
    reversals: documents("reversal"),
    credit_notes: documents("credit_note"),
    payouts: documents("payout"),
    orders: documents("order"),
    fulfilments: documents("fulfilment"),
    cancellations: documents("cancellation"),
    returns: documents("return"),
    sent: db
      .prepare(
        `SELECT (SELECT coalesce(sum(sent), 0) FROM ledger_sum WHERE connection = :id) + (SELECT count(*) FROM ledger
          WHERE connection = :id AND remote IS NOT NULL AND instr(subject, '/order/') > 0)`
      )
      .pluck()
      .get({ id }) as number,
    waiting: waiting(db, id),
    quarantined: quarantinedCount(db, id),
    read: (db.prepare("SELECT moved FROM bookmark WHERE connection = ?").pluck().get(id) as number | undefined) ?? null
  }
}

/** Orders that were created on the service and have no deferred payment yet, by the state of their offer. */
export const checkouts = (db: Db): ReadonlyArray<{ readonly status: string; readonly orders: number }> =>
  db
    .prepare(
      `SELECT CASE WHEN held ->> '$.created.lapsed' THEN 'ended' ELSE held ->> '$.status' END AS status, count(*) AS orders
        FROM ledger WHERE subject LIKE '%/order/%' AND remote = held ->> '$.order' GROUP BY 1 ORDER BY 1`
    )
    .all() as ReadonlyArray<{ readonly status: string; readonly orders: number }>

/** Connections that have been read at least once, whether or not they are still configured. */
export const connections = (db: Db): ReadonlyArray<string> =>
  db
    .prepare("SELECT id FROM connection UNION SELECT connection FROM scan ORDER BY 1")
    .pluck()
    .all() as ReadonlyArray<string>

export const runs = (db: Db, most: number): ReadonlyArray<RunRow> =>
  db
    .prepare("SELECT id, command, started, ended, outcome, figures FROM run ORDER BY id DESC LIMIT ?")
    .all(most) as ReadonlyArray<RunRow>

/** How many calls have an unknown outcome. */
export const pendingCalls = (db: Db): number =>
  db.prepare("SELECT count(*) FROM claim WHERE has_receipt = 0").pluck().get() as number

/** The service that these books belong to, once something was sent. */
export const service = (db: Db): string | null => db.prepare("SELECT service FROM state").pluck().get() as string | null
