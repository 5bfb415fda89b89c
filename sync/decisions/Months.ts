/** A person closes a month: what is read of it later is shown as late in the next one. */
import { Clock, Effect } from "effect"
import * as Day from "../../core/wire/Day.ts"
import { nameProblem } from "../model/PersonName.ts"
import * as Close from "../reports/Close.ts"
import { balancesOf } from "../reports/CloseOpening.ts"
import type { MonthReport } from "../reports/CloseReport.ts"
import { sha256 } from "../state/chain/Entry.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { alone, type Whose } from "./ConnectionLocks.ts"

/** What a report says, whoever closed the month and whatever was written since. */
export const digestOf = ({ chain: _, closed: __, ...report }: MonthReport): string => sha256(JSON.stringify(report))

interface Closing {
  readonly month: string
  readonly days: NonNullable<ReturnType<typeof Close.daysOf>>
  readonly who: string
  /** The digest of the statement that the person saw; without it they see the one that is made now. */
  readonly digest?: string
}

/** Why a month cannot be closed on this day (UTC); undefined if it can. */
export const openUntil = (
  { last, month }: { readonly month: string; readonly last: string },
  now: number
): string | undefined =>
  Day.fromEpochMillis(now) < last ? `${month} ends on ${last}, and can be closed from that day on` : undefined

/** Those that pay for these as well: their payments are in the same sums. */
const withPayers = (db: Db, connections: ReadonlyArray<Whose>): ReadonlyArray<Whose> => {
  const paying = db
    .prepare("SELECT connection, pays FROM paying WHERE pays IN (SELECT value FROM json_each(?)) ORDER BY 1")
    .all(JSON.stringify(connections.map(({ id }) => id))) as ReadonlyArray<{
    readonly connection: string
    readonly pays: string
  }>
  const known = new Map(connections.map((one) => [one.id, one]))
  for (const { connection, pays } of paying)
    if (!known.has(connection)) known.set(connection, { id: connection, pays: { connection: pays, days: 0 } })
  return [...known.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * Closes the month for these connections, but for those that are in no sum, while nothing reads or sends for them: what is read after
 * that is late. Those that are closed stay as they were.
 *
 * @returns the statement with who closed it; or why nothing was closed
 */
export const close = (
  connections: ReadonlyArray<Whose>,
  { days, digest, month, who }: Closing
): Effect.Effect<MonthReport | { readonly why: string }, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const all = yield* db.read(() => withPayers(db, connections))
    const ids = all.map(({ id }) => id)
    const work = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const why = nameProblem(who, "say who closes the month") ?? openUntil({ month, last: days.last }, now)
      if (why !== undefined) return { why }
      const report = yield* Close.inParts(db, { connections: ids, month, days, all: true })
      const own = digestOf(report)
      if (digest !== undefined && digest !== own) return { why: "it says something else by now than what was shown" }
      yield* db.transaction(() => {
        for (const connection of ids.filter((one) => !report.unplanned.includes(one)))
          db.prepare("INSERT INTO closed_month VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
            connection,
            month,
            now,
            who,
            own,
            JSON.stringify(balancesOf(report, connection))
          )
      })
      return { ...report, closed: yield* db.read(() => Close.closedBy(db, ids, month)) }
    })
    return yield* db.hold(alone(db, all, work))
  })
