/** Accounts for every column and row of a table: what is used and for what, and what is not, with the reason. */
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import * as Where from "../../connectors/tabular/Where.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import { plural } from "../../core/Plural.ts"
import { movedIn } from "./Balances.ts"
import { type AssignedColumns, assign, unusedOf } from "./Columns.ts"
import type { Completed } from "./Completion.ts"
import { amountsIn, shown, sumOf } from "./Figures.ts"
import { type FoundTable, headingAt, type SetupDecision } from "./Tables.ts"

/** A stream of a table, and the rows that it reads. */
export interface ReadStream {
  readonly completed: Completed
  readonly rows: ReadonlyArray<Row>
}

type Columns = Readonly<Record<string, Expressions.Expression>>

const columnsOf = ({ completed }: ReadStream): Columns => completed.settings["columns"] as Columns

/** The headings that the streams of a table use, as the table writes them. */
const usedBy = ({ header }: FoundTable, streams: ReadonlyArray<ReadStream>): ReadonlySet<string> =>
  new Set(
    streams.flatMap((one) =>
      [
        ...Object.values(columnsOf(one)).flatMap(Expressions.columnsOf),
        ...Where.columnsOf(one.completed.settings["where"] as Where.Where | undefined),
        ...Where.columnsOf(one.completed.settings["leave_out"] as Where.Where | undefined)
      ].map((heading) => headingAt(header, find(header, heading)))
    )
  )

const amountOf = (table: FoundTable, streams: ReadonlyArray<ReadStream>): number => {
  const fields = streams.flatMap((one) => ["gross", "amount", "net"].flatMap((field) => columnsOf(one)[field] ?? []))
  const [first] = fields.flatMap((one) => {
    const { plus } = Expressions.sumOf(one as Expressions.Amount)
    return plus
  })
  return first === undefined ? -1 : find(table.header, first)
}

/** What is used, what is not, and which rows no stream reads. */
export const accounted = (
  table: FoundTable,
  columns: AssignedColumns | undefined,
  streams: ReadonlyArray<ReadStream>
): ReadonlyArray<SetupDecision> => {
  const file = table.name
  const uses = streams.flatMap((one) =>
    Object.entries(columnsOf(one)).map(
      ([field, expression]) =>
        `${streams.length > 1 ? `${one.completed.stream}.` : ""}${field}: ${Expressions.label(expression)}`
    )
  )
  const unused = streams.length === 0 ? [] : unusedOf(table, columns ?? assign(table), usedBy(table, streams))
  const read = new Set(streams.flatMap(({ rows }) => rows))
  const left = table.rows.filter((row) => !read.has(row))
  const meant = columns ?? assign(table)
  const own = meant.at
  const at = amountOf(table, streams)
  const amounts =
    own.paid_in !== undefined && own.paid_out !== undefined
      ? movedIn({ rows: left }, meant)
      : amountsIn(left, at >= 0 ? at : (own.gross ?? own.amount ?? own.net ?? own.paid_out))
  return [
    ...(uses.length === 0 ? [] : [{ file, what: "columns used", because: uses.join("; ") }]),
    ...unused.map(({ heading, why }) => ({
      file,
      what: `column ${JSON.stringify(heading)} is not used`,
      because: why
    })),
    ...(left.length === 0
      ? []
      : [
          {
            file,
            what: `${plural(left.length, "row")} not read`,
            because: `${shown(sumOf(amounts))} in all, first in line ${left[0]?.line}; no stream takes ${left.length === 1 ? "it" : "them"}`
          }
        ])
  ]
}
