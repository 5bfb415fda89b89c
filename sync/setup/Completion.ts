/**
 * Completes a stream once the roles of its columns are known: the file's path and encoding, the formats of dates and
 * amounts, the currency, the meaning of states, and whether rows repeat an invoice or are its lines. Everything is derived
 * from the values; what is ambiguous is asked.
 */
import { plural } from "../../core/Plural.ts"
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import * as Layout from "../../connectors/tabular/Layout.ts"
import * as Numerals from "../../connectors/tabular/Numerals.ts"
import { Unreadable } from "../../connectors/tabular/Unreadable.ts"
import * as Where from "../../connectors/tabular/Where.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import type { SetupAnswers } from "./Answers.ts"
import * as AmountValues from "./AmountValues.ts"
import { otherFormats, writtenDates, zoneOf } from "./DateFormats.ts"
import type { Finding, SetupSurroundings, StreamRows } from "./Steps.ts"
import { itemsOf } from "./ItemRows.ts"
import { orderStatesOf } from "./OrderColumns.ts"
import { linesOf } from "./RepeatedRows.ts"
import { nothingOf, statesOf } from "./StateValues.ts"
import { cellsOf, type FoundTable, type Proposal, type SetupDecision, type SetupQuestion } from "./Tables.ts"
import { dueTermsOf } from "./TermValues.ts"

export interface Completed {
  readonly stream: Proposal["stream"]
  readonly settings: Readonly<Record<string, unknown>>
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
  readonly rows: number
  /** The rows themselves. */
  readonly read: ReadonlyArray<Row>
}

const DATE_FIELDS = ["issued", "date", "placed", "due", "settled"]

/** The columns that the table has; a preset also names columns that only some exports have. */
export const present = (proposal: Proposal, header: ReadonlyArray<string>): Proposal => {
  const columns = Object.entries(proposal.columns).flatMap(([field, expression]) => {
    const missing = Expressions.columnsOf(expression as Expressions.Expression).filter((one) => find(header, one) < 0)
    if (missing.length === 0) return [[field, expression] as const]
    const list =
      expression !== null && typeof expression === "object" && "first" in expression ? expression.first : expression
    const left = Array.isArray(list) ? list.filter((one: string) => find(header, one) >= 0) : []
    return left.length === 0
      ? []
      : [[field, left.length === 1 ? left[0] : list === expression ? left : { first: left }] as const]
  })
  return { ...proposal, columns: Object.fromEntries(columns) }
}

const rowsOf = ({ columns, leave_out, where }: Proposal, { header, rows }: FoundTable): ReadonlyArray<Row> => {
  if (where === undefined && leave_out === undefined) return rows
  const amounts = Layout.amountsOf(columns as Readonly<Record<string, Expressions.Expression>>)
  const condition = Where.compile((where ?? leave_out) as Where.Where, {
    find: (heading) => find(header, heading),
    cell: (row, index) => (index < 0 ? "" : (row.cells[index] ?? "").trim()),
    mark: Numerals.markOf(amounts.flatMap((one) => cellsOf(rows, find(header, one))))
  })
  const fits = (row: Row) => condition(row) === (where !== undefined)
  return rows.filter((row) => {
    try {
      return fits(row)
    } catch (cause) {
      // An unreadable value will be quarantined when it is read.
      if (cause instanceof Unreadable) return true
      throw cause
    }
  })
}

const rowsFor = (written: Proposal, table: FoundTable): StreamRows => {
  const proposal = present(written, table.header)
  return {
    proposal,
    table,
    rows: rowsOf(proposal, table),
    at: (field) => {
      const heading = proposal.columns[field]
      return typeof heading === "string" ? find(table.header, heading) : -1
    }
  }
}

/** The file's path, and what its reader could not detect by itself. */
const place = (
  { table: { below, glance, line, name, path, separator, header } }: StreamRows,
  { answers }: SetupSurroundings
): Finding => {
  const first = glance.top.find(({ cells }) => cells.some((cell) => cell.trim() !== ""))
  const above = line !== first?.line && glance.named !== true && line > 0
  return {
    settings: {
      path,
      ...(glance.further === true ? { sheet: glance.sheet } : {}),
      ...(above || line === 0 ? { header_row: line } : {}),
      ...(below !== undefined && answers.left_out?.[name] === "yes" ? { other_tables: "leave_out" } : {}),
      ...(glance.separator !== undefined && header.length > 1 && separator !== glance.separator
        ? { separator: glance.separator }
        : {})
    },
    decisions: above
      ? [
          {
            what: `headings in line ${line}`,
            because: `below ${JSON.stringify(first?.cells.find((one) => one.trim() !== "") ?? "")}`
          }
        ]
      : []
  }
}

const dates = (of: StreamRows, { answers, today, zone }: SetupSurroundings): Finding => {
  const { at, proposal, table } = of
  // Includes rows that another stream reads: the same program writes them.
  const { rows } = table
  if (proposal["date_format"] !== undefined) return {}
  const [first, ...others] = DATE_FIELDS.map(at).filter((index) => index >= 0)
  if (first === undefined) return {}
  const due = at("due")
  const found = writtenDates(
    {
      first: cellsOf(rows, first),
      ...(due >= 0 && due !== first ? { due: cellsOf(rows, due) } : {}),
      others: others.filter((index) => index !== due).map((index) => cellsOf(rows, index)),
      typed: table.glance.typed
    },
    today
  )
  if (found === undefined) return {}
  const format = found.or !== undefined && answers.dates === "month first" ? found.or : found.format
  const isUnclear = found.or !== undefined && answers.dates === undefined
  const zoned = found.zoned ? zoneFinding(cellsOf(rows, first), answers, zone) : {}
  const texts = table.glance.typed || isUnclear ? [] : [first, ...others].flatMap((index) => cellsOf(rows, index))
  const said = answers.dates === undefined ? undefined : answers.dates === "day first" ? "day" : "month"
  const { formats: further, unclear } = otherFormats(texts, { ...found, format }, said)
  return {
    settings: {
      ...(format === "yyyy-MM-dd" ? {} : { date_format: format }),
      ...(further.length === 0 ? {} : { other_date_formats: further.map((one) => one.format) }),
      ...(found.language === undefined ? {} : { language: found.language }),
      ...zoned.settings
    },
    decisions: [
      ...(isUnclear
        ? []
        : [{ what: `dates written ${format}`, because: found.because === "" ? "as was said" : found.because }]),
      ...further.map((one) => ({ what: `some dates written ${one.format}`, because: plural(one.fits, "cell") })),
      ...(zoned.decisions ?? [])
    ],
    questions: [
      ...(isUnclear ? [orderQuestion(table, cellsOf(rows, first).find((text) => text !== "") ?? "", rows.length)] : []),
      ...(unclear === undefined ? [] : [orderQuestion(table, unclear.example, unclear.count)]),
      ...(zoned.questions ?? [])
    ]
  }
}

const orderQuestion = ({ name }: FoundTable, example: string, count: number): SetupQuestion => ({
  answer: "dates",
  flag: "--dates day-first|month-first",
  what: "order of dates",
  ask: `Is ${JSON.stringify(example)} in ${name} day first or month first? ${count === 1 ? "It fits" : `All ${count} dates fit`} both.`,
  choices: ["day first", "month first"]
})

const zoneFinding = (values: ReadonlyArray<string>, { time_zone }: SetupAnswers, own: string): Finding => {
  const found = time_zone ?? zoneOf(values, own)
  if (found !== undefined)
    return {
      settings: { time_zone: found },
      decisions: [
        { what: `time zone ${found}`, because: time_zone === undefined ? "times have its offsets" : "as was said" }
      ]
    }
  return {
    settings: { time_zone: own },
    questions: [
      {
        answer: "time_zone",
        flag: "--time-zone ZONE",
        what: "time zone",
        ask: "In which time zone are your days?",
        suggestion: own
      }
    ]
  }
}

/** Adds names of countries in the table's own language. */
const language = ({ proposal }: StreamRows, { language }: SetupSurroundings): Finding =>
  language === "en" || proposal.columns["customer_country"] === undefined ? {} : { settings: { language } }

const country = ({ proposal }: StreamRows, { answers }: SetupSurroundings): Finding =>
  answers.country === undefined || proposal.stream !== "invoices"
    ? {}
    : { settings: { customer_country: answers.country } }

/** Negative rows that name the invoice they lower are credit notes. */
const negative = ({ at, proposal, rows }: StreamRows): Finding => {
  if (proposal.stream !== "invoices") return {}
  const amounts = AmountValues.negativeRows(rows, at("gross") >= 0 ? at("gross") : at("net"))
  const credits = at("credits")
  const named = amounts.filter(({ cells }) => credits >= 0 && (cells[credits] ?? "").trim() !== "").length
  if (amounts.length === 0) return {}
  return named === amounts.length
    ? {
        settings: { negative: "credit_note" },
        decisions: [{ what: `${amounts.length} negative rows are credit notes`, because: "each names its invoice" }]
      }
    : {
        decisions: [
          {
            what: `${amounts.length} negative rows need attention`,
            because: "they do not all name the invoice that they lower"
          }
        ]
      }
}

const STEPS: ReadonlyArray<(of: StreamRows, surroundings: SetupSurroundings) => Finding> = [
  place,
  dates,
  AmountValues.decimal,
  AmountValues.currency,
  AmountValues.currencySigns,
  dueTermsOf,
  nothingOf,
  statesOf,
  orderStatesOf,
  linesOf,
  itemsOf,
  negative,
  language,
  country
]

/** Where rows are the lines of an invoice, a column says something of a line. */
const ofWholeRows = ({ unused, ...settings }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  unused === undefined || settings["lines"] !== undefined ? settings : { ...settings, unused }

export const complete = (written: Proposal, table: FoundTable, surroundings: SetupSurroundings): Completed => {
  const of = rowsFor(written, table)
  const found = STEPS.map((step) => step(of, surroundings))
  const { states: _, stream, ...own } = of.proposal
  return {
    stream,
    settings: ofWholeRows(
      Object.assign({}, ...found.map(({ settings }) => settings ?? {}), {
        ...own,
        columns: Object.assign({}, own.columns, ...found.map(({ columns }) => columns ?? {}))
      })
    ),
    decisions: found.flatMap(({ decisions = [] }) => decisions.map((one) => ({ file: table.name, ...one }))),
    questions: found.flatMap(({ questions = [] }) => questions),
    rows: of.rows.length,
    read: of.rows
  }
}
