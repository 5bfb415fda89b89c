/**
 * Handles consecutive rows with the same id: either each repeats the whole document, or they are its lines. The amounts
 * decide: those of lines differ, repeated ones do not.
 */
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import type { Finding, SetupSurroundings, StreamRows } from "./Steps.ts"
import { share } from "./Tables.ts"
import { rolesOf } from "./Vocabulary.ts"

/** Columns that say what a line is for. */
const LINE_TEXTS = ["text", "quantity"] as const

/** Headings of the amount of a whole document, which each of its lines repeats. */
const WHOLE = /total|gesamt|rechnungsbetrag|totaal|totale|invoice amount|importe factura/i

const AMOUNTS = ["net", "gross", "tax_amount", "amount", "balance", "paid"]
const ADDED = ["net", "gross", "tax_amount"]

interface Group {
  readonly rows: Array<ReadonlyArray<string>>
}

const groups = ({ at, rows }: StreamRows): ReadonlyArray<Group> => {
  const id = at("id")
  const found: Array<Group> = []
  let last: string | undefined
  for (const { cells } of rows) {
    const text = (cells[id] ?? "").trim()
    if (text !== "" && text === last) found.at(-1)?.rows.push(cells)
    else found.push({ rows: [cells] })
    last = text
  }
  return found.filter((group) => group.rows.length > 1)
}

const differs = (group: Group, index: number): boolean => {
  const values = new Set(group.rows.map((cells) => (cells[index] ?? "").trim()).filter((text) => text !== ""))
  return values.size > 1
}

/** Columns that tell versions of one document apart. */
const VERSION = /version|revision|\brev\b|modified|updated|changed|edited|geändert|stand|modifi|gewijzigd/i

/** Whether nothing but amounts differs in rows of one id, or what tells versions apart: they may be its versions, not its lines. */
const mayBeVersions = (
  { header }: StreamRows["table"],
  lines: ReadonlyArray<Group>,
  amounts: ReadonlyArray<number>
): boolean =>
  lines.every((group) =>
    header.every(
      (heading, n) => amounts.includes(n) || VERSION.test(heading) || isAmountHeading(heading) || !differs(group, n)
    )
  )

const isAmountHeading = (heading: string): boolean =>
  rolesOf(heading).some(({ role }) => role === "tax" || AMOUNTS.includes(role))

const versions = ({ table }: StreamRows, group: Group | undefined, id: number): Finding => ({
  questions: [
    {
      answer: "repeated",
      flag: "--repeated lines",
      what: `rows of one number in ${table.name}`,
      ask: `Several rows of ${table.name} have one number, like ${JSON.stringify((group?.rows[0]?.[id] ?? "").trim())}, and other amounts. Are they lines of one document, to be added up, or versions of it?`,
      choices: ["lines", "versions"]
    }
  ]
})

/** The columns of a stream's amounts. */
const amountColumns = ({
  proposal,
  table
}: StreamRows): ReadonlyArray<{ readonly field: string; readonly index: number }> =>
  AMOUNTS.flatMap((field) => {
    const expression = proposal.columns[field]
    return expression === undefined
      ? []
      : Expressions.columnsOf(expression as Expressions.Expression).map((heading) => ({
          field,
          index: find(table.header, heading)
        }))
  })

export const linesOf = (of: StreamRows, { answers }: Pick<SetupSurroundings, "answers">): Finding => {
  const { at, proposal, table } = of
  if (proposal["lines"] !== undefined || at("id") < 0 || proposal.stream === "payments") return {}
  const repeated = groups(of)
  if (repeated.length === 0) return {}
  const columns = amountColumns(of)
  // Lines may cost the same, and then differ in what they are for.
  const texts = LINE_TEXTS.flatMap((role) => {
    const index = table.header.findIndex((heading) => rolesOf(heading).some((one) => one.role === role))
    return index < 0 ? [] : [index]
  })
  const isOfLine = (index: number): boolean => !WHOLE.test(table.header[index] ?? "")
  const lines = repeated.filter(
    (group) =>
      columns.some(({ index }) => differs(group, index)) ||
      (columns.some(({ field, index }) => field === "gross" && isOfLine(index)) &&
        texts.some((index) => differs(group, index)))
  )
  if (lines.length === 0)
    return {
      settings: { lines: "same" },
      decisions: [
        {
          what: "several rows repeat one document",
          because: `${repeated.length} ids have equal amounts in each of their rows`
        }
      ]
    }
  if (answers.repeated === "versions") return {}
  const indexes = columns.map(({ index }) => index)
  if (answers.repeated === undefined && mayBeVersions(table, lines, indexes)) return versions(of, lines[0], at("id"))
  const summed = new Set(
    columns.filter(({ index }) => lines.some((group) => differs(group, index))).map(({ field }) => field)
  )
  if (summed.size === 0) summed.add("gross").add("net")
  // Differing amounts are added up; a balance repeated on each line is not.
  const plain =
    summed.has("balance") || summed.has("paid")
      ? {
          sum: AMOUNTS.filter((field) => summed.has(field) || ADDED.includes(field)).filter(
            (field) => proposal.columns[field] !== undefined
          )
        }
      : "sum"
  return {
    settings: { lines: plain },
    decisions: [
      {
        what: "rows are lines of their document",
        because: `amounts differ within ${share(lines.length, repeated.length)} ids that have several rows`
      }
    ]
  }
}
