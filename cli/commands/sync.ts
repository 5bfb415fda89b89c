/** `daybook sync`: pull, plan, apply, prove. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { type AlertHooks, alerting } from "../../sync/library/RunAlerts.ts"
import { ATTENTION, Exit } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import * as GoOn from "../GoOn.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as Steps from "../Steps.ts"
import * as RunReport from "../RunReport.ts"
import { showPlan } from "../ShowPlan.ts"
import type { Output } from "../render/Output.ts"

/** Everything except sending: does not ask the service, and needs no key. */
const rehearse = (configuration: Configuration, out: Output) =>
  Effect.gen(function* () {
    const status = yield* Steps.pull(configuration, out)
    const unread = yield* RunReport.oddities(out)
    yield* out.say("")
    const { person } = yield* showPlan(configuration, out, { said: true }, "Nothing was sent: this was a dry run.")
    if (status > 0 || unread || person) yield* new Exit({ status: status > 0 ? status : ATTENTION })
  })

/** Says what became of the alerts of this run. */
const alertHooks = (out: Output): AlertHooks => ({
  onDelivered: ({ channel, outcome, why }) =>
    Effect.gen(function* () {
      yield* out.emit({ type: "alert", channel, outcome, ...(why === undefined ? {} : { why }) })
      if (outcome === "sent") return yield* out.say(`Alerted ${channel}.`)
      const next = outcome === "again" ? "the next run tries it again" : "it is not tried again; daybook alerts retry"
      yield* out.complain(`daybook: an alert did not reach ${channel}: ${why ?? "it was not taken"}; ${next}`)
    }),
  onTrouble: (message) => out.complain(`daybook: ${message}`)
})

export const sync = Command.make(
  "sync",
  {
    dryRun: Flags.yes("dry-run", "Read the sources and show what would be sent; send nothing"),
    timing: Flags.yes(
      "timing",
      "Show at the end where the time went: source, its limits, disk, service, Daybook itself"
    ),
    ...GoOn.flags
  },
  Effect.fn(function* ({ dryRun, timing: timed, ...said }) {
    const out = yield* CommandContext.output
    const words = yield* GoOn.words({ ...said, out })
    const configuration = yield* CommandContext.configuration
    const state = yield* CommandContext.state("write", "sync")
    if (dryRun) return yield* Effect.provide(rehearse(configuration, out), [state, ServiceClient.outside])
    yield* Effect.gen(function* () {
      const {
        between: unread = false,
        proof,
        report,
        status,
        timing
      } = yield* alerting(
        configuration,
        configuration.connections,
        Steps.sync(configuration, out, words, RunReport.oddities(out)),
        alertHooks(out)
      )
      const person = yield* RunReport.say(proof, out)
      if (timed) yield* RunReport.timing(timing, out)
      yield* RunReport.end(report, { person: person || unread, service: configuration.service, status }, out)
    }).pipe(Effect.provide([state, ServiceClient.outside, ServiceClient.client(configuration)]))
  })
).pipe(
  CommandContext.help(
    "Read the sources, send what changed, and prove that source, books and service agree. A second run sends nothing until something changes. Exit status 3: something needs attention, or a record could not be read.",
    "Read the sources, send, prove",
    "daybook sync # Bring the service up to date",
    "daybook sync --yes # First sync without a terminal: send what daybook plan has shown",
    "daybook sync --timing # Sync, and show where the time went",
    "daybook sync --dry-run # Read the sources, and show what would be sent",
    "daybook sync --allow G4 # Pass a guard: an invoice was lowered by more than half, and that is right"
  )
)
