/** Finds the columns that say what became of each invoice: states, and marks with yes and no. */
import type { AssignedColumns } from "./Columns.ts"
import { filledOf, type FoundTable, headingAt } from "./Tables.ts"
import { flagIn, invoiceStateOf, isUnsent, isUnsure, rolesOf, yesOrNo } from "./Vocabulary.ts"

/** The columns that say what became of an invoice: its state, that of its payment, and a mark for what is paid. */
export const stateColumns = (table: FoundTable, { at }: AssignedColumns): ReadonlyArray<string> => {
  const found = table.header.flatMap((heading, n) => {
    const values = filledOf(table.rows, n)
    const isState = n === at.status || (rolesOf(heading).some(({ role }) => role === "status") && areStates(values))
    const isFlag = (n === at.paid || n === at.paid_on || flagIn(heading) !== undefined) && isFlags(values)
    return values.length > 0 && (isState || isFlag) ? [headingAt(table.header, n)] : []
  })
  return [...new Set(found)]
}

/** A second column of states has some that are known: "State" may be that of an address. */
const areStates = (values: ReadonlyArray<string>): boolean =>
  new Set(values).size <= 20 &&
  values.some((one) => invoiceStateOf(one) !== undefined || isUnsent(one) || isUnsure(one))

/** Other words among them, such as "Part", are asked about as states are. */
const isFlags = (values: ReadonlyArray<string>): boolean =>
  values.some((text) => yesOrNo(text) !== undefined) &&
  values.every((text) => yesOrNo(text) !== undefined || /^\p{L}[\p{L} ]*$/u.test(text))
