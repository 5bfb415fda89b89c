/** `daybook close`: a month's closing statement, and a person's word that the month is closed. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { grouped } from "../../core/Plural.ts"
import * as Months from "../../sync/decisions/Months.ts"
import { writePack } from "../../sync/evidence/Pack.ts"
import { exportSheets } from "../../sync/export/index.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import * as Close from "../../sync/reports/Close.ts"
import type { MonthReport } from "../../sync/reports/CloseReport.ts"
import { sheetsOf } from "../../sync/reports/CloseSheets.ts"
import * as Status from "../../sync/reports/Status.ts"
import { Database } from "../../sync/state/Database.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { monthReport } from "../render/MonthView.ts"
import type { Output } from "../render/Output.ts"

const emit = ({ accounts, customers, differences, late, ...rest }: MonthReport, out: Output) =>
  Effect.gen(function* () {
    for (const one of accounts) yield* out.emit({ type: "account", ...one })
    for (const one of customers) yield* out.emit({ type: "customer", ...one })
    for (const one of differences) yield* out.emit({ type: "difference", ...one })
    for (const one of late) yield* out.emit({ type: "late", ...one })
    yield* out.emit({ type: "summary", ...rest, differences: differences.length + rest.more, late: late.length })
  })

/** The statement of every connection's month; with a name, the month is closed. */
const closing = (month: string, days: NonNullable<ReturnType<typeof Close.daysOf>>, who: string | undefined) =>
  Effect.gen(function* () {
    const db = yield* Database
    const connections = yield* db.read(() => Status.connections(db))
    if (who === undefined) return yield* Close.inParts(db, { connections, month, days, all: true })
    const closed = yield* Months.close(
      connections.map((id) => ({ id })),
      { month, days, who }
    )
    return "why" in closed ? yield* new UsageError(closed) : closed
  })

export const close = Command.make(
  "close",
  {
    month: Argument.String("month").pipe(Argument.withDescription("Such as 2026-10"), Argument.withMetavar("MONTH")),
    by: Flags.text(
      "by",
      "NAME",
      "Close the month in this name: what is read of it later is shown as late in the next one"
    ),
    workbook: Flags.text(
      "workbook",
      "FILE.xlsx|.csv",
      "Also write it as sheets: one workbook, or one CSV file for each sheet"
    ),
    pack: Flags.text(
      "pack",
      "FILE.zip",
      "Also write an evidence pack: the statement, every fact with the chain, the source's own rows, and a page that checks them in any browser, without Daybook or a network"
    )
  },
  Effect.fn(function* ({ by, month, pack, workbook }) {
    const out = yield* CommandContext.output
    const days = Close.daysOf(month)
    if (days === undefined) return yield* new UsageError({ why: `"${month}" is not a month; write it as 2026-10` })
    const who = Option.getOrUndefined(by)?.trim()
    if (Option.isSome(pack) && !pack.value.toLowerCase().endsWith(".zip"))
      return yield* new UsageError({ why: `--pack: an evidence pack is a ZIP file; write ${pack.value}.zip` })
    yield* CommandContext.inState(who === undefined ? "read" : "decide", "close", function* (db) {
      const report = yield* closing(month, days, who)
      yield* emit(report, out)
      yield* out.say(monthReport(report, out))
      if (Option.isSome(workbook)) {
        const { files, sheets } = yield* exportSheets(db, workbook.value, () => sheetsOf(report))
        yield* out.emit({ type: "export", files, sheets })
        yield* out.say(files.map((file) => `${file}`).join("\n"))
        for (const { name, rows } of sheets) yield* out.say(`  ${name}: ${grouped(rows)}`)
      }
      if (Option.isSome(pack)) {
        yield* writePack(db, pack.value, report)
        yield* out.emit({ type: "pack", file: pack.value })
        yield* out.say(`${pack.value}: to check it, take verify.html out of it and open that in a browser`)
      }
      if (report.differences.length + report.unplanned.length > 0) yield* new Exit({ status: ATTENTION })
    })
  })
).pipe(
  CommandContext.help(
    "Show the statement of a month as of its last day: for each connection, currency and customer the opening balance, invoices, credit notes, payments and reversals, and the closing balance, in source, books and service, with every difference and what people decided about it. With --by, the month is closed: what is read of it later is shown as late in the next month's statement. Exit status 3: there are differences, or none of a connection's plans was carried out yet.",
    "Show and close a month",
    "daybook close 2026-10 # The statement of October as it is known now",
    'daybook close 2026-10 --by "Ada Keeper" --workbook october.xlsx # Close October, and keep its statement as a workbook',
    "daybook close 2026-10 --pack october.zip # Evidence that an auditor can check alone"
  )
)
