/**
 * Counts the requests that processes of one database send to a source, so that they keep to its limits together. Who cannot count there
 * sends none less for it: then its own limits hold, and the source's 429.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { OtherMachines } from "../../../../connectors/OtherMachines.ts"
import type { StoreAway } from "../Store.ts"
import type { PgSessions } from "./PgSessions.ts"

/** How many seconds one row counts, and how long it counts: a minute and a second, or the day of UTC. */
const WINDOWS = { minute: [1, 61], day: [86_400, 86_400] } as const

const TAKE = `WITH clock AS (SELECT extract(epoch FROM clock_timestamp())::float8 AS now, $3::int AS step, $4::int AS back),
  gone AS (DELETE FROM daybook.turn USING clock WHERE whose = $1 AND at <= now - back),
  counted AS (SELECT coalesce(sum(taken), 0) AS taken, min(at) AS first FROM daybook.turn, clock WHERE whose = $1 AND at > now - back),
  taken AS (INSERT INTO daybook.turn (whose, at, taken) SELECT $1, floor(now / step) * step, 1 FROM clock, counted WHERE counted.taken < $2
    ON CONFLICT (whose, at) DO UPDATE SET taken = turn.taken + 1 RETURNING 1)
  SELECT CASE WHEN EXISTS (SELECT 1 FROM taken) THEN 0 ELSE ceil((first + back - now) * 1000) END::int AS wait FROM counted, clock`

export const sharedTurns = ({ use }: PgSessions): OtherMachines => {
  let isAway = false
  const away = ({ why }: StoreAway) => {
    const said = isAway
      ? Effect.void
      : Effect.logWarning(`limits of sources are kept by each process for itself: ${why}`)
    isAway = true
    return Effect.as(said, 0)
  }
  return {
    take: (whose, most, window) => {
      const name = createHash("sha256").update(`${window} ${whose}`).digest("base64url")
      return Effect.catch(
        use(async ({ ask }) => {
          // Each statement sees what others committed before it: the second one all that had the lock.
          await ask("BEGIN")
          await ask("SELECT pg_advisory_xact_lock(hashtext($1))", [name], "turn locked")
          const [row] = await ask<{ wait: number }>(TAKE, [name, most, ...WINDOWS[window]], "turn taken")
          await ask("COMMIT")
          isAway = false
          return Math.max(0, row?.wait ?? 0)
        }),
        away
      )
    }
  }
}
