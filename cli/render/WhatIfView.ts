/** Renders what another configuration or another day would change in today's plan: what only one plan has, and what differs. */
import { grouped, plural } from "../../core/Plural.ts"
import type { WhatIf } from "../../sync/reports/WhatIf.ts"
import type { Output } from "./Output.ts"
import { table } from "./Table.ts"

type Look = Pick<Output, "style" | "width">

const ROWS = 15

const SECTIONS = {
  "only today": "Only in today's plan",
  "only other": "Only in the other plan",
  different: "In both, but different"
} as const

const shown = (text: string | null): string => text ?? "nothing"

/** The rows of a section: document, rule, why. */
const rowsOf = ({ documents, stops }: WhatIf, change: keyof typeof SECTIONS): ReadonlyArray<ReadonlyArray<string>> => [
  ...documents.flatMap(({ attention, calls, document, reason }) => [
    ...calls
      .filter((one) => one.change === change)
      .map(({ because, fields, rule }) => {
        if (change === "different") {
          const words = fields.map(({ field, other, today }) => `${field} ${shown(today)} → ${shown(other)}`)
          return [document, rule, words.length > 0 ? words.join(", ") : `${because.today} → ${because.other}`]
        }
        const [why, against] = change === "only today" ? [because.today, reason.other] : [because.other, reason.today]
        return [document, rule, `${why}${against === null ? "" : `; otherwise ${against}`}`]
      }),
    ...attention
      .filter((one) => one.change === change)
      .map(({ rule, why }) => [document, rule, `needs attention: ${why}`])
  ]),
  ...stops
    .filter((one) => one.change === change)
    .map(({ connection, guard, why }) => [connection, guard, `stopped: ${why}`])
]

const indent = (text: string): string => text.replace(/^/gm, "  ")

/** @param all every row of each section */
export const whatIfText = (report: WhatIf, all: boolean, { style, width }: Look): string => {
  const { asOf, documents, figures, notCovered, same, stops } = report
  const then = asOf === null ? "the other plan" : `the plan of ${asOf}`
  const parts = [
    `Today: ${figures.today === "" ? "nothing to send" : figures.today}`,
    `Otherwise: ${figures.other === "" ? "nothing to send" : figures.other}`,
    ""
  ]
  for (const [change, title] of Object.entries(SECTIONS)) {
    const rows = rowsOf(report, change as keyof typeof SECTIONS)
    if (rows.length === 0) continue
    const most = all ? rows.length : ROWS
    parts.push(`${style.bold(title)} ${style.dim(`(${grouped(rows.length)})`)}`)
    const columns = [{ title: "Document", flexible: true }, { title: "Rule" }, { title: "Why", flexible: true }]
    parts.push(indent(table(columns, rows.slice(0, most), { style, width: width - 2 })))
    if (rows.length > most) parts.push(style.dim(`  and ${grouped(rows.length - most)} more (--all lists every one)`))
    parts.push("")
  }
  if (notCovered.length > 0) parts.push(style.bold("Not compared"), ...notCovered.map((one) => `  ${one}`), "")
  const differ = documents.length
  parts.push(
    differ + stops.length === 0
      ? `${then[0]?.toUpperCase()}${then.slice(1)} is the same as today's.`
      : `${plural(differ, "document")} of ${then} ${differ === 1 ? "differs" : "differ"} from today's; ${grouped(same)} the same.`,
    "Nothing was sent, and nothing was written to the state file."
  )
  return parts.join("\n")
}
