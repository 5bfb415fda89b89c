/**
 * Checks a state file once: whose run is due, when to check again, and which plans no longer need approval. Runs in one
 * transaction, so that the results are stored together.
 */
import type { Effect } from "effect"
import * as Approvals from "../plan/Approvals.ts"
import type { Connection } from "../model/Connection.ts"
import type { StateError, Db } from "../state/Database.ts"
import * as WebhookQueue from "../pull/WebhookQueue.ts"
import { type Asked, type DueRuns, due } from "./Due.ts"
import type { RunEvent } from "./RunEvents.ts"

export interface LookOptions extends Asked {
  /**
   * No other configuration uses this state file, so what it stores about connections that are not configured is deleted.
   */
  readonly sole: boolean
  /** Deletes deliveries that were processed long ago. */
  readonly tidies: boolean
}

export interface LookedAt extends DueRuns {
  readonly drops: ReadonlyArray<RunEvent>
}

export const lookAt = (
  db: Db,
  all: ReadonlyArray<Connection>,
  { sole, tidies, ...asked }: LookOptions
): Effect.Effect<LookedAt, StateError> =>
  db.transaction(() => {
    db.verify()
    const drops = dropped(db, all, sole)
    const found = due(db, all, asked)
    if (tidies) WebhookQueue.forget(db, asked.now)
    return { ...found, drops }
  })

/** Drops plans of connections that no longer require approval: nobody will send them as approved. */
const dropped = (db: Db, all: ReadonlyArray<Connection>, sole: boolean): ReadonlyArray<RunEvent> => {
  const own = new Map(all.map((connection) => [connection.id, connection]))
  return Approvals.list(db).flatMap(({ connection, decision, why }) => {
    const configured = own.get(connection)
    const asks = configured === undefined ? !sole : configured.approve === true || why !== null
    if (asks) return []
    Approvals.clear(db, connection)
    const message = `it no longer asks for approval; the plan that ${decision === null ? "was waiting" : `was ${decision}`} is dropped`
    return [{ type: "approval dropped", connection, message } as const]
  })
}
