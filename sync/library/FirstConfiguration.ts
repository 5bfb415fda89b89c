/**
 * Derives a first configuration from unmodified exports: what `daybook init` does, for programs. Reads the files, explains its
 * decisions, asks for what no file says, and builds the configuration.
 */
import { Clock, Effect } from "effect"
import { existsSync, statSync } from "node:fs"
import { basename, relative, resolve, sep } from "node:path"
import { describedBy, glance, isBank, issuersOf, unread } from "../../connectors/list.ts"
import { isCurrency } from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import type { SetupAnswers } from "../setup/Answers.ts"
import { type Draft, drafted } from "../setup/Draft.ts"
import { type HeadedTable, LookedRoom, tablesOf } from "../setup/HeadingRow.ts"
import { PRESETS } from "../setup/Presets.ts"
import type { SetupDecision, SetupQuestion } from "../setup/Tables.ts"
import type { Config } from "./config/Configuration.ts"
import { type Described, type DescribedSources, LEFT_OPEN, sourcesOf } from "./DescribedFiles.ts"
import { UsageError } from "./Exit.ts"

export type { SetupAnswers, SetupDecision, SetupQuestion }

/** The sandbox, as started by `daybook sandbox`: a first configuration sends there until another address is written. */
export const SANDBOX_URL = "http://127.0.0.1:4010"

export interface InitOptions {
  /** The configuration's folder, to which its paths are relative. Default: the working folder. */
  readonly folder?: string
  readonly answers?: SetupAnswers
  /** The service's address; default: the sandbox's. */
  readonly url?: string
  /** Accepts suggestions. */
  readonly accept?: boolean
}

export interface Initial {
  /** Complete only if no question is left. */
  readonly config: Config
  readonly decisions: ReadonlyArray<SetupDecision>
  /** If one of them has no suggestion, the configuration cannot be used yet. */
  readonly questions: ReadonlyArray<SetupQuestion>
}

/** What was found in the files; answers do not change it. */
export interface FoundFiles {
  readonly tables: ReadonlyArray<HeadedTable>
  /** Bank statement files, by path. */
  readonly banks: ReadonlyArray<string>
  /** Electronic invoices and ledgers. */
  readonly described: Described
  /** Files that are known and not read, with the reason. */
  readonly unread?: ReadonlyArray<UnreadFile>
}

interface UnreadFile {
  readonly file: string
  readonly why: string
}

export const NO_FILES: FoundFiles = { tables: [], banks: [], described: { einvoice: [], ledger: [] } }

/** The columns of a table in a file. */
export interface FileHeadings {
  readonly path: string
  readonly header: ReadonlyArray<string>
}

export const headingsOf = ({ tables }: FoundFiles): ReadonlyArray<FileHeadings> =>
  tables.map(({ table: { header, path } }) => ({ path, header }))

const lookAt = (path: string, folder: string, room: LookedRoom): Effect.Effect<FoundFiles, UsageError> =>
  Effect.gen(function* () {
    const full = resolve(path)
    if (!existsSync(full)) return yield* new UsageError({ why: `there is no file ${path}` })
    if (statSync(full).isDirectory())
      return yield* new UsageError({ why: `${path} is a folder; name the files in it, like ${path}/*.csv` })
    const written = relative(folder, full).split(sep).join("/")
    const connector = yield* Effect.promise(() => describedBy(full))
    if (connector !== undefined) return { ...NO_FILES, described: { ...NO_FILES.described, [connector]: [written] } }
    if (yield* Effect.promise(() => isBank(full))) return { ...NO_FILES, banks: [written] }
    const why = yield* Effect.promise(() => unread(full).catch(() => undefined))
    if (why !== undefined) return { ...NO_FILES, unread: [{ file: written, why }] }
    let isBare = false
    const tables = yield* Effect.tryPromise({
      try: async () => {
        const glances = await glance(full)
        isBare = glances.every(({ top }) => top.length === 1)
        return tablesOf({ path: written, glances }, room)
      },
      catch: (cause) =>
        new UsageError({ why: `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` })
    })
    if (tables.length === 0)
      return yield* new UsageError({
        why: isBare
          ? `${path} has one row and nothing below it, so that nothing shows what it holds; name the other files without it, and export it once it has rows`
          : `${path} has no row that names its columns, or no rows below it; export it with headings`
      })
    return { ...NO_FILES, tables }
  })

/** Reads the tables of files. */
export const look = (paths: ReadonlyArray<string>, folder: string): Effect.Effect<FoundFiles, UsageError> =>
  Effect.suspend(() => {
    const room = new LookedRoom()
    return Effect.gen(function* () {
      const all = yield* Effect.forEach(paths, (path) => lookAt(path, folder, room))
      const einvoice = all.flatMap(({ described }) => described.einvoice)
      const issuers = yield* Effect.promise(() => issuersOf(einvoice.map((path) => resolve(folder, path))))
      return {
        tables: all.flatMap(({ tables }) => tables),
        banks: all.flatMap(({ banks }) => banks),
        unread: all.flatMap(({ unread = [] }) => unread),
        described: { einvoice, ledger: all.flatMap(({ described }) => described.ledger), issuers }
      }
    })
  })

/** Adds the payments of bank statement files to those of tables. */
const withBanks = (sources: Draft["sources"], banks: ReadonlyArray<string>): Draft["sources"] => {
  if (banks.length === 0) return sources
  const known = sources.payments?.["payments"]
  const files = banks.map((path) => ({ path }))
  const all = [...(known === undefined ? [] : [known].flat()), ...files]
  return { ...sources, payments: { connector: "files", payments: all.length === 1 ? all[0] : all } }
}

/** A line above the headings that looks like a company's name. */
const COMPANY =
  /^[^,;]*\b(?:ltd|limited|llc|inc|plc|llp|gmbh(?: & co\.? kg)?|kg|ag|ug|e\.? ?k\.?|sarl|sas|sa|bv|b\.v\.|nv|s\.?l\.?|s\.?r\.?l\.?|s\.?p\.?a\.?|oy|ab|a\/s|aps)\.?$/i

const companyIn = (tables: ReadonlyArray<HeadedTable>): string | undefined =>
  tables
    .flatMap(({ table }) =>
      table.above.map(({ cells }) => cells.map((cell) => cell.trim()).filter((one) => one !== ""))
    )
    .find(([first = "", ...others]) => others.length === 0 && COMPANY.test(first))?.[0]

const slug = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "seller"

/** The organisation of a seller, registered today. */
export const ownerOf = (name: string, today: Day.Day) => ({
  organisation: { unique_id: slug(name), name, registered: `${today}T00:00:00Z` }
})

interface Beside {
  readonly id: string
  readonly name: string
  readonly today: Day.Day
  readonly url: string
  readonly described: DescribedSources
}

const configOf = ({ sources }: Draft, { described, id, name, today, url }: Beside): Config => {
  const { byId, payments } = sources
  const owner = ownerOf(name, today)
  const books = described.invoices ?? sources.books
  const paying = (own: string, source: object | undefined, more = {}) => {
    if (source === undefined) return []
    return [{ id: own, source, ...(books === undefined ? { owner } : { pays: id, ...more }) }]
  }
  const connections = [
    ...(books === undefined ? [] : [{ id, source: books, owner }]),
    ...(described.invoices === undefined || sources.books === undefined ? [] : paying(`${id}-tables`, sources.books)),
    ...paying(`${id}-ledger`, described.payments),
    ...paying(books === undefined ? id : `${id}-payments`, payments, byId === true ? { match: { customer: "id" } } : {})
  ]
  return { service: { url, key: { env: "SERVICE_KEY" } }, connections } as Config
}

/** Why no row of any table is read. */
const nothingRead = (
  tables: ReadonlyArray<HeadedTable>,
  decisions: ReadonlyArray<SetupDecision>,
  unread: ReadonlyArray<UnreadFile>
): string => {
  const reasons = tables.map(({ table: { name } }) => {
    const own = decisions.filter(({ file }) => file === name).map(({ because = "", what }) => `${what} (${because})`)
    return `${name}: ${own.join("; ")}`
  })
  reasons.push(...unread.map(({ file, why }) => `${file}: ${why}`))
  return `nothing in these files is an invoice, a credit note or money received. ${reasons.join(". ")}. Export sales invoices or receipts, or say what the rows are with --kind FILE=KIND or --type TEXT=TYPE`
}

const unknownSetting = ({ set = {} }: SetupAnswers): UsageError | undefined => {
  const known = Object.values(LEFT_OPEN).flat()
  const unknown = Object.keys(set).find((one) => !known.includes(one))
  return unknown === undefined
    ? undefined
    : new UsageError({
        why: `--set ${unknown}: tables have no setting of this name; electronic invoices have ${LEFT_OPEN.einvoice.join(", ")}, and ledgers have ${LEFT_OPEN.ledger.join(", ")}`
      })
}

/** With `--yes`, an older export of a list is not read; undefined if there is none. */
const withoutOlder = (
  found: FoundFiles,
  options: InitOptions,
  questions: ReadonlyArray<SetupQuestion>
): Effect.Effect<Initial, UsageError> | undefined => {
  const older = options.accept === true ? questions.find(({ suggestion }) => suggestion === "nothing") : undefined
  const answers = older && withAnswer(options.answers ?? {}, older, "nothing")
  const said = { what: `${older?.what}: nothing`, because: "suggested, and accepted with --yes" }
  return (
    answers &&
    Effect.map(initial(found, { ...options, answers }), (rest) => ({ ...rest, decisions: [...rest.decisions, said] }))
  )
}

/** The configuration for these tables, given the answers so far. */
export const initial = (
  { banks, described: files, tables, unread = [] }: FoundFiles,
  { accept = false, answers = {}, folder = process.cwd(), url = SANDBOX_URL }: InitOptions = {}
): Effect.Effect<Initial, UsageError> =>
  Effect.gen(function* () {
    if (answers.preset !== undefined && !PRESETS.some(({ name }) => name === answers.preset))
      return yield* new UsageError({
        why: `there is no preset ${JSON.stringify(answers.preset)}; available: ${PRESETS.map(({ name }) => name).join(", ")}`
      })
    const unknown = unknownSetting(answers)
    if (unknown !== undefined) return yield* unknown
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const found = drafted(tables, answers, { today, zone: timeZone })
    const described = sourcesOf(files, answers, found.sources.books?.["invoices"] !== undefined)
    const { books, payments } = found.sources
    const isEmpty = [books, payments, described.invoices, described.payments, ...banks].every(
      (one) => one === undefined
    )
    if (isEmpty && found.questions.length === 0)
      return yield* new UsageError({ why: nothingRead(tables, found.decisions, unread) })
    const company = companyIn(tables)
    const { isShared = false, names = [] } = files.issuers ?? {}
    const suggestion = company ?? names[0] ?? basename(resolve(folder))
    const asksName = answers.name === undefined
    const questions: ReadonlyArray<SetupQuestion> = [
      ...found.questions,
      ...described.questions,
      ...(asksName
        ? [
            {
              answer: "name",
              flag: "--name NAME",
              what: "seller",
              ask: isShared
                ? "Several sellers issued these invoices. Whose books are these?"
                : "What is the seller called, whose books these are?",
              ...(isShared ? { choices: names } : { suggestion })
            }
          ]
        : [])
    ]
    const older = withoutOlder({ banks, described: files, tables, unread }, { accept, answers, folder, url }, questions)
    if (older !== undefined) return yield* older
    return {
      config: configOf(
        { ...found, sources: withBanks(found.sources, banks) },
        { described, id: answers.id ?? "books", name: answers.name ?? suggestion, today, url }
      ),
      decisions: [
        ...found.decisions,
        ...described.decisions,
        ...banks.map((file) => ({ file, what: "a bank's statement", because: "it begins like one" })),
        ...unread.map(({ file, why }) => ({ file, what: "not read", because: why })),
        ...(accept
          ? questions.flatMap(({ suggestion, what }) =>
              suggestion === undefined
                ? []
                : [{ what: `${what}: ${suggestion}`, because: "suggested, and accepted with --yes" }]
            )
          : [])
      ],
      questions: accept ? questions.filter(({ suggestion }) => suggestion === undefined) : questions
    }
  })

/** Adds an answer to a question. Undefined if the text is not a valid answer. */
export const withAnswer = (answers: SetupAnswers, question: SetupQuestion, text: string): SetupAnswers | undefined => {
  const [member = "", ...rest] = question.answer.split(".")
  const key = rest.join(".")
  if (question.choices !== undefined && !question.choices.includes(text)) return undefined
  switch (member) {
    case "currency":
      return /^[A-Za-z]{3}$/.test(text) ? { ...answers, currency: text.toUpperCase() } : undefined
    case "terms_days":
      return /^\d{1,4}$/.test(text) ? { ...answers, terms_days: Number(text) } : undefined
    case "kind":
      return { ...answers, kinds: { ...answers.kinds, [key]: text } as NonNullable<SetupAnswers["kinds"]> }
    case "column":
      return { ...answers, columns: { ...answers.columns, [key]: text } }
    case "set":
      return text === "" ? undefined : { ...answers, set: { ...answers.set, [key]: text } }
    case "type":
      return { ...answers, types: { ...answers.types, [key]: text } as NonNullable<SetupAnswers["types"]> }
    case "direction":
      return { ...answers, directions: { ...answers.directions, [key]: text as "in" | "out" | "neither" } }
    case "left_out":
      return { ...answers, left_out: { ...answers.left_out, [key]: text as "yes" | "no" } }
    case "added":
      return { ...answers, added: { ...answers.added, [key]: text } as NonNullable<SetupAnswers["added"]> }
    case "unit":
      return { ...answers, units: { ...answers.units, [key]: text } as NonNullable<SetupAnswers["units"]> }
    case "currency_of":
      return isCurrency(text.toUpperCase())
        ? { ...answers, currencies: { ...answers.currencies, [key]: text.toUpperCase() } }
        : undefined
    case "headless":
      return { ...answers, headless: text as "yes" | "no" }
    case "repeated":
      return { ...answers, repeated: text as "lines" | "versions" }
    case "numbers":
      return { ...answers, numbers: text as "anew" | "same" }
    case "received":
      return { ...answers, received: text as "yes" | "no" }
    case "status":
      return { ...answers, statuses: { ...answers.statuses, [key]: text } as NonNullable<SetupAnswers["statuses"]> }
    default:
      return text === "" ? undefined : { ...answers, [member]: text }
  }
}
