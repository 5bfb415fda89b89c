/** `daybook sync`: pull, plan, apply, prove. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as CommandContext from "../CommandContext.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as Steps from "../Steps.ts"
import * as RunReport from "../RunReport.ts"
import { allowReductions } from "./apply.ts"

export const sync = Command.make(
  "sync",
  { allowReductions },
  Effect.fn(function* ({ allowReductions }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const state = yield* CommandContext.state("write", "sync")
    yield* Effect.gen(function* () {
      const {
        between: unread = false,
        proof,
        report,
        status
      } = yield* Steps.sync(configuration, out, { allowReductions }, RunReport.oddities(out))
      const person = yield* RunReport.say(proof, out)
      yield* RunReport.end(report, { person: person || unread, service: configuration.service, status }, out)
    }).pipe(Effect.provide([state, ServiceClient.outside, ServiceClient.client(configuration)]))
  })
).pipe(
  Command.withDescription(
    "Read the sources, send what changed, and prove that source, books and service agree. A second run sends nothing until something changes."
  ),
  Command.withShortDescription("Read, send, prove: all of it"),
  Command.withExamples([{ command: "daybook sync", description: "Bring the service up to date" }])
)
