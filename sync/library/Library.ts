/**
 * Implements the library as effects: everything that the commands can do, on one state file that is held from `open` to
 * `close`. For each connection, only one thing is done at a time.
 */
import { Effect, PubSub, type Scope, Stream } from "effect"
import { exportTo, exportViews } from "../export/index.ts"
import * as Matching from "../matching/Run.ts"
import * as Scheduler from "../schedule/Scheduler.ts"
import * as Watching from "../alerts/Watching.ts"
import { busyness } from "../schedule/Busy.ts"
import { Database } from "../state/Database.ts"
import type { Api, Event } from "./Api.ts"
import type { Configuration } from "./config/Configuration.ts"
import { onAlerts } from "./AlertApi.ts"
import { backupApart } from "./BackupApart.ts"
import { alone } from "../decisions/ConnectionLocks.ts"
import { makeLink, standings } from "./ConnectLinks.ts"
import { onCollections } from "./CollectionApi.ts"
import { onCover } from "./CoverApi.ts"
import { onConnections, onItems, takingBack } from "./Decisions.ts"
import { UsageError } from "./Exit.ts"
import * as Handle from "./Handle.ts"
import { hide } from "./Hidden.ts"
import { runWith } from "./RunConnection.ts"
import { syncing } from "./Syncing.ts"
import { views } from "./Views.ts"

/** Links for other people's books. */
const links = ({ configuration, db }: Handle.HandleContext): Pick<Api, "connectLink" | "connectLinks"> => ({
  connectLink: (options) => makeLink(configuration, db, options, "library"),
  connectLinks: () => standings(db)
})

/** Exports, views and backups. */
const copies = ({ db, given }: Handle.HandleContext): Pick<Api, "export" | "views" | "backup"> => ({
  export: (file, choice) => exportTo(db, file, choice),
  views: (file, choice) => exportViews(db, file, choice),
  backup: (file) => given(backupApart(file))
})

/** The schedule, of which only one runs at a time, and what wakes it. */
const scheduled = ({ configuration, db, given, publish, withKey }: Handle.HandleContext, tenant: boolean) => {
  let daemon: Scheduler.Daemon | undefined
  let runs = false
  const looping = Effect.gen(function* () {
    const alerts = yield* given(
      Watching.make({
        setup: Effect.succeed(configuration),
        tenant,
        hide,
        onDelivered: (delivered) => publish({ type: "alert", ...delivered })
      })
    )
    daemon = yield* Scheduler.make({
      atOnce: configuration.daemon.atOnce,
      runMs: configuration.daemon.runMs,
      isBusy: busyness(),
      connections: Effect.succeed(configuration.connections),
      family: Matching.family,
      work: (connection, why, around) =>
        withKey((key) => alone(db, [connection], runWith(key, configuration, connection, why, around))),
      onEvent: (event) => Effect.andThen(publish({ type: "turn", event }), Watching.onRun(alerts, event))
    })
    yield* Effect.forkScoped(alerts.run)
    return yield* daemon.run
  }).pipe(Effect.scoped, Effect.provideService(Database, db))
  const run: Api["run"] = () =>
    Effect.acquireUseRelease(
      Effect.suspend(() => {
        if (runs)
          return Effect.fail(new UsageError({ why: "run() is already running; call it again after it has ended" }))
        return Effect.sync(() => void (runs = true))
      }),
      () => looping,
      () => Effect.sync(() => void (runs = false))
    )
  return { run, wake: (id: string) => Effect.suspend(() => daemon?.ask(id) ?? Effect.void), isRunning: () => runs }
}

/**
 * The methods of a handle.
 *
 * @param own the connections whose messages may be sent again; default: the whole file
 */
export const asked = (handle: Handle.HandleContext, own?: ReadonlyArray<string>): Omit<Api, "run" | "events"> => ({
  ...syncing(handle),
  ...views(handle),
  ...copies(handle),
  ...links(handle),
  ...onItems(handle),
  ...takingBack(handle),
  ...onConnections(handle),
  ...onCover(handle),
  ...onCollections(handle),
  ...onAlerts(handle, own)
})

/** @param tenant others have their own connections in this state file */
export const make = (
  configuration: Configuration,
  tenant = false
): Effect.Effect<Api, never, Handle.Needs | Scope.Scope> =>
  Effect.gen(function* () {
    const events = yield* Effect.acquireRelease(PubSub.unbounded<Event>(), PubSub.shutdown)
    const publish = (event: Event) => Effect.asVoid(PubSub.publish(events, event))
    const handle = yield* Handle.make(configuration, yield* Database, publish)
    const { isRunning, run, wake } = scheduled(handle, tenant)
    const alerting = { ...handle, wake, sendsAlerts: () => !tenant && !isRunning() }
    const own = tenant ? configuration.connections.map(({ id }) => id) : undefined
    return { ...asked(alerting, own), run, events: Stream.fromPubSub(events) }
  })
