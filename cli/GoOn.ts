/** The words with which a person has a run go on that would be stopped. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { UsageError } from "../sync/library/Exit.ts"
import { allowed, type Guard, GUARDS, isGuard } from "../sync/model/Guard.ts"

export const flags = {
  allow: Flag.String("allow").pipe(
    Flag.withDescription("Go on although these guards stop the run, by number, like G4 or G4,G10"),
    Flag.withMetavar("GUARDS"),
    Flag.optional
  ),
  allowReductions: Flag.Boolean("allow-reductions").pipe(
    Flag.withDescription("The same as --allow G1: much would be deleted, reversed or lowered"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
}

/** What was said: the guards that are passed. */
export const words = ({
  allow,
  allowReductions
}: {
  readonly allow: Option.Option<string>
  readonly allowReductions: boolean
}): Effect.Effect<{ readonly allow: ReadonlyArray<Guard> }, UsageError> =>
  Effect.gen(function* () {
    const named = Option.match(allow, { onNone: () => [], onSome: (text) => text.split(",") })
      .map((one) => one.trim().toUpperCase())
      .filter((one) => one !== "")
    const wrong = named.find((one) => !isGuard(one))
    if (wrong !== undefined)
      return yield* new UsageError({ why: `--allow ${wrong}: there is no such guard; there are ${GUARDS.join(", ")}` })
    return { allow: allowed({ allow: named.filter(isGuard), allowReductions }) }
  })
