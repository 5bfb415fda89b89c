/** Performs a run and records its beginning and end in the state file, so that an interrupted run is repeated. */
import { Cause, Clock, Effect, Exit } from "effect"
import type { Connection } from "../model/Connection.ts"
import type { StateError, Db } from "../state/Database.ts"
import { type Done, type Failure, isFatal, RunError, type RunEvent } from "./RunEvents.ts"
import { limited, RUN_MS } from "./Limit.ts"
import { isElsewhere } from "../state/StateError.ts"
import * as RunState from "./RunState.ts"

export interface RunWork {
  readonly work: (connection: Connection, why: RunState.Trigger) => Effect.Effect<Done, Failure>
  readonly publish: (event: RunEvent) => Effect.Effect<void>
  /** How long the run may take. Milliseconds. */
  readonly runMs?: number | undefined
}

/** Fails only if the state file cannot be used: any other error is recorded and published. */
export const recorded = (
  db: Db,
  connection: Connection,
  trigger: RunState.Trigger,
  { publish, runMs = RUN_MS, work }: RunWork
): Effect.Effect<void, StateError> =>
  Effect.gen(function* () {
    const { id } = connection
    const began = yield* Clock.currentTimeMillis
    yield* db.soon(() => RunState.begin(db, connection, began))
    yield* publish({ type: "began", connection: id, why: trigger })
    const exit = yield* Effect.exit(limited(work(connection, trigger), runMs))
    if (Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)) return yield* Effect.interrupt
    const now = yield* Clock.currentTimeMillis
    const millis = now - began
    if (Exit.isSuccess(exit)) {
      const { message, outcome } = exit.value
      yield* db.transaction(() => RunState.end(db, id, { failed: false, ...exit.value }, now))
      return yield* publish({ type: "ended", connection: id, why: trigger, millis, outcome, message })
    }
    const error: unknown = Cause.squash(exit.cause)
    // The state file may be another's by now: the run counts as cut off, and not as one that failed.
    if (isElsewhere(error)) return yield* Effect.fail(error as StateError)
    const message = error instanceof Error ? error.message : String(error)
    const unauthorised = error instanceof RunError ? error.unauthorised : undefined
    yield* db.transaction(() => RunState.end(db, id, { failed: true, outcome: "failed", message, unauthorised }, now))
    // There is no retry here: the scheduler reports it once.
    if (isFatal(error)) return yield* Effect.fail(error as StateError)
    const failures = RunState.all(db).get(id)?.failures ?? 1
    yield* publish({ type: "failed", connection: id, why: trigger, millis, message, failures })
  })
