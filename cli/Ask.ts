/** Asks a person at a terminal. Without a terminal, nobody is asked. */
import { Effect } from "effect"
import type { Output } from "./render/Output.ts"

export const isAsked = (out: Pick<Output, "json">): boolean =>
  !out.json && process.stdin.isTTY === true && process.stderr.isTTY === true

/** The answer; undefined if there is no terminal, or no answer. */
export const ask = (out: Output, question: string): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    if (!isAsked(out)) return undefined
    yield* out.clear
    const { createInterface } = yield* Effect.promise(() => import("node:readline"))
    return yield* Effect.callback<string | undefined>((resume) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr })
      lines.once("close", () => resume(Effect.succeed(undefined)))
      lines.question(question, (text) => {
        resume(Effect.succeed(text.trim()))
        lines.close()
      })
      return Effect.sync(() => lines.close())
    })
  })

/** True only if the person said yes. */
export const confirm = (out: Output, question: string): Effect.Effect<boolean> =>
  Effect.map(ask(out, `${question} [y/N] `), (answer) => answer !== undefined && /^(y|yes)$/i.test(answer))

/** Yes or no, as the person said it; undefined for anything else, also for no answer. There is no default. */
export const decide = (out: Output, question: string): Effect.Effect<boolean | undefined> =>
  Effect.map(ask(out, `${question} [yes/no] `), (answer) =>
    answer === undefined || !/^(y|yes|n|no)$/i.test(answer) ? undefined : /^y/i.test(answer)
  )
