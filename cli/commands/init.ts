/**
 * `daybook init`: derives a configuration from unmodified exports. Reads the files, explains its decisions, asks for what no
 * file says, shows the first documents with their totals, writes `daybook.config.json`, and ends with a pull and a plan in a
 * temporary state file.
 */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, extname, join, relative, resolve } from "node:path"
import { bankEndings, describedBy, describedEndings, isBank, unread } from "../../connectors/list.ts"
import { type Configuration, decode } from "../../sync/library/config/Configuration.ts"
import * as ConnectionsFile from "../../sync/library/config/ConnectionsFile.ts"
import * as JsonText from "../../sync/library/config/JsonText.ts"
import * as FirstConfiguration from "../../sync/library/FirstConfiguration.ts"
import { Exit, UsageError } from "../../sync/library/Exit.ts"
import { isSourceName, sourceInitial } from "../../sync/library/SourceConfiguration.ts"
import { plain } from "../../sync/library/Plain.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { unwrittenError, unwrittenPreview } from "../../sync/library/Unwritten.ts"
import * as VariableNames from "../../sync/library/VariableNames.ts"
import { nameOf } from "../../sync/model/Connection.ts"
import * as Preview from "../../sync/pull/Preview.ts"
import { Database } from "../../sync/state/Database.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { ask, confirm, isAsked } from "../Ask.ts"
import * as CommandContext from "../CommandContext.ts"
import * as InitFlags from "../InitFlags.ts"
import * as InitPlace from "../InitPlace.ts"
import type { Output } from "../render/Output.ts"
import * as View from "../render/InitView.ts"
import { showPlan } from "../ShowPlan.ts"
import * as Steps from "../Steps.ts"

const FILE = "daybook.config.json"
/** Written beside it, for editors. */
const SCHEMA = "daybook.schema.json"
const TABLES = [".csv", ".tsv", ".xlsx", ".jsonl"]

export const init = Command.make(
  "init",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription(
        "Exports of invoices, payments, credit notes, a bank, those in this folder unless named; or a source: xero, stripe"
      ),
      Argument.variadic()
    ),
    ...InitFlags.flags
  },
  Effect.fn(function* ({ files: named, ...flags }) {
    const out = yield* CommandContext.output
    const place = yield* placeOf(
      Option.getOrElse(yield* CommandContext.configFile, () => FILE),
      flags
    )
    const answers = InitPlace.answersFor(place, yield* InitFlags.answersOf(flags), named)
    const url = Option.getOrUndefined(flags.service)
    const options = { accept: flags.yes, answers, folder: place.folder, ...(url === undefined ? {} : { url }) }
    const [source] = named
    if (source !== undefined && named.length === 1 && isSourceName(source) && !existsSync(source))
      return yield* fromSource(out, place, source, options)
    const files = yield* Effect.promise(() => exportsOf(named, place.folder))
    if (files.length === 0)
      return yield* new UsageError({
        why: `no ${TABLES.join(", ")} file, electronic invoice, ledger file (FEC, SAF-T PT) or bank's statement was found in this folder; name your exports: daybook init invoices.csv payments.csv; or a source: daybook init xero`
      })
    const tables = yield* FirstConfiguration.look(files, place.folder)
    const { config, decisions } = yield* settle(out, options, (all) => FirstConfiguration.initial(tables, all))
    yield* explain(out, decisions)
    const written = yield* InitPlace.written(place, config)
    const configuration = yield* decode(written.own, { ...place, environment: process.env }).pipe(
      Effect.mapError((error) => new UsageError({ why: unwrittenError(error, "flags") }))
    )
    yield* showFirst(configuration, out, true)
    if (!flags.yes && isAsked(out) && !(yield* confirm(out, `\nWrite ${place.file}?`)))
      return yield* new Exit({ status: 1 })
    yield* write(out, place, written)
    yield* tryOut(configuration, out)
  })
).pipe(
  CommandContext.help(
    "Write a configuration, or add a connection to one. From unmodified exports: detects headings, columns, the format of dates and amounts, currency and states, and shows the reason for each decision. Asks only what the files do not say; without a terminal, give the answers as flags, and accept the rest with --yes. Then reads the files into a temporary state file and shows the plan; nothing is sent. From a source by its name: asks for its settings, and reads its first records if its variables are set.",
    "Write a configuration from your exports, or for a source",
    "daybook init invoices.csv payments.csv # From two exports; asks for what they do not say",
    "daybook init # From all exports in this folder",
    "daybook init stripe --add # Add a source by its name to the existing configuration",
    'daybook init invoices.csv --yes --currency USD --name "Acme Ltd" # Without questions, for a script',
    "daybook init umsaetze.csv --kind umsaetze.csv=statement # Say what a file holds"
  )
)

/** Where to write; an existing file stays unless a flag says otherwise. */
const placeOf = (file: string, { add, force }: { readonly add: boolean; readonly force: boolean }) =>
  Effect.gen(function* () {
    if (!file.endsWith(".json"))
      return yield* new UsageError({ why: `--config ${file}: init writes JSON; name a .json file` })
    const folder = dirname(resolve(file))
    if (!existsSync(file)) return { file, folder }
    if (add) return { file, folder, before: readFileSync(file, "utf8") }
    if (force) return { file, folder }
    return yield* new UsageError({
      why: `${file} already exists; add a connection to it with --add, overwrite it with --force, or write another file with --config FILE`
    })
  })

/**
 * Sets up a source other than files: asks for what it needs, writes its connection, and reads its first records if possible.
 */
const fromSource = (out: Output, place: InitPlace.InitPlace, name: string, options: FirstConfiguration.InitOptions) =>
  Effect.gen(function* () {
    const taken = yield* variablesIn(place)
    const variableOf = (id: string, secret: string) => VariableNames.plain([id, secret], taken)
    const found = yield* settle(out, options, (all) => sourceInitial(name, all, variableOf))
    const written = yield* InitPlace.written(place, found.config)
    const configuration = yield* decode(written.own, { ...place, environment: process.env })
    const missing = found.variables.filter((one) => (process.env[one.name] ?? "") === "")
    if (missing.length === 0 && !found.authorises) yield* showFirst(configuration, out, false)
    yield* write(out, place, written)
    const [connection] = configuration.connections
    yield* out.say(View.sourceNextText(connection?.id ?? name, { authorises: found.authorises, missing }))
  })

/** The variables of an existing configuration, and of the connections that other people made by a link. */
const variablesIn = ({ before, file }: InitPlace.InitPlace) =>
  Effect.try({
    try: () => {
      if (before === undefined) return new Set<string>()
      const made = ConnectionsFile.read(ConnectionsFile.fileOf(resolve(file)))
      return VariableNames.namedIn([JsonText.parse(before), made])
    },
    catch: (cause) => new UsageError({ why: `${file}: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

/** The files that were named, and those in folders that were; otherwise those beside the configuration. */
const exportsOf = async (named: ReadonlyArray<string>, folder: string): Promise<ReadonlyArray<string>> => {
  if (named.length === 0) return exportsIn(folder)
  const found: Array<string> = []
  for (const one of named)
    found.push(...(statSync(one, { throwIfNoEntry: false })?.isDirectory() === true ? await exportsIn(one) : [one]))
  return found
}

/** Folders in folders, such as one for each month of each year. */
const DEEPEST = 4

/** Exports in a folder, sorted by name; in the folders within it, only files that describe themselves. */
const exportsIn = async (folder: string, deep = 0): Promise<ReadonlyArray<string>> => {
  const [banks, described] = [await bankEndings(), await describedEndings()]
  const found: Array<string> = []
  for (const name of readdirSync(folder).toSorted()) {
    const ending = extname(name).toLowerCase()
    const path = relative(process.cwd(), join(folder, name))
    if (/^(?:~\$|\.|node_modules$)/.test(name)) continue
    if (lstatSync(path).isDirectory()) {
      if (deep < DEEPEST) found.push(...(await exportsIn(path, deep + 1)))
      continue
    }
    const isOurs =
      (deep === 0 && TABLES.includes(ending)) ||
      (described.includes(ending) && (await describedBy(path)) !== undefined) ||
      (banks.includes(ending) && (await isBank(path))) ||
      (statSync(path).isFile() && (await unread(path)) !== undefined)
    if (isOurs) found.push(path)
  }
  return found
}

/** Shows what was decided, and why. */
const explain = (out: Output, decisions: ReadonlyArray<FirstConfiguration.SetupDecision>) =>
  Effect.gen(function* () {
    for (const one of decisions) yield* out.emit({ type: "decision", ...one })
    if (decisions.length > 0) yield* out.say(`${View.decisionText(decisions, out)}\n`)
  })

interface Found {
  readonly questions: ReadonlyArray<FirstConfiguration.SetupQuestion>
  readonly decisions?: ReadonlyArray<FirstConfiguration.SetupDecision>
}

/** Asks at a terminal until no question is left; without one, shows what was decided and lists what must be answered. */
const settle = <A extends Found>(
  out: Output,
  options: FirstConfiguration.InitOptions,
  find: (options: FirstConfiguration.InitOptions) => Effect.Effect<A, UsageError>
) =>
  Effect.gen(function* () {
    let answers = options.answers ?? {}
    for (;;) {
      const found = yield* find({ ...options, answers })
      const [question] = found.questions
      if (question === undefined) return found
      if (!isAsked(out)) {
        yield* explain(out, found.decisions ?? [])
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

/** A choice by its name, its number or its first letters. */
const chosen = (text: string, choices: ReadonlyArray<string> | undefined): string => {
  if (choices === undefined || choices.includes(text)) return text
  const begun = choices.filter((one) => one.toLowerCase().startsWith(text.toLowerCase()))
  return begun.length === 1 ? begun.join("") : text
}

/** The first documents of each connection, with totals per currency. */
const showFirst = (configuration: Configuration, out: Output, isUnwritten: boolean) =>
  Effect.gen(function* () {
    for (const connection of configuration.connections) {
      const read = Preview.preview(configuration, connection, ":memory:", { show: 4 })
      const found = yield* isUnwritten
        ? read.pipe(
            Effect.map((one) => unwrittenPreview(one, "flags")),
            Effect.mapError((error) => new UsageError({ why: unwrittenError(error, "flags") }))
          )
        : read
      const sums = found.sums.map(plain)
      yield* out.emit({
        type: "preview",
        connection: connection.id,
        documents: found.documents,
        whole: found.whole,
        sums
      })
      for (const one of found.quarantined) yield* out.emit({ type: "quarantined", connection: connection.id, ...one })
      for (const one of found.notices) yield* out.emit({ type: "notice", connection: connection.id, ...one })
      yield* out.say(View.firstText(nameOf(connection), found, out))
    }
  }).pipe(Effect.provide(ServiceClient.outside))

const write = (out: Output, place: InitPlace.InitPlace, { config, text }: InitPlace.InitText) =>
  Effect.gen(function* () {
    const schema = join(place.folder, SCHEMA)
    const { schemaText } = yield* Effect.promise(() => import("../../sync/library/config/schema/Written.ts"))
    if (place.before === undefined || !existsSync(schema))
      yield* writeFile(schema, yield* schemaText(config, place.folder))
    yield* writeFile(place.file, text)
    yield* out.emit({ type: "written", file: place.file, config })
    yield* out.say(
      place.before === undefined
        ? `\nWrote ${place.file}, and ${SCHEMA} for editors.\n`
        : `\nAdded to ${place.file}; the rest of it is as it was.\n`
    )
  })

const writeFile = (file: string, text: string) =>
  Effect.try({
    try: () => writeFileSync(file, text),
    catch: (cause) =>
      new UsageError({ why: `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

/** Pulls and plans against an empty service. Nothing is kept. */
const tryOut = (configuration: Configuration, out: Output) =>
  Effect.acquireUseRelease(
    Effect.sync(() => temporaryFolder("trial")),
    (folder) =>
      Effect.gen(function* () {
        yield* Steps.pull(configuration, out)
        yield* showPlan(configuration, out, { said: out.json, rows: 3 }, NEXT)
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
