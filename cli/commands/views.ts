/** `daybook views`: writes the books as tables and views of a SQLite file, for reporting tools. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { grouped } from "../../core/Plural.ts"
import { exportViews } from "../../sync/export/index.ts"
import { VIEWS } from "../../sync/export/views/Views.ts"
import * as CommandContext from "../CommandContext.ts"

export const views = Command.make(
  "views",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The SQLite file to write; an earlier one is replaced once the new one is complete"),
      Argument.withMetavar("FILE.sqlite")
    )
  },
  Effect.fn(function* ({ file }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("read", "views", function* (db) {
      const { files, sheets } = yield* exportViews(db, file, {
        onProgress: (sheet, rows) => out.tick(`${sheet}: ${grouped(rows)} rows`)
      })
      yield* out.clear
      const names = VIEWS.map(({ name }) => name)
      yield* out.emit({ type: "views", files, sheets, views: names })
      yield* out.say(
        `${files.join("\n")}\n${sheets.map(({ name, rows }) => `  ${name}: ${grouped(rows)}`).join("\n")}\nViews: ${names.join(", ")}`
      )
    })
  })
).pipe(
  CommandContext.help(
    "Write the books into a SQLite file of plain tables with views over them: receivables by age, customers, cash by month, payment times. Amounts are exact text, and whole minor units. Names and units stay the same. The file is made anew each time.",
    "The books as SQL views, for reporting tools",
    "daybook views books.sqlite # Write the file, or replace it",
    'sqlite3 books.sqlite "SELECT * FROM receivables_by_age" # What is open, by age'
  )
)
