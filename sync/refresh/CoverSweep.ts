/**
 * Reads what changes by itself on the service: quotes that expire, policies that become late, windows that close (H1). Each
 * sync reads a hundred covered invoices again: first those that have passed a date on which something changes, then those
 * not read for the longest time. Each is read once per calendar day, so that a sync at the same time each day reads them
 * all.
 */
import { Clock, Effect } from "effect"
import { Client } from "../../core/Client.ts"
import * as Day from "../../core/wire/Day.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as CoverStore from "../apply/CoverStore.ts"
import * as LedgerStore from "../apply/LedgerStore.ts"
import { Sender } from "../apply/Sender.ts"
import type { Connection } from "../model/Connection.ts"
import { encodeRemote } from "../model/Remote.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as Facts from "../plan/Facts.ts"
import { Database, type StateError } from "../state/Database.ts"

type Db = Database["Service"]

/** How many invoices one sync reads again. */
const MOST = 100
const AT_ONCE = 8

/** The ledger entry; undefined if a call has no known answer, which is left to recovery. */
const heldOf = (db: Db, subject: string): RemoteInvoice | undefined =>
  db.prepare("SELECT 1 FROM claim WHERE subject = ? AND has_receipt = 0").get(subject) === undefined
    ? Facts.remoteInvoice(db, subject)
    : undefined

/**
 * Since it was read, a date on which something changes has passed: the due date, the end of an offer, the end of the window.
 */
const PASSED = `(due < :today AND read < unixepoch(due, '+1 day') * 1000 OR until <= :now AND read < until
  OR window_ends < :today AND read < unixepoch(window_ends, '+1 day') * 1000)`

/** The invoices to read now, most urgent first. */
const due = (db: Db, connection: string, now: number): ReadonlyArray<string> =>
  db
    .prepare(
      `SELECT subject FROM cover WHERE connection = :connection AND state IN ('offered', 'insured', 'collection')
          AND (read < unixepoch(:today) * 1000 OR ${PASSED}) ORDER BY coalesce(${PASSED}, 0) DESC, read, subject LIMIT :most`
    )
    .pluck()
    .all({
      connection,
      now,
      today: Day.fromEpochMillis(now),
      most: MOST
    }) as ReadonlyArray<string>

const readOne = (connection: Connection, sender: Sender, subject: string) =>
  Effect.gen(function* () {
    const db = yield* Database
    const before = yield* db.read(() => heldOf(db, subject))
    if (before === undefined) return false
    const now = yield* Clock.currentTimeMillis
    const read = yield* sender.reread(before, now, true)
    return yield* db.commit(() => {
      const held = heldOf(db, subject)
      // If a call has changed the entry meanwhile, its result stands; the next sync reads it again.
      if (held === undefined || encodeRemote(held) !== encodeRemote(before)) return false
      const after = read?.kind === "invoice" ? read : before
      const changed = encodeRemote(after) !== encodeRemote(before)
      if (changed) {
        LedgerStore.restate(db, connection, subject, after)
        CoverStore.record(db, subject, before, after, now)
      }
      CoverStore.wasRead(db, subject, now)
      return changed
    })
  })

/** H1: reads a connection's covered invoices that are due. Returns how many had changed. */
export const sweepCover = Effect.fn("CoverSweep.sweepCover")(function* (
  connection: Connection
): Effect.fn.Return<number, StateError | ServiceError, Database | Client> {
  if (connection.planning.cover === undefined) return 0
  const db = yield* Database
  const now = yield* Clock.currentTimeMillis
  const subjects = yield* db.read(() => due(db, connection.id, now))
  if (subjects.length === 0) return 0
  const sender = new Sender(db, yield* Client, { settleAfter: 0 })
  const changed = yield* Effect.forEach(subjects, (subject) => readOne(connection, sender, subject), {
    concurrency: AT_ONCE
  })
  return changed.filter((one) => one).length
})
