/** Lists who changed the configuration on the page, when, and what: shown with the other activity. */
import type { Database } from "../state/Database.ts"

export interface ConfigChange {
  /** Milliseconds since the epoch. */
  readonly changed: number
  readonly who: string
  /** Null if it is about all connections. */
  readonly connection: string | null
  readonly words: string
}

export const keep = (db: Database["Service"], { changed, connection, who, words }: ConfigChange): void =>
  void db
    .prepare("INSERT INTO config_change (changed, who, connection, words) VALUES (?, ?, ?, ?)")
    .run(changed, who, connection, words)
