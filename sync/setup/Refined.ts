/** What the other columns of a table say of the amounts and rows that its streams read, once the streams are known. */
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { withExtras } from "./Extras.ts"
import { byPrefix } from "./Prefixes.ts"
import { returned } from "./Returned.ts"
import { struck } from "./Struck.ts"
import type { FoundTable, Proposal, SetupMeaning } from "./Tables.ts"
import { taxIncluded } from "./TaxIncluded.ts"
import { withUnits } from "./Units.ts"

export const refined = (
  table: FoundTable,
  columns: AssignedColumns,
  proposals: ReadonlyArray<Proposal>,
  {
    answers,
    isRate,
    isStatement
  }: { readonly answers: SetupAnswers; readonly isRate: boolean; readonly isStatement: boolean }
): SetupMeaning => {
  const taxed = isRate ? { proposals, decisions: [] } : taxIncluded(table, columns, proposals)
  const marked = struck(table, columns, taxed.proposals, { ...answers, isStatement })
  const numbered = marked.proposals.map((one) => byPrefix(table, one, answers))
  const whole = numbered.map(({ proposal }) => withExtras(table, columns, proposal, answers))
  const measured = withUnits(
    table,
    whole.map(({ proposal }) => proposal),
    answers
  )
  const back = returned(table, columns, measured.proposals, answers)
  return {
    proposals: back.proposals.map(withPlainTax),
    decisions: [taxed, marked, measured, back].flatMap((one) => one.decisions),
    questions: [marked, ...numbered, ...whole, measured, back].flatMap((one) => one.questions)
  }
}

/** Net and tax come to the column of the gross amount as it stands: not to what is made of it. */
const withPlainTax = (proposal: Proposal): Proposal => {
  const { tax_amount, ...columns } = proposal.columns
  const isPlain = [columns["net"], columns["gross"]].every((one) => typeof one === "string")
  return tax_amount === undefined || isPlain ? proposal : { ...proposal, columns }
}
