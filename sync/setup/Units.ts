/**
 * Amounts that are written in other units than the currency's own, as their heading says: "Total (pence)", "Betrag in TEUR". How they
 * are meant is asked, because a heading alone never changes an amount.
 */
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import { filledOf, type FoundTable, type Proposal, type SetupDecision, type SetupQuestion } from "./Tables.ts"
import { unitIn } from "./Vocabulary.ts"
import { find } from "../../connectors/tabular/Cells.ts"

const FIELDS = ["net", "gross", "amount", "balance", "paid", "credited", "refunded"]

const CHOICES = ["whole", "hundredths", "thousands"]

interface Units {
  readonly proposals: ReadonlyArray<Proposal>
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

/** The headings of an expression that consists of amounts added up. */
const headingsOf = (expression: unknown): ReadonlyArray<string> =>
  typeof expression === "string"
    ? [expression]
    : expression !== null && typeof expression === "object" && "plus" in expression
      ? [expression.plus].flat().filter((one) => typeof one === "string")
      : []

const inUnit = (expression: unknown, unit: string): unknown =>
  typeof expression === "string" ? { plus: expression, unit } : { ...(expression as object), unit }

export const withUnits = (
  table: FoundTable,
  proposals: ReadonlyArray<Proposal>,
  { units: said = {} }: SetupAnswers
): Units => {
  const headings = new Set(
    proposals.flatMap(({ columns }) => FIELDS.flatMap((field) => headingsOf(columns[field]))).filter(unitIn)
  )
  const asked = [...headings].filter((heading) => said[heading] === undefined)
  const written = (expression: unknown): unknown => {
    const unit = headingsOf(expression)
      .map((heading) => said[heading])
      .find((one) => one !== undefined && one !== "whole")
    return unit === undefined ? expression : inUnit(expression, unit)
  }
  return {
    proposals: proposals.map((one) => ({
      ...one,
      columns: Object.fromEntries(
        Object.entries(one.columns).map(([field, value]) => [field, FIELDS.includes(field) ? written(value) : value])
      )
    })),
    decisions: [...headings].flatMap((heading) =>
      said[heading] === undefined
        ? []
        : [{ file: table.name, what: `${JSON.stringify(heading)} is in ${said[heading]}`, because: "as was said" }]
    ),
    questions: asked.map((heading) => {
      const cells = filledOf(table.rows, find(table.header, heading))
      return {
        answer: `unit.${heading}`,
        flag: `--unit ${JSON.stringify(`${heading}=${unitIn(heading)}`)}`,
        what: `unit of ${JSON.stringify(heading)}`,
        ask: `In which units are the amounts in ${JSON.stringify(heading)} of ${table.name} (${plural(cells.length, "row")}, like ${JSON.stringify(cells[0] ?? "")})?`,
        choices: CHOICES
      }
    })
  }
}
