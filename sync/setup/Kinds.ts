/**
 * Detects what a table without a preset contains, and which of its columns is which field: from its headings, from types in
 * its rows, from its name and titles.
 */
import type { Stream } from "../../connectors/tabular/Streams.ts"
import { appliedQuestions, appliedSense, refundedQuestions } from "./Applied.ts"
import { balanceQuestions } from "./Balances.ts"
import { type AssignedColumns, assign, naming, withHeadings } from "./Columns.ts"
import { directionOfTable } from "./Directions.ts"
import { doubtOf, isBelowZero } from "./Doubts.ts"
import { dueSense } from "./DueDays.ts"
import { dayQuestions } from "./FreeDays.ts"
import { flagQuestions } from "./FreeFlags.ts"
import { withUnused } from "./FreeColumns.ts"
import { fieldsOf, type Sense, streamOf } from "./Fields.ts"
import { amountsIn } from "./Figures.ts"
import { byContents, headlessQuestions } from "./Headless.ts"
import { currencySense, paidSense } from "./HomeCurrency.ts"
import { missingColumns } from "./MissingColumns.ts"
import { namesakes } from "./Namesakes.ts"
import { kindOf, MANY, processorHeadings, titled } from "./KindOf.ts"
import { isPaidBy, nameQuestion } from "./Parties.ts"
import { refined } from "./Refined.ts"
import { byShared } from "./SharedNumbers.ts"
import { sidesOf } from "./Sides.ts"
import { moving } from "./Struck.ts"
import { remains } from "./Remains.ts"
import { bySide, byType } from "./RowTypes.ts"
import { taxSense, withoutPrice } from "./Tax.ts"
import type { SetupAnswers, TableKind } from "./Answers.ts"
import {
  filledOf,
  type FoundTable,
  headingAt,
  type Proposal,
  type SetupDecision,
  type SetupQuestion,
  share
} from "./Tables.ts"
import { REFUNDS, returnedWords, rowTypeOf } from "./Vocabulary.ts"

export interface Proposed {
  readonly proposals: ReadonlyArray<Proposal>
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
  readonly language: string
  /** The roles of its columns, if no preset says what they mean. */
  readonly columns?: AssignedColumns
}

/** What a person says of a field that no column has. */
const NO_COLUMN = "none"

/** Replaces detected columns by those that a person named. */
export const answered = (proposal: Proposal, { columns = {} }: SetupAnswers): Proposal => {
  const named = Object.entries(columns).flatMap(([name, heading]) => {
    const [field, stream] = name.split(".").toReversed()
    // A column whose signs are turned is that in every field.
    const known = Object.values(proposal.columns).find((one) => (one as { readonly plus?: unknown })?.plus === heading)
    return field !== undefined && field !== "direction" && (stream === undefined || stream === proposal.stream)
      ? [[field, known ?? heading]]
      : []
  })
  if (named.length === 0) return proposal
  const meant = Object.entries({ ...proposal.columns, ...Object.fromEntries(named) })
  return { ...proposal, columns: Object.fromEntries(meant.filter(([, heading]) => heading !== NO_COLUMN)) }
}

/** For a bank statement: money received, and returns of it. What the seller pays out is not a payment of an invoice. */
const entriesOf = (
  table: FoundTable,
  { at, heading, language }: AssignedColumns,
  { direction }: Sense
): { readonly where?: unknown; readonly leave_out?: unknown } => {
  const isProcessor = processorHeadings(table) >= MANY
  const texts = [
    heading("text"),
    heading("document"),
    heading("party"),
    ...(isProcessor ? [heading("type"), heading("method"), heading("status")] : [])
  ]
  const words = [...returnedWords(language), ...(isProcessor ? REFUNDS : [])]
  const [text, ...others] = texts.filter((one) => one !== undefined)
  const backs = (text === undefined ? [] : isProcessor ? [text, ...others] : [text]).map((one) => ({
    [one]: { contains: words }
  }))
  const [credit, debit] = [heading("paid_in"), heading("paid_out")]
  if (credit !== undefined && debit !== undefined)
    return {
      where: [{ [credit]: { sign: "positive" } }, ...backs.map((back) => ({ [debit]: { empty: false }, ...back }))]
    }
  const amount = heading("amount") ?? heading("gross") ?? heading("paid") ?? credit
  if (direction?.heading !== undefined && direction.out.length > 0) {
    const [into, out] = [direction.in, direction.out].map((texts) => ({ [direction.heading as string]: texts }))
    const hasZero = amount !== undefined && amountsIn(table.rows, at.amount ?? at.gross ?? at.paid).includes(0n)
    // Of an amount of zero there is nothing to be read.
    const moved = hasZero ? ["positive", "negative"].map((sign) => ({ ...into, [amount]: { sign } })) : [{ ...into }]
    return {
      where: [...(direction.in.length === 0 ? [] : moved), ...backs.map((back) => ({ ...out, ...back }))],
      leave_out: hasZero ? [out, { [amount]: { sign: "zero" } }] : out
    }
  }
  if (amount === undefined) return {}
  if (direction?.isTurned === true) return { where: { [amount]: { sign: "negative" } } }
  return {
    where: [{ [amount]: { sign: "positive" } }, ...backs.map((back) => ({ [amount]: { sign: "negative" }, ...back }))]
  }
}

const KIND_CHOICES: ReadonlyArray<TableKind> = [
  "invoices",
  "payments",
  "credit_notes",
  "orders",
  "statement",
  "nothing"
]

const kindQuestion = (table: FoundTable, ask: string, suggestion?: TableKind): SetupQuestion => ({
  answer: `kind.${table.name}`,
  flag: `--kind ${JSON.stringify(`${table.name}=KIND`)}`,
  what: `rows of ${table.name}`,
  ask,
  ...(suggestion === undefined ? {} : { suggestion }),
  choices: KIND_CHOICES
})

const nothing = (
  language: string,
  decisions: ReadonlyArray<SetupDecision>,
  questions: ReadonlyArray<SetupQuestion> = []
): Proposed => ({
  proposals: [],
  decisions,
  questions,
  language
})

const unread = ({ name, rows }: FoundTable, language: string): Proposed =>
  nothing(language, [{ file: name, what: `${rows.length} rows are not read`, because: "as was said" }])

/** A table of which nobody knows what it holds, or whose sheet is hidden. */
const unknown = (table: FoundTable, language: string, doubt = `What are the rows of ${table.name}?`): Proposed => {
  const isHidden = table.glance.hidden === true
  const ask = isHidden ? `The sheet ${table.name} is hidden. What are its rows?` : doubt
  return nothing(language, [], [kindQuestion(table, ask, isHidden ? "nothing" : undefined)])
}

/** What a person said that a table holds. */
export const saidKind = (table: FoundTable, { kinds }: SetupAnswers): TableKind | undefined =>
  kinds?.[table.path] ?? kinds?.[table.name] ?? kinds?.[table.name.replace(/^.*[\\/]/, "")]

/** The kind of a table, for what the other tables say of it. */
export const kindOfTable = (table: FoundTable, answers: SetupAnswers): TableKind | undefined =>
  saidKind(table, answers) ?? kindOf(table, assign(table), {})

const hasSaid = (answers: SetupAnswers, ...fields: ReadonlyArray<string>): boolean =>
  fields.some((field) => answers.columns?.[field] !== undefined || answers.columns?.[`invoices.${field}`] !== undefined)

const columnQuestions = (table: FoundTable, one: Proposal, columns: AssignedColumns, answers: SetupAnswers) => [
  ...missingColumns(table, one),
  ...nameQuestion(table, one, columns, answers),
  ...namesakes(table, one, answers),
  ...appliedQuestions(table, one, columns, answers)
]

/** What a table holds, as was said or as it seems where nothing is to be doubted and no sheet is hidden. */
const kindIn = (table: FoundTable, columns: AssignedColumns, numbers: ReadonlySet<string>, answers: SetupAnswers) => {
  const kind = saidKind(table, answers)
  if (kind !== undefined) return { kind }
  const doubt = doubtOf(table, columns)
  if (doubt !== undefined || table.glance.hidden === true) return { doubt }
  return { kind: table.line === 0 ? ("statement" as const) : kindOf(table, columns, { numbers }) }
}

/** The columns as their amounts and days show what they are, and what is to be said or asked of that. */
const meaningOf = (table: FoundTable, assigned: AssignedColumns, kind: TableKind, answers: SetupAnswers) => {
  const hasAmount = hasSaid(answers, "gross", "net") || answers.columns?.["payments.amount"] !== undefined
  if (kind !== "invoices") {
    const sides = sidesOf(table, withoutPrice(table, assigned))
    const money = paidSense(table, sides.columns, hasAmount)
    const applied = appliedSense(table, money.columns, answers)
    const back =
      kind === "payments" && applied.questions.length === 0 ? refundedQuestions(table, applied.columns, answers) : []
    const parts = [sides, money, applied, { decisions: [], questions: back }]
    return { columns: applied.columns, isRate: false, isShare: false, parts }
  }
  const tax = taxSense(table, assigned, answers)
  const money = currencySense(table, tax.columns, hasAmount)
  const found = remains(table, money.columns, answers)
  // First it is asked what the whole amount is.
  const left = tax.questions.length + money.questions.length > 0 ? { ...found, questions: [] } : found
  const days = dueSense(table, left.columns, answers)
  const turned = isBelowZero(table, assigned)
    ? [{ file: table.name, what: "amounts below zero are what is owed", because: "as was said" }]
    : []
  const free =
    left.questions.length > 0
      ? []
      : [...dayQuestions(table, days.columns, answers), ...flagQuestions(table, days.columns, answers)]
  const parts = [tax, money, left, days, { decisions: turned, questions: free }]
  return { columns: days.columns, isRate: tax.isRate, isShare: tax.isShare, parts }
}

/** @param numbers ids and numbers of invoices in the other tables */
export const proposed = (
  table: FoundTable,
  answers: SetupAnswers,
  numbers: ReadonlySet<string> = new Set()
): Proposed => {
  const isHeadless = table.line === 0
  const assigned = isHeadless
    ? withHeadings(table, byContents(table), "en")
    : byShared(table, naming(table, assign(table), numbers))
  const { language } = assigned
  const { doubt, kind } = kindIn(table, assigned, numbers, answers)
  if (kind === "nothing") return unread(table, language)
  if (kind === undefined) return unknown(table, language, doubt)
  const areInvoices = kind === "invoices"
  const { columns, isRate, isShare, parts: understood } = meaningOf(table, assigned, kind, answers)
  const isStatement = kind === "statement"
  const asksDirection = isStatement || (kind === "payments" && columns.at.direction !== undefined)
  const direction = asksDirection
    ? directionOfTable(table, columns, answers, isStatement && !saysReceived(table, columns))
    : undefined
  const sense: Sense = { isRate, isShare, isStatement, numbers, ...(direction === undefined ? {} : { direction }) }
  const stream: Stream = isStatement ? "payments" : kind
  const typed =
    isStatement || kind === "orders"
      ? undefined
      : (byType(table, columns, sense, kind === "payments" ? asMoney(table, columns, answers) : answers, {
          areInvoices,
          arePayments: kind === "payments"
        }) ?? (areInvoices ? bySide(table, columns, sense, answers) : undefined))
  const all = (
    typed?.proposals ?? [
      {
        stream,
        ...(isStatement ? entriesOf(table, columns, sense) : {}),
        ...streamOf(fieldsOf(stream, table, columns, sense))
      }
    ]
  ).map((one) => answered({ ...one, ...filledDown(table, columns, one.stream) }, answers))
  const meant = refined(table, columns, moving(all, direction?.heading, direction?.neither), {
    answers,
    isRate,
    isStatement
  })
  const proposals = withUnused(table, meant.proposals)
  const parts = [...understood, direction, typed, meant].filter((one) => one !== undefined)
  return {
    proposals,
    decisions: [
      { file: table.name, what: whatOf(kind, typed?.proposals), ...because(table, columns) },
      ...parts.flatMap(({ decisions }) => decisions)
    ],
    questions: [
      ...(isHeadless ? headlessQuestions(table, columns.at, answers) : []),
      ...parts.flatMap(({ questions }) => questions),
      ...(isStatement && direction?.heading === undefined ? balanceQuestions(table, columns, answers) : []),
      ...proposals.flatMap((one) => columnQuestions(table, one, columns, answers))
    ],
    language,
    columns
  }
}

/** The customer's name stands on a line of its own above the rows. */
const filledDown = (
  { groups, header }: FoundTable,
  { at }: AssignedColumns,
  stream: Stream
): { readonly fill_down?: ReadonlyArray<string> } =>
  groups === undefined || (stream !== "invoices" && stream !== "payments") || (at.party ?? at.party_id) !== undefined
    ? {}
    : { fill_down: [headingAt(header, groups)] }

/** In a list of payments, a sale is one. */
const asMoney = (table: FoundTable, { at, language }: AssignedColumns, answers: SetupAnswers): SetupAnswers => {
  const texts = at.type === undefined ? [] : [...new Set(filledOf(table.rows, at.type))]
  const sales = texts.filter((text) => rowTypeOf(text, language) === "invoice")
  return {
    ...answers,
    types: { ...Object.fromEntries(sales.map((text) => [text, "payment" as const])), ...answers.types }
  }
}

/** Whether a list says by itself that its money was received: by states of payments, what was refunded, or its title. */
const saysReceived = (table: FoundTable, { at }: AssignedColumns): boolean =>
  isPaidBy(table.header[at.party ?? -1] ?? "") ||
  at.refunded !== undefined ||
  (at.paid_in !== undefined && at.paid_out === undefined) ||
  (titled(table) === "payments" && at.balance === undefined && at.invoice !== undefined) ||
  (processorHeadings(table) >= MANY && at.status !== undefined)

const whatOf = (kind: TableKind, typed: ReadonlyArray<Proposal> | undefined): string =>
  typed === undefined
    ? kind === "statement"
      ? "a statement of payments"
      : kind.replace("_", " ")
    : typed.map(({ stream }) => stream.replace("_", " ")).join(", ")

const because = (table: FoundTable, { at }: AssignedColumns): Pick<SetupDecision, "because"> => ({
  because: `${share(Object.keys(at).length, table.header.filter((one) => one !== "").length)} headings are known`
})
