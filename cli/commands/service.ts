/** `daybook service check`: whether the service's test environment is as the rules assume, and what Daybook does where it is not. */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import { plural } from "../../core/Plural.ts"
import { Client } from "../../core/Client.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as ServiceCheck from "../../sync/reconciliation/ServiceCheck.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import type { Output } from "../render/Output.ts"

const MARKS = { holds: "ok  ", "does not hold": "NO  ", "cannot be probed here": "?   " } as const

const COLOURS = { holds: "green", "does not hold": "red", "cannot be probed here": "dim" } as const

const text = ({ assumptions, documents }: ServiceCheck.ServiceCheck, { style }: Output): string => {
  const rows = assumptions.flatMap(({ found, id, otherwise, says, standing }) => [
    `${style[COLOURS[standing]](MARKS[standing])}${style.bold(id)}: ${says}`,
    `      ${standing === "cannot be probed here" ? "cannot be probed here: " : ""}${found}`,
    ...(standing === "does not hold" ? [`      Daybook then: ${otherwise}`] : [])
  ])
  const made = documents.map(({ id, kind, name, removed }) => `  ${kind} ${name} (${id})${removed ? ", removed" : ""}`)
  const wrong = assumptions.filter(({ standing }) => standing === "does not hold").length
  return [
    ...rows,
    "",
    style.bold("Created for this"),
    ...made,
    "",
    wrong === 0
      ? "Every assumption that can be probed here holds."
      : `${plural(wrong, "assumption")} of the rules ${wrong === 1 ? "does" : "do"} not hold.`
  ].join("\n")
}

const check = Command.make(
  "check",
  {
    host: Flags.text("test-environment", "HOST", "The host in service.url: says that it is a test environment")
  },
  Effect.fn(function* ({ host }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const { settleAfter, url } = configuration.service
    const why = ServiceCheck.notATest(url, Option.getOrUndefined(host))
    if (why !== undefined) return yield* new UsageError({ why })
    const clientOf = (key: Redacted.Redacted) =>
      Effect.map(Layer.build(ServiceClient.clientWith(configuration, key)), (built) => Context.get(built, Client))
    const report = yield* Effect.scoped(
      Effect.gen(function* () {
        const client = yield* clientOf(yield* configuration.service.key)
        const stranger = yield* clientOf(Redacted.make("daybook-check-no-such-key"))
        return yield* ServiceCheck.check(client, stranger, settleAfter)
      })
    )
    for (const one of report.assumptions) yield* out.emit({ type: "assumption", ...one })
    for (const one of report.documents) yield* out.emit({ type: "document", ...one })
    const wrong = report.assumptions.filter(({ standing }) => standing === "does not hold").map(({ id }) => id)
    yield* out.emit({ type: "summary", assumptions: report.assumptions.length, wrong })
    yield* out.say(text(report, out))
    if (wrong.length > 0) yield* new Exit({ status: ATTENTION })
  })
).pipe(
  CommandContext.help(
    "Ask the service's test environment whether it is as the rules assume where its documents are silent, and say what Daybook does where it is not. Creates an organisation, an invoice with a payment, a user and an order there, whose names begin with daybook-check, lists them, and removes what can be removed. Reads and writes no state file. Refuses any address but this machine's and a sandbox's, unless --test-environment names it. Exit status 3: an assumption does not hold.",
    "Ask the service whether it is as the rules assume",
    "daybook service check # With service.url at the test environment"
  )
)

export const service = Command.make("service").pipe(
  CommandContext.help("Check the service itself", undefined, "daybook service check # Every assumption of the rules"),
  Command.withSubcommands([check])
)
