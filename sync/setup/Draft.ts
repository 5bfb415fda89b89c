/**
 * Derives a configuration from files: which tables they contain, what these hold, and what must be asked. Pure, except for
 * reading the tables' rows; called again with more answers until no question is left.
 */
import type { Day } from "../../core/wire/Day.ts"
import type { SetupAnswers } from "./Answers.ts"
import { languageOf } from "./Columns.ts"
import { accounted } from "./Accounted.ts"
import { type Completed, complete, present } from "./Completion.ts"
import type { HeadedTable } from "./HeadingRow.ts"
import { answered, type Proposed, proposed, saidKind } from "./Kinds.ts"
import { missingColumns } from "./MissingColumns.ts"
import { type Preset, PRESETS, streamsOf } from "./Presets.ts"
import { presetTax } from "./Tax.ts"
import { squash } from "./Vocabulary.ts"
import type { SetupDecision, SetupQuestion } from "./Tables.ts"
import { belowQuestions, withLeftOut } from "./LeftOut.ts"
import {
  anewQuestions,
  olderQuestions,
  inOrder,
  identifiedByNumber,
  numberedAnew,
  numbersBeside,
  overlaps,
  type Streamed
} from "./Together.ts"

export interface DraftContext {
  readonly today: Day
  readonly zone: string
}

/** A connection's source in the format of the configuration. */
export interface DraftSource {
  readonly connector: "files"
  readonly [stream: string]: unknown
}

export interface Draft {
  readonly sources: {
    readonly books?: DraftSource
    /** Payments without an invoice: a separate connection that pays for the first. */
    readonly payments?: DraftSource
    /** Customers have the same ids in both connections. */
    readonly byId?: boolean
  }
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

const fromPreset = (preset: Preset, { table }: HeadedTable, answers: SetupAnswers): Proposed => {
  const taxed = streamsOf(preset, table).map((one) => presetTax(table, one, answers))
  const proposals = taxed.map(({ proposal }) => answered(proposal, answers))
  return {
    proposals,
    decisions: [{ file: table.name, what: preset.title, because: becauseOf(preset, table) }],
    questions: [
      ...taxed.flatMap(({ questions }) => questions),
      ...proposals.flatMap((one) => missingColumns(table, present(one, table.header)))
    ],
    language: languageOf(table.header)
  }
}

const becauseOf = ({ needs }: Preset, { header }: HeadedTable["table"]): string => {
  const there = new Set(header.map(squash))
  const missing = needs.filter((one) => ![one].flat().some((heading) => there.has(squash(heading))))
  return missing.length === 0
    ? `it has its ${needs.length} headings`
    : `as was said; it lacks ${missing.map((one) => JSON.stringify([one].flat()[0])).join(", ")}`
}

const proposedOf = (one: HeadedTable, answers: SetupAnswers, numbers: ReadonlySet<string>): Proposed => {
  const named = answers.preset === undefined ? undefined : PRESETS.find(({ name }) => name === answers.preset)
  const preset = named ?? (saidKind(one.table, answers) === undefined ? one.preset : undefined)
  return preset === undefined ? proposed(one.table, answers, numbers) : fromPreset(preset, one, answers)
}

/** The currency of all invoices that state one, if it is the same, for those that state none. */
const sharedCurrency = (all: ReadonlyArray<Completed>): string | undefined => {
  const codes = new Set(
    all.flatMap(({ decisions, settings }) => {
      if (typeof settings["currency"] === "string") return [settings["currency"]]
      const said = decisions.find(({ what }) => what.startsWith("amounts in "))?.what.slice("amounts in ".length)
      return said === undefined ? [] : said.split(", ")
    })
  )
  const [code] = codes
  return codes.size === 1 ? code : undefined
}

const sourceOf = (streams: ReadonlyArray<Completed>): DraftSource | undefined => {
  if (streams.length === 0) return undefined
  const source: Record<string, unknown> = {}
  for (const { settings, stream } of streams) {
    const known = source[stream]
    source[stream] = known === undefined ? settings : [...(Array.isArray(known) ? known : [known]), settings]
  }
  return { connector: "files", ...source }
}

const hasColumn = (name: string) => (one: Completed) =>
  (one.settings["columns"] as Readonly<Record<string, unknown>>)[name] !== undefined

interface Examined {
  readonly one: HeadedTable
  readonly found: Proposed
}

/** The streams of all tables; those that state no currency have that of the others. */
const completed = (
  all: ReadonlyArray<Examined>,
  beside: DraftContext & { readonly answers: SetupAnswers }
): ReadonlyArray<Streamed> => {
  const hasPayments = all.some(({ found }) => found.proposals.some(({ stream }) => stream === "payments"))
  const completeAll = (currency: string | undefined): ReadonlyArray<Streamed> =>
    all.flatMap(({ found, one: { table } }) =>
      found.proposals
        .filter(({ columns }) => Object.keys(columns).length > 0)
        .map((proposal) => {
          const completed = complete(proposal, table, { ...beside, language: found.language, currency, hasPayments })
          return { table, completed, rows: completed.read }
        })
    )
  const stated = completeAll(undefined)
  const currency = sharedCurrency(stated.map(({ completed }) => completed))
  return (currency === undefined ? stated : completeAll(currency)).filter(({ rows }) => rows.length > 0)
}

export const drafted = (
  tables: ReadonlyArray<HeadedTable>,
  answers: SetupAnswers,
  { today, zone }: DraftContext
): Draft => {
  const numbersOf = numbersBeside(
    tables.map(({ table }) => table),
    answers
  )
  const all = tables.map((one) => ({ one, found: proposedOf(one, answers, numbersOf(one.table)) }))
  const read = completed(all, { answers, today, zone })
  const found = inOrder(numberedAnew(identifiedByNumber(read), answers))
  const hasInvoices = found.some(({ completed }) => completed.stream === "invoices")
  // Payments without an invoice are matched by their text, and need a separate connection.
  const finds = (one: Completed) => hasInvoices && one.stream === "payments" && !hasColumn("invoice")(one)
  const languageOf = ({ table }: Streamed) => all.find(({ one }) => one.table === table)?.found.language ?? "en"
  const [own, beside] = [false, true].map((isBeside) =>
    withLeftOut(
      found.filter(({ completed }) => finds(completed) === isBeside),
      found,
      languageOf
    )
  ) as [ReadonlyArray<Streamed>, ReadonlyArray<Streamed>]
  const streamed = [...own, ...beside]
  const streams = streamed.map(({ completed }) => completed)
  const books = sourceOf(own.map(({ completed }) => completed).map(settled(streams)))
  const payments = sourceOf(beside.map(({ completed }) => completed))
  const byId =
    streams.filter(finds).some(hasColumn("customer_id")) &&
    streams.some((one) => one.stream === "invoices" && hasColumn("customer_id")(one))
  return {
    sources: {
      ...(books === undefined ? {} : { books }),
      ...(payments === undefined ? {} : { payments }),
      ...(payments !== undefined && byId ? { byId } : {})
    },
    decisions: distinct([
      ...all.flatMap(({ found }) => found.decisions),
      ...streams.flatMap(({ decisions }) => decisions),
      ...overlaps(streamed),
      ...all.flatMap(({ found, one: { table } }) =>
        accounted(
          table,
          found.columns,
          streamed.filter((one) => one.table === table)
        )
      )
    ]),
    questions: withoutDays([
      ...all.flatMap(({ found }) => found.questions),
      ...all.flatMap(({ found, one }) => (found.proposals.length === 0 ? [] : belowQuestions(one.table, answers))),
      ...streams.flatMap(({ questions }) => questions),
      ...anewQuestions(found, answers),
      ...olderQuestions(found, answers)
    ])
  }
}

/** Uses a payment date in the invoices if there are no payments. */
const settled =
  (streams: ReadonlyArray<Completed>) =>
  (one: Completed): Completed => {
    const columns = one.settings["columns"] as Readonly<Record<string, unknown>>
    if (one.stream !== "invoices" || columns["settled"] === undefined) return one
    if (!streams.some(({ stream }) => stream === "payments")) return one
    const { settled: _, ...rest } = columns
    return { ...one, settings: { ...one.settings, columns: rest } }
  }

/** Nobody is asked after how many days an invoice is due as long as a column may say it. */
const withoutDays = (all: ReadonlyArray<SetupQuestion>): ReadonlyArray<SetupQuestion> => {
  const mayBeSaid = all.some(({ answer }) => answer === "column.invoices.due")
  return distinct(all).filter(({ answer }) => answer !== "terms_days" || !mayBeSaid)
}

const distinct = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values()
]
