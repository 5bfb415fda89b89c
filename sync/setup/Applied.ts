/** Payments of which each row says what was applied to its invoice: whether the parts are within the payment. */
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { amountsIn, shown } from "./Figures.ts"
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
