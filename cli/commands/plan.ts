/** `daybook plan`: shows what would be sent, and why. Changes nothing. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { ATTENTION, Exit, SOMETHING_TO_DO, UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { showPlan } from "../ShowPlan.ts"

/** For what another configuration would change. */
export const readFlag = Flags.yes(
  "read",
  "With --with: read each source that is set otherwise, once as it is set and once as it would be, into copies of the books"
)

/** For an upgrade. */
export const byFlag = Flags.text(
  "by",
  "PROGRAM",
  "Another version's daybook.js or executable: shows what it would plan otherwise from the same books"
)

export const plan = Command.make(
  "plan",
  {
    save: Flags.text("save", "FILE", "Write the plan to a file, for daybook apply --plan"),
    target: Flags.text("target", "DOCUMENT", "Only what would be sent for this document, by number, id or key"),
    with: Flags.text("with", "FILE", "Another configuration: shows what it would change in today's plan"),
    read: readFlag,
    by: byFlag,
    asOf: Flags.text("as-of", "DAY", "Another day: shows what its plan would have otherwise"),
    all: Flags.yes("all", "List every call instead of the first of each kind"),
    detailed: Flags.yes("detailed-exitcode", "Exit with status 6 if there is something to send")
  },
  Effect.fn(function* ({ all, asOf, by, detailed, read, save, target: named, with: file }) {
    const out = yield* CommandContext.output
    if (Option.isSome(by)) {
      if ([asOf, file, named, save].some(Option.isSome))
        return yield* new UsageError({ why: "--by compares whole plans under today's settings; give it alone" })
      const { showVersions } = yield* Effect.promise(() => import("../ShowWhatIf.ts"))
      return yield* showVersions(by.value, { all, detailed }, out)
    }
    if (read && Option.isNone(file)) return yield* new UsageError({ why: "--read goes with --with FILE" })
    if (Option.isSome(file) || Option.isSome(asOf)) {
      if (Option.isSome(save) || Option.isSome(named))
        return yield* new UsageError({ why: "--with and --as-of compare whole plans; leave out --save and --target" })
      const { showWhatIf } = yield* Effect.promise(() => import("../ShowWhatIf.ts"))
      return yield* showWhatIf({ all, asOf, detailed, read, with: file }, out)
    }
    if (Option.isSome(named) && Option.isSome(save))
      return yield* new UsageError({ why: "--target: a part of a plan cannot be saved and sent; leave out --save" })
    const configuration = yield* CommandContext.configuration
    yield* CommandContext.inState("read", "plan", function* () {
      const summary = yield* showPlan(configuration, out, { all, save, target: named })
      if (Option.isSome(save))
        yield* out.say(`Saved to ${save.value}; send it with: daybook apply --plan ${save.value}`)
      if (detailed && summary.calls > 0) return yield* new Exit({ status: SOMETHING_TO_DO })
      if (summary.person) yield* new Exit({ status: ATTENTION })
    })
  })
).pipe(
  CommandContext.help(
    "Show what would be sent to the service, and why. Reads the books; changes nothing and sends nothing. Exit status 3: something needs attention, or a record could not be read.",
    "Show what would be sent, and why",
    "daybook plan # Review before anything is sent",
    "daybook plan --target INV-1010 # What would be sent for one invoice",
    "daybook plan --with other.config.json # What another configuration would change",
    "daybook plan --by ../next/dist/daybook.js # What an upgrade would change",
    "daybook plan --save monday.plan # Save it, to be approved and applied as it is"
  )
)
