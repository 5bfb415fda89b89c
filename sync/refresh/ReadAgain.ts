/**
 * Reads what the service has of a document, and writes it into the ledger where the two differ. This is the only way in which
 * a reading changes the ledger: the sweep, webhooks, and the view that a person decides by all use it.
 */
import { Clock, Effect } from "effect"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as CoverStore from "../apply/CoverStore.ts"
import * as LedgerStore from "../apply/LedgerStore.ts"
import type { Sender } from "../apply/Sender.ts"
import type { Connection } from "../model/Connection.ts"
import { type Remote, saysSame } from "../model/Remote.ts"
import * as Facts from "../plan/Facts.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"

/** How often a document is read whose ledger entry changes while the service answers. */
const MOST_READS = 3

/**
 * The ledger entry of a document; undefined if a call has no known answer. That is left to recovery, because otherwise the
 * effect of that call would be in the ledger twice.
 */
const settledEntry = (db: Db, key: string): Remote | undefined =>
  db.prepare("SELECT 1 FROM claim WHERE subject = ? AND has_receipt = 0").get(key) !== undefined
    ? undefined
    : Facts.isOrderKey(key)
      ? Facts.remoteOrder(db, key)
      : Facts.remoteInvoice(db, key)

/** When its cover was read before, by the service's clock in milliseconds; undefined if never. */
const lastReadOf = (db: Db, key: string): number | undefined => {
  const read = db.prepare("SELECT read FROM cover WHERE subject = ?").pluck().get(key)
  return typeof read === "number" && read > 0 ? read : undefined
}

/** `unsettled`: it was not read, because the outcome of a call is not known, or the entry changed each time meanwhile. */
export type ReadOutcome = "same" | "changed" | "gone" | "unsettled"

/**
 * Reads one document. If a call changes the ledger entry meanwhile, the entry stands, and the service is read again.
 *
 * @param withCover reads the quote, the policy and the collection as well
 */
export const readAgain = (
  connection: Connection,
  sender: Sender,
  key: string,
  withCover: boolean
): Effect.Effect<ReadOutcome, StateError | ServiceError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    for (let reads = 0; reads < MOST_READS; reads++) {
      const before = yield* db.read(() => settledEntry(db, key))
      if (before === undefined) return "unsettled"
      const now = yield* Clock.currentTimeMillis
      const lastRead = withCover ? lastReadOf(db, key) : undefined
      const { stated = Number.POSITIVE_INFINITY, value: read } = yield* sender.clock.during(
        sender.reread(before, now, withCover, lastRead)
      )
      // The clock may have been put right meanwhile: what was read on another day is read again.
      const at = Math.min(now, yield* Clock.currentTimeMillis)
      const outcome = yield* db.commit((): ReadOutcome | undefined => {
        const held = settledEntry(db, key)
        if (held === undefined || !saysSame(held, before)) return undefined
        const asBefore = read === undefined || saysSame(read, before)
        if (!asBefore) {
          LedgerStore.restate(db, connection, key, read)
          CoverStore.record(db, key, before, read, at)
        }
        ServiceTime.remember(db, sender.clock.ahead)
        if (withCover && read !== undefined) CoverStore.wasRead(db, key, Math.min(ServiceTime.of(db, at), stated))
        return read === undefined ? "gone" : asBefore ? "same" : "changed"
      })
      if (outcome !== undefined) return outcome
    }
    return "unsettled"
  })
