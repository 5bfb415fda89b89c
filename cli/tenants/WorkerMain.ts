/** A worker: runs tenants whose configuration is in PostgreSQL, with other workers, each in a process of its own. */
import { Clock, Effect, type Scope } from "effect"
import { rmSync } from "node:fs"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { engineOver } from "../../sync/engine/PgBoss.ts"
import { slotProcesses } from "../../sync/engine/SlotProcess.ts"
import { JobWorker } from "../../sync/engine/Worker.ts"
import { type KeptPlace, sweepMarks } from "../../sync/library/many/KeptTenants.ts"
import { ReadTenants } from "../../sync/library/many/ReadTenants.ts"
import { tellOfGivenUp } from "../../sync/library/many/OperatorsAlerts.ts"
import { filesTest } from "../../sync/library/many/FilesTest.ts"
import { WritingTest } from "../../sync/library/many/WritingTest.ts"
import { sealProblem } from "../../sync/library/many/KeptTexts.ts"
import type { ConfigError } from "../../sync/library/config/Configuration.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import { copiesIn, sweepCopies } from "../../sync/state/replication/CachedCopy.ts"
import * as Inbox from "../../sync/state/replication/postgres/Inbox.ts"
import * as Kept from "../../sync/state/replication/postgres/KeptSettings.ts"
import { tablesProblem } from "../../sync/state/replication/postgres/Schema.ts"
import type { StoreAway } from "../../sync/state/replication/Store.ts"
import { serve, type ServerError } from "../daemon/Server.ts"
import { announce } from "../page/RouteModule.ts"
import { tokensAreUsable } from "../remote/HttpRoutes.ts"
import { keptSignIns } from "./KeptSignIns.ts"
import { watchdog } from "./Watchdog.ts"
import { pagesOf, type WorkerMainOptions, workerRoutes } from "./WorkerRoutes.ts"

/** The variable in which a worker tells the process of a slot where copies are. */
export const SLOT = "DAYBOOK_SLOT"

/** How often to look whether a newer version has changed the tables. Milliseconds. */
const TABLES_MS = 5000
/** How often copies are swept, and how many bytes of them stay. */
const SWEEPS_MS = 30_000
const MOST_COPIED = 8 << 30

const sweeping = (place: KeptPlace, cache: string, reads: ReadTenants) =>
  Effect.gen(function* () {
    const { sessions } = place
    const folders = [cache, reads.folder]
    yield* Effect.sleep(SWEEPS_MS)
    yield* reads.sweep
    yield* Inbox.sweep(sessions)
    for (const folder of folders) {
      const kept = yield* Kept.stillKept(sessions, copiesIn(folder))
      yield* Effect.sync(() => sweepCopies(folder, kept, MOST_COPIED / folders.length))
    }
    yield* sweepMarks(place)
  }).pipe(
    Effect.catchCause(() => Effect.void),
    Effect.forever
  )

/** Ends only when interrupted. */
export const workerMain = (
  options: WorkerMainOptions
): Effect.Effect<never, StoreAway | ServerError | ConfigError, Scope.Scope> =>
  Effect.gen(function* () {
    const { configuration, isNext, listen, place, slots: count } = options
    const { sessions } = place
    yield* watchdog
    const cache = yield* Effect.acquireRelease(
      Effect.sync(() => temporaryFolder("node")),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const engine = yield* engineOver(sessions)
    const slots = yield* slotProcesses(count, process.argv.slice(2), { [SLOT]: cache })
    const writing = new WritingTest(cache)
    const filesProblem = yield* filesTest(place.files)
    const clock = yield* Clock.Clock
    let looked = Number.NEGATIVE_INFINITY
    let changed: string | undefined
    const worker = yield* JobWorker.make({
      engine,
      slots,
      isNext,
      sick: Effect.gen(function* () {
        const now = Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
        const why = (yield* writing.look(now)) ?? (yield* filesProblem)
        if (why === undefined && now - looked >= TABLES_MS) {
          const asked = Effect.flatMap(tablesProblem(sessions), (why) =>
            why === undefined ? sealProblem(sessions, place.key) : Effect.succeed(why)
          )
          changed = yield* Effect.orElseSucceed(asked, () => changed)
          looked = now
        }
        return why ?? changed
      }),
      giveUp: (id, why) =>
        Effect.gen(function* () {
          const row = yield* Kept.keptOf(sessions, id)
          if (row === undefined) return true
          yield* Effect.annotateLogs(Effect.logError(`it is held back: ${why}`), { tenant: row.name })
          return yield* Effect.provide(tellOfGivenUp(configuration, row.name, why), outside)
        })
    })
    const reads = yield* ReadTenants.make(place)
    yield* Effect.forkScoped(sweeping(place, cache, reads))
    if (listen !== undefined) {
      const signIns = yield* keptSignIns(place, configuration)
      yield* tokensAreUsable(configuration)
      let routes = workerRoutes(worker, { place, reads }, options)
      const { daemon } = configuration
      const names = () => daemon.hosts ?? []
      const url = yield* serve({ ...listen, names, proxies: daemon.proxies, routes: () => routes })
      routes = [...routes, ...pagesOf({ place, reads }, signIns, configuration, url)]
      yield* Effect.annotateLogs(Effect.logInfo(`listening at ${url}`), { url })
      yield* announce(url, signIns.sessions)
    }
    yield* Effect.logInfo(`${count} slots for the tenants of the database`)
    return yield* worker.run
  })
