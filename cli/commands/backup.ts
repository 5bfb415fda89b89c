/** `daybook backup`: a copy of the state file, while anything else goes on. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { backup as copy } from "../../sync/state/Backup.ts"
import * as CommandContext from "../CommandContext.ts"

export const backup = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("Where the copy goes; it takes its name when it is whole"),
      Argument.withMetavar("FILE")
    )
  },
  Effect.fn(function* ({ file }) {
    const out = yield* CommandContext.output
    const state = yield* CommandContext.state("read", "backup")
    yield* Effect.gen(function* () {
      const made = yield* copy(file)
      yield* out.emit({ type: "backup", ...made })
      yield* out.say(`${made.file}: ${made.bytes.toLocaleString("en")} bytes, whole`)
      if (made.vault !== undefined)
        yield* out.say(`${made.vault}: the sealed tokens; the key that opens them is not in it`)
    }).pipe(Effect.provide(state))
  })
).pipe(
  Command.withDescription(
    "Copy the state file as it is at one moment, while a daemon or any other command goes on, and check the copy. To restore, stop everything, put the copy in the state file's place and run `daybook reconcile --fix`: what the service was told since is not in the copy, and nothing is sent from it before."
  ),
  Command.withShortDescription("A copy of the state file, at any time"),
  Command.withExamples([{ command: "daybook backup backups/monday.db", description: "Beside a running daemon" }])
)
