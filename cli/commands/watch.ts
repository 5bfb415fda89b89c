/** `daybook watch`: compares the orders of shops that capture by themselves with the service. Sends nothing and keeps nothing. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as OrderWatch from "../../sync/reconciliation/OrderWatch.ts"
import { Database } from "../../sync/state/Database.ts"
import * as CommandContext from "../CommandContext.ts"
import type { Output } from "../render/Output.ts"
import { watchReport } from "../render/WatchView.ts"
import * as RunReport from "../RunReport.ts"
import * as Steps from "../Steps.ts"

/** Whether a connection reads orders. */
const hasOrders = ({ connector }: Connection): boolean => connector.capabilities.kinds.includes("order")

export const watch = Command.make(
  "watch",
  {
    connection: Argument.String("connection").pipe(
      Argument.withDescription("The connection to watch; default: all that read orders"),
      Argument.optional
    )
  },
  Effect.fn(function* ({ connection: named }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const vaultOf = Option.getOrElse(yield* CommandContext.stateFile, () => CommandContext.DEFAULT_STATE)
    const connections = Option.isNone(named)
      ? configuration.connections.filter(hasOrders)
      : [yield* CommandContext.connectionOf(configuration, named.value)]
    if (connections.length === 0)
      return yield* new UsageError({
        why: `no connection in ${configuration.file} reads orders; add a shop, or a file or database with orders`
      })
    yield* look({ ...configuration, connections, vaultOf }, out).pipe(
      Effect.provide([
        Database.layer({ file: ":memory:", command: "daybook watch", mode: "write" }),
        ServiceClient.outside,
        ServiceClient.client(configuration)
      ])
    )
  })
).pipe(
  CommandContext.help(
    "Compare the orders of shops with their deferred payments, where the shop or a plugin of it captures by itself: what was never captured, captured too much, a cent off, not refunded, or shipped though cancelled. Reads only: nothing is sent, and no state file is kept. Exit status 3: something was found, or a record could not be read.",
    "Compare a shop's orders with what its plugin captured",
    "daybook watch # All shops in the configuration",
    "daybook watch shop --json # Each finding of one shop, with its amount and its page"
  )
)

const look = (configuration: Configuration & { readonly vaultOf: string }, out: Output) =>
  Effect.gen(function* () {
    const failed = yield* Steps.pull(configuration, out)
    const isOdd = yield* RunReport.oddities(out)
    const { concurrency } = configuration.service
    const report = yield* OrderWatch.watch(configuration.connections, concurrency, (n) =>
      n % 100 === 0 ? out.tick(`${n} orders compared`) : Effect.void
    )
    yield* out.clear
    for (const one of report.found) yield* out.emit({ type: "watched", ...one })
    const { compared, found, others } = report
    yield* out.emit({ type: "summary", compared, others, found: found.length })
    yield* out.say(watchReport(report, out, failed === 0 && !isOdd))
    if (failed > 0) yield* new Exit({ status: failed })
    if (found.length > 0 || isOdd) yield* new Exit({ status: ATTENTION })
  })
