/** `daybook tenants` in a cluster: shows where each tenant is, moves it, and copies its replicated data. */
import { Clock, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { grouped, plural } from "../../core/Plural.ts"
import { erase, retire } from "../../sync/cluster/Erasure.ts"
import { tryAgain } from "../../sync/cluster/Risk.ts"
import * as Operations from "../../sync/cluster/Operations.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { statusElsewhere } from "../../sync/library/many/OtherNodes.ts"
import { copyConfiguration, type TenantBackup } from "../../sync/library/many/TenantBackups.ts"
import { STATE } from "../../sync/library/many/TenantSource.ts"
import type { TenantStatus } from "../../sync/library/many/TenantStatus.ts"
import { StateError, stateError } from "../../sync/state/StateError.ts"
import { type PausedHere, pauseKept } from "../../sync/state/replication/postgres/KeptSettings.ts"
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
  | Effect.Error<ReturnType<typeof Operations.sessionsOf>>
  | Effect.Error<ReturnType<typeof Operations.restoreCopy>>

const using = <A>(
  url: string,
  work: (sessions: Sessions) => Effect.Effect<A, Failure>
): Effect.Effect<A, UsageError | Operations.ClusterError | StateError> => {
  const wrong = clusterProblem(url)
  if (wrong !== undefined) return Effect.fail(new UsageError({ why: wrong }))
  return Effect.scoped(Effect.flatMap(Operations.sessionsOf(url), work)).pipe(
    Effect.mapError((error) => (error instanceof StateError ? error : Operations.clusterError(error)))
  )
}

/** Where the cluster has the tenant of this name; undefined: it has none. */
export const placeOf = (cluster: string, name: string) =>
  Effect.map(
    using(cluster, (sessions) => Operations.where(sessions, name)),
    ([place]) => place
  )

/** Pauses a tenant whose configuration is in PostgreSQL. */
export const pausedIn = (database: string, name: string, about: Omit<PausedHere, "since">) =>
  Effect.gen(function* () {
    const since = new Date(yield* Clock.currentTimeMillis).toISOString()
    const isKnown = yield* using(database, (sessions) => pauseKept(sessions, name, { since, ...about }))
    if (!isKnown)
      return yield* new UsageError({
        why: `the database has no configuration of ${name}; daybook tenants import brings it there`
      })
  })

/** Whether the tenant was held back, and no longer is. */
export const triedAgain = (cluster: string, name: string) => using(cluster, (sessions) => tryAgain(sessions, name))

const none = (name: string) => new UsageError({ why: `the cluster has no tenant ${JSON.stringify(name)}` })

/** What the nodes of a cluster last said of its tenants. */
export const statusesIn = (
  cluster: string
): Effect.Effect<ReadonlyArray<TenantStatus>, UsageError | Operations.ClusterError | StateError> =>
  Effect.map(using(cluster, Operations.reports), (all) => all.map(statusElsewhere))

/** Where the cluster has each of its tenants. */
export const placesIn = (cluster: string) => using(cluster, (sessions) => Operations.where(sessions))

/** Copies what the cluster keeps of a tenant to a file, if it keeps anything. */
export const copyTo = (cluster: string, place: Operations.TenantPlace, file: string) =>
  using(cluster, (sessions) => Operations.copyOf(sessions, place, file)).pipe(
    Effect.mapError((error) =>
      error instanceof Operations.ClusterError ? new UsageError({ why: error.message }) : error
    )
  )

/** Copies of what the cluster keeps, a folder for each tenant, with its configuration if this machine has it. */
export const copyAll = (
  cluster: string,
  folder: string,
  to: string,
  onDone: (one: TenantBackup, of: number) => Effect.Effect<void>
): Effect.Effect<ReadonlyArray<TenantBackup>, UsageError | Operations.ClusterError | StateError> =>
  using(cluster, (sessions) =>
    Effect.gen(function* () {
      const all = yield* Operations.where(sessions)
      return yield* Effect.forEach(all, (place) => {
        const { tenant } = place
        const file = join(to, tenant, STATE)
        return Effect.try({
          try: () => copyConfiguration(join(folder, tenant), join(to, tenant)),
          catch: (cause) => stateError(file, cause)
        }).pipe(
          Effect.andThen(Operations.copyOf(sessions, place, file)),
          Effect.map((made): TenantBackup => {
            if (made === undefined) return { tenant }
            const { bytes, vault } = made
            return { tenant, copy: { file, bytes, ...(vault ? { vault: `${file}.vault` } : {}) } }
          }),
          Effect.catch((error) =>
            Effect.succeed<TenantBackup>({
              tenant,
              failed: (error instanceof StateError ? error : Operations.clusterError(error)).message
            })
          ),
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
    const columns = headings("Tenant, Node, Wanted on, >Openings, >Shipments, Last shipment")
    const cells = rows.map(({ epoch, node, seq, shipped, tenant, wanted }) => [
      tenant,
      node ?? "none",
      wanted ?? "",
      grouped(epoch),
      grouped(seq),
      shipped === null ? "" : instant(shipped.getTime())
    ])
    if (rows.length > 0) yield* out.say(table(columns, cells, out))
    yield* out.say(plural(rows.length, "tenant"))
  })
).pipe(
  CommandContext.help(
    "Show which node of a cluster has each tenant, or the named ones.",
    "In a cluster: which node has a tenant",
    "daybook tenants where acme --cluster postgres://daybook@db/daybook # One tenant"
  )
)

/** Moves the tenant to that node as soon as its run has ended; `any`: to any node with room. */
export const moveTo = (cluster: string, name: string, to: string) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const { nodes } = yield* using(cluster, Operations.status)
    const isAny = to === "any"
    if (!isAny && !nodes.some((node) => node.name === to))
      return yield* new UsageError({
        why: `the cluster has no node ${JSON.stringify(to)}; its nodes: ${nodes.map((node) => node.name).join(", ") || "none"}`
      })
    const known = yield* using(cluster, (sessions) => Operations.want(sessions, name, isAny ? null : to))
    if (!known) return yield* none(name)
    yield* out.emit({ type: "wanted", tenant: name, node: isAny ? null : to })
    yield* out.say(
      isAny
        ? `${name} may be on any node from now on.`
        : `${name} moves to ${to} as soon as no run of it is in progress, and stays there as long as ${to} is alive.`
    )
  })

/**
 * Erases what the cluster keeps of a tenant, copied into the folder of the removed one. Without such a folder it was deleted by hand, and
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
    "Write a copy of what a cluster keeps of a tenant, checked against the hash of its content, while its node goes on.",
    "In a cluster: copy a tenant's replicated data",
    "daybook tenants restore acme acme.db --cluster postgres://daybook@db/daybook # To look into it, or to leave the cluster"
  )
)
