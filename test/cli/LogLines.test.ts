/** The daemon's log: what a source says is one line of it, and never an entry of its own. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Log from "../../cli/daemon/Log.ts"

const FORGED =
  "no\r\n2026-11-25T00:00:00.000Z info  books: everything agrees\u2028more\u001b[2J\u001b]0;title\u0007\u202e\u009b31m"

const written = (form: "text" | "json"): Effect.Effect<string> =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const write = process.stdout.write
    process.stdout.write = ((line: string) => lines.push(line) > 0) as typeof write
    yield* Effect.logWarning(FORGED).pipe(
      Effect.annotateLogs("connection", `books${FORGED}`),
      Effect.provide(Log.layer(form, false)),
      Effect.ensuring(Effect.sync(() => void (process.stdout.write = write)))
    )
    return lines.join("")
  })

describe("an entry of the daemon's log", () => {
  it.effect("is one line without control characters, in both forms", () =>
    Effect.gen(function* () {
      for (const form of ["text", "json"] as const) {
        const text = yield* written(form)
        assert.strictEqual(text.indexOf("\n"), text.length - 1, form)
        assert.notMatch(text.slice(0, -1), /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/, form)
        assert.include(text, "everything agrees", form)
      }
    })
  )
})
