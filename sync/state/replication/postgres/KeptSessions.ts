/** Who is signed in, wherever they did: sealed, as rows of which the newest counts. */
import type { Effect } from "effect"
import type { StoreAway } from "../Store.ts"
import type { PgSessions } from "./PgSessions.ts"

/** What was begun before others may be stored after them: so many rows are read again. */
const AGAIN = 1000

/** Null: it has ended, whatever was stored of it at the same time. */
const KEEP = `WITH old AS (DELETE FROM daybook.session WHERE id = $1 AND body IS NOT NULL OR until < clock_timestamp())
  INSERT INTO daybook.session (id, until, body) VALUES ($1, to_timestamp($2::float8 / 1000), $3)`

export const keep = (
  { use }: PgSessions,
  { body, id, until }: { readonly id: string; readonly until: number; readonly body: string | null }
): Effect.Effect<unknown, StoreAway> => use(({ ask }) => ask(KEEP, [id, until, body], "session"))

export interface KeptSession {
  readonly version: number
  readonly id: string
  /** Null: it has ended. */
  readonly body: string | null
}

/** What changed since then, each session's end last. */
export const since = ({ use }: PgSessions, version: number): Effect.Effect<ReadonlyArray<KeptSession>, StoreAway> =>
  use(({ ask }) =>
    ask<KeptSession>(
      `SELECT version::float8 AS version, id, body FROM daybook.session WHERE version > $1 ORDER BY body IS NULL, version`,
      [version - AGAIN],
      "sessions"
    )
  )
