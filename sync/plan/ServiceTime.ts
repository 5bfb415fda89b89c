/**
 * The service's time. The month of a budget, the end of an offer and the window to hand an invoice over are the service's: this
 * machine's clock may be ahead of it or behind it. This is the only place that tells one from the other.
 */
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Day from "../../core/wire/Day.ts"
import type { ServiceClock } from "../../core/wire/ServiceClock.ts"
import type { Db } from "../state/Database.ts"

/** By how much this machine's clock was last found to be ahead of the service's, in milliseconds; 0 if that is not known. */
export const aheadOf = (db: Db): number => (db.prepare("SELECT ahead FROM state").pluck().get() as number | null) ?? 0

/** From when on a clock that was set changes the days of deadlines. */
const HOUR_MS = 3_600_000

/**
 * Remembers by how much this machine's clock is ahead of the service's. Within a second it counts as right. When it was set, what
 * is offered is planned again: it may have waited for that. So is whatever is to be looked at on a day, which is another one now.
 */
export const remember = (db: Db, ahead: number | undefined): void => {
  const by = ahead === undefined ? 0 : Math.abs(ahead - aheadOf(db))
  if (ahead === undefined || by < 2000) return
  db.prepare("UPDATE state SET ahead = ?").run(Math.abs(ahead) < 1000 ? 0 : Math.round(ahead))
  const offered = "SELECT subject FROM cover WHERE state = 'offered'"
  const waking = "SELECT c.subject FROM cover c JOIN wake w ON w.subject = c.subject"
  const subjects = db
    .prepare(by < HOUR_MS ? offered : `${offered} UNION ${waking}`)
    .pluck()
    .all()
  for (const subject of subjects as ReadonlyArray<string>) ChangedDocuments.touch(db, subject)
}

/** An instant of this machine's clock in the service's time. */
export const of = (db: Db, now: number): number => now - aheadOf(db)

/** The same with what the service's last answer stated, if there was one. */
export const by = (db: Db, { ahead = aheadOf(db) }: Pick<ServiceClock, "ahead">, now: number): number => now - ahead

/** The calendar day, UTC, that it is on the service. */
export const today = (db: Db, now: number): Day.Day => Day.fromEpochMillis(of(db, now))
