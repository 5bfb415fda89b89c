/** Defines the options with which a person lets a run pass guards. */
import { Effect, Option } from "effect"
import { UsageError } from "../sync/library/Exit.ts"
import type { SendingOptions } from "../sync/apply/Report.ts"
import { type FirstSync, said } from "../sync/plan/FirstSync.ts"
import { confirm } from "./Ask.ts"
import type { Output } from "./render/Output.ts"
import { allowed, type Guard, GUARDS, isGuard } from "../sync/model/Guard.ts"
import * as Flags from "./Flags.ts"

export const flags = {
  allow: Flags.text("allow", "GUARDS", "Let the run pass these guards, by number, like G4 or G4,G10"),
  allowReductions: Flags.yes(
    "allow-reductions",
    "The same as --allow G1, for many deletions, reversals and lower amounts"
  ),
  yes: Flags.yes("yes", "Send the first sync of a connection without asking, or a plan that somebody rejected")
}

export interface Words extends Pick<SendingOptions, "allow" | "confirm" | "firstSync"> {
  readonly allow: ReadonlyArray<Guard>
}

/** Shows the totals of a first sync and waits for an answer. Without a terminal, nobody is asked. */
const question =
  (out: Output) =>
  (asked: FirstSync): Effect.Effect<boolean> =>
    confirm(out, `${said(asked)}\nSend it?`)

/** What the options say: the guards to pass, and whether a first sync is sent or asked about. */
export const words = ({
  allow,
  allowReductions,
  out,
  yes
}: {
  readonly out: Output
  readonly yes: boolean
  readonly allow: Option.Option<string>
  readonly allowReductions: boolean
}): Effect.Effect<Words, UsageError> =>
  Effect.gen(function* () {
    const named = Option.match(allow, { onNone: () => [], onSome: (text) => text.split(",") })
      .map((one) => one.trim().toUpperCase())
      .filter((one) => one !== "")
    const wrong = named.find((one) => !isGuard(one))
    if (wrong !== undefined)
      return yield* new UsageError({ why: `--allow ${wrong}: unknown guard; available: ${GUARDS.join(", ")}` })
    return {
      allow: allowed({ allow: named.filter(isGuard), allowReductions }),
      confirm: question(out),
      ...(yes ? { firstSync: "send" as const } : {})
    }
  })
