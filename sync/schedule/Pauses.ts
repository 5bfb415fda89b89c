/**
 * Stores which connections a person paused: no schedule, webhook or retry starts a run of them until they are resumed. A run
 * that a person requests, or a plan that a person approves, still runs.
 */
import type { Db } from "../state/Database.ts"

export interface Pause {
  readonly connection: string
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly who: string
}

export const all = (db: Db): ReadonlyMap<string, Pause> =>
  new Map((db.prepare("SELECT * FROM pause").all() as ReadonlyArray<Pause>).map((one) => [one.connection, one]))

/** Keeps the first person who paused it. */
export const pause = (db: Db, { connection, since, who }: Pause): void =>
  void db.prepare("INSERT INTO pause VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(connection, since, who)

export const resume = (db: Db, connection: string): void =>
  void db.prepare("DELETE FROM pause WHERE connection = ?").run(connection)
