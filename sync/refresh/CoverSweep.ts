/**
 * Reads what changes by itself on the service: quotes that expire, policies that become late, windows that close (H1). Every
 * covered invoice is looked at once per calendar day, and again once a date has passed on which something changes, however many
 * there are: the service's list of policies states the status of a hundred with one request, and only those are read one by one
 * whose status moved. Of offers, which are in no list, each sync reads a hundred.
 *
 * An invoice that is known to be insured, by a list or by another answer, and of whose policy nothing is known, is read at once.
 *
 * What cannot be read stops nothing else, and has an item of its own until it can be read. A time in the future, from a clock
 * that was ahead, counts as never.
 */
import { Clock, Effect, Stream } from "effect"
import { Client, pages } from "../../core/Client.ts"
import * as Day from "../../core/wire/Day.ts"
import { describe, type ServiceError } from "../../core/ServiceError.ts"
import * as CoverStore from "../apply/CoverStore.ts"
import { Sender } from "../apply/Sender.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import { readAgain } from "./ReadAgain.ts"

/** How many offers one sync reads again. */
const MOST_OFFERS = 100
const AT_ONCE = 8
/** From how many policies on the list is read instead of each by itself. */
const LISTED_FROM = 5

/** Since it was read, a date on which something changes has passed: the due date, the end of an offer, the end of the window. */
const PASSED = `(due < :today AND read < unixepoch(due, '+1 day') * 1000 OR until <= :now AND read < until
  OR window_ends < :today AND read < unixepoch(window_ends, '+1 day') * 1000)`

interface Due {
  readonly subject: string
  readonly state: string
  readonly policy: string | null
  readonly status: string | null
  /** 0: never, or what is known of it is in doubt. */
  readonly read: number
}

/** The invoices to read now, by the service's clock, most urgent first; those that could not be read the last time come last. */
const due = (db: Db, connection: string, now: number): ReadonlyArray<Due> =>
  db
    .prepare(
      `SELECT c.subject, c.state, c.policy, c.status, c.read FROM cover c LEFT JOIN cover_unread u ON u.subject = c.subject
        WHERE connection = :connection AND state IN ('offered', 'insured', 'collection')
          AND (read < unixepoch(:today) * 1000 OR read > :now OR state = 'insured' AND policy IS NULL OR ${PASSED})
        ORDER BY u.tried IS NOT NULL, coalesce(${PASSED}, 0) DESC, read, c.subject`
    )
    .all({ connection, now, today: Day.fromEpochMillis(now) }) as ReadonlyArray<Due>

/** Problems that stop all reading: the others would fail in the same way. */
const STOPS: ReadonlySet<string> = new Set(["Unreachable", "RateLimited"])

/** Whether a failure is about what was asked for, and not about the service as a whole. */
const isOfThese = (error: { readonly _tag: string }): error is ServiceError =>
  error._tag === "ServiceError" && !STOPS.has((error as ServiceError).reason._tag)

/** After so many failures in a row, whatever they are, it is not these invoices. */
const MOST_FAILURES = 10

/** Reads one invoice. What the service does not show is remembered. */
const readOne = (connection: Connection, sender: Sender, subject: string, failures: { inRow: number }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const outcome = yield* Effect.result(readAgain(connection, sender, subject, true))
    const now = yield* Clock.currentTimeMillis
    if (outcome._tag === "Success" && outcome.success !== "gone") {
      failures.inRow = 0
      if (db.prepare("SELECT 1 FROM cover_unread WHERE subject = ?").get(subject) !== undefined)
        yield* db.commit(() => db.prepare("DELETE FROM cover_unread WHERE subject = ?").run(subject))
      return outcome.success === "changed"
    }
    const failure = outcome._tag === "Failure" ? outcome.failure : undefined
    if (failure !== undefined) {
      if (!isOfThese(failure) || ++failures.inRow > MOST_FAILURES) return yield* Effect.fail(failure)
    }
    const why = failure === undefined ? "it is not there any more" : describe(failure.reason)
    yield* db.commit(() =>
      db
        .prepare(
          `INSERT INTO cover_unread VALUES (:subject, :now, :now, :why)
            ON CONFLICT DO UPDATE SET tried = excluded.tried, why = excluded.why`
        )
        .run({ subject, now, why })
    )
    return false
  })

/**
 * Reads the list of policies. Those whose status is as it was need no other look, unless what is known of them is in doubt, of
 * which a list does not tell; the others are returned: all that are not known, where the service does not show its list.
 */
const readList = (all: ReadonlyArray<Due>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { clock, policies } = yield* Client
    // What a page says may have been so before midnight: it is as old as the list's beginning.
    const began = yield* Clock.currentTimeMillis
    const waiting = new Map(all.flatMap((row) => (row.policy === null ? [] : [[row.policy, row] as const])))
    yield* pages((query) => policies.list({ query })).pipe(
      Stream.mapEffect(({ id, status }) =>
        Effect.gen(function* () {
          const row = waiting.get(id)
          if (row === undefined || row.status !== status || row.read === 0) return
          waiting.delete(id)
          const now = yield* Clock.currentTimeMillis
          yield* db.commit(() => {
            ServiceTime.remember(db, clock.ahead)
            CoverStore.wasRead(db, row.subject, ServiceTime.of(db, Math.min(began, now)))
          })
        })
      ),
      Stream.runDrain,
      Effect.catchIf(isOfThese, () => Effect.void)
    )
    return all.filter(({ policy }) => policy === null || waiting.has(policy))
  })

/** H1: reads a connection's covered invoices that are due. Returns how many had changed. */
export const sweepCover = Effect.fn("CoverSweep.sweepCover")(function* (
  connection: Connection
): Effect.fn.Return<number, StateError | ServiceError, Database | Client> {
  const db = yield* Database
  const now = yield* Clock.currentTimeMillis
  const all = yield* db.read(() => due(db, connection.id, ServiceTime.of(db, now)))
  if (all.length === 0) return 0
  const offers = all.filter(({ state }) => state === "offered").slice(0, MOST_OFFERS)
  const insured = all.filter(({ state }) => state !== "offered")
  const moved = insured.length < LISTED_FROM ? insured : yield* readList(insured)
  const sender = new Sender(db, yield* Client, { settleAfter: 0 })
  const failures = { inRow: 0 }
  const changed = yield* Effect.forEach(
    [...moved, ...offers],
    ({ subject }) => readOne(connection, sender, subject, failures),
    { concurrency: AT_ONCE }
  )
  return changed.filter((isChanged) => isChanged).length
})
