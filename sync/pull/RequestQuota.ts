/**
 * Counts requests against a connection's daily limit. The count is in the state file, so that all runs of a day together
 * stay within it. Days are UTC. A request that would exceed the limit is not sent; the run stops and keeps what was read,
 * and a run on the next day continues from there.
 */
import { Clock, Effect } from "effect"
import { SourceError, Unavailable } from "../../connectors/Connector.ts"
import type * as Http from "../../connectors/Http.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Connection } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import { grouped } from "../../core/Plural.ts"

/** The lower of the source's limit and the configured one; undefined if there is none. */
export const limitOf = ({ connector, requestsPerDay }: Connection): number | undefined => {
  const { perDay } = connector.capabilities.limits ?? {}
  if (perDay === undefined || requestsPerDay === undefined) return perDay ?? requestsPerDay
  return Math.min(perDay, requestsPerDay)
}

/** How many requests a connection made on a day. */
export const spent = (db: Db, connection: string, day: Day.Day): number =>
  (db.prepare("SELECT requests FROM requests_made WHERE connection = ? AND day = ?").pluck().get(connection, day) as
    | number
    | undefined) ?? 0

export const of = (db: Db, connection: Connection): Http.RequestQuota => {
  const limit = limitOf(connection)
  if (limit === undefined) return { spend: Effect.succeed(undefined) }
  const { connector, id } = connection
  const refused = (day: Day.Day) =>
    new SourceError({
      connector: connector.name,
      connection: id,
      reason: new Unavailable({
        why: `its ${grouped(limit)} ${limit === 1 ? "request" : "requests"} of ${day} are used up (its daily request cap); what was read is kept: run again after ${Day.addDays(day, 1)} 00:00 UTC, and the pull continues where it stopped`
      })
    })
  const unkept = (cause: unknown) =>
    new SourceError({
      connector: connector.name,
      connection: id,
      reason: new Unavailable({
        why: `its requests cannot be counted: ${cause instanceof Error ? cause.message : cause}`
      })
    })
  return {
    spend: Effect.gen(function* () {
      const day = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
      // Written to disk before the request leaves: whatever is sent was counted, whatever happens to this process.
      const allowed = yield* db
        .commit(() => {
          if (spent(db, id, day) >= limit) return false
          db.prepare("DELETE FROM requests_made WHERE connection = ? AND day <> ?").run(id, day)
          db.prepare(
            "INSERT INTO requests_made VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET requests = requests + 1"
          ).run(id, day)
          return true
        })
        .pipe(Effect.mapError(unkept))
      if (!allowed) return yield* refused(day)
      return { whose: `${db.file}\n${id}`, today: spent(db, id, day) }
    })
  }
}
