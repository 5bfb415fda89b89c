/** The configurations of tenants that have no folder, sealed, in their rows of PostgreSQL. */
import { Effect } from "effect"
import type { StoreAway } from "../Store.ts"
import type { PgSessions } from "./PgSessions.ts"

export interface KeptSettings {
  /** The tenant's identity. */
  readonly id: string
  readonly name: string
  readonly sealed: string
}

/** From here on no node takes the tenant, and who has it loses it. */
const KEEP = `UPDATE daybook.tenant SET settings = $2, owner = NULL, tries = 0, epoch = epoch + (settings IS NULL)::int
  WHERE key = $1 AND removed IS NULL RETURNING key`

const KEPT = `SELECT key AS id, id AS name, settings AS sealed FROM daybook.tenant
  WHERE settings IS NOT NULL AND id IS NOT NULL AND ($1 OR removed IS NULL) ORDER BY id, removed DESC NULLS FIRST`

/** False: the tenant was removed meanwhile. */
export const keep = ({ use }: PgSessions, id: string, sealed: string): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask(KEEP, [id, sealed])),
    (rows) => rows.length > 0
  )

/** @param withRemoved also those that were removed and are not erased yet */
export const kept = ({ use }: PgSessions, withRemoved = false): Effect.Effect<ReadonlyArray<KeptSettings>, StoreAway> =>
  use(({ ask }) => ask<KeptSettings>(KEPT, [withRemoved]))
