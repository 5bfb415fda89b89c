/**
 * What the library can do, as effects: everything that the commands can, on one state file that is held from `open` to
 * `close`. Of one connection only one thing is done at a time, whoever asks.
 */
import { Effect, PubSub, type Scope, Stream } from "effect"
import * as AttentionStore from "../apply/AttentionStore.ts"
import { exportTo } from "../export/index.ts"
import * as Matching from "../matching/Run.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as Status from "../reports/Status.ts"
import * as RunState from "../schedule/RunState.ts"
import * as Scheduler from "../schedule/Scheduler.ts"
import { backup } from "../state/Backup.ts"
import { Database } from "../state/Database.ts"
import type { Api, Event } from "./Api.ts"
import { candidatesOf } from "./AttentionRecords.ts"
import type { Configuration } from "./config/Configuration.ts"
import { alone } from "./ConnectionLocks.ts"
import { onCollections } from "./CollectionApi.ts"
import { onCover } from "./CoverApi.ts"
import { onConnections, onItems } from "./Decisions.ts"
import { UsageError } from "./Exit.ts"
import * as Explain from "./Explain.ts"
import * as Handle from "./Handle.ts"
import { dated } from "./Plain.ts"
import { runConnection } from "./RunConnection.ts"
import { syncing } from "./Syncing.ts"

/** What there is to see. */
const views = ({
  db,
  given
}: Handle.HandleContext): Pick<Api, "status" | "attention" | "explain" | "export" | "backup"> => ({
  status: () =>
    db.snapshot(() => ({
      service: Status.service(db),
      connections: Status.connections(db).map((id) => dated(Status.connection(db, id), "read")),
      runs: Status.runs(db, 5).map((one) => dated(one, "started", "ended")),
      turns: [...RunState.all(db).values()].map((one) => dated(one, "dueFrom", "began", "ended", "succeeded")),
      approvals: Approvals.list(db).map((one) => dated(one, "made", "decided")),
      attention: AttentionStore.count(db),
      pendingCalls: Status.pendingCalls(db),
      quarantined: Status.quarantinedCount(db)
    })),
  attention: () =>
    db.read(() => AttentionStore.list(db).map((one) => ({ ...dated(one, "since"), ...candidatesOf(db, one) }))),
  explain: (what) =>
    db.snapshot(() => Explain.subjects(db, what).map((key) => Explain.plainStory(Explain.story(db, key)))),
  export: (file, choice) => exportTo(db, file, choice),
  backup: (file) => given(backup(file))
})

/** The schedule, which runs once at a time, and what wakes it. */
const scheduled = ({ configuration, db, publish }: Handle.HandleContext) => {
  let daemon: Scheduler.Daemon | undefined
  let runs = false
  const looping = Effect.gen(function* () {
    daemon = yield* Scheduler.make({
      atOnce: configuration.daemon.atOnce,
      connections: Effect.succeed(configuration.connections),
      family: Matching.family,
      work: (connection, why) =>
        Effect.provideService(alone(db, [connection], runConnection(configuration, connection, why)), Database, db),
      onEvent: (event) => publish({ type: "turn", event })
    })
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
  return { run, wake: Effect.suspend(() => daemon?.wake ?? Effect.void) }
}

export const make = (configuration: Configuration): Effect.Effect<Api, never, Handle.Needs | Scope.Scope> =>
  Effect.gen(function* () {
    const events = yield* Effect.acquireRelease(PubSub.unbounded<Event>(), PubSub.shutdown)
    const publish = (event: Event) => Effect.asVoid(PubSub.publish(events, event))
    const handle = yield* Handle.make(configuration, yield* Database, publish)
    const { run, wake } = scheduled(handle)
    return {
      ...syncing(handle),
      ...views(handle),
      ...onItems(handle),
      ...onConnections(handle, wake),
      ...onCover(handle),
      ...onCollections(handle),
      run,
      events: Stream.fromPubSub(events)
    }
  })
