/** What the steps of completing a stream share: the rows that they look at, and what each of them finds. */
import type { Row } from "../../connectors/tabular/Row.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { SetupAnswers } from "./Answers.ts"
import type { FoundTable, Proposal, SetupDecision, SetupQuestion } from "./Tables.ts"

/** What is known beside the table. */
export interface SetupSurroundings {
  readonly answers: SetupAnswers
  readonly today: Day
  /** This machine's. */
  readonly zone: string
  /** The language of the headings. */
  readonly language: string
  /** The only currency that the other tables name. */
  readonly currency?: string | undefined
}

/** What one step adds. */
export interface Finding {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly decisions?: ReadonlyArray<SetupDecision>
  readonly questions?: ReadonlyArray<SetupQuestion>
}

/** The rows of a stream, for the steps. */
export interface StreamRows {
  readonly proposal: Proposal
  readonly table: FoundTable
  readonly rows: ReadonlyArray<Row>
  /** Where a field's column is; -1 where it has none, or is made of several. */
  readonly at: (field: string) => number
}
