/** Asks a person at a terminal. Without a terminal, nobody is asked. */
import { Effect, Redacted } from "effect"
import { Prompt } from "effect/cli"
import { text } from "node:stream/consumers"
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

/** Reads a secret: typed without echo, or from a line of standard input. */
export const asker = Effect.sync(() => {
  let lines: Promise<Array<string>> | undefined
  return (name: string) =>
    process.stdin.isTTY
      ? Effect.map(Prompt.run(Prompt.Hidden({ message: `${name}:` })), (value) => Redacted.value(value).trim())
      : Effect.promise(async () =>
          ((await (lines ??= text(process.stdin).then((all) => all.split("\n")))).shift() ?? "").trim()
        )
})
