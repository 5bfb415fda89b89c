/**
 * Closes the items that ask a person to decide what may have been carried out already: whether cover was bought or an invoice handed
 * over is not known, and nobody can decide before it is.
 */
import type { Connection } from "../model/Connection.ts"
import * as Plan from "../plan/Plan.ts"
import * as UnknownCalls from "../plan/UnknownCalls.ts"
import type { Db } from "../state/Database.ts"
import * as AttentionStore from "./AttentionStore.ts"

export const renew = (db: Db, connection: Connection, subject: string, now: number): void => {
  if (!UnknownCalls.isPurchase(db, subject) && !UnknownCalls.isHandover(db, subject)) return
  if (AttentionStore.list(db, subject).length === 0) return
  AttentionStore.announce(db, subject, Plan.planOne(db, connection, subject, { now }).attention, now)
}
