/** Defines what the steps of completing a stream share: their rows, and what each of them finds. */
import type { Row } from "../../connectors/tabular/Row.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { SetupAnswers } from "./Answers.ts"
import type { FoundTable, Proposal, SetupDecision, SetupQuestion } from "./Tables.ts"

/** What is known apart from the table. */
export interface SetupSurroundings {
  readonly answers: SetupAnswers
  readonly today: Day
  /** The machine's time zone. */
  readonly zone: string
  /** The language of the headings. */
  readonly language: string
  /** The only currency in the other tables. */
  readonly currency?: string | undefined
  /** Some table has payments. */
  readonly hasPayments: boolean
}

/** The result of one step. */
export interface Finding {
  readonly settings?: Readonly<Record<string, unknown>>
  /** Columns to add to those of the proposal. */
  readonly columns?: Readonly<Record<string, unknown>>
  readonly decisions?: ReadonlyArray<SetupDecision>
  readonly questions?: ReadonlyArray<SetupQuestion>
}

/** The rows of a stream, for the steps. */
export interface StreamRows {
  readonly proposal: Proposal
  readonly table: FoundTable
  readonly rows: ReadonlyArray<Row>
  /** The index of a field's column; -1 if it has none, or is made of several. */
  readonly at: (field: string) => number
}
