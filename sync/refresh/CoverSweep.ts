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
import { Sender } from "../apply/Sender.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import { readAgain } from "./ReadAgain.ts"

type Db = Database["Service"]

/** How many invoices one sync reads again. */
const MOST = 100
const AT_ONCE = 8

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
  const outcomes = yield* Effect.forEach(subjects, (subject) => readAgain(connection, sender, subject, true), {
    concurrency: AT_ONCE
  })
  return outcomes.filter((outcome) => outcome === "changed").length
})
