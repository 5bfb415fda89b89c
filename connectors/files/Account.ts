/**
 * Accounts for a table as its settings read it, for who checks a configuration: the columns that are used and for what, those
 * that are not, and where the sign and the state of each amount come from. Rows that are not read are counted as they pass.
 */
import { find } from "../tabular/Cells.ts"
import * as Expressions from "../tabular/Expressions.ts"
import * as Rows from "../tabular/Rows.ts"
import type { File } from "./Listing.ts"
import type { Table } from "./Table.ts"

type Columns = Readonly<Record<string, Expressions.Expression>>

const signOf = (columns: Columns): string => {
  const [field, expression] = ["amount", "gross", "net"].flatMap((name) => {
    const one = columns[name]
    return one === undefined ? [] : [[name, one] as const]
  })[0] ?? ["amount", undefined]
  if (expression === undefined) return ""
  const { negative, sides } = Expressions.sumOf(expression as Expressions.Amount)
  const sign = sides
    ? "from the column that has the amount"
    : negative === undefined
      ? "as the amounts are written"
      : `negative where ${JSON.stringify(negative)}`
  return `sign of ${field}: ${sign}`
}

const stateOf = ({
  columns,
  statuses
}: {
  readonly columns: Columns
  readonly statuses?: Readonly<Record<string, string>>
}): string =>
  columns["status"] === undefined
    ? "no column says a state"
    : `state: ${Expressions.label(columns["status"])}${Object.entries(statuses ?? {})
        .map(([text, state]) => `; ${text} = ${state}`)
        .join("")}`

export const of = ({ place, settings }: File, { header }: Pick<Table, "header">): ReadonlyArray<string> => {
  const columns = settings.columns as Columns
  const used = Rows.columnsOf(settings).map((heading) => find(header, heading))
  const unused = header.flatMap((heading, n) => (used.includes(n) || heading === "" ? [] : [JSON.stringify(heading)]))
  const uses = Object.entries(columns).map(([field, one]) => `${field} = ${Expressions.label(one)}`)
  return [
    `${place} uses ${uses.join(", ")}`,
    ...(unused.length === 0 ? [] : [`${place} does not use ${unused.join(", ")}`]),
    `${place}: ${[signOf(columns), stateOf(settings as Parameters<typeof stateOf>[0])].filter((one) => one !== "").join("; ")}`
  ]
}
