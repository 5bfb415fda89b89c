/** `daybook plan`: what would be sent, and why. Changes nothing. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { otherService } from "../../sync/apply/BoundService.ts"
import { Database } from "../../sync/state/Database.ts"
import { Exit, SOMETHING_TO_DO } from "../../sync/library/Exit.ts"
import type { Record } from "../../sync/library/PlanRecords.ts"
import * as CommandContext from "../CommandContext.ts"
import { PlanView } from "../render/PlanView.ts"

const ROWS = 15

export const plan = Command.make(
  "plan",
  {
    save: Flag.String("save").pipe(
      Flag.withDescription("Write the plan to a file, for daybook apply --plan"),
      Flag.withMetavar("FILE"),
      Flag.optional
    ),
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("List every call instead of the first of each kind"),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    detailed: Flag.Boolean("detailed-exitcode").pipe(
      Flag.withDescription("Exit with 6 when there is something to do, 0 when there is not"),
      Flag.withDefault(false),
      Flag.withoutNegation
    )
  },
  Effect.fn(function* ({ all, detailed, save }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const state = yield* CommandContext.state("read", "plan")
    yield* Effect.gen(function* () {
      const db = yield* Database
      const other = otherService(db, configuration.service.url)
      if (other !== undefined) return yield* other
      // Rules and the service's interface are not needed before there is something to plan.
      const { records } = yield* Effect.promise(() => import("../../sync/library/PlanRecords.ts"))
      const SavedPlan = yield* Effect.promise(() => import("../../sync/library/SavedPlan.ts"))
      const saved = Option.isNone(save) ? undefined : yield* SavedPlan.writer(save.value)
      const view = new PlanView(all ? Number.POSITIVE_INFINITY : ROWS)
      const summary = yield* records(configuration.connections, {
        see: (planned) => view.add(planned),
        need: (attention) => view.need(attention),
        ...(out.json || saved !== undefined
          ? { write: (record: Record) => Effect.andThen(saved?.write(record) ?? Effect.void, out.emit(record)) }
          : {})
      })
      yield* saved?.commit() ?? Effect.void
      yield* out.say(view.text(out, summary))
      if (Option.isSome(save))
        yield* out.say(`Saved to ${save.value}; send it with: daybook apply --plan ${save.value}`)
      if (detailed && summary.calls > 0) return yield* new Exit({ status: SOMETHING_TO_DO })
    }).pipe(Effect.scoped, Effect.provide(state))
  })
).pipe(
  Command.withDescription(
    "Show what would be sent to the service, and why. Reads the books; changes nothing and sends nothing."
  ),
  Command.withShortDescription("What would be sent, and why"),
  Command.withExamples([
    { command: "daybook plan", description: "Review before anything is sent" },
    { command: "daybook plan --save monday.plan", description: "Save it, to be approved and applied as it is" }
  ])
)
