/** Serves month end: a month's closing statement as a page or a file, and the form that closes it. */
import { Clock, Effect } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as Decisions from "../../sync/decisions/Months.ts"
import * as Close from "../../sync/reports/Close.ts"
import type { MonthReport } from "../../sync/reports/CloseReport.ts"
import { sheetsOf } from "../../sync/reports/CloseSheets.ts"
import * as Status from "../../sync/reports/Status.ts"
import { Database, type StateError, type Db } from "../../sync/state/Database.ts"
import * as Downloads from "./Downloads.ts"
import { href, html, sentence } from "./Html.ts"
import { monthPage } from "./Months.ts"
import { rememberedSteps } from "./Remembered.ts"
import {
  type Looking,
  nothing,
  type PageHandler,
  type ReadContext,
  type ReadingHandler,
  type ShownPage
} from "./Response.ts"
import { t } from "./language/Texts.ts"

/** How many months can be chosen. */
const MONTHS = 24

const today = Effect.map(Clock.currentTimeMillis, Day.fromEpochMillis)

const monthsTo = (day: Day.Day): ReadonlyArray<string> => {
  const all = [day.slice(0, 7)]
  while (all.length < MONTHS) all.push(Close.before(Day.of(`${all.at(-1)}-01`)))
  return all
}

/** Everything that was read, also for connections that are no longer configured; of who may see some, those. */
const connectionsOf = (
  db: Db,
  { person }: Pick<Looking, "person">,
  { connections }: Pick<ReadContext, "connections">
): ReadonlyArray<string> =>
  person.connections === undefined ? Status.connections(db) : connections.map(({ id }) => id).toSorted()

/** Without these payments, balances would be too high. */
const hidden = ({ paidUnseen = [] }: ReadContext): ShownPage | undefined =>
  paidUnseen.length === 0
    ? undefined
    : {
        title: t`Month end`,
        at: "/months",
        status: 403,
        body: html`<p class="note bad" role="alert">Other connections pay ${paidUnseen.join(", ")}, and you may not see them: balances without their payments would be wrong. Ask somebody who may see all of them.</p>`
      }

interface Looked {
  readonly connections: ReadonlyArray<string>
  readonly report: MonthReport
  readonly digest: string
}

const reportOf = rememberedSteps(
  (db, asked: Close.MonthAsked) =>
    Effect.map(Close.inParts(db, asked), (report) => ({ report, digest: Decisions.digestOf(report) })),
  () => true
)

/** The last that was asked for. */
let last: { readonly text: string; readonly asked: Close.MonthAsked } | undefined

const sameAsked = (asked: Close.MonthAsked): Close.MonthAsked => {
  const text = JSON.stringify(asked)
  if (last?.text !== text) last = { text, asked }
  return last.asked
}

/** The month of the address; without one the last that has ended. */
const looked = (asked: Looking, around: ReadContext): Effect.Effect<Looked | undefined, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const month = asked.query.get("month") ?? Close.before(Day.of(`${(yield* today).slice(0, 7)}-01`))
    const days = Close.daysOf(month)
    if (days === undefined) return undefined
    const connections = yield* db.read(() => connectionsOf(db, asked, around))
    return { connections, ...(yield* reportOf(db, sameAsked({ connections, month, days }))) }
  })

export const show: ReadingHandler = (asked, around) =>
  Effect.gen(function* () {
    const none = hidden(around)
    if (none !== undefined) return none
    const db = yield* Database
    const found = yield* looked(asked, around)
    if (found === undefined) return nothing
    const { connections, digest, report } = found
    const now = yield* Clock.currentTimeMillis
    const notYet = Decisions.openUntil(report, now)
    const all = [...new Set([...monthsTo(Day.fromEpochMillis(now)), report.month])].toSorted().toReversed()
    const months = yield* db.read(() =>
      all.map((month) => ({ month, closed: Close.closedBy(db, connections, month).length }))
    )
    const body = monthPage({ report, digest, connections, notYet, months }, asked)
    return { title: t`Month end, ${report.month}`, at: "/months", body }
  })

export const workbook: ReadingHandler = (asked, around) =>
  Effect.gen(function* () {
    const none = hidden(around)
    if (none !== undefined) return none
    const found = yield* looked(asked, around)
    if (found === undefined) return nothing
    return yield* Downloads.asWorkbook(`closing-statement-${found.report.month}`, sheetsOf(found.report))
  })

export const pdf: ReadingHandler = (asked, around) =>
  Effect.gen(function* () {
    const none = hidden(around)
    if (none !== undefined) return none
    const found = yield* looked(asked, around)
    if (found === undefined) return nothing
    // Loaded only here, because the typesetting code is large.
    const { statementPdf } = yield* Effect.promise(() => import("../../sync/evidence/StatementPdf.ts"))
    const made = yield* Effect.promise(() => statementPdf(found.report))
    return "why" in made
      ? {
          title: t`No PDF`,
          at: "/months",
          status: 404,
          body: html`<p>It cannot be printed: ${sentence(made.why)}. The workbook has everything.</p>`
        }
      : { file: `closing-statement-${found.report.month}.pdf`, type: "application/pdf", body: new Uint8Array(made) }
  })

export const close: PageHandler = ({ name, person, posted }, around) =>
  Effect.gen(function* () {
    const { connections } = around
    const none = hidden(around)
    if (none !== undefined) return none
    const db = yield* Database
    const month = posted.get("month") ?? ""
    const days = Close.daysOf(month)
    const known = yield* db.read(() => connectionsOf(db, { person }, { connections }))
    const named = [...new Set(posted.getAll("connection"))].toSorted()
    if (days === undefined || named.length === 0 || named.some((id) => !known.includes(id))) return nothing
    const owners = named.map((id) => connections.find((one) => one.id === id) ?? { id })
    const began = yield* Clock.currentTimeMillis
    const closed = yield* Decisions.close(owners, { month, days, who: name, digest: posted.get("digest") ?? "" })
    const to = href("/months", { month })
    if (!("why" in closed)) {
      const isNew = closed.closed.some(({ at }) => Date.parse(at) >= began)
      return { to, said: isNew ? "closedMonth" : "closedBefore" }
    }
    return {
      title: t`Nothing was closed`,
      at: "/months",
      status: 409,
      body: html`<p class="note bad" role="alert">${month} was not closed: ${sentence(closed.why)}.</p><p><a href=${to}>Look at it again</a></p>`
    }
  })
