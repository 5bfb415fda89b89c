/**
 * The daemon: its state file, its server and its loop, for as long as it lives.
 *
 * It listens first, so that who watches it sees it start; it is ready once the state file is open and the loop runs. Told
 * to stop, it answers what is under way, leaves every call either finished or on record, and ends with 0, or with 3 when
 * something needs attention.
 */
import { Clock, type Context, Effect, Ref, References, Schedule as Every, type Scope } from "effect"
import { otherService } from "../../sync/apply/BoundService.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Scheduler from "../../sync/schedule/Scheduler.ts"
import { Database, StateError } from "../../sync/state/Database.ts"
import { lock } from "../../sync/state/FileLock.ts"
import * as Matching from "../../sync/matching/Run.ts"
import * as Schedule from "../../sync/model/Schedule.ts"
import type { ConfigError, Configuration } from "../../sync/library/config/Configuration.ts"
import { ATTENTION } from "../../sync/library/Exit.ts"
import { alone } from "../../sync/library/ConnectionLocks.ts"
import { attentionCount, plural } from "../../core/Plural.ts"
import { health } from "./Health.ts"
import { webhooks } from "./Webhooks.ts"
import * as Metrics from "./Metrics.ts"
import { follow } from "./Reload.ts"
import { type Route, serve, type ServerError } from "./Server.ts"
import { runConnection } from "../../sync/library/RunConnection.ts"

/** What a room may use to make its routes: the page is one. */
export interface House {
  /** Where the daemon listens. */
  readonly url: string
  readonly configuration: Effect.Effect<Configuration>
  readonly daemon: Scheduler.Daemon
}

/** A room brings routes; it gets the state file and what the daemon can be asked. */
export type Room = (house: House) => Effect.Effect<ReadonlyArray<Route>, ConfigError, Database>

export interface MainOptions {
  readonly configuration: Configuration
  readonly state: string
  readonly host: string
  readonly port: number
  readonly quiet: boolean
  readonly rooms?: ReadonlyArray<Room>
}

/** The loop looks at least every half minute; one that has not for this long does not run. Milliseconds. */
const STUCK_MS = 180_000
/** How often figures of the state file are read for a collector. Milliseconds. */
const REFRESHES_MS = 10_000

const log = (event: Scheduler.Event): Effect.Effect<void> => {
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

/** One daemon for one state file. */
const onlyDaemon = (state: string): Effect.Effect<void, StateError, Scope.Scope> =>
  state === ":memory:"
    ? Effect.void
    : lock(`${state}.daemon`, "daybook daemon").pipe(
        Effect.mapError((error) => {
          if (error.kind !== "locked") return error
          const who = /\(.*, (process .*)\)/.exec(error.why)?.[1]
          const why = `another daemon is running on it${who === undefined ? "" : ` (${who})`}; one is enough`
          return new StateError({ kind: "locked", file: state, why })
        })
      )

/** Ends only when it is interrupted, or by an error that no waiting mends. */
export const main = (options: MainOptions): Effect.Effect<never, StateError | ServerError | ConfigError, Scope.Scope> =>
  Effect.gen(function* () {
    const { configuration, host, port, rooms = [], state } = options
    yield* configuration.service.key
    yield* onlyDaemon(state)
    const current = yield* Ref.make(configuration)
    let trouble: string | undefined = "it is starting"
    let looked = 0
    let opened: Context.Context<Database> | undefined
    let routes: ReadonlyArray<Route> = []
    const clock = yield* Clock.Clock
    const { environment } = configuration

    const ids = Effect.map(Ref.get(current), ({ connections }) => connections.map(({ id }) => id))
    routes = health({
      connections: ids,
      state: () => opened,
      token: () =>
        configuration.daemon.metricsToken === undefined ? undefined : environment[configuration.daemon.metricsToken],
      trouble: () =>
        trouble ??
        (clock.currentTimeMillisUnsafe() - looked > STUCK_MS ? "its loop has not run for three minutes" : undefined)
    })
    const names = () => configuration.daemon.hosts ?? []
    const url = yield* serve({ host, port, names, routes: () => routes })
    yield* Effect.annotateLogs(Effect.logInfo(`listening at ${url}`), { url })

    return yield* Effect.gen(function* () {
      const db = yield* Database
      const other = yield* db.read(() => otherService(db, configuration.service.url))
      if (other !== undefined) return yield* other
      opened = yield* Effect.context<Database>()
      yield* Metrics.start
      const connections = Effect.map(Ref.get(current), ({ connections }) => {
        looked = clock.currentTimeMillisUnsafe()
        return connections
      })
      const daemon = yield* Scheduler.make({
        atOnce: configuration.daemon.atOnce,
        connections,
        family: Matching.family,
        sole: true,
        work: (connection, why) =>
          Effect.flatMap(Ref.get(current), (configuration) =>
            Effect.provideService(alone(db, [connection], runConnection(configuration, connection, why)), Database, db)
          ).pipe(Effect.withSpan("Daemon.run", { attributes: { connection: connection.id, why } })),
        onEvent: log
      })
      const house: House = { url, configuration: Ref.get(current), daemon }
      const all: ReadonlyArray<Room> = [({ configuration }) => webhooks({ configuration, wake: daemon.wake }), ...rooms]
      for (const room of all) routes = [...routes, ...(yield* room(house))]
      for (const { approve, every, id } of configuration.connections)
        yield* Effect.annotateLogs(
          Effect.logInfo(
            `${every === undefined ? "no schedule: runs on webhooks and on request" : Schedule.words(every)}${approve === true ? ", with approval" : ""}`
          ),
          { connection: id }
        )
      yield* Effect.forkScoped(follow(current, daemon.wake))
      // A collector is sent what there is; who asks /metrics has it read then.
      if (configuration.daemon.telemetry !== undefined)
        yield* Effect.forkScoped(Effect.repeat(Effect.flatMap(ids, Metrics.refresh), Every.spaced(REFRESHES_MS)))
      trouble = undefined
      return yield* Effect.onInterrupt(daemon.run, () =>
        Effect.gen(function* () {
          trouble = "it is stopping"
          if (configuration.daemon.telemetry !== undefined) yield* Effect.flatMap(ids, Metrics.refresh)
          const [people, plans] = yield* db.read(() => [AttentionStore.count(db), Approvals.waiting(db)] as const)
          process.exitCode = people + plans > 0 ? ATTENTION : 0
          const said = [
            ...(people > 0 ? [attentionCount(people)] : []),
            ...(plans > 0 ? [`${plural(plans, "plan")} to approve`] : [])
          ]
          yield* Effect.logInfo(`stopped; what was sent is kept${said.length > 0 ? `, and ${said.join(" and ")}` : ""}`)
        }).pipe(Effect.ignore)
      )
    }).pipe(
      Effect.provide(
        Database.layer({
          file: state,
          mode: "share",
          command: "daybook daemon",
          onWait: ({ message }) => Effect.logInfo(`waiting: ${message}`)
        })
      )
    )
  }).pipe(Effect.provideService(References.MinimumLogLevel, options.quiet ? "Warn" : "Info"))
