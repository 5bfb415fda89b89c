/**
 * Hints: what webhooks said is to be read again. On disk before the webhook is answered, one for each thing however
 * often it is told, and kept until the thing was read.
 */
import type { Database } from "../state/Database.ts"

type Db = Database["Service"]

/** One thing that a delivery points to. */
export interface Delivery {
  /** `source:ID` for the connector, `source:*` for a pull, or `service:KEY` for a document's standing on the service. */
  readonly about: string
  /** What copies of the delivery have in common. */
  readonly mark: string
  /** Of the content, where the mark is of the thing and not of the event: an equal one says nothing new. */
  readonly digest?: string
}

export const PULL = "source:*"

/** Sources send a webhook again for some days; the service for some seconds. */
const REMEMBERED = 7 * 86_400_000
const SAME = 600_000

/** Keeps what is new; answers how much that was. Cheap where nothing is. */
export const take = (db: Db, connection: string, told: ReadonlyArray<Delivery>, now: number): number => {
  let fresh = 0
  for (const { about, digest = "", mark } of told) {
    const known = db
      .prepare("SELECT digest, came FROM delivery WHERE connection = ? AND mark = ?")
      .get(connection, mark) as { readonly digest: string; readonly came: number } | undefined
    // The content of a thing may come back to what it was; a copy comes soon.
    if (known !== undefined && known.digest === digest && (digest === "" || Math.abs(now - known.came) < SAME)) continue
    db.prepare(
      "INSERT INTO delivery VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest, came = excluded.came"
    ).run(connection, mark, digest, now)
    db.prepare("INSERT INTO hint VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1").run(connection, about, now)
    fresh++
  }
  return fresh
}

/** Forgets deliveries of which no more copies come. */
export const forget = (db: Db, now: number): void => {
  db.prepare("DELETE FROM delivery WHERE came < ?").run(now - REMEMBERED)
}

export interface Hint {
  readonly about: string
  readonly n: number
}

/** What waits, oldest first. */
export const waiting = (db: Db, connection: string, most: number): ReadonlyArray<Hint> =>
  db
    .prepare("SELECT about, n FROM hint WHERE connection = ? ORDER BY came, about LIMIT ?")
    .all(connection, most) as ReadonlyArray<Hint>

/** By connection, since when the oldest waits. */
export const since = (db: Db): ReadonlyMap<string, number> =>
  new Map(
    (
      db.prepare("SELECT connection, min(came) AS came FROM hint GROUP BY connection").all() as ReadonlyArray<{
        readonly connection: string
        readonly came: number
      }>
    ).map(({ came, connection }) => [connection, came])
  )

export const count = (db: Db): number => db.prepare("SELECT count(*) FROM hint").pluck().get() as number

/** These were read. One that was told again meanwhile stays. */
export const done = (db: Db, connection: string, hints: ReadonlyArray<Hint>): void => {
  const drop = db.prepare("DELETE FROM hint WHERE connection = ? AND about = ? AND n = ?")
  for (const { about, n } of hints) drop.run(connection, about, n)
}
