/** `daybook backup`: copies the state file while everything else keeps running. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { backup as copy } from "../../sync/state/Backup.ts"
import * as CommandContext from "../CommandContext.ts"
import { grouped } from "../../core/Plural.ts"

export const backup = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("File for the copy; it appears once the copy is complete"),
      Argument.withMetavar("FILE")
    )
  },
  Effect.fn(function* ({ file }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("read", "backup", function* () {
      const made = yield* copy(file)
      yield* out.emit({ type: "backup", ...made })
      yield* out.say(`${made.file}: ${grouped(made.bytes)} bytes, checked`)
      if (made.chain !== undefined) yield* out.say(`Latest entry of the chain: ${made.chain.entry}:${made.chain.hash}`)
      if (made.vault !== undefined)
        yield* out.say(`${made.vault}: the sealed tokens; the key that opens them is not in it`)
    })
  })
).pipe(
  CommandContext.help(
    "Copy the state file as it is now, even while a daemon or another command is running, and check the copy. To restore, stop everything, put the copy in the state file's place and run `daybook reconcile --fix`: the copy lacks what was sent after it was made, so nothing is sent from it until then.",
    "Copy the state file, at any time",
    "daybook backup backups/monday.db # Copy it, even while a daemon is running"
  )
)
