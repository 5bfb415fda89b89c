/**
 * Ensures that only one thing happens at a time for each connection of a state file, whoever in this process asks: the
 * library, a run of the daemon, a person on the page. This is the only place that decides it.
 *
 * A connection that pays for another changes that one too: reading it finds payments for the other's invoices, and its run
 * sends them. So it takes both locks. Locks are taken in the order of their names to avoid deadlocks, and they are not
 * reentrant. If the state file is shared with other processes, it is held first (`Database.hold`), then the locks are taken.
 */
import { type Effect, Semaphore } from "effect"
import type { Connection } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"

/** The fields of a connection that determine its locks. */
export type Whose = Pick<Connection, "id" | "pays">

/** Locks by state file, independent of how it was opened, and by connection. */
const locks = new WeakMap<Db["raw"], Map<string, Semaphore.Semaphore>>()

const lockOf = ({ raw }: Db, id: string): Semaphore.Semaphore => {
  let own = locks.get(raw)
  if (own === undefined) locks.set(raw, (own = new Map()))
  let lock = own.get(id)
  if (lock === undefined) own.set(id, (lock = Semaphore.makeUnsafe(1)))
  return lock
}

/** Waits until nobody else works on these connections, nor on those that they pay for, and keeps others out. */
export const alone = <A, E, R>(
  db: Db,
  connections: ReadonlyArray<Whose>,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  [...new Set(connections.flatMap(({ id, pays }) => (pays === undefined ? [id] : [id, pays.connection])))]
    .toSorted()
    .reduceRight((inner, id) => lockOf(db, id).withPermits(1)(inner), work)

/** The connection of a document: decisions about it take that connection's locks, whether it is configured or not. */
export const locksFor = (connections: ReadonlyArray<Whose>, subject: string): ReadonlyArray<Whose> => {
  const id = subject.slice(0, subject.indexOf("/"))
  return [connections.find((one) => one.id === id) ?? { id }]
}
