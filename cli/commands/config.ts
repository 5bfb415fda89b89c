/** `daybook config schema`: prints the JSON Schema of the configuration, for editors. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { writeFileSync } from "node:fs"
import { plural } from "../../core/Plural.ts"
import { written } from "../../sync/library/config/ConfigFile.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"

const schema = Command.make(
  "schema",
  {
    file: Flags.text("out", "FILE", "Write it into this file, which $schema in the configuration then names")
  },
  Effect.fn(function* ({ file }) {
    const out = yield* CommandContext.output
    const there = yield* written(Option.getOrUndefined(yield* CommandContext.configFile))
    // Loaded only on demand, because it loads all connectors.
    const { schemaText } = yield* Effect.promise(() => import("../../sync/library/config/schema/Written.ts"))
    const text = yield* schemaText(there?.value, there?.folder ?? ".")
    if (Option.isNone(file)) return yield* Effect.sync(() => void process.stdout.write(text))
    yield* Effect.try({
      try: () => writeFileSync(file.value, text),
      catch: (cause) =>
        new UsageError({
          why: `${file.value} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`
        })
    })
    yield* out.emit({ type: "schema", file: file.value })
    yield* out.say(`Wrote ${file.value}. The configuration names it: "$schema": ${JSON.stringify(`./${file.value}`)}`)
  })
).pipe(
  CommandContext.help(
    "Print the JSON Schema of the configuration: every setting of every connector with its description, third-party connectors of the configuration here included. Editors complete and check by it where $schema names it.",
    "The JSON Schema of the configuration",
    'daybook config schema --out daybook.schema.json # For "$schema": "./daybook.schema.json"'
  )
)

const check = Command.make(
  "check",
  {},
  Effect.fn(function* () {
    const out = yield* CommandContext.output
    const { connections, file } = yield* CommandContext.configuration
    yield* out.emit({ type: "checked", file, connections: connections.map(({ id }) => id) })
    yield* out.say(`${file} is valid: ${plural(connections.length, "connection")}.`)
  })
).pipe(
  CommandContext.help(
    "Read the configuration and report every mistake in it. No secret is needed, no source is read and nothing is sent.",
    "Whether the configuration is valid",
    "daybook config check # The configuration in this folder"
  )
)

export const config = Command.make("config").pipe(
  CommandContext.help(
    "The configuration's schema, for editors.",
    "The configuration's JSON Schema",
    "daybook config schema # Print the JSON Schema"
  ),
  Command.withSubcommands([schema, check])
)
