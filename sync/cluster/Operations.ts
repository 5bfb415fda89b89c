/** Answers people's questions about the tenants in PostgreSQL, and passes on their requests, through the rows that workers use. */
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
import { dropJobs } from "./Erasure.ts"

export interface TenantPlace {
  readonly tenant: string
  /** Its identity. */
  readonly id: string
  /** How often it was opened, and how many shipments it has. */
  readonly epoch: number
  readonly seq: number
  readonly shipped: Date | null
}

const PLACES = `SELECT id AS tenant, key AS id, epoch::int AS epoch, seq::int AS seq, shipped FROM daybook.tenant
  WHERE removed IS NULL AND ($1::text IS NULL OR id = $1) ORDER BY id`

/** Few connections, because each caller waits for one answer at a time. */
export const sessionsOf = (url: string): Effect.Effect<PgSessions, StoreAway, Scope.Scope> =>
  Effect.tap(connect(url, 2), hasTables)

/** For one tenant, or for all. */
export const where = ({ use }: PgSessions, tenant?: string): Effect.Effect<ReadonlyArray<TenantPlace>, StoreAway> =>
  use(({ ask }) => ask<TenantPlace>(PLACES, [tenant ?? null]))

/** Requests a run now, which reads the service first if it is to reconcile. Returns whether there is such a tenant. */
export const askRun = (
  { use }: PgSessions,
  tenant: string,
  what: "run" | "reconcile" = "run"
): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask(
        `UPDATE daybook.tenant SET asked = clock_timestamp()${what === "run" ? "" : ", reconcile = clock_timestamp()"}
          WHERE id = $1 AND removed IS NULL RETURNING id`,
        [tenant]
      )
    ),
    (rows) => rows.length > 0
  )

/** A person wants it tried again. Returns whether it was held back or paused. */
export const tryAgain = ({ use }: PgSessions, name: string): Effect.Effect<boolean, StoreAway> =>
  use(async ({ ask }) => {
    await ask("BEGIN")
    const [row] = await ask<{ readonly key: string }>(
      `UPDATE daybook.tenant SET held = NULL, paused = NULL, due = CASE WHEN settings IS NULL THEN NULL ELSE clock_timestamp() END
        WHERE id = $1 AND removed IS NULL AND (held IS NOT NULL OR paused IS NOT NULL) RETURNING key`,
      [name]
    )
    // Whoever tells people of it meanwhile does not hold it back once more.
    if (row !== undefined && (await dropJobs({ ask }, row.key, "name = 'held'")) > 0)
      await ask("UPDATE daybook.tenant SET queued = NULL WHERE key = $1", [row.key])
    await ask("COMMIT")
    return row !== undefined
  })

/** A copy of what PostgreSQL keeps of a tenant. */
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
    // Two may copy the same removed tenant.
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
          LedgerTrust.doubtCopy(raw, `it is a copy of what PostgreSQL kept of ${tenant}`)
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
 * Writes a copy of a tenant's replicated data, with its vault beside it, while runs of it go on. Like any
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
  /** What whoever had it open last said of it; null: nobody ever did. */
  readonly body: unknown
  /** Null: its configuration is not in PostgreSQL, and nothing runs it. */
  readonly kept: {
    readonly isRunning: boolean
    /** When it is due. Milliseconds since the epoch; null: it has no schedule. */
    readonly due: number | null
    /** Why it is held back; null: it is not. */
    readonly held: string | null
    readonly paused: PausedHere | null
  } | null
}

const COUNTED = ["attention", "approvals", "quarantined", "pendingCalls", "failures"]
  .map((name) => `coalesce((s.body->>'${name}')::float8, 0) > 0`)
  .join(" OR ")

const REPORTS = `SELECT t.id AS tenant, s.body,
    CASE WHEN t.settings IS NOT NULL THEN jsonb_build_object('isRunning', t.queued IS NOT NULL, 'held', t.held, 'paused', t.paused,
      'due', floor(extract(epoch FROM t.due) * 1000)) END AS kept
  FROM daybook.tenant t LEFT JOIN daybook.status s ON s.tenant = t.key WHERE t.removed IS NULL AND (NOT $1 OR ${COUNTED}) ORDER BY t.id`

/**
 * What was last said of each tenant.
 *
 * @param isTroubled only those with something that people should see, such as attention items
 */
export const reports = (
  { use }: PgSessions,
  isTroubled = false
): Effect.Effect<ReadonlyArray<TenantReport>, StoreAway> => use(({ ask }) => ask<TenantReport>(REPORTS, [isTroubled]))

/** PostgreSQL did not do what was asked; `message` says why. */
export class ClusterError extends Schema.TaggedError<ClusterError>()("ClusterError", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

/** In words, for people. */
export const clusterError = (error: StoreError): ClusterError =>
  new ClusterError({ why: error instanceof Fenced ? error.why : `the cluster cannot be used: ${error.why}` })
