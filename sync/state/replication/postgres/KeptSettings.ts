/** The configurations of tenants that have no folder, sealed, in their rows of PostgreSQL. */
import { Effect } from "effect"
import { Fenced, type StoreAway, type StoreError } from "../Store.ts"
import type { PgSessions } from "./PgSessions.ts"

export interface KeptSettings {
  /** The tenant's identity. */
  readonly id: string
  readonly name: string
  readonly sealed: string
}

/** What it is at this moment. */
export interface KeptNow extends KeptSettings {
  /** How many shipments of it are stored. */
  readonly seq: number
  readonly isPaused: boolean
  /** Why it is held back; null: it is not. */
  readonly held: string | null
}

/** From here on it is no folder's: who has it open loses it, also a daemon of a version that shared folders. */
const KEEP = `UPDATE daybook.tenant SET settings = $2, owner = NULL, tries = 0, epoch = epoch + (settings IS NULL)::int,
    due = clock_timestamp(), held = NULL, shares = $3
  WHERE key = $1 AND removed IS NULL RETURNING key`

const KEPT = `SELECT key AS id, id AS name, settings AS sealed FROM daybook.tenant
  WHERE settings IS NOT NULL AND id IS NOT NULL AND ($1 OR removed IS NULL) ORDER BY id, removed DESC NULLS FIRST`

const ONE = (column: "id" | "key") =>
  `SELECT key AS id, id AS name, settings AS sealed, seq::float8 AS seq, paused IS NOT NULL AS "isPaused", held
  FROM daybook.tenant WHERE ${column} = $1 AND settings IS NOT NULL AND removed IS NULL`

/**
 * From here on the tenant runs when it is due, which is now.
 *
 * @param shares the vendor's limit that it shares with others
 * @returns false: the tenant was removed meanwhile
 */
export const keep = (
  { use }: PgSessions,
  { id, sealed, shares }: Pick<KeptSettings, "id" | "sealed"> & { readonly shares?: string | undefined }
): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask(KEEP, [id, sealed, shares ?? null])),
    (rows) => rows.length > 0
  )

const CHANGE = `UPDATE daybook.tenant SET settings = $3
  WHERE key = $1 AND epoch = $2 AND settings = $4 AND removed IS NULL RETURNING key`

/** As its opening changed them. Fails if another has begun, or has replaced them, since they were read. */
export const change = (
  { use }: PgSessions,
  {
    before,
    epoch,
    id,
    sealed
  }: Pick<KeptSettings, "id" | "sealed"> & { readonly before: string; readonly epoch: number }
): Effect.Effect<void, StoreError> =>
  Effect.flatMap(
    use(({ ask }) => ask(CHANGE, [id, epoch, sealed, before])),
    (rows) =>
      rows.length > 0
        ? Effect.void
        : Effect.fail(new Fenced("another has the tenant now, or has replaced its configuration; change it again"))
  )

/** Replaces what was read, and nothing else. Returns whether it was still there. The tenant runs now. */
export const replace = (
  { use }: PgSessions,
  { id, sealed: before }: Pick<KeptSettings, "id" | "sealed">,
  sealed: string
): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask(
        `UPDATE daybook.tenant SET settings = $3, asked = clock_timestamp()
          WHERE key = $1 AND settings = $2 AND removed IS NULL RETURNING key`,
        [id, before, sealed]
      )
    ),
    (rows) => rows.length > 0
  )

/** @param withRemoved also those that were removed and are not erased yet */
export const kept = ({ use }: PgSessions, withRemoved = false): Effect.Effect<ReadonlyArray<KeptSettings>, StoreAway> =>
  use(({ ask }) => ask<KeptSettings>(KEPT, [withRemoved]))

/** One of them; undefined: there is none. */
export const anyKept = ({ use }: PgSessions): Effect.Effect<KeptSettings | undefined, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask<KeptSettings>(`${KEPT} LIMIT 1`, [false])),
    ([row]) => row
  )

/** Undefined: it was removed, or moved back into a folder. */
export const keptOf = ({ use }: PgSessions, id: string): Effect.Effect<KeptNow | undefined, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask<KeptNow>(ONE("key"), [id], "kept")),
    ([row]) => row
  )

/** By the name that people know. */
export const keptNamed = ({ use }: PgSessions, name: string): Effect.Effect<KeptNow | undefined, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask<KeptNow>(ONE("id"), [name], "kept named")),
    ([row]) => row
  )

/** Who paused a tenant, and since when. */
export interface PausedHere {
  readonly since: string
  readonly by: string
  readonly why?: string
}

/** No run of it begins any more; null: they begin again. Returns whether there is such a tenant. */
export const pauseKept = (
  { use }: PgSessions,
  name: string,
  paused: PausedHere | null
): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask(
        "UPDATE daybook.tenant SET paused = $2 WHERE id = $1 AND settings IS NOT NULL AND removed IS NULL RETURNING key",
        [name, paused === null ? null : JSON.stringify(paused)]
      )
    ),
    (rows) => rows.length > 0
  )

/** From now on only workers of the next version run these, or all others. Returns those that there are. */
export const setNext = (
  { use }: PgSessions,
  names: ReadonlyArray<string>,
  isNext: boolean
): Effect.Effect<ReadonlyArray<string>, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask<{ readonly id: string }>(
        "UPDATE daybook.tenant SET next = $2 WHERE id = ANY($1) AND settings IS NOT NULL AND removed IS NULL RETURNING id",
        [names, isNext]
      )
    ),
    (rows) => rows.map(({ id }) => id)
  )

/** Which of these are there still. */
export const stillKept = (
  { use }: PgSessions,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlySet<string>, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask<{ readonly id: string }>(
        "SELECT key AS id FROM daybook.tenant WHERE key = ANY($1) AND settings IS NOT NULL AND removed IS NULL",
        [ids]
      )
    ),
    (rows) => new Set(rows.map(({ id }) => id))
  )

/** Which of these were removed. */
export const removedOf = (
  { use }: PgSessions,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask<{ readonly id: string }>("SELECT key AS id FROM daybook.tenant WHERE key = ANY($1) AND removed IS NOT NULL", [
        ids
      ])
    ),
    (rows) => rows.map(({ id }) => id)
  )

/** What the database says of its tenants, for people and monitoring. */
export interface KeptFigures {
  readonly tenants: number
  /** How long the tenant that has waited longest is due. Milliseconds. */
  readonly lateMs: number
  readonly running: number
  /** Those that are held back, and why. */
  readonly held: ReadonlyArray<readonly [tenant: string, why: string]>
}

/** Also one whose job waits for a slot. */
const NOT_BEGUN = "paused IS NULL AND held IS NULL AND (queued IS NULL OR opened IS NULL OR opened < queued)"

const FIGURES = `SELECT count(*)::int AS tenants, count(queued)::int AS running,
    coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(least(due, asked)) FILTER (WHERE ${NOT_BEGUN})) * 1000), 0)::float8 AS "lateMs",
    coalesce(jsonb_agg(jsonb_build_array(id, held) ORDER BY id) FILTER (WHERE held IS NOT NULL), '[]') AS held
  FROM daybook.tenant WHERE settings IS NOT NULL AND removed IS NULL`

export const keptFigures = ({ use }: PgSessions): Effect.Effect<KeptFigures, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask<KeptFigures>(FIGURES, [], "figures")),
    ([row]) => row ?? { tenants: 0, lateMs: 0, running: 0, held: [] }
  )
