/**
 * `daybook init`: a configuration from exports as they are. Looks at the files, says what it decided and why, asks what no
 * file says, shows the first documents with their sums, writes `daybook.config.json`, and ends with a pull and a plan in a
 * state file that is thrown away.
 */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, extname, join, relative, resolve } from "node:path"
import { bankEndings, isBank } from "../../connectors/list.ts"
import { type Configuration, decode } from "../../sync/library/config/Configuration.ts"
import * as FirstConfiguration from "../../sync/library/FirstConfiguration.ts"
import { Exit, UsageError } from "../../sync/library/Exit.ts"
import { plain } from "../../sync/library/Plain.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { nameOf } from "../../sync/model/Connection.ts"
import * as Preview from "../../sync/pull/Preview.ts"
import { Database } from "../../sync/state/Database.ts"
import { ask, confirm, isAsked } from "../Ask.ts"
import * as CommandContext from "../CommandContext.ts"
import * as InitFlags from "../InitFlags.ts"
import type { Output } from "../render/Output.ts"
import * as View from "../render/InitView.ts"
import { showPlan } from "../ShowPlan.ts"
import * as Steps from "../Steps.ts"

const FILE = "daybook.config.json"
/** Beside it, for editors. */
const SCHEMA = "daybook.schema.json"
const TABLES = [".csv", ".tsv", ".xlsx", ".jsonl"]

export const init = Command.make(
  "init",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription(
        "Exports of invoices, payments, credit notes, a bank; those in this folder unless named"
      ),
      Argument.variadic()
    ),
    ...InitFlags.flags
  },
  Effect.fn(function* ({ files: named, ...flags }) {
    const out = yield* CommandContext.output
    const file = Option.getOrElse(yield* CommandContext.configFile, () => FILE)
    if (!file.endsWith(".json"))
      return yield* new UsageError({ why: `--config ${file}: init writes JSON; name a .json file` })
    if (existsSync(file) && !flags.force)
      return yield* new UsageError({
        why: `${file} is there already; --force writes over it, --config FILE writes another one`
      })
    const answers = yield* InitFlags.answersOf(flags)
    const folder = dirname(resolve(file))
    const files = named.length > 0 ? named : yield* Effect.promise(() => exportsIn(folder))
    if (files.length === 0)
      return yield* new UsageError({
        why: `no ${TABLES.join(", ")} file was found in this folder; name your exports: daybook init invoices.csv payments.csv`
      })
    const tables = yield* FirstConfiguration.look(files, folder)
    const url = Option.getOrUndefined(flags.service)
    const { config, decisions } = yield* settle(out, tables, {
      accept: flags.yes,
      answers,
      folder,
      ...(url === undefined ? {} : { url })
    })
    for (const one of decisions) yield* out.emit({ type: "decision", ...one })
    yield* out.say(`${View.decisionText(decisions, out)}\n`)
    const configuration = yield* decode(config, { file, folder, environment: process.env })
    yield* showFirst(configuration, out)
    if (!flags.yes && isAsked(out) && !(yield* confirm(out, `\nWrite ${file}?`))) return yield* new Exit({ status: 1 })
    const schema = join(folder, SCHEMA)
    const { schemaText } = yield* Effect.promise(() => import("../../sync/library/config/schema/Written.ts"))
    yield* write(schema, yield* schemaText(config, folder))
    yield* write(file, `${JSON.stringify({ $schema: `./${SCHEMA}`, ...config }, null, 2)}\n`)
    yield* out.emit({ type: "written", file, config })
    yield* out.say(`\nWrote ${file}, and ${SCHEMA} for editors.\n`)
    yield* tryOut(configuration, out)
  })
).pipe(
  Command.withDescription(
    "Write a configuration from exports as they are: finds the headings, columns, how dates and amounts are written, the currency and states, and says why. Asks what no file says; without a terminal the answers are flags, and --yes accepts the rest. Ends with a pull and a plan in a state file that is thrown away; nothing is sent."
  ),
  Command.withShortDescription("Write a configuration from your exports"),
  Command.withExamples([
    { command: "daybook init invoices.csv payments.csv", description: "From two exports; asks what they do not say" },
    { command: "daybook init", description: "From all exports in this folder" },
    {
      command: 'daybook init invoices.csv --yes --currency USD --name "Acme Ltd"',
      description: "Without questions, for a script"
    },
    { command: "daybook init umsaetze.csv --kind umsaetze.csv=statement", description: "Say what a file holds" }
  ])
)

/** Exports beside the configuration, in the order of their names. */
const exportsIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const banks = await bankEndings()
  const found: Array<string> = []
  for (const name of readdirSync(folder).toSorted()) {
    const ending = extname(name).toLowerCase()
    const path = relative(process.cwd(), join(folder, name))
    if (/^(?:~\$|\.)/.test(name)) continue
    if (TABLES.includes(ending) || (banks.includes(ending) && (await isBank(path)))) found.push(path)
  }
  return found
}

/** Asks at a terminal until nothing is left to ask; without one, all that must be answered is said at once. */
const settle = (out: Output, tables: FirstConfiguration.FoundFiles, options: FirstConfiguration.InitOptions) =>
  Effect.gen(function* () {
    let answers = options.answers ?? {}
    for (;;) {
      const found = yield* FirstConfiguration.initial(tables, { ...options, answers })
      const [question] = found.questions
      if (question === undefined) return found
      if (!isAsked(out)) {
        for (const one of found.questions) yield* out.emit({ type: "question", ...one })
        return yield* new UsageError({ why: View.lackingText(found.questions, options.accept === true) })
      }
      const text = yield* ask(out, View.questionText(question))
      if (text === undefined) return yield* new Exit({ status: 1 })
      const answer = text === "" ? (question.suggestion ?? "") : chosen(text, question.choices)
      const next = FirstConfiguration.withAnswer(answers, question, answer)
      if (next === undefined) yield* out.complain(`${JSON.stringify(text)} is not an answer to it`)
      else answers = next
    }
  })

/** A choice by its name, by its number or by how it begins. */
const chosen = (text: string, choices: ReadonlyArray<string> | undefined): string => {
  if (choices === undefined || choices.includes(text)) return text
  const begun = choices.filter((one) => one.toLowerCase().startsWith(text.toLowerCase()))
  return begun.length === 1 ? begun.join("") : text
}

/** The first documents of each connection, with sums per currency. */
const showFirst = (configuration: Configuration, out: Output) =>
  Effect.gen(function* () {
    for (const connection of configuration.connections) {
      const found = yield* Preview.preview(configuration, connection, ":memory:", { show: 4 })
      const sums = found.sums.map(plain)
      yield* out.emit({
        type: "preview",
        connection: connection.id,
        documents: found.documents,
        whole: found.whole,
        sums
      })
      for (const one of found.quarantined) yield* out.emit({ type: "quarantined", connection: connection.id, ...one })
      yield* out.say(View.firstText(nameOf(connection), found, out))
    }
  }).pipe(Effect.provide(ServiceClient.outside))

const write = (file: string, text: string) =>
  Effect.try({
    try: () => writeFileSync(file, text),
    catch: (cause) =>
      new UsageError({ why: `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

/** A pull and a plan, as they would be against an empty service. Nothing of it is kept. */
const tryOut = (configuration: Configuration, out: Output) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-init-"))),
    (folder) =>
      Effect.gen(function* () {
        yield* Steps.pull(configuration, out)
        yield* showPlan(configuration, out, { said: true, rows: 3 }, NEXT)
      }).pipe(
        Effect.provide([
          Database.layer({ file: join(folder, "daybook.db"), mode: "write", command: "daybook init" }),
          ServiceClient.outside
        ])
      ),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const NEXT = `Nothing was sent, and nothing of this trial is kept. What to do next:
  daybook sandbox                            the service on this machine, in another terminal
  SERVICE_KEY=sandbox-key daybook sync       send it there, and prove that both agree
  set service.url and SERVICE_KEY            for the real one`
