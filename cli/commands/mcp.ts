/** `daybook mcp`: answers questions of assistants over the Model Context Protocol. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as CommandContext from "../CommandContext.ts"

export const mcp = Command.make(
  "mcp",
  {},
  Effect.fn(function* () {
    const { keepForProtocol, serve } = yield* Effect.promise(() => import("../remote/Assistant.ts"))
    yield* keepForProtocol
    const configuration = yield* CommandContext.configuration
    const state = Option.getOrElse(yield* CommandContext.stateFile, () => CommandContext.DEFAULT_STATE)
    return yield* serve({ configuration, state, version: yield* CommandContext.Version })
  })
).pipe(
  CommandContext.help(
    "Answer an assistant's questions over the Model Context Protocol, on standard input and output: status, what needs attention, plans, the story of a document, search, cover. The state file is opened only to read: an assistant cannot send, approve, buy or decide anything.",
    "Let an assistant read and explain",
    "daybook mcp --config /srv/books/daybook.config.json # The command for an assistant's settings"
  )
)
