/**
 * Recovers the claims that earlier runs left without a receipt, before anything else is sent: reads the service and records
 * what it shows. If a call cannot be looked up, it stays a claim and nothing is sent for its document. The same applies to
 * claims of connections that are currently not configured.
 */
import { Clock, Effect } from "effect"
import type { ServiceError } from "../../core/ServiceError.ts"
import { type Answer, idOf } from "../model/Answer.ts"
import type { Call } from "../model/Call.ts"
import { advance } from "../model/Advance.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Claims from "./Claims.ts"
import * as CoverStore from "./CoverStore.ts"
import type { Connection } from "../model/Connection.ts"
import type { StateError, Db } from "../state/Database.ts"
import * as Plan from "../plan/Plan.ts"
import * as Runs from "./Runs.ts"
import type { Sender } from "./Sender.ts"
import { monotonic } from "./SettleTime.ts"
import * as LedgerStore from "./LedgerStore.ts"
import * as UnknownItems from "./UnknownItems.ts"
import * as MatchItems from "./MatchItems.ts"

export interface Recovered {
  /** Calls whose outcome is now known. */
  readonly recovered: number
  /** Documents with a call that could not be looked up. */
  readonly held: ReadonlyArray<string>
}

export const recover = (
  db: Db,
  sender: Sender,
  connections: ReadonlyArray<Connection>
): Effect.Effect<Recovered, StateError | ServiceError> =>
  Effect.gen(function* () {
    const claims = yield* db.read(() => Claims.pending(db))
    const held: Array<string> = []
    if (claims.length > 0) yield* db.othersEnded
    // Requests of a run that ended may still be on their way, for as long as if they had been sent just now.
    const since = yield* monotonic
    const recoverOne = ({ call, id, run }: Claims.Claim, connection: Connection) =>
      Effect.gen(function* () {
        // The run that sent it is still alive, and will learn the outcome itself.
        if (Runs.isAlive(db, run)) {
          held.push(call.subject)
          return false
        }
        const outcome = yield* sender.readBack(call, since)
        const now = yield* Clock.currentTimeMillis
        yield* db.commit(() => write(db, id, call, connection, "done" in outcome ? outcome.done : undefined, now))
        return true
      }).pipe(
        Effect.catchTag("ServiceError", (error): Effect.Effect<boolean, ServiceError | StateError> => {
          if (error.reason._tag !== "Unknown" && error.reason._tag !== "Refused") return Effect.fail(error)
          held.push(call.subject)
          return Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            yield* db.commit(() => UnknownItems.renew(db, connection, call.subject, now))
            return false
          })
        })
      )
    const found = yield* Effect.forEach(
      claims.flatMap((claim) => {
        const connection = connections.find((one) => claim.call.subject.startsWith(`${one.id}/`))
        return connection === undefined ? [] : [recoverOne(claim, connection)]
      }),
      (one) => one,
      { concurrency: 8 }
    )
    return { recovered: found.filter((one) => one).length, held }
  })

/** @param answer the service's current state, or undefined if the call certainly changed nothing */
const write = (
  db: Db,
  id: number,
  call: Call,
  connection: Connection,
  answer: Answer | undefined,
  now: number
): void => {
  const outcome = answer === undefined ? "absent" : "done"
  Claims.receipt(db, id, { outcome, status: undefined, answer: undefined, remote: answer && idOf(answer) }, now)
  if (call.kind === "owner") return
  if (answer !== undefined) {
    const plan = Plan.planOne(db, connection, call.subject)
    const remote = advance(plan.remote, call, answer, now)
    if (plan.currency !== "" || remote !== undefined) LedgerStore.write(db, plan, remote)
    CoverStore.record(db, call.subject, plan.remote, remote, now)
    MatchItems.again(db, call.subject, remote)
  }
  ChangedDocuments.touch(db, call.subject)
}
