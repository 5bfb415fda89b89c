/** `daybook connectors`: the sources that can be read, and whether a connector keeps what it declares. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { connectors as all, samples } from "../../connectors/index.ts"
import { checks, prove } from "../../connectors/testing/index.ts"
import { nearest } from "../../core/Nearest.ts"
import { Exit, UsageError } from "../Exit.ts"
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

/** The sample of a connector, by name. */
const sampleOf = (name: string) =>
  Effect.gen(function* () {
    const load = samples[name]
    if (load !== undefined) return (yield* Effect.promise(load)).subject
    const known = Object.keys(samples)
    const meant = nearest(name, known)
    return yield* new UsageError({
      why: `there is no connector ${JSON.stringify(name)}; ${
        meant === undefined ? "" : `did you mean "${meant}"? `
      }there are: ${known.join(", ")}`
    })
  })

const MARKS = { holds: "✓", "does not apply": "-", wrong: "✗" } as const

const test = Command.make(
  "test",
  { name: Argument.String("name").pipe(Argument.withDescription("The connector's name")) },
  Effect.fn(function* ({ name }) {
    const out = yield* Session.output
    const subject = yield* sampleOf(name)
    const counts = { holds: 0, "does not apply": 0, wrong: 0 }
    for (const check of checks) {
      const result = yield* Effect.promise(() => prove(subject, check))
      counts[result.outcome]++
      yield* out.emit({ type: "check", connector: subject.connector.name, ...result })
      yield* out.say(`${MARKS[result.outcome]} ${check}${"why" in result ? `\n    ${result.why}` : ""}`)
    }
    const said = `${subject.connector.name}: ${counts.holds} hold, ${counts["does not apply"]} do not apply, ${counts.wrong} wrong`
    yield* out.emit({ type: "summary", holds: counts.holds, skipped: counts["does not apply"], wrong: counts.wrong })
    yield* out.say(`\n${said}`)
    if (counts.wrong > 0) return yield* new Exit({ status: 1 })
  })
).pipe(
  Command.withDescription(
    "Try a connector on the conformance kit, against a source made of its fixtures. What is wrong is said, and why a check does not apply."
  ),
  Command.withShortDescription("Try a connector on the conformance kit"),
  Command.withExamples([{ command: "daybook connectors test files", description: "What the files connector keeps" }])
)

export const connectors = Command.make("connectors", {}, listAll).pipe(
  Command.withDescription("The sources that can be read, and what each can tell."),
  Command.withShortDescription("The sources that can be read"),
  Command.withSubcommands([list, test]),
  Command.withExamples([{ command: "daybook connectors", description: "What a connection's source may name" }])
)
