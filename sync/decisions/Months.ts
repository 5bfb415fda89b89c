/** A person closes a month: what is read of it later is shown as late in the next one. */
import { Clock, Effect } from "effect"
import { Database, type StateError } from "../state/Database.ts"
import * as Close from "../reports/Close.ts"
import type { MonthClosed, MonthReport } from "../reports/CloseReport.ts"
import { sha256 } from "../state/chain/Entry.ts"

/** What a report says, whoever closed the month and whatever was written since. */
const digestOf = ({ chain: _, closed: __, ...report }: MonthReport): string => sha256(JSON.stringify(report))

/** Closes the month for these connections, but for those that are in no sum. Those that are closed stay as they were. */
export const close = (
  report: MonthReport,
  connections: ReadonlyArray<string>,
  who: string
): Effect.Effect<ReadonlyArray<MonthClosed>, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const work = db.transaction(() => {
      for (const connection of connections.filter((one) => !report.unplanned.includes(one)))
        db.prepare("INSERT INTO closed_month VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
          connection,
          report.month,
          now,
          who,
          digestOf(report)
        )
      return Close.closedBy(db, connections, report.month)
    })
    return yield* db.hold(work)
  })
