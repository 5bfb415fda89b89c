/**
 * Defines what init works on: the tables of the given files, each with its columns and what is known about them, and the
 * results, as decisions with their evidence and as questions.
 */
import type { Stream } from "../../connectors/tabular/Streams.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import type { Glance } from "../../connectors/tabular/Glance.ts"
import { isBalanceLine, isBesideText, isTotalText } from "../../connectors/tabular/Totals.ts"

/** A file that was examined, with the path for the configuration. */
export interface GlancedFile {
  readonly path: string
  readonly glances: ReadonlyArray<Glance>
}

/** A table with its headings found. */
export interface FoundTable {
  readonly path: string
  /** The name in messages: the path, with the sheet if there are several. */
  readonly name: string
  readonly glance: Glance
  /** The line of the headings, counted from 1. */
  readonly line: number
  readonly header: ReadonlyArray<string>
  /** Rows that appear to be records: without totals and rows that could not be read. */
  readonly rows: ReadonlyArray<Row>
  readonly whole: boolean
  /** Rows above the headings. */
  readonly above: Glance["top"]
  /** The separator that the reader would choose. */
  readonly separator?: string | undefined
  /** The rows of another table below these, from its headings on. */
  readonly below?: ReadonlyArray<Row> | undefined
  /** The column without a heading that has nothing but the names of groups of rows, each on a line of its own above them. */
  readonly groups?: number | undefined
}

/** The settings of a stream, without the path and format of its file. */
export interface Proposal {
  readonly stream: Stream
  readonly columns: Readonly<Record<string, unknown>>
  readonly [setting: string]: unknown
}

/** A choice that was made, and why. */
export interface SetupDecision {
  readonly file?: string
  readonly what: string
  readonly because?: string
}

/** A question that only a person can answer. */
export interface SetupQuestion {
  /** The field in the answers, and the flag: `currency`, `--currency`. */
  readonly answer: string
  readonly flag: string
  readonly ask: string
  /** What is asked for, in a word or two. */
  readonly what: string
  /** Used if a person accepts all suggestions; without one, an answer is required. */
  readonly suggestion?: string
  readonly choices?: ReadonlyArray<string>
}

/** The streams of a table, once something more was found out about it, and what is to be said or asked of that. */
export interface SetupMeaning {
  readonly proposals: ReadonlyArray<Proposal>
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

/** Few short texts, which may be states whatever their heading is. */
export const areWords = (texts: ReadonlyArray<string>): boolean =>
  texts.length <= 8 && texts.every((text) => text.length <= 30 && !/\d{3}/.test(text))

export const cellsOf = (rows: ReadonlyArray<Row>, at: number): ReadonlyArray<string> =>
  rows.map(({ cells }) => (cells[at] ?? "").trim())

export const filledOf = (rows: ReadonlyArray<Row>, at: number): ReadonlyArray<string> =>
  cellsOf(rows, at).filter((text) => text !== "")

/** Neither a total, nor unreadable, nor only the heading of a group. */
export const isRecord = ({ cells, problem }: Row): boolean => {
  if (problem !== undefined || isBalanceLine(cells)) return false
  const [first, ...others] = cells.map((text) => text.trim()).filter((text) => text !== "")
  if (first === undefined || others.length === 0 || isTotalText(first)) return false
  // "Acme Ltd Total", and then amounts alone.
  return !(
    isBesideText(first) &&
    others.every((text) => /^[^\p{L}]*$/u.test(text) && !/^\d{1,4}[-/.]\d{1,2}[-/.]\d/.test(text))
  )
}

/** A heading in the form for `columns`: its text, or its number if it is empty or not unique. */
export const headingAt = (header: ReadonlyArray<string>, at: number): string => {
  const text = header[at] ?? ""
  return text === "" || header.indexOf(text) !== at ? `#${at + 1}` : text
}

/** `12 of 40` */
export const share = (count: number, all: number): string =>
  count === all ? `all ${all.toLocaleString("en")}` : `${count.toLocaleString("en")} of ${all.toLocaleString("en")}`
