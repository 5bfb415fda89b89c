/** Shows the statements, what was open by age, and cover, as they were known on another day: `status --as-of`, `cover --as-of`. */
import { Effect } from "effect"
import * as Currency from "../core/money/Currency.ts"
import { grouped } from "../core/Plural.ts"
import * as Day from "../core/wire/Day.ts"
import type { Configuration } from "../sync/library/config/Configuration.ts"
import { UsageError } from "../sync/library/Exit.ts"
import { writtenDay } from "../sync/library/Views.ts"
import * as AsOf from "../sync/reports/AsOf.ts"
import * as Cover from "../sync/reports/Cover.ts"
import * as Status from "../sync/reports/Status.ts"
import { Database, type Db } from "../sync/state/Database.ts"
import * as CoverView from "./render/CoverReportView.ts"
import { instant } from "./render/Instants.ts"
import type { Output } from "./render/Output.ts"
import { headings, table } from "./render/Table.ts"
import * as RunReport from "./RunReport.ts"

const OPEN = { right: true } as const

const ageTable = (rows: ReadonlyArray<AsOf.StoodAge>, { style, width }: Output): string =>
  table(
    [
      ...headings("Connection, Currency, Days overdue"),
      { title: "Invoices", ...OPEN },
      { title: "Open in the books", ...OPEN }
    ],
    rows.map((one) => [one.connection, one.currency, one.age, grouped(one.invoices), Currency.group(one.open)]),
    { style, width }
  )

interface Asked {
  readonly day: Day.Day
  /** The last moment of that day, if it is over; otherwise now. Milliseconds since the epoch. */
  readonly until: number
}

/** Shows something as of the last run of a day, and says of which run. */
const asOf = <A>(
  written: string,
  out: Output,
  read: (db: Db, moment: AsOf.StoodMoment, asked: Asked) => A,
  show: (found: A, asked: Asked) => Effect.Effect<void, never, Database>
) =>
  Effect.gen(function* () {
    const day = (yield* writtenDay(written)) ?? Day.of(written)
    const db = yield* Database
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const asked = { day, until: Math.min(Date.parse(`${day}T23:59:59.999Z`), now) }
    const found = yield* db.snapshot(() => {
      const moment = AsOf.momentOf(db, asked.until)
      return moment === undefined ? undefined : { moment, read: read(db, moment, asked) }
    })
    if (found === undefined) return yield* new UsageError({ why: `--as-of ${written}: no run had ended by then` })
    const { at, entry, hash } = found.moment
    yield* show(found.read, asked)
    yield* out.emit({ type: "as of", day, at: new Date(at).toISOString(), entry, hash })
    yield* out.say(
      out.style.dim(`\nAs the run of ${instant(at)} said, the last one by then; entry ${entry}:${hash} of the chain`)
    )
  })

export const showAsOf = (written: string, out: Output) =>
  asOf(
    written,
    out,
    (db, moment, { day }) => {
      const ids = Status.connections(db)
      const open = [...AsOf.open(db, ids, moment, day)]
      return { said: AsOf.statements(db, ids, moment), ages: AsOf.byAge(open), open }
    },
    ({ ages, open, said }) =>
      Effect.gen(function* () {
        yield* RunReport.statements(said, out)
        for (const one of ages) yield* out.emit({ type: "age", ...one })
        for (const { minor: _, ...one } of open) yield* out.emit({ type: "receivable", ...one })
        if (ages.length > 0) yield* out.say(`\n${ageTable(ages, out)}`)
      })
  )

export const showCoverAsOf = (written: string, { connections }: Configuration, out: Output) =>
  asOf(
    written,
    out,
    (db, moment, { until }) => {
      const ids = connections.map(({ id }) => id)
      const { budgets } = AsOf.statements(db, ids, moment)
      return Cover.reportThen(db, connections, moment, { budgets, now: until })
    },
    (report) =>
      Effect.gen(function* () {
        for (const record of CoverView.records(report)) yield* out.emit(record)
        yield* out.say(CoverView.overview(report, out, { isPast: true }))
      })
  )
