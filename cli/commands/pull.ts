/** `daybook pull`: reads the sources into the books. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { ATTENTION, Exit } from "../../sync/library/Exit.ts"
import * as Session from "../CommandContext.ts"
import * as Steps from "../Steps.ts"

export const pull = Command.make(
  "pull",
  {},
  Effect.fn(function* () {
    const out = yield* Session.output
    const configuration = yield* Session.configuration
    const state = yield* Session.state("write", "pull")
    yield* Effect.gen(function* () {
      const status = yield* Steps.pull(configuration, out)
      const person = yield* Steps.oddities(out)
      if (status > 0 || person) yield* new Exit({ status: status > 0 ? status : ATTENTION })
    }).pipe(Effect.provide([state, Session.outside]))
  })
).pipe(
  Command.withDescription(
    "Read the sources into the books. Only what changed since the last time is read, where the source can tell. What cannot be read is set aside with its reason; the rest goes on."
  ),
  Command.withShortDescription("Read the sources into the books"),
  Command.withExamples([{ command: "daybook pull --config acme.json", description: "Read what acme.json names" }])
)
