/**
 * Runs the daemon over many tenants: one server and one loop for all of them. It listens first, so that monitoring sees it
 * start; it is ready once the tenants of the folder are known.
 */
import { Clock, Effect, Option, Queue, References, type Scope, Stream } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { plural } from "../../core/Plural.ts"
import type { ConfigError } from "../../sync/library/config/Configuration.ts"
import { ATTENTION, messageOf, type UsageError } from "../../sync/library/Exit.ts"
import { standstill } from "../../sync/schedule/Standstill.ts"
import { ManyTenants } from "../../sync/library/many/ManyTenants.ts"
import { ownFolder } from "../../sync/library/many/TenantAsks.ts"
import { type TenantsConfiguration, tenantsFile } from "../../sync/library/many/TenantsFile.ts"
import { type FolderOfTenants, ofFolder } from "../../sync/library/many/TenantsOfFolder.ts"
import { breathe } from "../../sync/state/Breathe.ts"
import { lock } from "../../sync/state/FileLock.ts"
import { StateError } from "../../sync/state/StateError.ts"
import type { Shard } from "../../sync/tenants/Shard.ts"
import { mayReadFigures } from "../daemon/Health.ts"
import { hangUps } from "../daemon/Reload.ts"
import { json, type Route, serve, type ServerError, text } from "../daemon/Server.ts"
import { tokensOf } from "../daemon/Tokens.ts"
import { announce, sessionsOf } from "../page/RouteModule.ts"
import { tokensAreUsable } from "../remote/HttpRoutes.ts"
import { allRoutes } from "./AllRoutes.ts"
import * as Metrics from "./TenantMetrics.ts"
import { logged } from "./TurnLog.ts"
import { watchdog } from "./Watchdog.ts"
import { tenantRoutes } from "./TenantRoutes.ts"

export interface TenantsMainOptions {
  readonly folder: string
  readonly shard: Shard | undefined
  readonly configuration: TenantsConfiguration
  readonly host: string
  readonly port: number
  readonly quiet: boolean
}

/** The loop checks at least every half minute; if it has not for this long, it is stuck. Milliseconds. */
const STUCK_MS = 180_000

/** The lock of a shard's daemon, so that there is only one. */
const daemonLock = (folder: string, shard: Shard | undefined): string =>
  join(ownFolder(folder), shard === undefined ? "daemon" : `daemon-${shard.number}-of-${shard.of}`)

const onlyDaemon = (folder: string, shard: Shard | undefined): Effect.Effect<void, StateError, Scope.Scope> =>
  Effect.suspend(() => {
    mkdirSync(ownFolder(folder), { recursive: true })
    return lock(daemonLock(folder, shard), "daybook daemon")
  }).pipe(
    Effect.mapError((error) =>
      error.kind === "locked"
        ? new StateError({
            kind: "locked",
            file: folder,
            why: "another daemon runs these tenants; one is enough, or give each a shard of its own with --shard"
          })
        : error
    )
  )

interface Condition {
  /** Why it is not ready; undefined if it is. */
  trouble: string | undefined
}

const monitoring = (
  all: ManyTenants,
  files: FolderOfTenants,
  { daemon, environment }: TenantsConfiguration,
  condition: Condition
): ReadonlyArray<Route> => {
  const token = () => (daemon.metricsToken === undefined ? undefined : environment[daemon.metricsToken])
  return [
    {
      method: "GET",
      path: "/healthz",
      handle: () => Effect.succeed(json(200, { status: "ok" }))
    },
    {
      method: "GET",
      path: "/readyz",
      handle: () =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const isStuck = now - all.counts.looked > STUCK_MS
          const why =
            condition.trouble ??
            (isStuck ? "its loop has not run for three minutes" : standstill(all.scheduler.progress))
          return why === undefined ? json(200, { status: "ready" }) : json(503, { status: "not ready", why })
        })
    },
    {
      method: "GET",
      path: "/metrics",
      anyName: true,
      handle: (request) =>
        Effect.gen(function* () {
          if (!mayReadFigures(request, token()))
            return text(401, "Metrics are available on this machine only, or with daemon.metrics.token.\n")
          const now = yield* Clock.currentTimeMillis
          const status = Metrics.gauges(all.list(), all.counts, {
            now,
            elsewhere: files.elsewhere().length
          })
          return text(200, yield* Metrics.text(status), { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
        })
    }
  ]
}

/** On stopping: logs what still needs attention, and sets the exit status accordingly. */
const stopping = (all: ManyTenants) =>
  Effect.suspend(() => {
    const people = all.list().filter(({ approvals, attention }) => attention + approvals > 0).length
    process.exitCode = people > 0 ? ATTENTION : 0
    const said = people > 0 ? `, and ${plural(people, "tenant")} ${people === 1 ? "needs" : "need"} attention` : ""
    return Effect.logInfo(`stopped; what was sent is kept${said}`)
  })

/** On SIGHUP: looks at the folder and at every tenant again. The settings of all are only checked; they are read at start. */
const rereading = (
  all: ManyTenants,
  files: FolderOfTenants,
  before: TenantsConfiguration
): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asks = yield* hangUps
    const again = Effect.gen(function* () {
      yield* files.scan
      for (const name of all.names()) {
        yield* all.refresh(name)
        yield* breathe
        const problem = yield* Effect.flip(all.configuration(name) ?? Effect.void).pipe(Effect.option)
        if (Option.isSome(problem))
          yield* Effect.logError(`${name}: its configuration is invalid; it does not run: ${messageOf(problem.value)}`)
      }
      const { daemon, settings } = yield* tenantsFile(files.folder)
      const isSame = JSON.stringify([daemon, settings]) === JSON.stringify([before.daemon, before.settings])
      return `${plural(all.names().length, "tenant")} read again${isSame ? "" : `; ${before.file} takes effect at the next start`}`
    }).pipe(
      Effect.matchEffect({
        onSuccess: (said) => Effect.logInfo(said),
        onFailure: (error) => Effect.logError(`not everything was read again: ${messageOf(error)}`)
      })
    )
    return yield* Effect.forever(Effect.andThen(Queue.take(asks), again))
  })

const working = (all: ManyTenants, files: FolderOfTenants, condition: Condition, shard: Shard | undefined) =>
  Effect.gen(function* () {
    yield* Effect.forkScoped(
      Stream.runForEach(all.events, (event) => Effect.andThen(Metrics.countTurn(event), logged(event)))
    )
    // Tenants that are already known run while others are still being read.
    yield* Effect.forkScoped(all.run)
    yield* files.scan
    const known = plural(all.names().length, "tenant")
    const elsewhere = files.elsewhere().length
    yield* Effect.logInfo(
      shard === undefined
        ? `${known} in ${files.folder}`
        : `${known} of shard ${shard.number}/${shard.of} in ${files.folder}${elsewhere > 0 ? `; ${elsewhere} of other shards` : ""}`
    )
    condition.trouble = undefined
    return yield* files.follow
  })

/** Ends only when interrupted, or with an error that waiting cannot fix. */
export const tenantsMain = (
  options: TenantsMainOptions
): Effect.Effect<never, StateError | ServerError | ConfigError | UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    const { configuration, folder, host, port, shard } = options
    const sessions = yield* sessionsOf({ ...configuration, folder })
    yield* tokensAreUsable(configuration)
    yield* onlyDaemon(folder, shard)
    yield* watchdog
    const all = yield* ManyTenants.make(configuration.settings, "daybook daemon")
    const files = ofFolder(all, { folder, shard })
    const condition: Condition = { trouble: "it is starting" }
    const tokens = tokensOf({ ...configuration, folder })
    let routes: ReadonlyArray<Route> = monitoring(all, files, configuration, condition)
    const names = () => configuration.daemon.hosts ?? []
    const url = yield* serve({ host, port, names, proxies: configuration.daemon.proxies, routes: () => routes })
    yield* Effect.forkScoped(rereading(all, files, configuration))
    routes = [
      ...routes,
      ...allRoutes({ all, files, sessions, tokens }),
      ...tenantRoutes({ all, url, sessions, tokens })
    ]
    yield* Effect.annotateLogs(Effect.logInfo(`listening at ${url}`), { url })
    yield* announce(url, sessions)
    return yield* Effect.onInterrupt(working(all, files, condition, shard), () => stopping(all))
  }).pipe(Effect.provideService(References.MinimumLogLevel, options.quiet ? "Warn" : "Info"))
