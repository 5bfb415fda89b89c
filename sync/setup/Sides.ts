/**
 * Of two columns for money in and out, which is which: a bank's "Credit" is the seller's "Debit". Where a column of words says in every
 * row the opposite of the headings, these are the books of the account, and not the bank's statement of it.
 */
import { type AssignedColumns, withHeadings } from "./Columns.ts"
import { amountsIn } from "./Figures.ts"
import type { CurrencySense } from "./HomeCurrency.ts"
import { cellsOf, type FoundTable, headingAt } from "./Tables.ts"
import { directionOf, squash } from "./Vocabulary.ts"

/** Vouchers of books: what was received, and what was paid. */
const VOUCHERS: Readonly<Record<string, "in" | "out">> = {
  receipt: "in",
  receipts: "in",
  payment: "out",
  payments: "out"
}

const wayOf = (text: string) => VOUCHERS[squash(text)] ?? directionOf(text)

export const sidesOf = (table: FoundTable, columns: AssignedColumns): CurrencySense => {
  const plain = { columns, decisions: [], questions: [] }
  const { paid_in: into, paid_out: out, ...others } = columns.at
  if (into === undefined || out === undefined) return plain
  const [ins, outs] = [amountsIn(table.rows, into), amountsIn(table.rows, out)]
  const isFilled = (amounts: typeof ins, n: number) => amounts[n] !== undefined && amounts[n] !== 0n
  const sides = table.rows.map((_, n) =>
    isFilled(ins, n) === isFilled(outs, n) ? undefined : isFilled(ins, n) ? "in" : "out"
  )
  const found = table.header.findIndex((_, n) => {
    const texts = cellsOf(table.rows, n)
    const ways = new Set(texts.filter((__, row) => sides[row] !== undefined).map(wayOf))
    return (
      ways.size === 2 &&
      texts.every((text, row) => sides[row] === undefined || (wayOf(text) !== undefined && wayOf(text) !== sides[row]))
    )
  })
  if (found < 0) return plain
  const [heading, other] = [found, out].map((n) => JSON.stringify(headingAt(table.header, n)))
  const what = `${other} is money that came in`
  return {
    ...plain,
    columns: withHeadings(table, { ...others, paid_in: out, paid_out: into }, columns.language),
    decisions: [{ file: table.name, what, because: `so ${heading} says in every row` }]
  }
}
