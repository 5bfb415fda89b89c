/** Shows what would be sent, and why: for `plan`, and at the end of a dry run. Changes nothing. */
import { Effect, Option } from "effect"
import { otherService } from "../sync/apply/BoundService.ts"
import type { Configuration } from "../sync/library/config/Configuration.ts"
import { UsageError } from "../sync/library/Exit.ts"
import type { Record } from "../sync/library/PlanRecords.ts"
import { Database } from "../sync/state/Database.ts"
import * as QuarantinedRecords from "../sync/reports/QuarantinedRecords.ts"
import type { QuarantinedRow } from "../sync/reports/QuarantinedRecords.ts"
import * as Status from "../sync/reports/Status.ts"
import * as RunReport from "./RunReport.ts"
import type { Output } from "./render/Output.ts"
import { PlanView, stopsText } from "./render/PlanView.ts"

const ROWS = 15

export interface Wanted {
  readonly all?: boolean
  /** The number of rows of each kind, unless all are listed. */
  readonly rows?: number
  /** What could not be read was already reported. */
  readonly said?: boolean
  /** The file to save the plan in. */
  readonly save?: Option.Option<string>
  /** The name of the one document to show. */
  readonly target?: Option.Option<string>
}

const distinct = (rows: ReadonlyArray<QuarantinedRow>): ReadonlyArray<QuarantinedRow> => [
  ...new Map(rows.map((row) => [JSON.stringify(row), row])).values()
]

/** The named documents, and their records that cannot be read; undefined if none is named. */
const targeted = (named: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isNone(named)) return undefined
    const db = yield* Database
    const { story, subjects } = yield* Effect.promise(() => import("../sync/library/Explain.ts"))
    const target = new Set(yield* db.read(() => subjects(db, named.value)))
    const unread = yield* db.read(() => [
      ...QuarantinedRecords.called(db, named.value, Status.connections(db)),
      ...[...target].flatMap((key) => {
        const its = story(db, key)
        return [...its.quarantined, ...its.named]
      })
    ])
    if (target.size > 0 || unread.length > 0) return { target, unread: distinct(unread) }
    return yield* new UsageError({
      why: `--target ${named.value}: no document has this number, id or key; \`daybook plan\` shows all of them`
    })
  })

/**
 * @param next replaces the hint how to send it
 * @returns the figures, and whether anything needs attention
 */
export const showPlan = (
  configuration: Configuration,
  out: Output,
  { all = false, rows = ROWS, said = false, save = Option.none(), target: named = Option.none() }: Wanted = {},
  next?: string
) =>
  Effect.gen(function* () {
    const db = yield* Database
    const other = otherService(db, configuration.service.url)
    if (other !== undefined) return yield* other
    const chosen = yield* targeted(named)
    const target = chosen?.target
    // Rules and the service's interface are loaded only if there is something to plan.
    const { records } = yield* Effect.promise(() => import("../sync/library/PlanRecords.ts"))
    const SavedPlan = yield* Effect.promise(() => import("../sync/library/SavedPlan.ts"))
    const saved = Option.isNone(save) ? undefined : yield* SavedPlan.writer(save.value)
    const view = new PlanView(all ? Number.POSITIVE_INFINITY : rows)
    // Guards depend on the day; the saved plan must not.
    const keep = (record: Record) =>
      saved === undefined || record.type === "guard" ? Effect.void : saved.write(record)
    const summary = yield* records(configuration.connections, {
      see: (planned) => view.add(planned),
      need: (attention) => view.need(attention),
      ...(target === undefined ? {} : { target }),
      ...(out.json || saved !== undefined
        ? { write: (record: Record) => Effect.andThen(keep(record), out.emit(record)) }
        : {}),
      guards: true
    })
    yield* saved?.commit() ?? Effect.void
    const quarantined = yield* db.read(() => chosen?.unread.length ?? Status.quarantinedCount(db))
    const unknown = yield* db.read(() => Status.pendingCalls(db))
    yield* out.say(view.text(out, summary, { next, quarantined, unknown }))
    if (chosen !== undefined) yield* RunReport.unreadOf(out, chosen.unread)
    else if (!said) yield* RunReport.unread(out)
    if (summary.stops.length > 0) yield* out.say(stopsText(summary.stops, out, summary.first))
    return { ...summary, person: summary.attention > 0 || quarantined > 0 }
  }).pipe(Effect.scoped)
