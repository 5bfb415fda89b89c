/**
 * Connections that a person paused: no schedule, webhook or retry starts a run of them until somebody lets them go on. Whoever
 * asks for a run, or approves a plan, still gets that one.
 */
import type { Database } from "../state/Database.ts"

type Db = Database["Service"]

export interface Pause {
  readonly connection: string
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly who: string
}

export const all = (db: Db): ReadonlyMap<string, Pause> =>
  new Map((db.prepare("SELECT * FROM pause").all() as ReadonlyArray<Pause>).map((one) => [one.connection, one]))

/** Who paused it first stays on record. */
export const pause = (db: Db, { connection, since, who }: Pause): void =>
  void db.prepare("INSERT INTO pause VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(connection, since, who)

export const resume = (db: Db, connection: string): void =>
  void db.prepare("DELETE FROM pause WHERE connection = ?").run(connection)
