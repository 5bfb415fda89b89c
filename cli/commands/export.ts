/** `daybook export`: the books as a workbook or CSV files. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Database } from "../../sync/state/Database.ts"
import * as Status from "../../sync/reports/Status.ts"
import { exportTo } from "../../sync/export/index.ts"
import * as CommandContext from "../CommandContext.ts"
import { grouped } from "../../core/Plural.ts"

export const exports = Command.make(
  "export",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("Ends in .xlsx: one workbook. Ends in .csv: one file for each sheet"),
      Argument.withMetavar("FILE.xlsx|.csv")
    )
  },
  Effect.fn(function* ({ file }) {
    const out = yield* CommandContext.output
    const state = yield* CommandContext.state("read", "export")
    yield* Effect.gen(function* () {
      const db = yield* Database
      const connections = yield* db.read(() => Status.connections(db))
      const { files, sheets } = yield* exportTo(db, file, {
        connections,
        onProgress: (sheet, rows) => out.tick(`${sheet}: ${grouped(rows)} rows`)
      })
      yield* out.clear
      yield* out.emit({ type: "export", files, sheets })
      yield* out.say(`${files.join("\n")}\n${sheets.map(({ name, rows }) => `  ${name}: ${grouped(rows)}`).join("\n")}`)
    }).pipe(Effect.provide(state))
  })
).pipe(
  Command.withDescription(
    "Write invoices, payments, calls, attention, quarantined records and the completeness statement as sheets. Amounts are numbers with their currency's decimals, days are dates."
  ),
  Command.withShortDescription("The books as a spreadsheet"),
  Command.withExamples([
    { command: "daybook export books.xlsx", description: "One workbook" },
    { command: "daybook export books.csv", description: "books.invoices.csv, books.payments.csv and so on" }
  ])
)
