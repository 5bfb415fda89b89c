/** `daybook config schema`: prints the JSON Schema of the configuration, for editors. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { writeFileSync } from "node:fs"
import { written } from "../../sync/library/config/ConfigFile.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"

const schema = Command.make(
  "schema",
  {
    file: Flag.String("out").pipe(
      Flag.withDescription("Write it into this file, which $schema in the configuration then names"),
      Flag.withMetavar("FILE"),
      Flag.optional
    )
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
  Command.withDescription(
    "Print the JSON Schema of the configuration: every setting of every connector with its description, third-party connectors of the configuration here included. Editors complete and check by it where $schema names it."
  ),
  Command.withShortDescription("The JSON Schema of the configuration"),
  Command.withExamples([
    {
      command: "daybook config schema --out daybook.schema.json",
      description: 'For "$schema": "./daybook.schema.json"'
    }
  ])
)

export const config = Command.make("config").pipe(
  Command.withDescription("The configuration's schema, for editors."),
  Command.withShortDescription("The configuration's JSON Schema"),
  Command.withSubcommands([schema]),
  Command.withExamples([{ command: "daybook config schema", description: "Print the JSON Schema" }])
)
