/**
 * One thing at a time for each connection of a state file, whoever in this process asks.
 */
import { type Effect, Semaphore } from "effect"
import type { Connection } from "../sync/model/Connection.ts"
import type { Database } from "../sync/state/Database.ts"

/** By state file and connection: one thing at a time. */
const lanes = new WeakMap<Database["Service"], Map<string, Semaphore.Semaphore>>()

const laneOf = (db: Database["Service"], id: string): Semaphore.Semaphore => {
  let own = lanes.get(db)
  if (own === undefined) lanes.set(db, (own = new Map()))
  let lane = own.get(id)
  if (lane === undefined) own.set(id, (lane = Semaphore.makeUnsafe(1)))
  return lane
}

/** Always in the same order, so that two that wait do not wait for each other. */
export const alone = <A, E, R>(
  db: Database["Service"],
  connections: ReadonlyArray<Connection>,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  connections
    .map(({ id }) => id)
    .toSorted()
    .reduceRight((inner, id) => laneOf(db, id).withPermits(1)(inner), work)
