/**
 * Sends alerts for runs without a scheduler: `daybook sync` from a crontab, `sync` of the library. Records how each
 * connection's run ended, as the daemon does, then checks the facts once and sends what is due from the same queue, so that
 * an undelivered message is retried by the next run. If a daemon uses the state file, this is left to the daemon.
 */
import { Cause, Clock, Effect, Exit, References } from "effect"
import type { HttpClient } from "effect/http"
import { describe } from "../../core/ServiceError.ts"
import * as Watching from "../alerts/Watching.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Connection } from "../model/Connection.ts"
import * as ConnectorContext from "../pull/ConnectorContext.ts"
import * as RunState from "../schedule/RunState.ts"
import { hasDaemon } from "../state/DaemonLock.ts"
import { Database, type StateError } from "../state/Database.ts"
import type { Synced } from "../Sync.ts"
import type { Configuration } from "./config/Configuration.ts"
import { messageOf } from "./Exit.ts"
import { hide } from "./Hidden.ts"
import { unauthorisedOf } from "./RunConnection.ts"

/** The parts of a sync that show how its runs ended. */
export type RunEnds = Pick<Synced, "readings" | "report">

const failed = (message: string, unauthorised: string | undefined): RunState.RunEnd => ({
  failed: true,
  outcome: "failed",
  message,
  unauthorised
})

/** The failure of one connection's run, if it failed. */
const failureOf = ({ id }: Connection, exit: Exit.Exit<RunEnds, unknown>): RunState.RunEnd | undefined => {
  if (Exit.isFailure(exit)) {
    const error = Cause.squash(exit.cause)
    return failed(messageOf(error), unauthorisedOf(error))
  }
  const { readings, report } = exit.value
  const reading = readings.find(({ connection }) => connection.id === id)?.result
  const { stopped } = report
  const refused = stopped?._tag === "Unauthorized" ? describe(stopped) : undefined
  if (reading?._tag === "Failure") return failed(messageOf(reading.failure), unauthorisedOf(reading.failure) ?? refused)
  return stopped === undefined ? undefined : failed(`sending stopped: ${describe(stopped)}`, refused)
}

/** Records how the runs ended. */
const putDown = (
  configuration: Configuration,
  connections: ReadonlyArray<Connection>,
  exit: Exit.Exit<RunEnds, unknown>,
  began: number
): Effect.Effect<void, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    for (const connection of connections) {
      const { id } = connection
      const authorisedUntil = yield* ConnectorContext.authorisedUntil(configuration, connection, db.file)
      const now = yield* Clock.currentTimeMillis
      yield* db.transaction(() => {
        const people = AttentionStore.countOf(db, id)
        const done = { failed: false, outcome: people > 0 ? "attention" : "done", message: "", authorisedUntil }
        RunState.current(db, RunState.all(db).get(id), connection, began)
        RunState.begin(db, connection, began)
        RunState.end(db, id, failureOf(connection, exit) ?? done, now)
      })
    }
  })

export interface AlertHooks {
  readonly onDelivered: (delivered: Watching.Delivered) => Effect.Effect<void>
  /** Called if no messages could be sent; with the reason in words. */
  readonly onTrouble?: (message: string) => Effect.Effect<void>
}

/** Runs the work, then sends alerts about its result, which they do not change. */
export const alerting = <A extends RunEnds, E, R>(
  configuration: Configuration,
  connections: ReadonlyArray<Connection>,
  work: Effect.Effect<A, E, R>,
  { onDelivered, onTrouble = Effect.logWarning }: AlertHooks
): Effect.Effect<A, E, R | Database | HttpClient.HttpClient> =>
  configuration.alerts === undefined
    ? work
    : Effect.gen(function* () {
        const began = yield* Clock.currentTimeMillis
        const exit = yield* Effect.exit(work)
        if (Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)) return yield* exit
        const db = yield* Database
        const telling = Effect.gen(function* () {
          if (yield* hasDaemon(db.file)) return
          yield* putDown(configuration, connections, exit, began)
          // The hooks report what it would log.
          yield* Effect.provideService(
            Watching.once({ setup: Effect.succeed(configuration), hide, onDelivered }),
            References.MinimumLogLevel,
            "None"
          )
        })
        yield* Effect.catchCause(telling, (cause) =>
          onTrouble(hide(`alerts about the run could not be sent: ${messageOf(Cause.squash(cause))}`))
        )
        return yield* exit
      })
