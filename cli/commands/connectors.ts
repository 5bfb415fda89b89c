/** `daybook connectors`: the sources that can be read. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { connectors as all } from "../../connectors/index.ts"
import * as Session from "../Session.ts"
import { table } from "../ui/Table.ts"

const listAll = Effect.fn(function* () {
  const out = yield* Session.output
  for (const { capabilities, name, title } of all) yield* out.emit({ type: "connector", name, title, ...capabilities })
  yield* out.say(
    table(
      [{ title: "Connector" }, { title: "Reads" }, { title: "Documents" }, { title: "Deletions", flexible: true }],
      all.map(({ capabilities, name, title }) => [
        name,
        title,
        capabilities.kinds.map((kind) => kind.replace("_", " ")).join(", "),
        capabilities.deletions
      ]),
      out.style,
      out.width
    )
  )
})

const list = Command.make("list", {}, listAll).pipe(
  Command.withDescription("List the connectors"),
  Command.withExamples([{ command: "daybook connectors list --json", description: "The same for a program" }])
)

export const connectors = Command.make("connectors", {}, listAll).pipe(
  Command.withDescription("The sources that can be read, and what each can tell."),
  Command.withShortDescription("The sources that can be read"),
  Command.withSubcommands([list]),
  Command.withExamples([{ command: "daybook connectors", description: "What a connection's source may name" }])
)
