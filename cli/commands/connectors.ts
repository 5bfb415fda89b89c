/** `daybook connectors`: lists the sources that can be read, and tests whether a connector does what it declares. */
import { Effect } from "effect"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Argument, Command } from "effect/cli"
import { CONTRACT } from "../../connectors/Connector.ts"
import { connectors as entries } from "../../connectors/index.ts"
import { connectorSummaries } from "../../connectors/Summaries.ts"
import type * as Kit from "../../connectors/testing/index.ts"
import { Exit, UsageError } from "../../sync/library/Exit.ts"
import { sampleFile } from "../ConnectorSample.ts"
import { files, GUIDE } from "../NewConnector.ts"
import { unknown } from "../../sync/library/ConnectorRegistry.ts"
import { type Found, KEYWORD, search } from "../ConnectorSearch.ts"
import * as CommandContext from "../CommandContext.ts"
import { table } from "../render/Table.ts"

const listAll = Effect.fn(function* () {
  const out = yield* CommandContext.output
  const all = yield* Effect.promise(connectorSummaries)
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
      out
    )
  )
})

const list = Command.make("list", {}, listAll).pipe(
  CommandContext.help("List the connectors", undefined, "daybook connectors list --json # The same for a program")
)

/** The kit and the sample of a third-party connector, both using the same modules. */
const fromFile = async (file: string) => {
  const { library, load } = await import("../../sync/library/ThirdPartyConnectors.ts")
  const { subject } = (await load(file)) as { readonly subject?: Kit.Subject }
  if (subject === undefined) throw new Error("it exports no subject")
  const kit = (await import(library("testing/index"))) as Pick<typeof Kit, "checks" | "prove">
  return { subject, ...kit }
}

/** The kit and the sample of a connector, by name, folder, file or package. */
const sampleOf = (name: string) =>
  Effect.gen(function* () {
    const entry = entries.find((one) => one.name === name)
    const file = entry === undefined ? sampleFile(name, process.cwd()) : undefined
    if (file !== undefined) {
      return yield* Effect.tryPromise({
        try: () => fromFile(file),
        catch: (cause) =>
          new UsageError({ why: `${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}` })
      })
    }
    if (entry !== undefined) {
      // Loaded lazily, so that other commands do not wait for the kit.
      const { checks, prove } = yield* Effect.promise(() => import("../../connectors/testing/index.ts"))
      return { subject: (yield* Effect.promise(entry.sample)).subject, checks, prove }
    }
    return yield* new UsageError({ why: `${unknown(name)}; or name a folder or a package with a Sample.ts` })
  })

const MARKS = { holds: "✓", "does not apply": "-", wrong: "✗" } as const

const test = Command.make(
  "test",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The connector's name, or its folder, file or package"))
  },
  Effect.fn(function* ({ name }) {
    const out = yield* CommandContext.output
    const { checks, prove, subject } = yield* sampleOf(name)
    const counts = { holds: 0, "does not apply": 0, wrong: 0 }
    let last = ""
    for (const check of checks) {
      const result = yield* Effect.promise(() => prove(subject, check))
      counts[result.outcome]++
      yield* out.emit({ type: "check", connector: subject.connector.name, ...result })
      const why = "why" in result ? result.why : ""
      // A sample that cannot be read fails in every check in the same way.
      yield* out.say(`${MARKS[result.outcome]} ${check}${why === "" || why === last ? "" : `\n    ${why}`}`)
      last = why
    }
    const said = `${subject.connector.name}: ${counts.holds} hold, ${counts["does not apply"]} do not apply, ${counts.wrong} wrong`
    yield* out.emit({ type: "summary", holds: counts.holds, skipped: counts["does not apply"], wrong: counts.wrong })
    yield* out.say(`\n${said}`)
    if (counts.wrong > 0) return yield* new Exit({ status: 1 })
  })
).pipe(
  CommandContext.help(
    "Run the conformance kit on a connector, against a simulated source made of its fixtures. Says what is wrong, and why a check does not apply.",
    "Run the conformance kit on a connector",
    "daybook connectors test files # Check the files connector",
    "daybook connectors test ./acme # Check the connector in the folder acme"
  )
)

const create = Command.make(
  "new",
  { name: Argument.String("name").pipe(Argument.withDescription("Its name and the name of its folder")) },
  Effect.fn(function* ({ name }) {
    const out = yield* CommandContext.output
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(name)) {
      return yield* new UsageError({
        why: `${JSON.stringify(name)} is not a valid connector name; use lowercase letters, digits and "-"`
      })
    }
    if (existsSync(name)) return yield* new UsageError({ why: `${name} already exists; choose another name` })
    yield* Effect.try({
      try: () => {
        mkdirSync(name)
        for (const [file, text] of Object.entries(files(name))) writeFileSync(join(name, file), text)
      },
      catch: (cause) =>
        new UsageError({ why: `${name} cannot be written: ${cause instanceof Error ? cause.message : cause}` })
    })
    yield* out.emit({
      type: "created",
      connector: name,
      files: Object.keys(files(name)).map((file) => `${name}/${file}`)
    })
    yield* out.say(
      `${name}/ reads invoices of a source that does not exist, and passes: daybook connectors test ${name}\nMake it yours: Mapping.ts (a record as documents), Connector.ts (lists, pages, changes), Sample.ts (fixtures, and what they must become). How: ${GUIDE}`
    )
  })
).pipe(
  CommandContext.help(
    "Write a small connector into a new folder. It passes the conformance kit and is a starting point for your own.",
    "Write a small connector to start from",
    "daybook connectors new acme # Writes the folder acme"
  )
)

const contractOf = ({ contract, fits }: Found): string =>
  fits ? `${contract}` : contract === undefined ? "not said" : `${contract}, and this Daybook has ${CONTRACT}`

const searchAll = Command.make(
  "search",
  {
    words: Argument.String("words").pipe(
      Argument.withDescription("Words of its name or description; without them, all are listed"),
      Argument.withDefault("")
    )
  },
  Effect.fn(function* ({ words }) {
    const out = yield* CommandContext.output
    const found = yield* search(words)
    for (const one of found) yield* out.emit({ type: "package", ...one })
    yield* out.say(
      found.length === 0
        ? `No package of npm has the keyword ${KEYWORD}${words === "" ? "" : ` and ${JSON.stringify(words)}`}.`
        : `${table(
            [{ title: "Package" }, { title: "Version" }, { title: "Contract" }, { title: "Reads", flexible: true }],
            found.map((one) => [one.name, one.version, contractOf(one), one.description]),
            out
          )}\n\nThey are by others: read a package before you install it, and run \`daybook connectors test PACKAGE\`.`
    )
  })
).pipe(
  CommandContext.help(
    `Search npm for connectors of others: packages with the keyword ${KEYWORD}, and the version of the contract that each was written for.`,
    "Search npm for connectors of others",
    "daybook connectors search exact # Those that mention Exact"
  )
)

export const connectors = Command.make("connectors", {}, listAll).pipe(
  CommandContext.help(
    "The sources that can be read, and what each of them provides.",
    "The sources that can be read",
    "daybook connectors # List the connectors for a connection's source"
  ),
  Command.withSubcommands([list, test, create, searchAll])
)
