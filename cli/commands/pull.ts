/** `daybook pull`: reads the sources into the books. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { ATTENTION, Exit } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as Steps from "../Steps.ts"
import * as RunReport from "../RunReport.ts"

export const pull = Command.make(
  "pull",
  {},
  Effect.fn(function* () {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const state = yield* CommandContext.state("write", "pull")
    yield* Effect.gen(function* () {
      const status = yield* Steps.pull(configuration, out)
      const person = yield* RunReport.oddities(out)
      if (status > 0 || person) yield* new Exit({ status: status > 0 ? status : ATTENTION })
    }).pipe(Effect.provide([state, ServiceClient.outside]))
  })
).pipe(
  CommandContext.help(
    "Read the sources into the books. Only what changed since the last pull is read, where the source supports that. A record that cannot be read is quarantined with its reason; the rest is read.",
    "Read the sources into the books",
    "daybook pull --config acme.json # Read the sources in acme.json"
  )
)
