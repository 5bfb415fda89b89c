/**
 * Runs the daemon: its state file, its server and its loop.
 *
 * It listens first, so that monitoring sees it start; it is ready once the state file is open and the loop runs. When asked
 * to stop, it answers requests in progress, leaves every call either finished or on record, and ends with 0, or with 3 if
 * something needs attention.
 */
import { Clock, type Context, Effect, PubSub, Ref, References, Schedule as Every, type Scope, Stream } from "effect"
import { otherService } from "../../sync/apply/BoundService.ts"
import * as Watching from "../../sync/alerts/Watching.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Scheduler from "../../sync/schedule/Scheduler.ts"
import { Database, StateError } from "../../sync/state/Database.ts"
import { daemonLock } from "../../sync/state/DaemonLock.ts"
import * as Matching from "../../sync/matching/Run.ts"
import * as Schedule from "../../sync/model/Schedule.ts"
import type { ConfigError, Configuration } from "../../sync/library/config/Configuration.ts"
import { ATTENTION } from "../../sync/library/Exit.ts"
import { alone } from "../../sync/decisions/ConnectionLocks.ts"
import { attentionCount, plural } from "../../core/Plural.ts"
import { hide } from "../../sync/library/Hidden.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import { health } from "./Health.ts"
import { webhooks } from "./Webhooks.ts"
import * as Metrics from "./Metrics.ts"
import { follow, reload } from "./Reload.ts"
import { type Route, serve, type ServerError } from "./Server.ts"
import type { Token } from "./Tokens.ts"
import { standstill } from "../../sync/schedule/Standstill.ts"
import { busyness } from "../../sync/schedule/Busy.ts"
import { runConnection } from "../../sync/library/RunConnection.ts"

/** What a module gets to create its routes: the page is one such module. */
export interface DaemonServices {
  /** The daemon's address. */
  readonly url: string
  readonly configuration: Effect.Effect<Configuration>
  readonly daemon: Pick<Scheduler.Daemon, "ask" | "wake">
  /** Has the configuration used as its file says now; one that cannot be used changes nothing. */
  readonly reread: Effect.Effect<void>
  /** The start and end of runs, from the time of subscription. */
  readonly events: Stream.Stream<Scheduler.RunEvent>
  /** Tokens of the HTTP interface in addition to the configured ones. */
  readonly tokens?: ReadonlyArray<Token>
}

/** A module that provides routes; it gets the state file and the daemon's operations. */
export type MakeRoutes = (
  services: DaemonServices
) => Effect.Effect<ReadonlyArray<Route>, ConfigError, Database | Scope.Scope>

export interface MainOptions {
  readonly configuration: Configuration
  readonly state: string
  readonly host: string
  readonly port: number
  readonly quiet: boolean
  readonly modules?: ReadonlyArray<MakeRoutes>
}

/** The loop checks at least every half minute; if it has not for this long, it is stuck. Milliseconds. */
const STUCK_MS = 180_000
/** How often metrics are read from the state file for a collector. Milliseconds. */
const REFRESHES_MS = 10_000

const log = (event: Scheduler.RunEvent): Effect.Effect<void> => {
  const { connection } = event
  const said = () => {
    switch (event.type) {
      case "began":
        return Effect.logDebug(`started (${event.why})`)
      case "waits":
        return Effect.logInfo(`waiting: ${event.message}`)
      case "approval dropped":
        return Effect.logWarning(event.message)
      case "ended": {
        const { message, millis, outcome } = event
        return Effect.annotateLogs(Effect.logInfo(message), { outcome, millis })
      }
      case "failed": {
        const { failures, message } = event
        const minutes = Math.round(Schedule.backoff(failures) / 60_000)
        return Effect.annotateLogs(Effect.logError(`${message}; trying again in ${plural(minutes, "minute")}`), {
          outcome: "failed",
          failures
        })
      }
    }
  }
  return Effect.andThen(Metrics.count(event), Effect.annotateLogs(said(), { connection }))
}

/** Allows only one daemon for a state file. */
const onlyDaemon = (state: string): Effect.Effect<void, StateError, Scope.Scope> =>
  state === ":memory:"
    ? Effect.void
    : daemonLock(state).pipe(
        Effect.mapError((error) => {
          if (error.kind !== "locked") return error
          const who = /\(.*, (process .*)\)/.exec(error.why)?.[1]
          const why = `another daemon is running on it${who === undefined ? "" : ` (${who})`}; one is enough`
          return new StateError({ kind: "locked", file: state, why })
        })
      )

/** The daemon's condition, for monitoring. */
interface Condition {
  /** Why it is not ready; undefined if it is. */
  trouble: string | undefined
  /** When its loop last checked what is due. Milliseconds since the epoch. */
  looked: number
  /** Whether its runs go on. */
  progress: Scheduler.Daemon["progress"]
  /** The state file, once it is open. */
  state: Context.Context<Database> | undefined
  routes: ReadonlyArray<Route>
}

/** A listening daemon: what its parts share. */
interface Listening {
  readonly url: string
  /** The current configuration. */
  readonly current: Ref.Ref<Configuration>
  readonly condition: Condition
  readonly clock: Clock.Clock
}

const idsOf = (current: Ref.Ref<Configuration>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(Ref.get(current), ({ connections }) => connections.map(({ id }) => id))

const healthRoutes = (
  { daemon: { metricsToken }, environment }: Configuration,
  { clock, condition, current }: Omit<Listening, "url">
): ReadonlyArray<Route> =>
  health({
    connections: idsOf(current),
    state: () => condition.state,
    token: () => (metricsToken === undefined ? undefined : environment[metricsToken]),
    trouble: () =>
      condition.trouble ??
      (clock.currentTimeMillisUnsafe() - condition.looked > STUCK_MS
        ? "its loop has not run for three minutes"
        : standstill(condition.progress(clock.currentTimeMillisUnsafe()), "a connection"))
  })

const schedulerOf = (
  { clock, condition, current }: Listening,
  { atOnce, runMs }: Configuration["daemon"],
  events: PubSub.PubSub<Scheduler.RunEvent>,
  alerts: Watching.Watching
) =>
  Effect.flatMap(Database, (db) =>
    Scheduler.make({
      atOnce,
      runMs,
      isBusy: busyness(),
      connections: Effect.map(Ref.get(current), ({ connections }) => {
        condition.looked = clock.currentTimeMillisUnsafe()
        return connections
      }),
      family: Matching.family,
      sole: true,
      work: (connection, why, around) =>
        Effect.flatMap(Ref.get(current), (configuration) =>
          Effect.provideService(
            alone(db, [connection], runConnection(configuration, connection, why, around)),
            Database,
            db
          )
        ).pipe(Effect.withSpan("Daemon.run", { attributes: { connection: connection.id, why } })),
      onEvent: (event) =>
        Effect.all([PubSub.publish(events, event), log(event), Watching.onRun(alerts, event)], { discard: true })
    })
  )

const logSchedules = ({ connections }: Configuration) =>
  Effect.forEach(
    connections,
    ({ approve, every, id }) => {
      const schedule = every === undefined ? "no schedule: runs on webhooks and on request" : Schedule.words(every)
      const words = `${schedule}${approve === true ? ", with approval" : ""}`
      return Effect.annotateLogs(Effect.logInfo(words), { connection: id })
    },
    { discard: true }
  )

/** On stopping: logs what still needs attention, and sets the exit status accordingly. */
const stopping = Effect.fnUntraced(function* () {
  const db = yield* Database
  const [people, plans] = yield* db.read(() => [AttentionStore.count(db), Approvals.waiting(db)] as const)
  process.exitCode = people + plans > 0 ? ATTENTION : 0
  const said = [
    ...(people > 0 ? [attentionCount(people)] : []),
    ...(plans > 0 ? [`${plural(plans, "plan")} to approve`] : [])
  ]
  yield* Effect.logInfo(`stopped; what was sent is kept${said.length > 0 ? `, and ${said.join(" and ")}` : ""}`)
})

/** With the state file open: runs what is due until asked to stop. */
const working = Effect.fnUntraced(function* (
  listening: Listening,
  configuration: Configuration,
  modules: ReadonlyArray<MakeRoutes>
) {
  const { condition, current, url } = listening
  const db = yield* Database
  const other = yield* db.read(() => otherService(db, configuration.service.url))
  if (other !== undefined) return yield* other
  condition.state = yield* Effect.context<Database>()
  yield* Metrics.start
  // A slow subscriber misses the oldest events.
  const events = yield* PubSub.sliding<Scheduler.RunEvent>(1024)
  const alerts = yield* Watching.make({ setup: Ref.get(current), hide, onDelivered: Metrics.countAlert })
  const daemon = yield* schedulerOf(listening, configuration.daemon, events, alerts)
  condition.progress = daemon.progress
  const services: DaemonServices = {
    url,
    configuration: Ref.get(current),
    daemon,
    reread: Effect.provideService(reload(current, daemon.wake), Database, db),
    events: Stream.fromPubSub(events)
  }
  const all: ReadonlyArray<MakeRoutes> = [
    ({ configuration }) => webhooks({ configuration, wake: daemon.wake }),
    ...modules
  ]
  for (const make of all) condition.routes = [...condition.routes, ...(yield* make(services))]
  yield* logSchedules(configuration)
  yield* Effect.forkScoped(follow(current, daemon.wake))
  yield* Effect.forkScoped(alerts.run)
  const refresh = Effect.flatMap(idsOf(current), Metrics.refresh)
  // A collector is sent the current values; a request to /metrics reads them first.
  const isCollected = configuration.daemon.telemetry !== undefined
  if (isCollected) yield* Effect.forkScoped(Effect.repeat(refresh, Every.spaced(REFRESHES_MS)))
  condition.trouble = undefined
  return yield* Effect.onInterrupt(daemon.run, () =>
    Effect.suspend(() => {
      condition.trouble = "it is stopping"
      return Effect.andThen(isCollected ? refresh : Effect.void, stopping())
    }).pipe(Effect.ignore)
  )
})

/** Ends only when interrupted, or with an error that waiting cannot fix. */
export const main = (options: MainOptions): Effect.Effect<never, StateError | ServerError | ConfigError, Scope.Scope> =>
  Effect.gen(function* () {
    const { configuration, host, port, modules = [], state } = options
    yield* configuration.service.key
    yield* onlyDaemon(state)
    const current = yield* Ref.make(configuration)
    const clock = yield* Clock.Clock
    const condition: Condition = {
      trouble: "it is starting",
      looked: 0,
      progress: () => ({ lateMs: 0, stillMs: 0 }),
      state: undefined,
      routes: []
    }
    condition.routes = healthRoutes(configuration, { current, condition, clock })
    const { connect, hosts = [], proxies } = configuration.daemon
    const names = () => (connect === undefined ? hosts : [...hosts, new URL(connect.url).hostname])
    const url = yield* serve({ host, port, names, proxies, routes: () => condition.routes })
    yield* Effect.annotateLogs(Effect.logInfo(`listening at ${url}`), { url })
    return yield* Effect.provide(
      Effect.provide(working({ url, current, condition, clock }, configuration, modules), outside),
      Database.layer({
        file: state,
        mode: "share",
        command: "daybook daemon",
        onWait: ({ message }) => Effect.logInfo(`waiting: ${message}`)
      })
    )
  }).pipe(Effect.provideService(References.MinimumLogLevel, options.quiet ? "Warn" : "Info"))
