/** `daybook export`: writes the books as a workbook or CSV files. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Status from "../../sync/reports/Status.ts"
import { exportTo } from "../../sync/export/index.ts"
import * as CommandContext from "../CommandContext.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { grouped } from "../../core/Plural.ts"
import { exportCustomer } from "./exportCustomer.ts"
import * as Flags from "../Flags.ts"

export const exports = Command.make(
  "export",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "Ends in .xlsx: one workbook. Ends in .csv: one file for each sheet. Ends in .pdf: a customer's statement of account"
      ),
      Argument.withMetavar("FILE.xlsx|.csv|.pdf")
    ),
    customer: Flag.optional(
      Flags.needed("customer", "NAME", "Only the account of this customer, by its name or a part of it")
    ),
    currency: Flag.optional(
      Flags.needed("currency", "CODE", "For a statement, if the customer owes in several currencies")
    )
  },
  Effect.fn(function* ({ currency, customer, file }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("read", "export", function* (db) {
      if (Option.isSome(customer)) {
        const wanted = { file, customer: customer.value, currency: Option.getOrUndefined(currency) }
        const files = yield* exportCustomer(wanted)
        yield* out.emit({ type: "export", files })
        return yield* out.say(files.join("\n"))
      }
      if (file.toLowerCase().endsWith(".pdf"))
        return yield* new UsageError({ why: "a PDF is the statement of one customer: name it with --customer" })
      const connections = yield* db.read(() => Status.connections(db))
      const { files, sheets } = yield* exportTo(db, file, {
        connections,
        onProgress: (sheet, rows) => out.tick(`${sheet}: ${grouped(rows)} rows`)
      })
      yield* out.clear
      yield* out.emit({ type: "export", files, sheets })
      yield* out.say(`${files.join("\n")}\n${sheets.map(({ name, rows }) => `  ${name}: ${grouped(rows)}`).join("\n")}`)
    })
  })
).pipe(
  CommandContext.help(
    "Write invoices, payments, calls, attention, quarantined records and the completeness statement as sheets. Amounts are numbers with their currency's decimals, days are dates.",
    "Write the books as a spreadsheet",
    "daybook export books.xlsx # One workbook",
    "daybook export books.csv # books.invoices.csv, books.payments.csv and so on",
    'daybook export statement.pdf --customer "Brightwater Foods" # What this customer owes, to send to them',
    'daybook export account.xlsx --customer "Brightwater Foods" # All their invoices, payments and credit notes'
  )
)
