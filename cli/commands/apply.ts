/** `daybook apply`: sends what the plan contains. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as SavedPlan from "../../sync/library/SavedPlan.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import * as GoOn from "../GoOn.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as Steps from "../Steps.ts"
import * as KeptStatements from "../../sync/KeptStatements.ts"
import * as RunReport from "../RunReport.ts"

export const apply = Command.make(
  "apply",
  {
    plan: Flags.text("plan", "FILE", "A plan saved with daybook plan --save; rejected if the books changed since"),
    ...GoOn.flags
  },
  Effect.fn(function* ({ plan, ...said }) {
    const out = yield* CommandContext.output
    const words = yield* GoOn.words({ ...said, out })
    const configuration = yield* CommandContext.configuration
    const state = yield* CommandContext.state("write", "apply")
    yield* Effect.gen(function* () {
      const digest = Option.isNone(plan) ? undefined : yield* SavedPlan.read(plan.value, configuration.connections)
      const report = yield* Steps.apply(configuration, out, {
        // A person who saved a plan has seen it; somebody may have said no to it since.
        ...(digest === undefined ? {} : { digest, firstSync: "seen" as const }),
        ...words
      })
      const person = yield* RunReport.say(yield* KeptStatements.prove(configuration.connections), out)
      yield* RunReport.end(report, { person, service: configuration.service, status: 0 }, out)
    }).pipe(Effect.provide([state, ServiceClient.client(configuration)]))
  })
).pipe(
  CommandContext.help(
    "Send the calls of the plan. Every call is claimed on disk before it is sent, and its receipt is kept. A call whose answer was lost is looked up on the service before anything is sent again.",
    "Send what the plan contains",
    "daybook apply # Send what has changed",
    "daybook apply --plan monday.plan # Send exactly the plan that was approved, or nothing"
  )
)
