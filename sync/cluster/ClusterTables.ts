/** Reads and writes what a cluster knows of its nodes and tenants in PostgreSQL, and takes tenants. */
import { Effect } from "effect"
import type { PgSessions } from "../state/replication/postgres/PgSessions.ts"
import type { LateAnswer } from "../state/replication/LateAnswers.ts"
import type { StoreAway } from "../state/replication/Store.ts"
import type { NodeSeen } from "./Placement.ts"
import { MAY_BE_TRIED } from "./Risk.ts"
import type { NodeHeard, Silent } from "./Silence.ts"

export interface TenantSeen {
  /** Its identity. */
  readonly id: string
  readonly name: string
  readonly wanted: string | null
  /** Since when a run is requested, as PostgreSQL writes it; null: none is. */
  readonly asked: string | null
  /** Since when it is to be reconciled with the service; null: it is not. */
  readonly reconcile: string | null
  /** Whether webhooks wait that other nodes have passed on. */
  readonly heard: boolean
  /** Whether a node that had lost it has left answers of the service. */
  readonly late: boolean
}

export interface Look {
  readonly nodes: ReadonlyArray<NodeSeen & NodeHeard>
  readonly held: ReadonlyArray<TenantSeen>
}

/** How many tenants are taken at once: each has its files restored before it runs. */
const MOST_TAKEN = 200

/**
 * Buries nodes whose leases have expired, for good, and those that said nothing since. Waits for a renewal in progress, after which
 * the lease is valid again.
 */
const BURY = `UPDATE daybook.node n SET buried = true WHERE NOT buried AND (lease < clock_timestamp()
  OR EXISTS (SELECT 1 FROM unnest($1::text[], $2::text[]) s (id, canary) WHERE s.id = n.id AND s.canary = n.said->>'canary'))`

const NODES = `SELECT n.id, n.name, n.draining, n.said->>'canary' AS canary, (n.said->>'leaseMs')::int AS "leaseMs",
    (n.said->>'knows')::int AS knows, coalesce(h.holds, 0) AS holds
  FROM daybook.node n LEFT JOIN (SELECT owner, count(*)::int AS holds FROM daybook.tenant GROUP BY 1) h ON h.owner = n.id
  WHERE NOT n.buried ORDER BY n.id`

const HELD = `SELECT t.key AS id, t.id AS name, t.wanted, t.asked::text AS asked, t.reconcile::text AS reconcile, w.tenant IS NOT NULL AS heard,
    t.late <> '[]' AS late FROM daybook.tenant t
  LEFT JOIN (SELECT DISTINCT tenant FROM daybook.webhook) w ON w.tenant = t.key WHERE t.removed IS NULL`
const OWNED = `${HELD} AND t.owner = $1`
const ONE = `${HELD} AND t.key = $1`

/**
 * A tenant is free if it has no owner, or a buried one. A tenant wanted on another node waits for that node while it is
 * alive.
 */
const FREE = `SELECT t.key, t.owner FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner
    WHERE t.key = ANY($2) AND t.removed IS NULL AND t.settings IS NULL AND (t.owner IS NULL OR n.id IS NULL OR n.buried) AND ${MAY_BE_TRIED}`
/**
 * Of a row that another statement has changed since, PostgreSQL looks only at the row itself anew, not at what it was joined with
 * ("Read Committed Isolation Level" in its manual): so what another node was given meanwhile is known by its owner.
 */
const take = (which: string): string => `WITH seen AS MATERIALIZED (${FREE} AND ${which}),
  free AS (
    SELECT t.key FROM daybook.tenant t JOIN seen ON t.key = seen.key
    WHERE t.owner IS NOT DISTINCT FROM seen.owner AND t.removed IS NULL
    LIMIT $4 FOR NO KEY UPDATE OF t SKIP LOCKED)
  UPDATE daybook.tenant t SET owner = $1, epoch = epoch + 1 FROM free
  WHERE t.key = free.key AND EXISTS (SELECT 1 FROM daybook.node WHERE id = $1 AND NOT buried) RETURNING t.key AS id`

const WANTED_HERE = take("t.wanted = $3")

const NOBODYS = `t.wanted IS DISTINCT FROM $3 AND NOT EXISTS (
      SELECT 1 FROM daybook.node w WHERE w.name = t.wanted AND NOT w.buried AND NOT w.draining)`
const WANTED_NOWHERE = take(NOBODYS)
const LEFT = `SELECT f.key AS id FROM (${FREE} AND ${NOBODYS} LIMIT $1) f`

/** Clears the requests that were seen, and none that came since. */
const clearRequests = (column: "asked" | "reconcile") =>
  `UPDATE daybook.tenant t SET ${column} = NULL FROM unnest($2::text[], $3::text[]) s (id, seen)
  WHERE t.owner IS NOT DISTINCT FROM $1 AND t.key = s.id AND t.${column}::text = s.seen`

/** Only while this node still owns them, or nobody. */
const REPORT = `INSERT INTO daybook.status (tenant, body)
  SELECT t.key, s.body FROM unnest($2::text[], $3::jsonb[]) s (tenant, body) JOIN daybook.tenant t ON t.key = s.tenant AND t.owner IS NOT DISTINCT FROM $1 FOR KEY SHARE OF t
  ON CONFLICT (tenant) DO UPDATE SET body = excluded.body`

/** How many webhooks wait for a tenant at most; its senders keep the others, and send them again. */
const MOST_HEARD = 1000
const PASS_ON = `WITH heard AS (INSERT INTO daybook.webhook (tenant, body) SELECT key, $2 FROM daybook.tenant
    WHERE key = $1 AND removed IS NULL AND (SELECT count(*) FROM daybook.webhook WHERE tenant = $1) < ${MOST_HEARD} FOR KEY SHARE RETURNING id),
  runs AS (UPDATE daybook.tenant SET due = clock_timestamp()
    WHERE key = $1 AND settings IS NOT NULL AND held IS NULL AND (due IS NULL OR due > clock_timestamp()) AND EXISTS (SELECT 1 FROM heard))
  SELECT id FROM heard`
const HEARD = "SELECT id, body FROM daybook.webhook WHERE tenant = $1 ORDER BY id LIMIT 200"

/** Deletes nodes that were buried long ago and own nothing any more. */
const FORGET = `DELETE FROM daybook.node n WHERE buried AND lease < clock_timestamp() - interval '1 day'
  AND NOT EXISTS (SELECT 1 FROM daybook.tenant t WHERE t.owner = n.id)`

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

/** A tenant of the folder that is not the one which the cluster has under its name, or its identity. */
export interface Stranger {
  readonly name: string
  /** The name of the tenant with its identity; null: there is none, because another has the name. */
  readonly called: string | null
  readonly removed: boolean
  /** It is the same tenant, whose configuration is in PostgreSQL now. */
  readonly isKept: boolean
}

/** Registers tenants that the cluster does not know yet, by their names; returns those that it cannot have. */
export const announce = (
  { use }: PgSessions,
  ids: ReadonlyMap<string, string>
): Effect.Effect<ReadonlyArray<Stranger>, StoreAway> =>
  use(async ({ ask }) => {
    const values = [[...ids.values()], [...ids.keys()]]
    await ask(RENAME, values)
    await ask(ANNOUNCE, values)
    await ask(FORGET)
    return ask<Stranger>(STRANGERS, values)
  })

/** @param silent nodes that are buried whatever PostgreSQL's clock says, unless they have said something else meanwhile */
export const look = (
  { use }: PgSessions,
  node: string,
  silent: ReadonlyArray<Silent> = []
): Effect.Effect<Look, StoreAway> =>
  use(async ({ ask }) => {
    await ask(BURY, [silent.map(({ id }) => id), silent.map(({ canary }) => canary)], "bury")
    const nodes = await ask<Look["nodes"][number]>(NODES, [], "nodes")
    const held = await ask<TenantSeen>(OWNED, [node], "held")
    return { nodes, held }
  })

/** What waits for a tenant, whoever has it. */
export const seen = ({ use }: PgSessions, id: string): Effect.Effect<ReadonlyArray<TenantSeen>, StoreAway> =>
  use(({ ask }) => ask<TenantSeen>(ONE, [id]))

/** Takes the tenants that are wanted here, and as many of the others as there is room for. */
export const takeFree = (
  { use }: PgSessions,
  node: Pick<NodeSeen, "id" | "name">,
  names: Iterable<string>,
  room: number
): Effect.Effect<ReadonlyArray<string>, StoreAway> =>
  use(async ({ ask }) => {
    const values = [node.id, [...names], node.name]
    const here = await ask<{ id: string }>(WANTED_HERE, [...values, MOST_TAKEN], "take wanted")
    const more =
      room > 0 ? await ask<{ id: string }>(WANTED_NOWHERE, [...values, Math.min(room, MOST_TAKEN)], "take") : []
    return [...here, ...more].map(({ id }) => id)
  })

/** Some of those that nobody has. */
export const free = (
  { use }: PgSessions,
  { name }: Pick<NodeSeen, "name">,
  ids: Iterable<string>
): Effect.Effect<ReadonlyArray<string>, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask<{ id: string }>(LEFT, [MOST_TAKEN, [...ids], name], "free")),
    (rows) => rows.map(({ id }) => id)
  )

export const release = ({ use }: PgSessions, node: string, tenant: string): Effect.Effect<unknown, StoreAway> =>
  use(({ ask }) => ask("UPDATE daybook.tenant SET owner = NULL WHERE key = $1 AND owner = $2", [tenant, node]))

/** Clears requests once they are passed on: whoever gives up in between passes them on a second time, and loses none. */
export const clearAsks = (
  { use }: PgSessions,
  node: string | null,
  column: "asked" | "reconcile",
  seen: ReadonlyArray<TenantSeen>
): Effect.Effect<unknown, StoreAway> =>
  seen.length === 0
    ? Effect.void
    : use(({ ask }) => ask(clearRequests(column), [node, seen.map(({ id }) => id), seen.map((one) => one[column])]))

/** Stores what this node knows of its tenants, for commands that read it from outside. */
export const report = (
  { use }: PgSessions,
  node: string | null,
  statuses: ReadonlyArray<{ readonly id: string; readonly body: string }>
): Effect.Effect<unknown, StoreAway> =>
  statuses.length === 0
    ? Effect.void
    : use(({ ask }) => ask(REPORT, [node, statuses.map(({ id }) => id), statuses.map(({ body }) => body)]))

/** Stores a webhook's notice for the node that owns the tenant. False: too many wait already. */
export const passOn = ({ use }: PgSessions, tenant: string, notice: unknown): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask(PASS_ON, [tenant, JSON.stringify(notice)])),
    (rows) => rows.length > 0
  )

/** A webhook's notice that another node has heard. */
export interface Passed {
  readonly id: string
  readonly body: unknown
}

/** The notices that wait for a tenant, oldest first. */
export const passed = ({ use }: PgSessions, tenant: string): Effect.Effect<ReadonlyArray<Passed>, StoreAway> =>
  use(({ ask }) => ask<Passed>(HEARD, [tenant]))

/** The answers that nodes heard which had lost the tenant. */
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
