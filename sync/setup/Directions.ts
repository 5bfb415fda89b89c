/**
 * Finds out which way the money of a statement went: from the signs of its amounts, from another column whose few values split
 * them, or from its running balance. If nothing says it, a person must.
 */
import { find } from "../../connectors/tabular/Cells.ts"
import type { SetupAnswers } from "./Answers.ts"
import { followed, rises } from "./Balances.ts"
import type { AssignedColumns } from "./Columns.ts"
import { amountsIn } from "./Figures.ts"
import { cellsOf, filledOf, type FoundTable, headingAt, type SetupDecision, type SetupQuestion } from "./Tables.ts"
import { directionOf, isNoMovement } from "./Vocabulary.ts"

export interface Direction {
  /** The column that says it; undefined if the amounts' own signs do. */
  readonly heading?: string
  readonly in: ReadonlyArray<string>
  readonly out: ReadonlyArray<string>
  /** Values of rows in which no money moved: PayPal's "Memo". */
  readonly neither?: ReadonlyArray<string>
  /** All amounts are negative, and a person said that the money came in. */
  readonly isTurned?: boolean
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

const NONE: Direction = { in: [], out: [], decisions: [], questions: [] }

/** Values of a column that says which way money went. */
const FEW = 8

const distinctOf = (table: FoundTable, at: number): ReadonlyArray<string> => [...new Set(filledOf(table.rows, at))]

/** The column whose values say it: the one with a known heading, or any whose values all do. */
const columnOf = (table: FoundTable, { at }: AssignedColumns): number | undefined => {
  const all = table.header.map((_, n) => n).filter((n) => n !== at.currency)
  const byHeading =
    at.direction !== undefined && distinctOf(table, at.direction).length <= FEW ? at.direction : undefined
  return (
    byHeading ??
    all.find((n) => {
      const values = distinctOf(table, n)
      return (
        values.length > 0 &&
        values.length <= FEW &&
        filledOf(table.rows, n).length === table.rows.length &&
        values.every((value) => directionOf(value) !== undefined)
      )
    })
  )
}

const question = (table: FoundTable, heading: string, text: string): SetupQuestion => ({
  answer: `direction.${text}`,
  flag: `--direction ${JSON.stringify(`${text}=in`)}`,
  what: `direction ${JSON.stringify(text)}`,
  ask: `Does ${JSON.stringify(text)} in ${JSON.stringify(heading)} of ${table.name} mean that money came in, that it went out, or neither?`,
  choices: ["in", "out", "neither"]
})

const meaningBy =
  ({ directions }: SetupAnswers) =>
  (text: string) =>
    directions?.[text] ?? (isNoMovement(text) ? "neither" : directionOf(text))

/** Amounts are signed, and a column says of some rows that no money moved. */
const besideSigns = (table: FoundTable, { at }: AssignedColumns, answers: SetupAnswers): Partial<Direction> => {
  const values = at.direction === undefined ? [] : distinctOf(table, at.direction)
  if (at.direction === undefined || values.length > FEW) return {}
  const heading = headingAt(table.header, at.direction)
  const meaning = meaningBy(answers)
  const neither = values.filter((text) => meaning(text) === "neither")
  return {
    heading,
    neither,
    questions: values.filter((text) => meaning(text) === undefined).map((text) => question(table, heading, text))
  }
}

/** What the few values of a column say. */
const ofColumn = (table: FoundTable, column: number, answers: SetupAnswers): Direction => {
  const heading = headingAt(table.header, column)
  const values = distinctOf(table, column)
  const meaning = meaningBy(answers)
  const [ins, outs, neither = []] = (["in", "out", "neither"] as const).map((way) =>
    values.filter((text) => meaning(text) === way)
  )
  const unknown = values.filter((text) => meaning(text) === undefined)
  return {
    heading,
    in: ins ?? [],
    out: outs ?? [],
    neither,
    decisions: [
      {
        file: table.name,
        what: `${JSON.stringify(heading)} says which way money went`,
        because: `in: ${(ins ?? []).join(", ") || "none"}; out: ${(outs ?? []).join(", ") || "none"}`
      }
    ],
    questions: unknown.map((text) => question(table, heading, text))
  }
}

const columnQuestion = (table: FoundTable): SetupQuestion => ({
  answer: "column.payments.direction",
  flag: "--column payments.direction=HEADING",
  what: "direction of the money",
  ask: `Which column of ${table.name} says whether money came in or went out? If none does, export the statement with signed amounts.`,
  choices: table.header.map((_, n) => headingAt(table.header, n))
})

const receivedQuestion = (table: FoundTable, amountAt: number, isRising: boolean): SetupQuestion => ({
  answer: "received",
  flag: "--received yes",
  what: "direction of the money",
  ask: `Is all of the money in ${table.name} received? No amount is negative, like ${JSON.stringify(cellsOf(table.rows, amountAt)[0] ?? "")}, and no column says which way it went${isRising ? "; the balance rises by each amount, but for the oldest, of which it does not tell" : ""}.`,
  choices: ["yes", "no"]
})

/** Statements of cards write what they are paid as negative; elsewhere, nothing came in. */
const allNegative = (table: FoundTable, { received }: SetupAnswers): Direction => {
  const file = table.name
  if (received === "yes")
    return {
      ...NONE,
      isTurned: true,
      decisions: [{ file, what: "all of it is money received", because: "as was said" }]
    }
  if (received === "no")
    return { ...NONE, decisions: [{ file, what: "all of it is money that went out", because: "as was said" }] }
  const ask = `Every amount in ${file} is negative. Is all of this money received all the same?`
  return {
    ...NONE,
    questions: [
      { answer: "received", flag: "--received no", what: "direction of the money", ask, choices: ["yes", "no"] }
    ]
  }
}

/** What the words of a column say that is the opposite of the signs: they are turned where it is so in every row. */
const againstSigns = (
  table: FoundTable,
  column: number,
  amounts: ReadonlyArray<bigint | undefined>,
  answers: SetupAnswers
): Direction | undefined => {
  const ways = cellsOf(table.rows, column).map(meaningBy(answers))
  const moved = [...ways.entries()].filter(([n, way]) => (amounts[n] ?? 0n) !== 0n && (way === "in" || way === "out"))
  const odd = moved.filter(([n, way]) => way === ((amounts[n] ?? 0n) < 0n ? "in" : "out"))
  const [first] = odd
  // One word in all rows says nothing of a single one: "Gutschrift".
  if (first === undefined || new Set(moved.map(([, way]) => way)).size < 2) return undefined
  const [file, heading] = [table.name, JSON.stringify(headingAt(table.header, column))]
  const what = "money in is negative, money out is positive"
  if (odd.length === moved.length)
    return {
      ...NONE,
      isTurned: true,
      decisions: [{ file, what, because: `so ${heading} says in all ${odd.length} rows` }]
    }
  const line = table.rows[first[0]]?.line ?? 0
  const ask = `In ${odd.length} of ${moved.length} rows of ${file}, first in line ${line}, ${heading} says the opposite of the amount's sign. Are the signs right (none)? Otherwise export the statement again.`
  return {
    ...NONE,
    questions: [{ ...columnQuestion(table), flag: "--column payments.direction=none", ask, choices: ["none"] }]
  }
}

/** @param isAsked whether a person is asked if nothing says it */
export const directionOfTable = (
  table: FoundTable,
  columns: AssignedColumns,
  answers: SetupAnswers,
  isAsked: boolean
): Direction => {
  const { at } = columns
  const amountAt = at.amount ?? at.gross ?? at.net
  const amounts = amountsIn(table.rows, amountAt)
  const signed = amounts.some((one) => one !== undefined && one < 0n)
  if (signed && isAsked && amounts.every((one) => one === undefined || one <= 0n)) return allNegative(table, answers)
  const named = answers.columns?.["payments.direction"]
  const column = named === undefined ? columnOf(table, columns) : find(table.header, named)
  const file = table.name
  const beside =
    signed && column !== undefined && column >= 0 ? againstSigns(table, column, amounts, answers) : undefined
  if (beside !== undefined) return beside
  if (amountAt === undefined || signed || (at.paid_in !== undefined && at.paid_out !== undefined))
    return signed
      ? {
          ...NONE,
          ...besideSigns(table, columns, answers),
          decisions: [
            { file, what: "money in is positive, money out is negative", because: "as the amounts are signed" }
          ]
        }
      : NONE
  if (column !== undefined && column >= 0) return ofColumn(table, column, answers)
  if (answers.received === "yes")
    return { ...NONE, decisions: [{ file, what: "all of it is money received", because: "as was said" }] }
  if (!isAsked) return NONE
  const balances = followed(table, columns)
  const isRising = rises(balances)
  if (isRising && balances.fromNothing)
    return {
      ...NONE,
      decisions: [
        { file, what: "all of it is money received", because: "the balance rises by each amount, from nothing" }
      ]
    }
  const asks = answers.received === "no" ? columnQuestion(table) : receivedQuestion(table, amountAt, isRising)
  return { ...NONE, questions: [asks] }
}
