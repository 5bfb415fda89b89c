/**
 * What init works on: the tables of the files that it was given, each with its columns and all that is known of them, and
 * what it found out, as decisions with their evidence and as questions.
 */
import type { Stream } from "../../connectors/tabular/Streams.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import type { Glance } from "../../connectors/tabular/Glance.ts"
import { isTotalText } from "../../connectors/tabular/Totals.ts"

/** A file that was looked at; its path as the configuration is to write it. */
export interface GlancedFile {
  readonly path: string
  readonly glances: ReadonlyArray<Glance>
}

/** A table with its headings found. */
export interface FoundTable {
  readonly path: string
  /** What it is called in messages: its path, with its sheet where there are several. */
  readonly name: string
  readonly glance: Glance
  /** The line of the headings, counted from 1. */
  readonly line: number
  readonly header: ReadonlyArray<string>
  /** Rows that are records, as far as that shows: totals and what could not be read is left out. */
  readonly rows: ReadonlyArray<Row>
  readonly whole: boolean
  /** Rows above the headings. */
  readonly above: Glance["top"]
  /** What the reader would take for the separator. */
  readonly separator?: string | undefined
}

/** Settings of a stream, but where its file is and how it is written. */
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

/** What nobody but a person knows. */
export interface SetupQuestion {
  /** The member of the answers, and the flag: `currency`, `--currency`. */
  readonly answer: string
  readonly flag: string
  readonly ask: string
  /** What is asked for, in a word or two. */
  readonly what: string
  /** What is taken where a person accepts everything; without one, an answer is needed. */
  readonly suggestion?: string
  readonly choices?: ReadonlyArray<string>
}

export const cellsOf = (rows: ReadonlyArray<Row>, at: number): ReadonlyArray<string> =>
  rows.map(({ cells }) => (cells[at] ?? "").trim())

export const filledOf = (rows: ReadonlyArray<Row>, at: number): ReadonlyArray<string> =>
  cellsOf(rows, at).filter((text) => text !== "")

/** Neither a total nor a row that could not be read, nor one that only heads a group. */
export const isRecord = ({ cells, problem }: Row): boolean => {
  if (problem !== undefined) return false
  const [first, ...others] = cells.map((text) => text.trim()).filter((text) => text !== "")
  return first !== undefined && others.length > 0 && !isTotalText(first)
}

/** A heading as `columns` names it: by its text, or by its number where it has none or is there twice. */
export const headingAt = (header: ReadonlyArray<string>, at: number): string => {
  const text = header[at] ?? ""
  return text === "" || header.indexOf(text) !== at ? `#${at + 1}` : text
}

/** `12 of 40` */
export const share = (count: number, all: number): string =>
  count === all ? `all ${all.toLocaleString("en")}` : `${count.toLocaleString("en")} of ${all.toLocaleString("en")}`
