/** Payments of which each row says what was applied to its invoice: whether the parts are within the payment. */
import type { SetupAnswers } from "./Answers.ts"
import { type AssignedColumns, withHeadings } from "./Columns.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { addsUp, amountsIn, isNear, shown } from "./Figures.ts"
import { areMost, freeAmounts } from "./FreeColumns.ts"
import { NEITHER } from "./FreeDays.ts"
import type { CurrencySense } from "./HomeCurrency.ts"
import { rolesOf } from "./Vocabulary.ts"
import { cellsOf, type FoundTable, headingAt, type Proposal, type SetupQuestion } from "./Tables.ts"

export const plainAmount = ({ heading }: AssignedColumns): string | undefined =>
  heading("amount") ?? heading("paid") ?? heading("gross") ?? heading("paid_in") ?? heading("net")

/** What was applied of a payment, where its row says to which invoice. */
export const appliedIn = ({ heading }: AssignedColumns): string | undefined =>
  (heading("invoice") ?? heading("original")) === undefined ? undefined : heading("applied")

interface Whole {
  /** The column with the whole payment, if it is enough for the parts of each. */
  readonly total?: string
  /** The first payment of which more was applied than it is. */
  readonly over?: { readonly id: string; readonly whole: bigint; readonly applied: bigint; readonly heading: string }
}

/** The column with the whole payment, beside one with what was applied of it: it is the same in all of a payment's rows. */
export const wholeOf = (table: FoundTable, columns: AssignedColumns, id: unknown): Whole | undefined => {
  const [applied, plain] = [appliedIn(columns), plainAmount(columns)]
  if (applied === undefined || plain === undefined || typeof id !== "string") return undefined
  const at = (name: string) => table.header.findIndex((_, n) => headingAt(table.header, n) === name)
  const [ids, parts, wholes] = [
    cellsOf(table.rows, at(id)),
    amountsIn(table.rows, at(applied)),
    amountsIn(table.rows, at(plain))
  ]
  const left = new Map<string, readonly [whole: bigint, left: bigint]>()
  const kinds = new Map<string, string>()
  const kindOf = (n: number) =>
    [columns.at.status, columns.at.type].map((one) => table.rows[n]?.cells[one ?? -1] ?? "").join("\n")
  for (const [n, one] of ids.entries()) {
    const whole = wholes[n]
    if (whole === undefined) return undefined
    const [before, rest] = left.get(one) ?? [whole, whole]
    if (before !== whole) return undefined
    // Rows that their state or type leaves out would be missing from what was applied.
    if (kinds.get(one) !== undefined && kinds.get(one) !== kindOf(n)) return undefined
    kinds.set(one, kindOf(n))
    left.set(one, [whole, rest - (parts[n] ?? whole)])
  }
  const over = [...left].find(([, [whole, rest]]) => (whole < 0n ? rest > 0n : rest < 0n))
  if (over === undefined) return { total: plain }
  const [own, [whole, rest]] = over
  return { over: { id: own, whole, applied: whole - rest, heading: plain } }
}

/** The rows of each payment that has several, by its number. */
const severalRows = (table: FoundTable, { at }: AssignedColumns): ReadonlyArray<ReadonlyArray<number>> => {
  const numbers = cellsOf(table.rows, at.payment ?? -1)
  const groups = Map.groupBy(
    [...numbers.keys()].filter((n) => numbers[n] !== ""),
    (n) => numbers[n] ?? ""
  )
  return [...groups.values()].filter(({ length }) => length > 1)
}

/**
 * Payments over several invoices, whose rows repeat the whole amount: of columns under headings that nobody knows, the one that comes
 * to it is what was applied to each invoice; if none does, a person says which is.
 */
export const appliedSense = (
  table: FoundTable,
  columns: AssignedColumns,
  { columns: said = {} }: SetupAnswers
): CurrencySense => {
  const plain = { columns, decisions: [], questions: [] }
  const { at } = columns
  const own = plainAmount(columns)
  const isSaid = (said["payments.amount"] ?? said["amount"]) !== undefined
  if (own === undefined || isSaid || at.applied !== undefined || (at.invoice ?? at.original) === undefined) return plain
  const wholes = amountsIn(
    table.rows,
    table.header.findIndex((_, n) => headingAt(table.header, n) === own)
  )
  const groups = severalRows(table, columns)
  const isRepeated = groups.every((rows) =>
    rows.every((n) => wholes[n] !== undefined && wholes[n] === wholes[rows[0] ?? -1])
  )
  if (groups.length === 0 || !isRepeated) return plain
  const free = freeAmounts(table, columns)
  const sum = (rows: ReadonlyArray<number>, parts: ReadonlyArray<bigint | undefined>) =>
    rows.reduce((total, n) => total + (parts[n] ?? 0n), 0n)
  const fits = free.filter(({ amounts }) =>
    groups.every((rows) => isNear(sum(rows, amounts), wholes[rows[0] ?? -1] ?? -1n))
  )
  const [found] = fits
  if (found !== undefined && fits.length === 1) {
    const name = JSON.stringify(headingAt(table.header, found.n))
    return {
      ...plain,
      columns: withHeadings(table, { ...at, applied: found.n }, columns.language),
      decisions: [
        {
          file: table.name,
          what: `${name} is what was applied to each invoice`,
          because: `it comes to ${JSON.stringify(own)} of each payment`
        }
      ]
    }
  }
  if (free.length === 0) return plain
  return {
    ...plain,
    questions: [
      {
        answer: "column.payments.amount",
        flag: "--column payments.amount=HEADING",
        what: `parts of payments of ${table.name}`,
        ask: `${JSON.stringify(own)} of ${table.name} is the same in every row of a payment. Which column is what was paid of the invoice in each row?`,
        choices: [own, ...free.map(({ n }) => headingAt(table.header, n))]
      }
    ]
  }
}

/** Of payments, an amount of some rows under a heading that nobody knows may be what went back, or a fee. */
export const refundedQuestions = (
  table: FoundTable,
  columns: AssignedColumns,
  { columns: said = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const { at } = columns
  const own = plainAmount(columns)
  const isKnown = (at.refunded ?? at.applied ?? at.unallocated ?? at.fee) !== undefined
  if (own === undefined || isKnown || (said["payments.refunded"] ?? said["refunded"]) !== undefined) return []
  const wholes = amountsIn(
    table.rows,
    table.header.findIndex((_, n) => headingAt(table.header, n) === own)
  )
  const names = freeAmounts(table, columns).flatMap(({ amounts, n }) => {
    const { fits, rows } = addsUp([wholes, amounts], (whole, one) => one <= Decimal.abs(whole))
    const isUnknown = rolesOf(table.header[n] ?? "").length === 0
    return isUnknown && areMost(fits, rows) && amounts.some((one) => one !== 0n) ? [headingAt(table.header, n)] : []
  })
  if (names.length === 0) return []
  return [
    {
      answer: "column.payments.refunded",
      flag: "--column payments.refunded=HEADING",
      what: `what was refunded in ${table.name}`,
      ask: `In ${table.name}, does ${names.map((one) => JSON.stringify(one)).join(" or ")} hold the amount refunded of each payment? In most rows it is not larger than ${JSON.stringify(own)}.`,
      choices: [...names, NEITHER]
    }
  ]
}

/** More applied than paid: either the column is not the payment, or a row is wrong. */
export const appliedQuestions = (
  table: FoundTable,
  { columns: { id }, stream }: Proposal,
  columns: AssignedColumns,
  { columns: said = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  if (stream !== "payments" || (said["payments.total"] ?? said["total"]) !== undefined) return []
  const over = wholeOf(table, columns, id)?.over
  if (over === undefined) return []
  const [applied, whole] = [appliedIn(columns) ?? "", over.heading].map((one) => JSON.stringify(one))
  return [
    {
      answer: "column.payments.total",
      flag: "--column payments.total=HEADING",
      what: `whole payments of ${table.name}`,
      ask: `${applied} of ${JSON.stringify(over.id)} in ${table.name} comes to ${shown(over.applied)}, and ${whole} says ${shown(over.whole)}. Is ${whole} the whole payment, so that these rows are wrong, or something else (none)?`,
      choices: [over.heading, "none"]
    }
  ]
}
