/** Columns of the same heading with other contents: which of them is meant is asked, never the first one taken. */
import { find } from "../../connectors/tabular/Cells.ts"
import type { SetupAnswers } from "./Answers.ts"
import { type FoundTable, headingAt, type Proposal, type SetupQuestion } from "./Tables.ts"

const textsAt = ({ rows }: FoundTable, n: number): ReadonlyArray<string> =>
  rows.map(({ cells }) => (cells[n] ?? "").trim())

/** Of the fields that one of several columns of that heading is used for. */
export const namesakes = (
  table: FoundTable,
  { columns, stream }: Proposal,
  { columns: said = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> =>
  Object.entries(columns).flatMap(([field, heading]) => {
    if (typeof heading !== "string" || said[field] !== undefined || said[`${stream}.${field}`] !== undefined) return []
    const at = find(table.header, heading)
    const own = textsAt(table, at)
    const all = table.header.flatMap((one, n) => {
      const differs = textsAt(table, n).some((text, row) => text !== "" && text !== own[row])
      return n === at || (one === table.header[at] && differs) ? [n] : []
    })
    if (at < 0 || table.header[at] === "" || all.length < 2) return []
    const example = all.map((n) => `${headingAt(table.header, n)} has ${JSON.stringify(textsAt(table, n)[0] ?? "")}`)
    return [
      {
        answer: `column.${stream}.${field}`,
        flag: `--column ${JSON.stringify(`${stream}.${field}=${headingAt(table.header, all.at(-1) ?? at)}`)}`,
        what: `${field} of ${table.name}`,
        ask: `${all.length} columns of ${table.name} are called ${JSON.stringify(heading)}. Which is the ${field} (${example.join(", ")})?`,
        choices: all.map((n) => headingAt(table.header, n))
      }
    ]
  })
