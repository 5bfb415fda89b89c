/**
 * Reads what changes by itself on the service: quotes that expire, policies that become late, windows that close (H1). Each
 * sync reads a hundred covered invoices again: first those for which a day has passed that changes something, then those
 * that were not read for the longest, each at least once a day.
 */
import { Clock, Effect } from "effect"
import { Client } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as CoverStore from "../apply/CoverStore.ts"
import * as LedgerStore from "../apply/LedgerStore.ts"
import { Sender } from "../apply/Sender.ts"
import { isFinal } from "../model/Cover.ts"
import { nextChange } from "../model/CoverStanding.ts"
import type { Connection } from "../model/Connection.ts"
import { encodeRemote } from "../model/Remote.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as Facts from "../plan/Facts.ts"
import { Database, type StateError } from "../state/Database.ts"
import { given } from "../../core/Entry.ts"

type Db = Database["Service"]

/** Invoices that one sync reads again. */
const MOST = 100
const AT_ONCE = 8
const DAY_MS = 86_400_000

/** What the ledger says; undefined where a call has no known answer: recovery finds out. */
const heldOf = (db: Db, subject: string): RemoteInvoice | undefined =>
  db.prepare("SELECT 1 FROM claim WHERE subject = ? AND has_receipt = 0").get(subject) === undefined
    ? Facts.remoteInvoice(db, subject)
    : undefined

/** Those to read now, by what is most urgent. */
const due = (db: Db, connection: string, now: number): ReadonlyArray<string> =>
  db
    .prepare(
      `SELECT subject FROM cover WHERE connection = ? AND read_from <= ? AND state IN ('offered', 'insured', 'collection')
        ORDER BY read_from, subject LIMIT ?`
    )
    .pluck()
    .all(connection, now, MOST) as ReadonlyArray<string>

/** It was read: when it is read next. */
const wasRead = (db: Db, connection: Connection, subject: string, remote: RemoteInvoice, now: number): void => {
  const settings = given(connection.planning.cover, "the settings of cover")
  const { invoice } = Facts.invoiceFacts(db, subject)
  const next = invoice === undefined ? undefined : nextChange(invoice, remote, settings, now)
  const policy = remote.cover?.policy
  const daily = policy !== undefined && isFinal(policy) ? Number.MAX_SAFE_INTEGER : now + DAY_MS
  db.prepare("UPDATE cover SET read = ?, read_from = ? WHERE subject = ?").run(
    now,
    Math.min(daily, next ?? daily),
    subject
  )
}

const readOne = (connection: Connection, sender: Sender, subject: string) =>
  Effect.gen(function* () {
    const db = yield* Database
    const before = yield* db.read(() => heldOf(db, subject))
    if (before === undefined) return false
    const now = yield* Clock.currentTimeMillis
    const read = yield* sender.reread(before, now, true)
    return yield* db.commit(() => {
      const held = heldOf(db, subject)
      // What a call has written meanwhile stands; the next sync reads it again.
      if (held === undefined || encodeRemote(held) !== encodeRemote(before)) return false
      const after = read?.kind === "invoice" ? read : before
      const changed = encodeRemote(after) !== encodeRemote(before)
      if (changed) {
        CoverStore.record(db, subject, before, after, now)
        LedgerStore.restate(db, connection, subject, after)
      }
      wasRead(db, connection, subject, after, now)
      return changed
    })
  })

/** Reads the covered invoices of a connection whose turn it is. Answers how many had changed. */
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
