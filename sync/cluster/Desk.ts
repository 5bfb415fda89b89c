/** Answers people's questions about a cluster, and passes on their requests, through the same rows that its nodes use. */
import { Effect, type Scope } from "effect"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import Sqlite from "better-sqlite3"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import { connect, type PgSessions } from "../state/replication/postgres/PgSessions.ts"
import { read } from "../state/replication/postgres/PostgresStore.ts"
import { hasTables } from "../state/replication/postgres/Schema.ts"
import { restore } from "../state/replication/Restore.ts"
import { Fenced, type StoreAway, type StoreError } from "../state/replication/Store.ts"
import { StateError } from "../state/StateError.ts"

/** What a node reports about itself with each renewal. */
export interface NodeSaid {
  readonly open: number
  readonly running: number
  readonly waiting: number
  /** The longest time that its event loop was blocked since the last report. Milliseconds. */
  readonly delayMs: number
  readonly trouble: string | null
}

export interface NodeStatus {
  readonly id: string
  readonly name: string
  readonly began: Date
  /** How long its lease is still valid, by PostgreSQL's clock; negative: the node is silent. Milliseconds. */
  readonly left: number
  readonly draining: boolean
  readonly tenants: number
  readonly said: NodeSaid | null
}

export interface TenantPlace {
  readonly tenant: string
  /** The name of the node that owns it; null: none. */
  readonly node: string | null
  readonly wanted: string | null
  /** How often it was opened, and how many shipments it has. */
  readonly epoch: number
  readonly seq: number
  readonly shipped: Date | null
}

export interface ClusterStatus {
  readonly nodes: ReadonlyArray<NodeStatus>
  readonly tenants: number
  /** How many tenants no living node owns. */
  readonly nobodys: number
}

const NODES = `SELECT n.id, n.name, n.began, n.draining, n.said,
    (extract(epoch FROM n.lease - clock_timestamp()) * 1000)::int AS left,
    (SELECT count(*)::int FROM daybook.tenant t WHERE t.owner = n.id) AS tenants
  FROM daybook.node n WHERE NOT n.buried ORDER BY n.name, n.began`

const COUNTS = `SELECT count(*)::int AS tenants, (count(*) FILTER (WHERE n.id IS NULL OR n.buried OR n.lease < clock_timestamp()))::int AS nobodys
  FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner`

const PLACES = `SELECT t.id AS tenant, CASE WHEN n.buried THEN NULL ELSE n.name END AS node, t.wanted, t.epoch::int AS epoch, t.seq::int AS seq, t.shipped
  FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner WHERE $1::text IS NULL OR t.id = $1 ORDER BY t.id`

/** Few connections, because each caller waits for one answer at a time. */
export const desk = (url: string): Effect.Effect<PgSessions, StoreAway, Scope.Scope> =>
  Effect.tap(connect(url, 2), hasTables)

export const status = ({ use }: PgSessions): Effect.Effect<ClusterStatus, StoreAway> =>
  use(async ({ ask }) => {
    const nodes = await ask<NodeStatus>(NODES)
    const [counts] = await ask<{ tenants: number; nobodys: number }>(COUNTS)
    return { nodes, tenants: counts?.tenants ?? 0, nobodys: counts?.nobodys ?? 0 }
  })

/** For one tenant, or for all. */
export const where = ({ use }: PgSessions, tenant?: string): Effect.Effect<ReadonlyArray<TenantPlace>, StoreAway> =>
  use(({ ask }) => ask<TenantPlace>(PLACES, [tenant ?? null]))

/** Sets the node that should own it from now on, while that node is alive; null: any. Returns whether the tenant exists. */
export const want = ({ use }: PgSessions, tenant: string, node: string | null): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask("UPDATE daybook.tenant SET wanted = $2 WHERE id = $1 RETURNING id", [tenant, node])),
    (rows) => rows.length > 0
  )

/** Requests a run now, by whichever node owns it. Returns whether the tenant exists. */
export const askRun = ({ use }: PgSessions, tenant: string): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask("UPDATE daybook.tenant SET asked = clock_timestamp() WHERE id = $1 RETURNING id", [tenant])),
    (rows) => rows.length > 0
  )

/**
 * Writes a copy of a tenant's replicated data, with its vault beside it, while a node continues with the tenant. Like any
 * backup, the copy sends nothing until `daybook reconcile --fix` has read the service.
 */
export const restoreCopy = (
  sessions: PgSessions,
  tenant: string,
  file: string
): Effect.Effect<{ readonly bytes: number; readonly vault: boolean }, StoreError | StateError> =>
  Effect.gen(function* () {
    const failed = (why: string) => new StateError({ kind: "failed", file, why })
    if (existsSync(file)) return yield* failed("there is a file of this name already; name another")
    if (!existsSync(dirname(file))) return yield* failed(`the folder ${dirname(file)} does not exist`)
    const { kept } = yield* restore({ tenant, read: (onPart) => read(sessions, tenant, onPart) }, file)
    if (kept.seq === 0) return yield* failed(`nothing was ever kept of ${tenant}`)
    const raw = new Sqlite(file)
    try {
      LedgerTrust.doubtCopy(raw, `it is a copy of what the cluster kept of ${tenant}`)
    } finally {
      raw.close()
    }
    return { bytes: kept.size * kept.pageSize, vault: kept.vault !== undefined }
  })

/** In words, for people. */
export const inWords = (error: StoreError): string =>
  error instanceof Fenced ? error.why : `the cluster: ${error.why}`
