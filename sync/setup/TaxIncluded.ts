/** A column that says row by row whether the amount contains the tax: the rows are read in two ways. */
import { find } from "../../connectors/tabular/Cells.ts"
import { plural } from "../../core/Plural.ts"
import type { AssignedColumns } from "./Columns.ts"
import { filledOf, type FoundTable, headingAt, type Proposal, type SetupDecision } from "./Tables.ts"
import { yesOrNo } from "./Vocabulary.ts"

const TAX = "tax|vat|gst|mwst|ust|steuer|tva|btw|iva|moms|mva|alv|dph"
const HEADING = new RegExp(
  `(${TAX})[\\s_-]*(incl|inkl|enth|compris|inbegr)|incl\\w*[\\s_-]*(${TAX})|line[\\s_]?amount[\\s_]?types?|amounts are`,
  "iu"
)

/** Whether an amount contains its tax, as a text says. */
const contains = (text: string): boolean | undefined => {
  const said = yesOrNo(text)
  if (said !== undefined) return said === "yes"
  if (/^(tax|vat|gst)?\s*(incl|inkl|ttc|gross|brutto)/iu.test(text)) return true
  return /^(tax|vat|gst)?\s*(excl|exkl|ht$|net|notax|no tax)/iu.test(text) ? false : undefined
}

/** The streams of invoices, with the rows apart whose amount lacks the tax. */
export const taxIncluded = (
  table: FoundTable,
  { at, heading }: AssignedColumns,
  proposals: ReadonlyArray<Proposal>
): { readonly proposals: ReadonlyArray<Proposal>; readonly decisions: ReadonlyArray<SetupDecision> } => {
  const plain = { proposals, decisions: [] }
  const [tax, amount] = [heading("tax"), heading("gross") ?? heading("amount")]
  const said = table.header.map((_, n) => headingAt(table.header, n)).find((one) => HEADING.test(one))
  if (said === undefined || tax === undefined || amount === undefined || at.net !== undefined) return plain
  const texts = [...new Set(filledOf(table.rows, find(table.header, said)))]
  const lacking = texts.filter((text) => contains(text) === false)
  if (lacking.length === 0 || texts.some((text) => contains(text) === undefined)) return plain
  const split = (one: Proposal): ReadonlyArray<Proposal> => {
    if (one.stream !== "invoices" || one.where !== undefined || one.columns["gross"] !== amount) return [one]
    const left = texts.filter((text) => !lacking.includes(text))
    const without = {
      ...one,
      where: { [said]: lacking },
      columns: { ...one.columns, net: amount, gross: [amount, tax] }
    }
    return left.length === 0 ? [without] : [{ ...one, where: { [said]: left } }, without]
  }
  const rows = table.rows.filter(({ cells }) => lacking.includes((cells[find(table.header, said)] ?? "").trim()))
  return {
    proposals: proposals.flatMap(split),
    decisions: [
      {
        file: table.name,
        what: `${plural(rows.length, "row")} without tax in ${JSON.stringify(amount)}`,
        because: `as ${JSON.stringify(said)} says; ${JSON.stringify(tax)} is added`
      }
    ]
  }
}
