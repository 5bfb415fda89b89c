/**
 * Finds rows that are the items of the invoice above them, in columns of their own: they have neither its id nor anything else
 * that is read. A row with any of this is still read, so that an invoice without an id is named rather than skipped.
 */
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import { plural } from "../../core/Plural.ts"
import type { Finding, StreamRows } from "./Steps.ts"

export const itemsOf = ({ at, proposal, rows, table }: StreamRows): Finding => {
  const id = at("id")
  if (proposal.stream !== "invoices" || proposal["where"] !== undefined || id < 0) return {}
  const headings = [
    ...new Set(Object.values(proposal.columns).flatMap((one) => Expressions.columnsOf(one as Expressions.Expression)))
  ].filter((heading) => find(table.header, heading) >= 0)
  const columns = headings.map((heading) => find(table.header, heading))
  const text = (cells: ReadonlyArray<string>, index: number): string => (cells[index] ?? "").trim()
  const nameless = rows.filter(({ cells }) => text(cells, id) === "")
  const items = nameless.filter(({ cells }) => columns.every((index) => text(cells, index) === ""))
  if (items.length === 0 || items.length < nameless.length || items.length === rows.length) return {}
  return {
    settings: { where: headings.map((heading) => ({ [heading]: { empty: false } })) },
    decisions: [
      {
        what: `${plural(items.length, "row")} of items skipped`,
        because: "they have neither an id nor anything else of an invoice"
      }
    ]
  }
}
