/** Documents of another type in a list of invoices, by how their numbers begin: "CN-7" among "INV-1". Nothing else tells them apart. */
import { find } from "../../connectors/tabular/Cells.ts"
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import { amountsIn, shown, sumOf } from "./Figures.ts"
import type { FoundTable, Proposal, SetupQuestion } from "./Tables.ts"

/** How numbers of credit notes, quotes, orders and delivery notes begin. */
const OTHERS = new Set(
  "CN CRN CR CRED CM SCN GS GU GUT AV AVR NC NCR NDC ND KN KR QU QUO QUOTE EST OFF OF ANG AN DEV PF PRO PROFORMA SO PO AB DN LS LN ST STO BL PI BILL".split(
    " "
  )
)

const PREFIX = /^(\p{L}+)(?:[-/_.# ]|(?=\d))/u

export const byPrefix = (
  table: FoundTable,
  proposal: Proposal,
  { left_out = {} }: SetupAnswers
): { readonly proposal: Proposal; readonly questions: ReadonlyArray<SetupQuestion> } => {
  const { columns, leave_out, stream, where } = proposal
  const heading = columns["number"] ?? columns["id"]
  if (stream !== "invoices" || where !== undefined || leave_out !== undefined || typeof heading !== "string")
    return { proposal, questions: [] }
  const at = find(table.header, heading)
  const beginnings = table.rows.map(({ cells }) => PREFIX.exec((cells[at] ?? "").trim()))
  const all = new Set(beginnings.map((one) => one?.[1]?.toUpperCase()))
  const found = [...all].filter((one) => one !== undefined && OTHERS.has(one))
  if (all.size < 2 || found.length === all.size) return { proposal, questions: [] }
  const amount = [columns["gross"], columns["net"]].find((one) => typeof one === "string")
  const starts: Array<string> = []
  const questions: Array<SetupQuestion> = []
  for (const prefix of found) {
    if (prefix === undefined) continue
    const is = (n: number) => beginnings[n]?.[1]?.toUpperCase() === prefix
    const rows = table.rows.filter((_, n) => is(n))
    if (left_out[prefix] === "yes")
      starts.push(...new Set(beginnings.flatMap((one, n) => (is(n) ? (one?.[0] ?? []) : []))))
    if (left_out[prefix] !== undefined) continue
    const sum = sumOf(amountsIn(rows, typeof amount === "string" ? find(table.header, amount) : -1))
    questions.push({
      answer: `left_out.${prefix}`,
      flag: `--left-out ${JSON.stringify(`${prefix}=yes`)}`,
      what: `numbers with ${prefix}`,
      ask: `${plural(rows.length, "number")} of ${table.name} ${rows.length === 1 ? "begins" : "begin"} with ${prefix} (${shown(sum)}, like ${JSON.stringify((rows[0]?.cells[at] ?? "").trim())}). Are these no invoices, so that they are left out?`,
      choices: ["yes", "no"]
    })
  }
  return { proposal: starts.length === 0 ? proposal : { ...proposal, leave_out: { [heading]: { starts } } }, questions }
}
