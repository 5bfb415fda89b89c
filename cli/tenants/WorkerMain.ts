/** A worker: runs tenants whose configuration is in PostgreSQL, with other workers, each in a process of its own. */
import { Clock, Effect, type Scope } from "effect"
import { rmSync } from "node:fs"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { engineOver } from "../../sync/engine/PgBoss.ts"
import { slotProcesses } from "../../sync/engine/SlotProcess.ts"
import { JobWorker } from "../../sync/engine/Worker.ts"
import type { KeptPlace } from "../../sync/library/many/KeptTenants.ts"
import { tellOfGivenUp } from "../../sync/library/many/OperatorsAlerts.ts"
import { WritingTest } from "../../sync/library/many/WritingTest.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import { copiesIn, sweepCopies } from "../../sync/state/replication/CachedCopy.ts"
import * as Kept from "../../sync/state/replication/postgres/KeptSettings.ts"
import type { StoreAway } from "../../sync/state/replication/Store.ts"
import { serve, type ServerError } from "../daemon/Server.ts"
import { type WorkerMainOptions, workerRoutes } from "./WorkerRoutes.ts"

/** The variable in which a worker tells the process of a slot where copies are. */
export const SLOT = "DAYBOOK_SLOT"

/** How often copies are swept, and how many bytes of them stay. */
const SWEEPS_MS = 30_000
const MOST_COPIED = 8 << 30

const sweeping = ({ sessions }: KeptPlace, cache: string) =>
  Effect.gen(function* () {
    yield* Effect.sleep(SWEEPS_MS)
    const kept = yield* Kept.stillKept(sessions, copiesIn(cache))
    yield* Effect.sync(() => sweepCopies(cache, kept, MOST_COPIED))
  }).pipe(
    Effect.catchCause(() => Effect.void),
    Effect.forever
  )

/** Ends only when interrupted. */
export const workerMain = (options: WorkerMainOptions): Effect.Effect<never, StoreAway | ServerError, Scope.Scope> =>
  Effect.gen(function* () {
    const { configuration, listen, place, slots: count } = options
    const { sessions } = place
    const cache = yield* Effect.acquireRelease(
      Effect.sync(() => temporaryFolder("node")),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const engine = yield* engineOver(sessions)
    const slots = yield* slotProcesses(count, process.argv.slice(2), { [SLOT]: cache })
    const writing = new WritingTest(cache)
    const clock = yield* Clock.Clock
    const worker = yield* JobWorker.make({
      engine,
      slots,
      sick: Effect.suspend(() => writing.look(Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n))),
      giveUp: (id, why) =>
        Effect.gen(function* () {
          const row = yield* Kept.keptOf(sessions, id)
          if (row === undefined) return true
          yield* Kept.holdBack(sessions, id, why)
          yield* Effect.annotateLogs(Effect.logError(`it is held back: ${why}`), { tenant: row.name })
          return yield* Effect.provide(tellOfGivenUp(configuration, row.name, why), outside)
        })
    })
    yield* Effect.forkScoped(sweeping(place, cache))
    if (listen !== undefined) {
      const routes = workerRoutes(worker, options)
      const url = yield* serve({
        ...listen,
        names: () => configuration.daemon.hosts ?? [],
        routes: () => routes
      })
      yield* Effect.annotateLogs(Effect.logInfo(`listening at ${url}`), { url })
    }
    yield* Effect.logInfo(`${count} slots for the tenants of the database`)
    return yield* worker.run
  })
