/**
 * Ends this process when its event loop has stood still for a minute, which a tenant's connector or configuration may cause: whoever
 * supervises it starts it again, and other workers have its tenants by then.
 */
import { Effect, type Scope } from "effect"
import { Worker } from "node:worker_threads"

/** How often it looks, and how often it must have found nothing new. It counts looks, because a machine may be suspended. */
const LOOKS_MS = 5000
const MOST_STILL = 12

/** Runs in a thread of its own, which goes on while the other stands still. */
const PROGRAM = `const { workerData } = require("node:worker_threads")
const beats = new Int32Array(workerData)
let last = -1, still = 0
setInterval(() => {
  const now = Atomics.load(beats, 0)
  still = now === last ? still + 1 : 0
  last = now
  if (still < ${MOST_STILL}) return
  require("node:fs").writeSync(2, "the event loop has stood still for a minute; the process ends itself\\n")
  process.kill(process.pid, "SIGKILL")
}, ${LOOKS_MS})`

export const watchdog: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
  const shared = new SharedArrayBuffer(4)
  const beats = new Int32Array(shared)
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(PROGRAM, { eval: true, workerData: shared })),
    (worker) => Effect.promise(() => worker.terminate())
  )
  worker.unref()
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sync(() => Atomics.add(beats, 0, 1)),
        Effect.sleep(LOOKS_MS / 2)
      )
    )
  )
})
