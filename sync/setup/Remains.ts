/**
 * Finds out by calculating which column says what is still open of each invoice: of several that are called so, the one that the
 * other amounts lead to; and of columns of unknown headings, two that come to the whole amount, which are asked about.
 */
import type { SetupAnswers } from "./Answers.ts"
import { type AssignedColumns, AMOUNTS, withHeadings } from "./Columns.ts"
import { addsUp, amountsIn, isNear } from "./Figures.ts"
import { filledOf, type FoundTable, headingAt, type SetupDecision, type SetupQuestion, share } from "./Tables.ts"
import { rolesOf } from "./Vocabulary.ts"

export interface Remains {
  readonly columns: AssignedColumns
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

/** Of several columns that may be what is open, the one that is the amount less what was paid. */
const provenBalance = (table: FoundTable, { at, heading, language }: AssignedColumns): Remains | undefined => {
  const whole = at.gross ?? at.amount
  if (at.balance === undefined || at.paid === undefined || whole === undefined) return undefined
  const [gross, paid] = [amountsIn(table.rows, whole), amountsIn(table.rows, at.paid)]
  const held = (n: number) =>
    addsUp([gross, paid, amountsIn(table.rows, n)], (all, done, left) => isNear(all - done, left))
  const before = held(at.balance)
  const other = table.header.findIndex((title, n) => {
    const isFree = n !== at.balance && !Object.values(at).includes(n) && table.header.indexOf(title) === n
    const found = isFree && rolesOf(title).some(({ role }) => role === "balance") ? held(n) : undefined
    return found !== undefined && found.fits > before.fits && found.fits * 2 > found.rows
  })
  if (other < 0) return undefined
  const { fits, rows } = held(other)
  return {
    columns: withHeadings(table, { ...at, balance: other }, language),
    decisions: [
      {
        file: table.name,
        what: `${JSON.stringify(headingAt(table.header, other))} is what is open`,
        because: `it is the amount less what was paid in ${share(fits, rows)} rows, and ${JSON.stringify(heading("balance"))} is in ${before.fits}`
      }
    ],
    questions: []
  }
}

/** Two columns of unknown headings that come to the whole amount, of which one is all of it in some row: net and tax are not. */
const parts = (table: FoundTable, { at }: AssignedColumns): readonly [number, number] | undefined => {
  const whole = amountsIn(table.rows, at.gross ?? at.amount)
  const free = table.header.flatMap((title, n) => {
    const isKnown = Object.values(at).includes(n) || rolesOf(title).some(({ role }) => AMOUNTS.includes(role))
    const amounts = amountsIn(table.rows, n)
    const isFull = filledOf(table.rows, n).length > 0 && amounts.every((one) => one === undefined || one >= 0n)
    return isKnown || !isFull || amounts.every((one) => one === undefined || one === 0n) ? [] : [{ n, amounts }]
  })
  for (const [i, one] of free.entries())
    for (const other of free.slice(i + 1)) {
      const { fits, rows } = addsUp([whole, one.amounts, other.amounts], (all, a, b) => isNear(a + b, all))
      const ends = addsUp([whole, one.amounts, other.amounts], (all, a, b) => all > 0n && (a === 0n || b === 0n))
      if (rows > 1 && fits === rows && ends.fits > 0) return [one.n, other.n]
    }
  return undefined
}

const NEITHER = "none"

export const remains = (table: FoundTable, columns: AssignedColumns, { columns: said = {} }: SetupAnswers): Remains => {
  const plain: Remains = { columns, decisions: [], questions: [] }
  if (said["balance"] !== undefined || said["invoices.balance"] !== undefined) return plain
  const proven = provenBalance(table, columns)
  if (proven !== undefined) return proven
  const found = (columns.at.balance ?? columns.at.paid) === undefined ? parts(table, columns) : undefined
  if (found === undefined) return plain
  const [one, other] = found.map((n) => headingAt(table.header, n))
  const whole = columns.heading("gross") ?? columns.heading("amount")
  return {
    ...plain,
    questions: [
      {
        answer: "column.invoices.balance",
        flag: "--column invoices.balance=HEADING",
        what: `what is open in ${table.name}`,
        ask: `${JSON.stringify(one)} and ${JSON.stringify(other)} come to ${JSON.stringify(whole)} in every row of ${table.name}. Which of them is what is still open?`,
        choices: [one ?? "", other ?? "", NEITHER]
      }
    ]
  }
}
