/**
 * Stores the webhook queue: what deliveries say must be read again.
 *
 * An entry is on disk before the webhook is answered. Repeated deliveries make one entry, which stays until it was read.
 */
import type { Db } from "../state/Database.ts"

/** One thing that a delivery points to. */
export interface Delivery {
  /** `source:ID` for the connector, `source:*` for a pull, or `service:KEY` for a document on the service. */
  readonly about: string
  /** The same in every repetition of the delivery. */
  readonly event: string
  /** A digest of the content, if `event` identifies the thing and not the event: the same digest means nothing new. */
  readonly digest?: string
}

export const PULL = "source:*"

/** Sources repeat a webhook for some days, the service for some seconds. */
const REMEMBERED_MS = 7 * 86_400_000
const SAME_MS = 600_000

/** Stores new entries and returns their number. Cheap if there are none. */
export const enqueue = (db: Db, connection: string, deliveries: ReadonlyArray<Delivery>, now: number): number => {
  let fresh = 0
  for (const { about, digest = "", event } of deliveries) {
    const known = db
      .prepare("SELECT digest, came FROM delivery WHERE connection = ? AND event = ?")
      .get(connection, event) as { readonly digest: string; readonly came: number } | undefined
    // A thing's content may change back to an earlier one; a repetition comes soon.
    if (known !== undefined && known.digest === digest && (digest === "" || Math.abs(now - known.came) < SAME_MS))
      continue
    db.prepare(
      "INSERT INTO delivery VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest, came = excluded.came"
    ).run(connection, event, digest, now)
    db.prepare("INSERT INTO webhook_queue VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1").run(
      connection,
      about,
      now
    )
    fresh++
  }
  return fresh
}

/** Deletes deliveries that will not be repeated any more. */
export const forget = (db: Db, now: number): void => {
  db.prepare("DELETE FROM delivery WHERE came < ?").run(now - REMEMBERED_MS)
}

export interface QueueEntry {
  readonly about: string
  readonly n: number
}

/** Waiting entries, oldest first. */
export const waiting = (db: Db, connection: string, most: number): ReadonlyArray<QueueEntry> =>
  db
    .prepare("SELECT about, n FROM webhook_queue WHERE connection = ? ORDER BY came, about LIMIT ?")
    .all(connection, most) as ReadonlyArray<QueueEntry>

/** Since when the oldest entry of each connection waits. */
export const since = (db: Db): ReadonlyMap<string, number> =>
  new Map(
    (
      db.prepare("SELECT connection, min(came) AS came FROM webhook_queue GROUP BY connection").all() as ReadonlyArray<{
        readonly connection: string
        readonly came: number
      }>
    ).map(({ came, connection }) => [connection, came])
  )

export const count = (db: Db): number => db.prepare("SELECT count(*) FROM webhook_queue").pluck().get() as number

/** Removes entries that were read. An entry that was queued again meanwhile stays. */
export const done = (db: Db, connection: string, entries: ReadonlyArray<QueueEntry>): void => {
  const drop = db.prepare("DELETE FROM webhook_queue WHERE connection = ? AND about = ? AND n = ?")
  for (const { about, n } of entries) drop.run(connection, about, n)
}
