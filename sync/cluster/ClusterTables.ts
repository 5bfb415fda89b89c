/** Reads and writes what PostgreSQL keeps of tenants beside their state: their names, requests, webhooks and what is known of them. */
import { Effect } from "effect"
import type { PgSessions } from "../state/replication/postgres/PgSessions.ts"
import type { LateAnswer } from "../state/replication/LateAnswers.ts"
import type { StoreAway } from "../state/replication/Store.ts"

export interface TenantSeen {
  /** Its identity. */
  readonly id: string
  readonly name: string
  /** Since when a run is requested, as PostgreSQL writes it; null: none is. */
  readonly asked: string | null
  /** Since when it is to be reconciled with the service; null: it is not. */
  readonly reconcile: string | null
  /** Whether webhooks wait for it. */
  readonly heard: boolean
  /** Whether somebody who had lost it has left answers of the service. */
  readonly late: boolean
}

const SEEN = `SELECT t.key AS id, t.id AS name, t.asked::text AS asked, t.reconcile::text AS reconcile, w.tenant IS NOT NULL AS heard,
    t.late <> '[]' AS late FROM daybook.tenant t
  LEFT JOIN (SELECT DISTINCT tenant FROM daybook.webhook) w ON w.tenant = t.key WHERE t.removed IS NULL AND t.key = $1`

/** Clears the requests that were seen, and none that came since. */
const clearRequest = (column: "asked" | "reconcile") =>
  `UPDATE daybook.tenant SET ${column} = NULL WHERE key = $1 AND ${column}::text = $2`

const REPORT = `INSERT INTO daybook.status (tenant, body)
  SELECT key, $2 FROM daybook.tenant WHERE key = $1 AND removed IS NULL FOR KEY SHARE
  ON CONFLICT (tenant) DO UPDATE SET body = excluded.body`

/** How many webhooks wait for a tenant at most; its senders keep the others, and send them again. */
const MOST_HEARD = 1000
const PASS_ON = `WITH heard AS (INSERT INTO daybook.webhook (tenant, body) SELECT key, $2 FROM daybook.tenant
    WHERE key = $1 AND removed IS NULL AND (SELECT count(*) FROM daybook.webhook WHERE tenant = $1) < ${MOST_HEARD} FOR KEY SHARE RETURNING id),
  runs AS (UPDATE daybook.tenant SET due = clock_timestamp()
    WHERE key = $1 AND settings IS NOT NULL AND held IS NULL AND (due IS NULL OR due > clock_timestamp()) AND EXISTS (SELECT 1 FROM heard))
  SELECT id FROM heard`
const HEARD = "SELECT id, body FROM daybook.webhook WHERE tenant = $1 ORDER BY id LIMIT 200"

const ANNOUNCE =
  "INSERT INTO daybook.tenant (key, id) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING"

/** A folder that was renamed keeps its books. Not if its old name is still there: then it was copied. */
const RENAME = `UPDATE daybook.tenant t SET id = s.id FROM unnest($1::text[], $2::text[]) s (key, id)
  WHERE t.key = s.key AND t.id <> s.id AND t.removed IS NULL AND NOT t.id = ANY($2)
  AND NOT EXISTS (SELECT 1 FROM daybook.tenant o WHERE o.id = s.id AND o.removed IS NULL)`

const STRANGERS = `SELECT s.id AS name, t.id AS called, t.removed IS NOT NULL AS removed,
    t.removed IS NULL AND t.id = s.id AND t.settings IS NOT NULL AS "isKept"
  FROM unnest($1::text[], $2::text[]) s (key, id) LEFT JOIN daybook.tenant t ON t.key = s.key
  WHERE t.key IS NULL OR t.removed IS NOT NULL OR t.id <> s.id OR t.settings IS NOT NULL`

/** A tenant of a folder that is not the one which PostgreSQL has under its name, or its identity. */
export interface Stranger {
  readonly name: string
  /** The name of the tenant with its identity; null: there is none, because another has the name. */
  readonly called: string | null
  readonly removed: boolean
  /** It is the same tenant, whose configuration is in PostgreSQL now. */
  readonly isKept: boolean
}

/** Registers tenants that PostgreSQL does not know yet, by their names; returns those that it cannot have. */
export const announce = (
  { use }: PgSessions,
  ids: ReadonlyMap<string, string>
): Effect.Effect<ReadonlyArray<Stranger>, StoreAway> =>
  use(async ({ ask }) => {
    const values = [[...ids.values()], [...ids.keys()]]
    await ask(RENAME, values)
    await ask(ANNOUNCE, values)
    return ask<Stranger>(STRANGERS, values)
  })

/** What waits for a tenant, whoever has it. */
export const seen = ({ use }: PgSessions, id: string): Effect.Effect<ReadonlyArray<TenantSeen>, StoreAway> =>
  use(({ ask }) => ask<TenantSeen>(SEEN, [id]))

/** Clears a request once it is passed on: whoever gives up in between passes it on a second time, and loses none. */
export const clearAsk = (
  { use }: PgSessions,
  column: "asked" | "reconcile",
  seen: TenantSeen
): Effect.Effect<unknown, StoreAway> =>
  seen[column] === null ? Effect.void : use(({ ask }) => ask(clearRequest(column), [seen.id, seen[column]]))

/** Stores what is known of a tenant, for who asks without opening it. */
export const report = ({ use }: PgSessions, id: string, body: string): Effect.Effect<unknown, StoreAway> =>
  use(({ ask }) => ask(REPORT, [id, body]))

/** Stores a webhook's notice for the tenant's next run. False: too many wait already. */
export const passOn = ({ use }: PgSessions, tenant: string, notice: unknown): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask(PASS_ON, [tenant, JSON.stringify(notice)])),
    (rows) => rows.length > 0
  )

/** A webhook's notice that waits. */
export interface Passed {
  readonly id: string
  readonly body: unknown
}

/** The notices that wait for a tenant, oldest first. */
export const passed = ({ use }: PgSessions, tenant: string): Effect.Effect<ReadonlyArray<Passed>, StoreAway> =>
  use(({ ask }) => ask<Passed>(HEARD, [tenant]))

/** The answers that those heard who had lost the tenant. */
export const lateOf = ({ use }: PgSessions, tenant: string): Effect.Effect<ReadonlyArray<LateAnswer>, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask<{ late: ReadonlyArray<LateAnswer> }>("SELECT late FROM daybook.tenant WHERE key = $1", [tenant])
    ),
    ([row]) => row?.late ?? []
  )

const FORGET_LATE = `UPDATE daybook.tenant SET late = coalesce((SELECT jsonb_agg(l) FROM jsonb_array_elements(late) l
  WHERE NOT l = ANY($2::jsonb[])), '[]') WHERE key = $1`

/** Deletes late answers once they are taken in, and none that came since. */
export const forgetLate = (
  { use }: PgSessions,
  tenant: string,
  taken: ReadonlyArray<LateAnswer>
): Effect.Effect<unknown, StoreAway> =>
  use(({ ask }) => ask(FORGET_LATE, [tenant, taken.map((one) => JSON.stringify(one))]))

/** Deletes notices once they are in the tenant's own queue. */
export const forgetPassed = ({ use }: PgSessions, all: ReadonlyArray<Passed>): Effect.Effect<unknown, StoreAway> =>
  use(({ ask }) => ask("DELETE FROM daybook.webhook WHERE id = ANY($1)", [all.map(({ id }) => id)]))
