/** Reads why a connection buys no cover at all: a failed payment, a month whose spending is unknown, a clock that is wrong. */
import { Duration } from "effect"
import type { CoverContext } from "../model/CoverContext.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import { monthOf } from "../rules/CoverParts.ts"
import type { Db } from "../state/Database.ts"
import * as ServiceTime from "./ServiceTime.ts"

const DEFAULT_TOLERANCE_MS = 300_000

const toleranceOf = ({ clock_tolerance: text }: Pick<CoverSettings, "clock_tolerance">): number =>
  text === undefined ? DEFAULT_TOLERANCE_MS : Duration.toMillis(Duration.fromInputUnsafe(text as Duration.Input))

const wrongClock = (db: Db, settings: Pick<CoverSettings, "clock_tolerance">): string | undefined => {
  const ahead = ServiceTime.aheadOf(db)
  if (Math.abs(ahead) <= toleranceOf(settings)) return undefined
  const by = Duration.format(Duration.millis(Math.round(Math.abs(ahead) / 60_000) * 60_000))
  return `this machine's clock is ${by} ${ahead > 0 ? "ahead of" : "behind"} the service's, whose month the budget is for`
}

/** Whether nothing is bought because of the clock, as far as is known. */
export const isClockWrong = (db: Db, settings: Pick<CoverSettings, "clock_tolerance"> = {}): boolean =>
  wrongClock(db, settings) !== undefined

/** Why a connection buys nothing: a payment failed, this month's spending is unknown, or the clock is wrong. */
export const blocked = (
  db: Db,
  connection: string,
  settings: Pick<CoverSettings, "clock_tolerance">,
  now: number
): CoverContext["blocked"] => {
  const failed = db.prepare("SELECT why FROM purchase_block WHERE connection = ?").get(connection) as
    | { readonly why: string }
    | undefined
  if (failed !== undefined) return { by: "payment", why: `a payment for it failed: ${failed.why}` }
  const clock = wrongClock(db, settings)
  if (clock !== undefined) return { by: "clock", why: clock }
  const [begins, ends] = monthOf(ServiceTime.of(db, now))
  const unknown = db
    .prepare(
      `SELECT subject, policy FROM earlier_purchase WHERE bought >= :begins AND bought < :ends AND total IS NULL
        AND subject > :connection || '/' AND subject < :connection || '0' ORDER BY subject LIMIT 1`
    )
    .get({ begins, ends, connection }) as { readonly subject: string; readonly policy: string } | undefined
  if (unknown === undefined) return undefined
  const { policy, subject } = unknown
  const why = `what was spent on cover this month is not known: the service does not say what policy ${policy} of ${subject} cost`
  return { by: "spent", why }
}
