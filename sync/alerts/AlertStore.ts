/**
 * Stores alerts and the queue of their messages. An alert, its notices and the message for them are on disk before anything is
 * sent; a message leaves the queue once its channel has accepted it.
 *
 * `only`: the connections whose alerts are meant; undefined: all, and those of the machine.
 */
import type { Db } from "../state/Database.ts"
import type { Cause } from "./Causes.ts"
import type { AlertsBefore, AlertDecision, Notice, PendingEnd, StandingAlert } from "./Decide.ts"
import { type AlertEntry, type AlertMessage, MOST_LISTED } from "./Message.ts"
import { headOf } from "../state/chain/Chain.ts"
import type { StoredAlert } from "../model/reports/State.ts"

export type { StoredAlert }

type Only = ReadonlyArray<string> | undefined

const json = (only: Only): string | null => (only === undefined ? null : JSON.stringify(only))

const OWN = "(? IS NULL OR a.connection IN (SELECT value FROM json_each(?)))"

interface StandingRow extends Cause {
  readonly id: number
}

interface NoticeRow extends Notice {
  readonly alert: number
  readonly message: number | null
}

/** Channels that must still be notified that something is over. */
const pendingEnds = (db: Db, only: Only): ReadonlyArray<PendingEnd> => {
  const ids = json(only)
  return db
    .prepare(
      `SELECT a.kind, a.cause, n.channel, coalesce((SELECT max(b.stage) FROM alert_notice b
            WHERE b.alert = n.alert AND b.channel = n.channel AND b.over = 0), 0) AS stage
        FROM alert_notice n JOIN alert a ON a.id = n.alert WHERE n.message IS NULL AND n.over = 1 AND ${OWN}`
    )
    .all(ids, ids) as ReadonlyArray<PendingEnd>
}

export const before = (db: Db, only: Only): AlertsBefore => ({
  alerts: standing(db, only),
  ends: pendingEnds(db, only)
})

/** Alerts that are not over. */
const standing = (db: Db, only: Only): ReadonlyArray<StandingAlert> => {
  const ids = json(only)
  const rows = db
    .prepare(
      `SELECT id, kind, connection, cause, stage, title, words, until FROM alert a WHERE ended IS NULL AND ${OWN} ORDER BY id`
    )
    .all(ids, ids) as ReadonlyArray<StandingRow>
  const sentNotices = db
    .prepare(
      `SELECT n.* FROM alert a JOIN alert_notice n ON n.alert = a.id WHERE a.ended IS NULL AND ${OWN} AND n.over = 0`
    )
    .all(ids, ids) as ReadonlyArray<NoticeRow>
  const notices = Map.groupBy(sentNotices, ({ alert }) => alert)
  return rows.map((row) => ({
    ...row,
    notices: (notices.get(row.id) ?? []).map(({ channel, due, message, stage }) => ({
      channel,
      due,
      stage,
      notified: message !== null
    }))
  }))
}

/** Marks a notice that was settled without a message of its own. */
const NO_MESSAGE = 0

const note = (db: Db, alert: number, notices: ReadonlyArray<Notice>, over: 0 | 1): void => {
  for (const { channel, due, known, stage } of notices)
    db.prepare("INSERT INTO alert_notice VALUES (?, ?, ?, ?, ?, ?)").run(
      alert,
      channel,
      over,
      stage,
      due,
      known === true ? NO_MESSAGE : null
    )
}

/** The cause is back: nobody is notified that it was over. */
const again = (db: Db, { cause, kind }: Cause, notices: ReadonlyArray<Notice>): void => {
  for (const { channel, known } of notices)
    if (known === true)
      db.prepare(
        `DELETE FROM alert_notice WHERE over = 1 AND message IS NULL AND channel = ?
          AND alert IN (SELECT id FROM alert WHERE kind = ? AND cause = ? AND ended IS NOT NULL)`
      ).run(channel, kind, cause)
}

/** Stores decisions. Call in the transaction in which the alerts were read. */
export const keep = (db: Db, { begun, changed, over }: AlertDecision, now: number): void => {
  for (const { cause: one, notices } of begun) {
    const { cause, connection, kind, stage, title, until, words } = one
    const { lastInsertRowid } = db
      .prepare(
        "INSERT INTO alert (kind, connection, cause, stage, title, words, until, began) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
      )
      .run(kind, connection, cause, stage, title, words, until, now)
    again(db, one, notices)
    note(db, Number(lastInsertRowid), notices, 0)
  }
  for (const { cause: one, id, notices } of changed) {
    const { stage, title, until, words } = one
    db.prepare("UPDATE alert SET stage = ?, title = ?, words = ?, until = ? WHERE id = ?").run(
      stage,
      title,
      words,
      until,
      id
    )
    note(db, id, notices, 0)
  }
  for (const { id, notices, passed } of over) {
    db.prepare("UPDATE alert SET ended = ?, passed = ? WHERE id = ?").run(now, passed ? 1 : 0, id)
    db.prepare("DELETE FROM alert_notice WHERE alert = ? AND message IS NULL").run(id)
    note(db, id, notices, 1)
  }
}

interface DueRow extends Omit<StoredAlert, "id" | "passed"> {
  readonly alert: number
  readonly passed: number
  readonly channel: string
  readonly over: number
}

const entryOf = ({ alert, began, connection, ended, kind, over, passed, title, words }: DueRow): AlertEntry => ({
  alert,
  kind,
  connection,
  what: over === 0 ? "began" : passed === 1 ? "passed" : "over",
  title,
  words,
  began: new Date(began).toISOString(),
  ended: ended === null ? null : new Date(ended).toISOString()
})

/** The connections of a message's alerts, each once. */
const connectionsOf = (rows: ReadonlyArray<DueRow>): ReadonlyArray<string> => [
  ...new Set(rows.flatMap(({ connection }) => (connection === null ? [] : [connection])))
]

/**
 * Puts due notices into messages, one for each channel.
 *
 * @param channels the configured channels: others are no longer notified
 */
export const enqueue = (db: Db, { channels, now, only, page }: Enqueuing): void => {
  const ids = json(only)
  const rows = db
    .prepare(
      `SELECT n.alert, n.channel, n.over, a.kind, a.connection, a.title, a.words, a.began, a.ended, a.passed
        FROM alert_notice n JOIN alert a ON a.id = n.alert
        WHERE n.message IS NULL AND n.due <= ? AND ${OWN} GROUP BY n.alert, n.channel, n.over
        ORDER BY n.channel, n.over, n.alert DESC`
    )
    .all(now, ids, ids) as ReadonlyArray<DueRow>
  const chain = headOf(db)
  for (const [channel, due] of Map.groupBy(rows, (row) => row.channel)) {
    const body: Omit<AlertMessage, "id"> = {
      type: "daybook.alerts",
      alerts: due.slice(0, MOST_LISTED).map(entryOf),
      more: Math.max(0, due.length - MOST_LISTED),
      ...(page === undefined ? {} : { page }),
      ...(chain === undefined ? {} : { chain })
    }
    const message = channels.has(channel)
      ? insert(db, { channel, body, connections: connectionsOf(due), now })
      : NO_MESSAGE
    for (const { alert, over } of due)
      db.prepare(
        "UPDATE alert_notice SET message = ? WHERE alert = ? AND channel = ? AND over = ? AND message IS NULL AND due <= ?"
      ).run(message, alert, channel, over, now)
  }
}

interface Enqueuing {
  readonly now: number
  readonly only: Only
  readonly channels: ReadonlySet<string>
  readonly page?: string | undefined
}

interface Insert {
  readonly channel: string
  readonly body: Omit<AlertMessage, "id">
  readonly connections: ReadonlyArray<string>
  readonly now: number
}

const insert = (db: Db, { body, channel, connections, now }: Insert): number =>
  Number(
    db
      .prepare(
        "INSERT INTO alert_message (key, channel, connections, body, made, next) VALUES (lower(hex(randomblob(16))), ?, ?, ?, ?, ?)"
      )
      .run(channel, JSON.stringify(connections), JSON.stringify(body), now, now).lastInsertRowid
  )

/** A message of the queue. Instants are milliseconds since the epoch. */
export interface QueuedMessage {
  readonly id: number
  readonly channel: string
  readonly message: AlertMessage
  readonly made: number
  readonly attempts: number
  /** When it is retried; null: it was given up. */
  readonly next: number | null
  /** The channel's last answer. */
  readonly why: string | null
}

interface MessageRow extends Omit<QueuedMessage, "message"> {
  readonly key: string
  readonly body: string
}

const OWN_MESSAGE =
  "(? IS NULL OR (m.connections <> '[]' AND NOT EXISTS (SELECT 1 FROM json_each(m.connections) c WHERE c.value NOT IN (SELECT value FROM json_each(?)))))"

const messagesWhere = (db: Db, where: string, only: Only, ...values: ReadonlyArray<number>) => {
  const ids = json(only)
  const rows = db
    .prepare(
      `SELECT id, key, channel, body, made, attempts, next, why FROM alert_message m WHERE ${where} AND ${OWN_MESSAGE} ORDER BY id`
    )
    .all(...values, ids, ids) as ReadonlyArray<MessageRow>
  return rows.map(
    ({ body, key, ...row }): QueuedMessage => ({
      ...row,
      message: { id: key, ...(JSON.parse(body) as object) } as AlertMessage
    })
  )
}

/** Messages to send now. */
export const due = (db: Db, now: number, only: Only): ReadonlyArray<QueuedMessage> =>
  messagesWhere(db, "m.next <= ?", only, now)

/** Messages that were not sent yet, and those that were given up. */
export const unsent = (db: Db, only?: Only): ReadonlyArray<QueuedMessage> => messagesWhere(db, "m.sent IS NULL", only)

/** When the next notice is due. Milliseconds since the epoch. */
export const nextDue = (db: Db, only: Only): number | null => {
  const ids = json(only)
  return db
    .prepare(`SELECT min(n.due) FROM alert_notice n JOIN alert a ON a.id = n.alert WHERE n.message IS NULL AND ${OWN}`)
    .pluck()
    .get(ids, ids) as number | null
}

/** When the next message is retried. Milliseconds since the epoch. */
export const nextMessage = (db: Db, only: Only): number | null => {
  const ids = json(only)
  return db
    .prepare(`SELECT min(m.next) FROM alert_message m WHERE m.next IS NOT NULL AND ${OWN_MESSAGE}`)
    .pluck()
    .get(ids, ids) as number | null
}

/** Starts an attempt: on disk before the request leaves. If the program ends here, it is retried at this time. */
export const claim = (db: Db, id: number, next: number): void => {
  db.prepare("UPDATE alert_message SET attempts = attempts + 1, next = ?, why = NULL WHERE id = ?").run(next, id)
}

export const sent = (db: Db, id: number, now: number): void => {
  db.prepare("UPDATE alert_message SET sent = ?, next = NULL, why = NULL WHERE id = ?").run(now, id)
}

/** @param next null: no more attempts */
export const failed = (db: Db, id: number, why: string, next: number | null): void => {
  db.prepare("UPDATE alert_message SET why = ?, next = ? WHERE id = ?").run(why, next, id)
}

/** A program started that is the only sender of this file: messages that another was sending are retried at once. */
export const release = (db: Db, now: number, only: Only): void => {
  for (const { id } of messagesWhere(db, "m.next > ? AND m.attempts > 0 AND m.why IS NULL", only, now))
    db.prepare("UPDATE alert_message SET next = ? WHERE id = ?").run(now, id)
}

/** Retries messages that were given up, all or the given ones. Returns which. */
export const retry = (db: Db, ids: ReadonlyArray<number>, now: number, only?: Only): ReadonlyArray<number> => {
  const found = messagesWhere(db, "m.sent IS NULL", only)
    .map(({ id }) => id)
    .filter((id) => ids.length === 0 || ids.includes(id))
  for (const id of found) db.prepare("UPDATE alert_message SET attempts = 0, next = ? WHERE id = ?").run(now, id)
  return found
}

/** Current alerts, then those that ended last. */
export const list = (db: Db, most: number, only?: Only): ReadonlyArray<StoredAlert> => {
  const ids = json(only)
  const rows = db
    .prepare(
      `SELECT id, kind, connection, title, words, began, ended, passed FROM alert a WHERE ${OWN}
        ORDER BY ended IS NOT NULL, coalesce(ended, began) DESC, id DESC LIMIT ?`
    )
    .all(ids, ids, most) as ReadonlyArray<Omit<StoredAlert, "passed"> & { readonly passed: number }>
  return rows.map((row) => ({ ...row, passed: row.passed === 1 }))
}

export interface AlertCounts {
  readonly open: number
  readonly queued: number
  readonly dead: number
}

export const counts = (db: Db): AlertCounts => {
  const count = (sql: string) => db.prepare(`SELECT count(*) FROM ${sql}`).pluck().get() as number
  return {
    open: count("alert WHERE ended IS NULL"),
    queued: count("alert_message WHERE next IS NOT NULL"),
    dead: count("alert_message WHERE next IS NULL AND sent IS NULL")
  }
}

/** How long past alerts are kept. */
const KEPT_MS = 90 * 86_400_000

export const forget = (db: Db, now: number): void => {
  db.prepare("DELETE FROM alert WHERE ended < ?").run(now - KEPT_MS)
  db.prepare("DELETE FROM alert_message WHERE next IS NULL AND made < ?").run(now - KEPT_MS)
}
