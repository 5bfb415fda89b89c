/** The amounts of a table's columns, for what can be found by calculating with them. */
import * as Numerals from "../../connectors/tabular/Numerals.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { cellsOf } from "./Tables.ts"
import { isNothing } from "./Vocabulary.ts"

/** A column's amounts, row by row; undefined where a cell has none. */
export const amountsIn = (rows: ReadonlyArray<Row>, at: number | undefined): ReadonlyArray<bigint | undefined> => {
  if (at === undefined || at < 0) return rows.map(() => undefined)
  const mark = Numerals.markOf(
    rows.flatMap(({ cells, numbers }) => (numbers?.[at] === true ? [] : [(cells[at] ?? "").trim()]))
  )
  return rows.map(({ cells, numbers }) => {
    const text = (cells[at] ?? "").trim()
    if (text === "" || isNothing(text)) return undefined
    const amount = Numerals.parse(text, numbers?.[at] === true ? "." : mark, undefined)
    return typeof amount === "string" ? undefined : amount
  })
}

export const sumOf = (amounts: ReadonlyArray<bigint | undefined>): bigint =>
  amounts.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n)

export const shown = (amount: bigint): string => Decimal.format(amount, 2)

/** A rounding cent, and the cent of another rounding. */
const CENTS = Decimal.of("0.02")

export const isNear = (a: bigint, b: bigint): boolean => Decimal.abs(a - b) <= CENTS

/** In how many rows with all of these columns a relation addsUp. */
export const addsUp = (
  columns: ReadonlyArray<ReadonlyArray<bigint | undefined>>,
  relation: (...amounts: ReadonlyArray<bigint>) => boolean
): { readonly rows: number; readonly fits: number; readonly odd: number } => {
  let rows = 0
  let fits = 0
  let odd = -1
  for (const n of (columns[0] ?? []).keys()) {
    const amounts = columns.map((column) => column[n])
    if (amounts.some((one) => one === undefined)) continue
    rows++
    if (relation(...(amounts as ReadonlyArray<bigint>))) fits++
    else if (odd < 0) odd = n
  }
  return { rows, fits, odd }
}

/** Whether a relation addsUp in nearly all rows, and in at least one. */
export const isProven = ({ fits, rows }: { readonly fits: number; readonly rows: number }): boolean =>
  fits > 0 && fits >= rows * 0.9

/** What a column's values come to, by its texts. */
export const sumsBy = (
  rows: ReadonlyArray<Row>,
  by: number,
  amounts: ReadonlyArray<bigint | undefined>
): ReadonlyMap<
  string,
  { readonly rows: number; readonly sum: bigint; readonly negative: number; readonly positive: number }
> => {
  const found = new Map<string, { rows: number; sum: bigint; negative: number; positive: number }>()
  for (const [n, text] of cellsOf(rows, by).entries()) {
    const one = found.get(text) ?? { rows: 0, sum: 0n, negative: 0, positive: 0 }
    const amount = amounts[n] ?? 0n
    one.rows++
    one.sum += amount
    if (amount < 0n) one.negative++
    if (amount > 0n) one.positive++
    found.set(text, one)
  }
  return found
}
