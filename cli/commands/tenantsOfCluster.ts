/** `daybook tenants` in PostgreSQL: shows what is kept of each, pauses, copies and erases it. */
import { Clock, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { grouped, plural } from "../../core/Plural.ts"
import { erase, retire } from "../../sync/cluster/Erasure.ts"
import * as Operations from "../../sync/cluster/Operations.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import { backupKept } from "../../sync/library/many/KeptCopies.ts"
import { keptStatus } from "../../sync/library/many/KeptStatus.ts"
import type { TenantBackup } from "../../sync/library/many/TenantBackups.ts"
import { STATE } from "../../sync/library/many/TenantSource.ts"
import type { TenantStatus } from "../../sync/library/many/TenantStatus.ts"
import { StateError } from "../../sync/state/StateError.ts"
import { type PausedHere, pauseKept, setNext } from "../../sync/state/replication/postgres/KeptSettings.ts"
import { fromEnvironment } from "../../sync/vault/Encryption.ts"
import * as CommandContext from "../CommandContext.ts"
import { instant } from "../render/Instants.ts"
import { headings, table } from "../render/Table.ts"
import { clusterProblem } from "../tenants/ClusterUrl.ts"

const clusterFlag = Flag.String("cluster").pipe(
  Flag.withAlias("database"),
  Flag.withDescription("The PostgreSQL"),
  Flag.withMetavar("URL")
)

type Sessions = Effect.Success<ReturnType<typeof Operations.sessionsOf>>
type Failure =
  | UsageError
  | Effect.Error<ReturnType<typeof Operations.sessionsOf>>
  | Effect.Error<ReturnType<typeof Operations.restoreCopy>>

const using = <A>(
  url: string,
  work: (sessions: Sessions) => Effect.Effect<A, Failure>
): Effect.Effect<A, UsageError | Operations.ClusterError | StateError> => {
  const wrong = clusterProblem(url)
  if (wrong !== undefined) return Effect.fail(new UsageError({ why: wrong }))
  return Effect.scoped(Effect.flatMap(Operations.sessionsOf(url), work)).pipe(
    Effect.mapError((error) =>
      error instanceof StateError || error instanceof UsageError ? error : Operations.clusterError(error)
    )
  )
}

/** What is kept of the tenant of this name; undefined: there is none. */
export const placeOf = (cluster: string, name: string) =>
  Effect.map(
    using(cluster, (sessions) => Operations.where(sessions, name)),
    ([place]) => place
  )

const notKept = (names: ReadonlyArray<string>) =>
  new UsageError({
    why: `the database has no configuration of ${names.join(", ")}; daybook tenants import brings it there`
  })

/** Has these run by workers of the next version, or by all others again. */
export const nextIn = (database: string, names: ReadonlyArray<string>, isNext: boolean) =>
  Effect.gen(function* () {
    const done = yield* using(database, (sessions) => setNext(sessions, names, isNext))
    const unknown = names.filter((name) => !done.includes(name))
    if (unknown.length > 0) return yield* notKept(unknown)
  })

/** Pauses a tenant whose configuration is in PostgreSQL. */
export const pausedIn = (database: string, name: string, about: Omit<PausedHere, "since">) =>
  Effect.gen(function* () {
    const since = new Date(yield* Clock.currentTimeMillis).toISOString()
    const isKnown = yield* using(database, (sessions) => pauseKept(sessions, name, { since, ...about }))
    if (!isKnown) return yield* notKept([name])
  })

/** Whether the tenant was held back or paused, and no longer is. */
export const triedAgain = (cluster: string, name: string) =>
  using(cluster, (sessions) => Operations.tryAgain(sessions, name))

const none = (name: string) => new UsageError({ why: `the database has no tenant ${JSON.stringify(name)}` })

/** What was last said of each tenant. */
export const statusesIn = (
  cluster: string
): Effect.Effect<ReadonlyArray<TenantStatus>, UsageError | Operations.ClusterError | StateError> =>
  Effect.map(using(cluster, Operations.reports), (all) => all.map(keptStatus))

/** What is kept of each tenant. */
export const placesIn = (cluster: string) => using(cluster, (sessions) => Operations.where(sessions))

/** Copies what is kept of a tenant to a file, if there is anything. */
export const copyTo = (cluster: string, place: Operations.TenantPlace, file: string) =>
  using(cluster, (sessions) => Operations.copyOf(sessions, place, file)).pipe(
    Effect.mapError((error) =>
      error instanceof Operations.ClusterError ? new UsageError({ why: error.message }) : error
    )
  )

/** The seal of this machine, if it has one. */
export const sealHere = Effect.try({
  try: () => fromEnvironment(process.env),
  catch: (cause) => new UsageError({ why: (cause as Error).message })
})

/** Copies of what is kept, a folder for each tenant. */
export const copyAll = (
  cluster: string,
  to: string,
  onDone: (one: TenantBackup, of: number) => Effect.Effect<void>
): Effect.Effect<ReadonlyArray<TenantBackup>, UsageError | Operations.ClusterError | StateError> =>
  using(cluster, (sessions) =>
    Effect.gen(function* () {
      const key = yield* sealHere
      const all = yield* Operations.where(sessions)
      return yield* Effect.forEach(all, (place) => {
        const { tenant } = place
        return backupKept(sessions, place, key, join(to, tenant)).pipe(
          Effect.map((copy): TenantBackup => ({ tenant, ...(copy === undefined ? {} : { copy }) })),
          Effect.catch((error) => Effect.succeed<TenantBackup>({ tenant, failed: messageOf(error) })),
          Effect.tap((one) => onDone(one, all.length))
        )
      })
    })
  )

export const where = Command.make(
  "where",
  {
    cluster: clusterFlag,
    name: Argument.String("name").pipe(
      Argument.withDescription("One tenant"),
      Argument.withMetavar("NAME"),
      Argument.variadic()
    )
  },
  Effect.fn(function* ({ cluster, name: names }) {
    const out = yield* CommandContext.output
    const all = yield* using(cluster, (sessions) => Operations.where(sessions))
    const unknown = names.find((name) => !all.some(({ tenant }) => tenant === name))
    if (unknown !== undefined) return yield* none(unknown)
    const rows = names.length === 0 ? all : all.filter(({ tenant }) => names.includes(tenant))
    for (const { shipped, ...row } of rows)
      yield* out.emit({ type: "tenant", ...row, shipped: shipped?.toISOString() ?? null })
    const columns = headings("Tenant, >Openings, >Shipments, Last shipment")
    const cells = rows.map(({ epoch, seq, shipped, tenant }) => [
      tenant,
      grouped(epoch),
      grouped(seq),
      shipped === null ? "" : instant(shipped.getTime())
    ])
    if (rows.length > 0) yield* out.say(table(columns, cells, out))
    yield* out.say(plural(rows.length, "tenant"))
  })
).pipe(
  CommandContext.help(
    "Show what PostgreSQL keeps of each tenant, or of the named ones: how often it was opened, and when something of it was last stored.",
    "In PostgreSQL: when a tenant was last stored",
    "daybook tenants where acme --cluster postgres://daybook@db/daybook # One tenant"
  )
)

/**
 * Erases what PostgreSQL keeps of a tenant, copied into the folder of the removed one. Without such a folder it was deleted by hand, and
 * there is nobody to keep a copy for.
 */
export const eraseIn = (cluster: string, name: string, id: string | undefined, kept: string | undefined) =>
  using(cluster, (sessions) =>
    Effect.gen(function* () {
      const places = yield* Operations.where(sessions, name)
      const ids = [...places.map((place) => place.id), ...(id === undefined ? [] : [id])]
      const retired = yield* retire(sessions, ids)
      for (const one of retired) {
        if (kept !== undefined && one.id === id && !existsSync(join(kept, STATE)))
          yield* Operations.copyOf(sessions, one, join(kept, STATE))
        yield* erase(sessions, one.id)
      }
      return retired.length > 0
    })
  )

export const restore = Command.make(
  "restore",
  {
    cluster: clusterFlag,
    name: Argument.String("name").pipe(Argument.withDescription("The tenant"), Argument.withMetavar("NAME")),
    to: Argument.String("file").pipe(
      Argument.withDescription("The file for the copy, which must not exist yet"),
      Argument.withMetavar("FILE")
    )
  },
  Effect.fn(function* ({ cluster, name, to }) {
    const out = yield* CommandContext.output
    const file = resolve(to)
    const [place] = yield* using(cluster, (sessions) => Operations.where(sessions, name))
    if (place === undefined) return yield* none(name)
    const { bytes, vault } = yield* using(cluster, (sessions) => Operations.restoreCopy(sessions, place, file))
    yield* out.emit({ type: "restored", tenant: name, file, bytes, vault })
    yield* out.say(
      `${name} is copied to ${to} (${grouped(Math.ceil(bytes / 1000))} kB)${vault ? `, its sealed tokens to ${to}.vault` : ""}. The copy sends nothing until daybook reconcile --fix has read the service.`
    )
  })
).pipe(
  CommandContext.help(
    "Write a copy of what PostgreSQL keeps of a tenant, checked against the hash of its content, while its runs go on.",
    "In PostgreSQL: copy what is kept of a tenant",
    "daybook tenants restore acme acme.db --cluster postgres://daybook@db/daybook # To look into it"
  )
)
