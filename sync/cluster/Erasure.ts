/**
 * Erases what PostgreSQL keeps of a tenant. First it is retired: nobody can open it or store anything of it, and its name is free.
 * What remains of it is a row with its identity and the time, so that no folder of before brings it back.
 */
import type { Effect } from "effect"
import type { PgSession, PgSessions } from "../state/replication/postgres/PgSessions.ts"
import type { StoreAway } from "../state/replication/Store.ts"

const RETIRE = `UPDATE daybook.tenant SET removed = coalesce(removed, clock_timestamp()), owner = NULL, epoch = epoch + 1
  WHERE key = ANY($1) AND id IS NOT NULL RETURNING key AS id, id AS tenant`

/** Waits for whoever is writing something of it: what refers to it locks its row, and looks at its epoch afterwards. */
const LOCK = "SELECT key FROM daybook.tenant WHERE key = $1 AND removed IS NOT NULL FOR UPDATE"

const EMPTY = `UPDATE daybook.tenant SET id = NULL, wanted = NULL, asked = NULL, reconcile = NULL, seq = 0, base = 0, size = 0,
  hash = '', shipped = NULL, era = NULL, late = '[]', settings = NULL, told = 0, due = NULL, queued = NULL, took = NULL,
  held = NULL, paused = NULL, shares = NULL, next = false, opened = NULL WHERE key = $1`

const TABLES = ["shipment", "base", "vault", "status", "webhook", "inbox"]

/** The engine's jobs, if there is one. */
const JOBS = "daybook_jobs.job"

/** Deletes a tenant's jobs of which this is true. Returns how many. */
export const dropJobs = async ({ ask }: Pick<PgSession, "ask">, id: string, which = "true"): Promise<number> => {
  const [engine] = await ask<{ readonly has: string | null }>("SELECT to_regclass($1)::text AS has", [JOBS])
  if (engine?.has == null) return 0
  return (await ask(`DELETE FROM ${JOBS} WHERE singleton_key = $1 AND ${which} RETURNING id`, [id])).length
}

export interface Retired {
  readonly id: string
  readonly tenant: string
}

/** Nothing is stored under these identities any more; returns those of which something is kept. */
export const retire = (
  { use }: PgSessions,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Retired>, StoreAway> => use(({ ask }) => ask<Retired>(RETIRE, [ids]))

/** Of one that is retired. */
export const erase = ({ use }: PgSessions, id: string): Effect.Effect<void, StoreAway> =>
  use(async ({ ask }) => {
    await ask("BEGIN")
    if ((await ask(LOCK, [id])).length > 0) {
      for (const table of TABLES) await ask(`DELETE FROM daybook.${table} WHERE tenant = $1`, [id])
      await dropJobs({ ask }, id)
      await ask(EMPTY, [id])
    }
    await ask("COMMIT")
  })
