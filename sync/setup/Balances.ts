/** Holds the running balances of a statement against its amounts, before either is believed. */
import * as Decimal from "../../core/money/Decimal.ts"
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { amountsIn } from "./Figures.ts"
import type { FoundTable, SetupQuestion } from "./Tables.ts"
import { isOwnAccount } from "./Vocabulary.ts"

/** In how many rows a balance follows from the one before it, oldest first and newest first, of those where both are known. */
export interface Followed {
  readonly checked: number
  readonly up: number
  readonly down: number
  /** Whether the oldest balance of each account and currency is its own amount, so that nothing was there before. */
  readonly fromNothing: boolean
}

const absolute = (amount: bigint | undefined): bigint => (amount === undefined ? 0n : Decimal.abs(amount))

/** Each row's amount: of one column as it is signed, or of two, one for each way. */
export const movedIn = (
  { rows }: Pick<FoundTable, "rows">,
  { at }: AssignedColumns
): ReadonlyArray<bigint | undefined> => {
  if (at.paid_in === undefined || at.paid_out === undefined) return amountsIn(rows, at.amount ?? at.gross)
  const [ins, outs] = [amountsIn(rows, at.paid_in), amountsIn(rows, at.paid_out)]
  return ins.map((one, n) =>
    one === undefined && outs[n] === undefined ? undefined : absolute(one) - absolute(outs[n])
  )
}

/** Of each account and currency by itself: a balance rises by the amount, or by it less its fee. */
export const followed = (table: FoundTable, columns: AssignedColumns): Followed => {
  const { at } = columns
  const amounts = movedIn(table, columns)
  const [balances, fees] = [at.balance, at.fee].map((one) => amountsIn(table.rows, one))
  const account = table.header.findIndex(isOwnAccount)
  const [first, last] = [new Map<string, number>(), new Map<string, number>()]
  let [up, down, checked] = [0, 0, 0]
  const follows = (before: bigint | undefined, to: number): boolean => {
    const [now, amount, fee = 0n] = [balances?.[to], amounts[to], fees?.[to]]
    if (before === undefined || now === undefined || amount === undefined) return false
    return [amount, amount - fee, amount + fee].some((one) => before + one === now)
  }
  const leads = (from: number, to: number): boolean => follows(balances?.[from], to)
  for (const [n, { cells }] of table.rows.entries()) {
    const key = [account, at.currency ?? -1].map((one) => (one < 0 ? "" : (cells[one] ?? ""))).join("\n")
    const before = last.get(key)
    if (before === undefined) first.set(key, n)
    last.set(key, n)
    if (before === undefined || balances?.[before] === undefined || balances[n] === undefined) continue
    checked++
    if (leads(before, n)) up++
    if (leads(n, before)) down++
  }
  const oldest = up >= down ? first : last
  return { checked, up, down, fromNothing: [...oldest.values()].every((n) => follows(0n, n)) }
}

/** Whether every balance follows from the one before it. */
export const rises = ({ checked, down, up }: Followed): boolean => checked > 0 && Math.max(up, down) === checked

/** So many balances that do not follow are no slip: the column, the amounts or their signs are not what they seem. */
const SEVERAL = 3

/** The column of balances stays out of a mapping only if a person says so. */
export const balanceQuestions = (
  table: FoundTable,
  columns: AssignedColumns,
  { columns: named = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const heading = columns.heading("balance")
  if (heading === undefined || (named["payments.balance"] ?? named["balance"]) !== undefined) return []
  const { checked, down, up } = followed(table, columns)
  const wrong = checked - Math.max(up, down)
  if (wrong < SEVERAL || wrong * 2 < checked) return []
  return [
    {
      answer: "column.payments.balance",
      flag: "--column payments.balance=none",
      what: `balances of ${table.name}`,
      ask: `In ${wrong} of ${plural(checked, "row")} of ${table.name}, ${JSON.stringify(heading)} is not the balance before and the amount. Are the amounts and their signs right, so that it is left out (none)? Otherwise export the file again, or name another column.`,
      choices: ["none", heading]
    }
  ]
}
