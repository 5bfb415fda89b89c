/** `daybook payouts`: what processors paid out, from the sale to the line at the bank, each cent explained or named. */
import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as Day from "../../core/wire/Day.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import { unknownConnection } from "../../sync/library/UnknownConnection.ts"
import * as Payouts from "../../sync/reports/Payouts.ts"
import { connectionsOf } from "../../sync/reports/Sheets.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { payoutReport } from "../render/PayoutView.ts"

export const payouts = Command.make(
  "payouts",
  {
    connection: Argument.String("connection").pipe(
      Argument.withDescription("The processor's connection; default: all"),
      Argument.optional
    ),
    all: Flags.yes("all", "Payouts that are at the bank to the cent as well")
  },
  Effect.fn(function* ({ all, connection: named }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("read", "payouts", function* (db) {
      const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
      const known = yield* db.read(() => connectionsOf(db))
      const connections = Option.isNone(named) ? known : known.filter((one) => one === named.value)
      if (Option.isSome(named) && connections.length === 0)
        return yield* new UsageError({ why: unknownConnection(named.value, known) })
      const report = yield* db.read(() => Payouts.report(db, connections, today))
      for (const one of report.accounts) yield* out.emit({ type: "account", ...one })
      for (const one of report.payouts) yield* out.emit({ type: "payout", ...one })
      for (const one of report.lines) yield* out.emit({ type: "line", ...one })
      const odd = report.payouts.filter(Payouts.isOdd).length
      yield* out.emit({ type: "summary", payouts: report.payouts.length, odd, lines: report.lines.length })
      yield* out.say(payoutReport(report, all, out))
      if (odd > 0 || report.lines.length > 0) yield* new Exit({ status: ATTENTION })
    })
  })
).pipe(
  CommandContext.help(
    "Compare what processors paid out with the bank's lines: what they collected, less refunds, chargebacks, failures and fees, is what they paid out; each payout is a line of the bank, in transit, or missing. Reads the state file only. Exit status 3: a payout is missing, the bank has more or less, or no payout explains a processor's line.",
    "Compare processors' payouts with the bank, to the cent",
    "daybook payouts # Each balance at a processor, and payouts that are not simply there",
    "daybook payouts debits --all # Every payout of one connection, with its lines"
  )
)
