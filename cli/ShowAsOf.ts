/** Shows the statement and what was open by age as they were known on another day, for `status --as-of`. */
import { Effect } from "effect"
import { grouped } from "../core/Plural.ts"
import * as Day from "../core/wire/Day.ts"
import { UsageError } from "../sync/library/Exit.ts"
import { writtenDay } from "../sync/library/Views.ts"
import * as AsOf from "../sync/reports/AsOf.ts"
import * as Status from "../sync/reports/Status.ts"
import { Database } from "../sync/state/Database.ts"
import { instant } from "./render/Instants.ts"
import type { Output } from "./render/Output.ts"
import { table } from "./render/Table.ts"

const OPEN = { right: true } as const

const statementTable = (rows: ReadonlyArray<AsOf.StoodStatement>, { style, width }: Output): string =>
  table(
    [
      { title: "Connection" },
      { title: "Currency" },
      { title: "Sent", ...OPEN },
      { title: "Source says", ...OPEN },
      { title: "Books", ...OPEN },
      { title: "Service", ...OPEN }
    ],
    rows.map((one) => [
      one.connection,
      one.currency,
      grouped(one.invoices),
      one.sourceSays ?? "",
      one.books,
      one.service
    ]),
    style,
    width
  )

const ageTable = (rows: ReadonlyArray<AsOf.StoodAge>, { style, width }: Output): string =>
  table(
    [
      { title: "Connection" },
      { title: "Currency" },
      { title: "Days overdue" },
      { title: "Invoices", ...OPEN },
      { title: "Open in the books", ...OPEN }
    ],
    rows.map((one) => [one.connection, one.currency, one.age, grouped(one.invoices), one.open]),
    style,
    width
  )

/** The last moment of a day, if it is over; otherwise now. */
const momentIn = (day: Day.Day, now: number): number => Math.min(Date.parse(`${day}T23:59:59.999Z`), now)

export const showAsOf = (written: string, out: Output) =>
  Effect.gen(function* () {
    const day = (yield* writtenDay(written)) ?? Day.of(written)
    const db = yield* Database
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const found = yield* db.snapshot(() => {
      const moment = AsOf.momentOf(db, momentIn(day, now))
      if (moment === undefined) return undefined
      const ids = Status.connections(db)
      const open = [...AsOf.open(db, ids, moment, day)]
      return { moment, statements: AsOf.statements(db, ids, moment), ages: AsOf.byAge(open), open }
    })
    if (found === undefined) return yield* new UsageError({ why: `--as-of ${written}: nothing had been read by then` })
    const { ages, moment, open, statements } = found
    for (const one of statements) yield* out.emit({ type: "completeness", ...one })
    for (const one of ages) yield* out.emit({ type: "age", ...one })
    for (const { minor: _, ...one } of open) yield* out.emit({ type: "receivable", ...one })
    yield* out.emit({
      type: "as of",
      day,
      at: new Date(moment.at).toISOString(),
      entry: moment.entry,
      hash: moment.hash
    })
    yield* out.say(statementTable(statements, out))
    if (ages.length > 0) yield* out.say(`\n${ageTable(ages, out)}`)
    yield* out.say(
      out.style.dim(
        `\nAs it was known at ${instant(moment.at)}, after entry ${moment.entry}:${moment.hash} of the chain`
      )
    )
  })
