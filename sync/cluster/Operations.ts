/** Answers people's questions about a cluster, and passes on their requests, through the same rows that its nodes use. */
import { Effect, Schema, type Scope } from "effect"
import { closeSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs"
import { dirname } from "node:path"
import Sqlite from "better-sqlite3"
import { partialOf } from "../../core/TemporaryFolder.ts"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import type { PausedHere } from "../state/replication/postgres/KeptSettings.ts"
import { connect, type PgSessions } from "../state/replication/postgres/PgSessions.ts"
import { read } from "../state/replication/postgres/PostgresStore.ts"
import { hasTables } from "../state/replication/postgres/Schema.ts"
import { discard, restore } from "../state/replication/Restore.ts"
import { Fenced, type StoreAway, type StoreError } from "../state/replication/Store.ts"
import { StateError, stateError } from "../state/StateError.ts"

/** What a node reports about itself with each renewal. */
export interface NodeSaid {
  readonly open: number
  readonly running: number
  readonly waiting: number
  /** The longest time that its event loop was blocked since the last report. Milliseconds. */
  readonly delayMs: number
  /** How long the oldest due tenant has waited for its run. */
  readonly lateMs?: number
  /** Since when nothing that it wrote to PostgreSQL has come back to its scheduler. */
  readonly canaryMs?: number
  readonly trouble: string | null
  /** It is there for one run of one tenant. */
  readonly isOneRun?: boolean
  /** Tenants of its folder that do not run, and why. */
  readonly refused?: Readonly<Record<string, string>>
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
  /** Its identity. */
  readonly id: string
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
  FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner WHERE t.removed IS NULL AND t.settings IS NULL`

const PLACES = `SELECT t.id AS tenant, t.key AS id, CASE WHEN n.buried THEN NULL ELSE n.name END AS node, t.wanted, t.epoch::int AS epoch, t.seq::int AS seq, t.shipped
  FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner WHERE t.removed IS NULL AND ($1::text IS NULL OR t.id = $1) ORDER BY t.id`

/** Few connections, because each caller waits for one answer at a time. */
export const sessionsOf = (url: string): Effect.Effect<PgSessions, StoreAway, Scope.Scope> =>
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
    use(({ ask }) =>
      ask("UPDATE daybook.tenant SET wanted = $2 WHERE id = $1 AND removed IS NULL RETURNING id", [tenant, node])
    ),
    (rows) => rows.length > 0
  )

/** Requests a run now, or a reconciliation, by whichever node owns it. Returns whether the tenant exists. */
export const askRun = (
  { use }: PgSessions,
  tenant: string,
  what: "asked" | "reconcile" = "asked"
): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask(`UPDATE daybook.tenant SET ${what} = clock_timestamp() WHERE id = $1 AND removed IS NULL RETURNING id`, [
        tenant
      ])
    ),
    (rows) => rows.length > 0
  )

/** A copy of what the cluster keeps of a tenant. */
export interface Copied {
  readonly bytes: number
  readonly vault: boolean
}

/** Gives the copy its name once it is complete. */
const named = (part: string, file: string, vault: boolean): void => {
  for (const end of vault ? [".vault", ""] : [""]) {
    const handle = openSync(part + end, "r")
    fsyncSync(handle)
    closeSync(handle)
    renameSync(part + end, file + end)
  }
}

/** Writes the copy; undefined: nothing was ever kept of this tenant. */
export const copyOf = (
  sessions: PgSessions,
  { id, tenant }: Pick<TenantPlace, "id" | "tenant">,
  file: string
): Effect.Effect<Copied | undefined, StoreError | StateError> =>
  Effect.gen(function* () {
    // Two nodes may copy the same removed tenant.
    const part = partialOf(file)
    yield* Effect.addFinalizer(() => Effect.sync(() => discard(part)))
    const restoring = restore({ tenant, read: (onPart) => read(sessions, id, onPart) }, part)
    const { kept } = yield* restoring
    if (kept.seq === 0) return undefined
    const vault = kept.vault !== undefined
    yield* Effect.try({
      try: () => {
        const raw = new Sqlite(part)
        try {
          LedgerTrust.doubtCopy(raw, `it is a copy of what the cluster kept of ${tenant}`)
          raw.pragma("wal_checkpoint(TRUNCATE)")
        } finally {
          raw.close()
        }
        named(part, file, vault)
      },
      catch: (cause) => stateError(file, cause)
    })
    return { bytes: kept.size * kept.pageSize, vault }
  }).pipe(Effect.scoped)

/**
 * Writes a copy of a tenant's replicated data, with its vault beside it, while a node continues with the tenant. Like any
 * backup, the copy sends nothing until `daybook reconcile --fix` has read the service.
 */
export const restoreCopy = (
  sessions: PgSessions,
  place: Pick<TenantPlace, "id" | "tenant">,
  file: string
): Effect.Effect<Copied, StoreError | StateError> =>
  Effect.gen(function* () {
    const failed = (why: string) => new StateError({ kind: "failed", file, why })
    if (existsSync(file)) return yield* failed("there is a file of this name already; name another")
    if (!existsSync(dirname(file))) return yield* failed(`the folder ${dirname(file)} does not exist`)
    return (yield* copyOf(sessions, place, file)) ?? (yield* failed(`nothing was ever kept of ${place.tenant}`))
  })

export interface TenantReport {
  readonly tenant: string
  /** The name of the living node that owns it; null: none. */
  readonly node: string | null
  /** The address of that node's page; null: it named none. */
  readonly page: string | null
  /** What the last node that had it open said of it; null: none ever did. */
  readonly body: unknown
  /** How many nodes ended with it; they say nothing of it any more. */
  readonly tries: number
  /** Of one whose configuration is in PostgreSQL. */
  readonly kept: {
    readonly isRunning: boolean
    /** When it is due. Milliseconds since the epoch; null: it has no schedule. */
    readonly due: number | null
    /** Why it is held back; null: it is not. */
    readonly held: string | null
    readonly paused: PausedHere | null
  } | null
}

const REPORTS = `SELECT t.id AS tenant, n.name AS node, n.said->>'page' AS page, s.body, t.tries,
    CASE WHEN t.settings IS NOT NULL THEN jsonb_build_object('isRunning', t.queued IS NOT NULL, 'held', t.held, 'paused', t.paused,
      'due', floor(extract(epoch FROM t.due) * 1000)) END AS kept
  FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner AND NOT n.buried AND n.lease >= clock_timestamp()
  LEFT JOIN daybook.status s ON s.tenant = t.key WHERE t.removed IS NULL ORDER BY t.id`

/** What the nodes last said of each tenant. */
export const reports = ({ use }: PgSessions): Effect.Effect<ReadonlyArray<TenantReport>, StoreAway> =>
  use(({ ask }) => ask<TenantReport>(REPORTS))

/** The cluster did not do what was asked; `message` says why. */
export class ClusterError extends Schema.TaggedError<ClusterError>()("ClusterError", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

/** In words, for people. */
export const clusterError = (error: StoreError): ClusterError =>
  new ClusterError({ why: error instanceof Fenced ? error.why : `the cluster cannot be used: ${error.why}` })
