/** Questions to a person at a terminal. Without one nobody is asked. */
import { Effect } from "effect"
import type { Output } from "./render/Output.ts"

export const isAsked = (out: Pick<Output, "json">): boolean =>
  !out.json && process.stdin.isTTY === true && process.stderr.isTTY === true

/** What was answered; undefined where nobody was there, or the answer never came. */
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

/** Yes only where somebody said yes. */
export const confirm = (out: Output, question: string): Effect.Effect<boolean> =>
  Effect.map(ask(out, `${question} [y/N] `), (answer) => answer !== undefined && /^(y|yes)$/i.test(answer))
