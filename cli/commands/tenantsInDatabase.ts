/** `daybook tenants import` and `export`: tenants whose configuration and secrets are in PostgreSQL. */
import { Effect, Option, type Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ClusterError, clusterError, sessionsOf } from "../../sync/cluster/Operations.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { kept, type KeptSettings } from "../../sync/state/replication/postgres/KeptSettings.ts"
import { connect, type PgSessions } from "../../sync/state/replication/postgres/PgSessions.ts"
import { tablesProblem } from "../../sync/state/replication/postgres/Schema.ts"
import { Fenced, StoreAway } from "../../sync/state/replication/Store.ts"
import type { SealKey } from "../../sync/vault/Encryption.ts"
import * as CommandContext from "../CommandContext.ts"
import { clusterProblem } from "../tenants/ClusterUrl.ts"
import { folderOf, tenantsIn } from "../tenants/Folder.ts"
import { allFlag, databaseFlag, folderFlag, namesArgument } from "./tenantsFlags.ts"
import { sealHere } from "./tenantsOfCluster.ts"

interface Database {
  readonly sessions: PgSessions
  readonly key: SealKey
}

export const readable = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, Fenced | StoreAway> | ClusterError, R> =>
  Effect.mapError(work, (error) =>
    error instanceof Fenced || error instanceof StoreAway
      ? clusterError(error)
      : (error as Exclude<E, Fenced | StoreAway>)
  )

export const databaseAt = (
  url: string,
  connected = sessionsOf
): Effect.Effect<Database, UsageError | ClusterError, Scope.Scope> =>
  Effect.gen(function* () {
    const wrong = clusterProblem(url, "--database")
    if (wrong !== undefined) return yield* new UsageError({ why: wrong })
    const key = yield* sealHere
    if (key === undefined)
      return yield* new UsageError({
        why: "configurations in PostgreSQL are sealed: set DAYBOOK_SEAL or DAYBOOK_SEAL_FILE, the same on every machine"
      })
    return { key, sessions: yield* Effect.mapError(connected(url), clusterError) }
  })

/** How often to ask a server that does not answer. Milliseconds. */
const ASKS_MS = 1000

/** Waits for a server that does not answer yet: after a power failure it may start later than this machine. */
export const waitFor = (url: string): Effect.Effect<void, UsageError | ClusterError> =>
  Effect.gen(function* () {
    const { sessions } = yield* databaseAt(url, (url) => connect(url, 1))
    for (let said: string | undefined; ; yield* Effect.sleep(ASKS_MS)) {
      const looked = yield* Effect.result(tablesProblem(sessions))
      if (looked._tag === "Success")
        return yield* looked.success === undefined ? Effect.void : new ClusterError({ why: looked.success })
      if (looked.failure.why !== said) yield* Effect.logError(looked.failure.why)
      said = looked.failure.why
    }
  }).pipe(Effect.scoped)

/**
 * Works with tenants whose configuration is in PostgreSQL.
 *
 * @param names none: all of them
 */
export const withKept = <A, E, R>(
  url: string,
  names: ReadonlyArray<string>,
  work: (found: Database & { readonly rows: ReadonlyArray<KeptSettings> }) => Effect.Effect<A, E, R>,
  withRemoved = false
) =>
  Effect.gen(function* () {
    const database = yield* databaseAt(url)
    const all = yield* Effect.mapError(kept(database.sessions, withRemoved), clusterError)
    const rows = names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
    const unknown = names.filter((name) => !rows.some((row) => row.name === name))
    if (unknown.length > 0)
      return yield* new UsageError({
        why: `the database has no configuration of ${unknown.join(", ")}; daybook tenants import brings it there`
      })
    return yield* work({ ...database, rows })
  }).pipe(Effect.scoped)

/** Loaded by whoever moves one. */
const moving = Effect.promise(() => import("../../sync/library/many/MoveTenants.ts"))

export const importIn = Command.make(
  "import",
  {
    tenants: folderFlag,
    database: databaseFlag,
    shares: Flag.String("shares").pipe(
      Flag.withDescription(
        "The name of a vendor's limit that they share with other tenants, such as that of one app: at most two of them run at the same time"
      ),
      Flag.withMetavar("NAME"),
      Flag.optional
    ),
    all: allFlag,
    names: namesArgument
  },
  Effect.fn(function* ({ all, database, names, shares, tenants }) {
    const out = yield* CommandContext.output
    if (all === names.length > 0) return yield* new UsageError({ why: "name the tenants, or say --all" })
    const folder = yield* folderOf(tenants)
    const known = tenantsIn(folder, undefined)
    const unknown = names.filter((name) => !known.includes(name))
    if (unknown.length > 0) return yield* new UsageError({ why: `no such tenant in ${tenants}: ${unknown.join(", ")}` })
    const { key, sessions } = yield* databaseAt(database)
    const { importTenant } = yield* moving
    for (const name of all ? known : names) {
      const files = yield* readable(
        importTenant(sessions, { folder, name, key, shares: Option.getOrUndefined(shares) })
      )
      yield* out.emit({ type: "imported", tenant: name, files })
      yield* out.say(
        `${name} is in the database now: daybook tenants work --database URL runs it when it is due, and its folder is not used any more.`
      )
      if (files.length > 0)
        yield* out.say(`${name} reads files, which stay where they are (say --files ${tenants}): ${files.join(", ")}`)
    }
  }, Effect.scoped)
).pipe(
  CommandContext.help(
    "Move tenants from a folder to PostgreSQL: state, tokens, configuration and the secrets of .env, sealed with DAYBOOK_SEAL. Any machine with that seal can run them then. Of a tenant that is there already, the configuration and secrets are replaced.",
    "Move tenants to PostgreSQL, or change them there",
    "daybook tenants import acme --database postgres://daybook@db/daybook # Its folder is not used any more"
  )
)

export const exportOut = Command.make(
  "export",
  {
    tenants: folderFlag,
    database: databaseFlag,
    name: Argument.String("name").pipe(Argument.withDescription("The tenant"), Argument.withMetavar("NAME"))
  },
  Effect.fn(function* ({ database, name, tenants }) {
    const out = yield* CommandContext.output
    const folder = yield* folderOf(tenants)
    const to = yield* withKept(
      database,
      [name],
      ({ key, rows, sessions }) =>
        Effect.gen(function* () {
          const [row] = rows
          const { exportTenant } = yield* moving
          return row === undefined ? "" : yield* readable(exportTenant(sessions, row, key, folder))
        }),
      true
    )
    yield* out.emit({ type: "exported", tenant: name, folder: to })
    yield* out.say(
      `${name} is in ${to}, and nothing of it is left in the database. It sends nothing until daybook reconcile --fix, run there, has read the service.`
    )
  })
).pipe(
  CommandContext.help(
    "Move a tenant from PostgreSQL back into a folder of tenants, with its state, tokens, configuration and secrets. Files of its sources are not part of it.",
    "Move a tenant back from PostgreSQL",
    "daybook tenants export acme --database postgres://daybook@db/daybook # Into the folder tenants/acme"
  )
)
